# SPDX-License-Identifier: Apache-2.0
"""Machines and kernels."""
import warnings

import numpy

from . import _teslasim
from ._errors import Error, Warning  # noqa: A004
from ._run import Run

_DIMENSIONS = 3


def _word(value):
    """A value as `--set` takes it."""
    if isinstance(value, (bool, numpy.bool_)):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_word(one) for one in value) + "]"
    return str(value)


def _sizes(name, given):
    sizes = (given,) if isinstance(given, (int, numpy.integer)) else tuple(given)
    if not 1 <= len(sizes) <= _DIMENSIONS or not all(isinstance(one, (int, numpy.integer)) and 0 <= one < 2**32 for one in sizes):
        raise Error(f"error[LAUNCH-RANGE]: {name} is a whole number or up to three of them, not {given!r}", "LAUNCH-RANGE")
    return tuple(int(one) for one in sizes) + (1,) * (_DIMENSIONS - len(sizes))


def _constants(given):
    """Of {name or offset in c0: array}."""
    made = []
    for place, values in (given or {}).items():
        data = numpy.ascontiguousarray(values).tobytes()
        name, offset = (place, 0) if isinstance(place, str) else ("", int(place))
        made.append(_teslasim.constant(name, offset, data))
    return made


def _options(shared=0, constants=None, timed=True, max_cycles=None, progress=None):
    return _teslasim.Options(int(shared), _constants(constants), bool(timed), int(max_cycles or 0), progress)


def _warn(messages, depth=4):
    for message in messages:
        warnings.warn(message.text, Warning, stacklevel=depth)


class Machine:
    """A simulated GPU: made by `teslasim.machine`. It is built at its first launch; every launch begins with it as new."""

    def __init__(self, name, settings, threads, intervals, calibration, warp_sms):
        words = [(key, _word(value)) for key, value in settings.items()]
        self._machine = _teslasim.Machine(str(name), words, int(threads), bool(intervals), str(calibration or ""),
                                          str(warp_sms))
        _warn(self._machine.warnings())

    @property
    def name(self):
        """As it was asked for."""
        return self._machine.name()

    @property
    def info(self):
        """Title, level, SMs, clock and peaks."""
        return self._machine.info()

    @property
    def configuration(self):
        """Every key with its value."""
        return dict(self._machine.configuration())

    def toml(self):
        """The effective configuration as a machine file."""
        return self._machine.toml()

    def run(self, file, *, timed=True, max_cycles=None, progress=None):
        """Runs a launch file, or code with one beside it, as `teslasim run` does."""
        run = Run(self._machine.run(str(file), _options(0, None, timed, max_cycles, progress)))
        _warn(run.warnings, 3)
        return run

    def __repr__(self):
        info = self.info
        return f"<machine {info.name}: {info.title}, {info.arch}, {info.sms} SMs>"


class Kernel:
    """One kernel, made by `teslasim.kernel` or `teslasim.source`. To call it is to launch it."""

    def __init__(self, kernel):
        self._kernel = kernel

    @property
    def name(self):
        """Name of the kernel."""
        return self._kernel.name()

    @property
    def file(self):
        """Where the code is from."""
        return self._kernel.file()

    @property
    def parameters(self):
        """As the code declares them."""
        return self._kernel.parameters()

    @property
    def registers(self):
        """Per thread."""
        return self._kernel.registers()

    @property
    def shared_bytes(self):
        """Static shared memory of a block."""
        return self._kernel.shared_bytes()

    @property
    def listing(self):
        """Addresses and instructions as text."""
        return self._kernel.listing()

    def __call__(self, grid, block, *arguments, machine=None, shared=0, constants=None, timed=True, max_cycles=None,
                 progress=None):
        """Launches the kernel and returns a `Run`.

        grid, block   numbers or tuples
        arguments     numpy arrays, which are copied to the device and back; numbers, which become what the kernel declares
        machine       of `teslasim.machine`; by default a gtx280
        shared        bytes of dynamic shared memory
        constants     {variable or offset in c0: array} for constant memory
        timed         False: results and counts without time
        max_cycles    stop there, with the status "limit"
        progress      function of a `Progress`, called a few times per second; False ends the launch
        """
        machine = machine or default_machine()
        options = _options(shared, constants, timed, max_cycles, progress)
        run = Run(machine._machine.launch(self._kernel, _sizes("grid", grid), _sizes("block", block), arguments, options))
        _warn(run.warnings, 3)
        return run

    def predict(self, grid, block, *arguments, machine=None, shared=0, constants=None, progress=None):
        """What the analytical models say of a launch, from a run without time. Arrays stay as they are."""
        machine = machine or default_machine()
        options = _options(shared, constants, False, None, progress)
        return machine._machine.predict(self._kernel, _sizes("grid", grid), _sizes("block", block), arguments, options)

    def __repr__(self):
        return f"<kernel {self.name}({', '.join(repr(one) for one in self.parameters)}) of {self.file}>"


_default = None


def default_machine():
    """The machine of calls that name none: a gtx280, made once."""
    global _default
    if _default is None:
        _default = machine()
    return _default


def machine(name="gtx280", *, threads=1, intervals=True, calibration=None, warp_sms="0", **settings):
    """A simulated GPU: a name (`teslasim.machines()`) or a machine file, and keys of docs/config-reference.md.

        m = teslasim.machine("gtx280", **{"sm.shared.banks": 32})

    threads       of this computer, that simulate one launch at once
    intervals     whether launches keep how they went over time
    calibration   of the analytical models: a file of `teslasim calibrate --export`
    warp_sms      SMs whose warps are kept one by one: "all", "none", "0-2,5"
    """
    return Machine(name, settings, threads, intervals, calibration, warp_sms)


def machines():
    """The machines that have names."""
    return _teslasim.machines()


def kernel(path, name=None, *, compile="", allow_unaligned=False):  # noqa: A002 - as in launch files
    """A kernel of a file: assembly, a cubin, PTX or CUDA C. Without `name`: its only one.

    compile: options for CUDA C and PTX as nvcc has them, such as "-DTILE=16 -maxrregcount 16".
    """
    return Kernel(_teslasim.Kernel.from_file(str(path), name or "", compile, allow_unaligned))


def kernels(path, *, compile=""):  # noqa: A002
    """The names of the kernels of a file."""
    return _teslasim.Kernel.names(str(path), compile, False)


def source(text, file="source.asm", name=None, *, compile="", allow_unaligned=False):  # noqa: A002
    """A kernel of a text. `file` stands in messages; its ending says what the text is: .asm, .ptx or .cu."""
    return Kernel(_teslasim.Kernel.from_text(text, str(file), name or "", compile, allow_unaligned))
