# SPDX-License-Identifier: Apache-2.0
"""The analytical models: which there are, and what they say of runs and kernels.

    teslasim.models.names()
    teslasim.models.table()            # each with its purpose and source
    teslasim.models.of(run)            # predictions beside the simulated time
    teslasim.models.calibrate(machine, "gtx280.calibration.toml")
"""
import os
import pathlib
import shutil
import subprocess
import tempfile

from . import _teslasim
from ._errors import Error
from ._table import table_of


def all_models():
    """Every model, in the order in which they are shown."""
    return _teslasim.models()


def names():
    """Names of those that predict the time of a launch."""
    return [one.name for one in all_models() if one.of_launch]


def find(name):
    """The model of a name."""
    for one in all_models():
        if one.name == name:
            return one
    raise Error(f"error[CLI-MODEL]: there is no model '{name}'\n  = help: teslasim.models.names() lists them", "CLI-MODEL")


def table():
    """All models with purpose, source and level."""
    return table_of(["model", "purpose", "source", "level"], [[one.name, one.purpose, one.source, one.level] for one in all_models()])


def of(predictions):
    """Predictions as a table: those of a run, or those that `Kernel.predict` returned."""
    said = getattr(predictions, "predictions", predictions)
    columns = ["launch", "kernel", "model", "ms", "simulated_ms", "error_pct", "bound", "level", "refusal"]
    rows = []
    for one in said:
        known = one.ms is not None and one.simulated_ms
        error = 100 * (one.ms - one.simulated_ms) / one.simulated_ms if known else None
        cells = [one.launch, one.kernel, one.model, one.ms, one.simulated_ms, error, one.bound, one.level, one.refusal]
        rows.append(["" if cell is None else str(cell) for cell in cells])
    return table_of(columns, rows)


def program():
    """The program `teslasim` that belongs to this module: of the same build or prefix, else the one in the path."""
    here = pathlib.Path(_teslasim.__file__).resolve()
    for folder in here.parents:
        for found in (folder / "teslasim", folder / "bin" / "teslasim"):
            if found.is_file() and os.access(found, os.X_OK):
                return str(found)
    found = shutil.which("teslasim")
    if found is None:
        raise Error("error[PYTHON-PROGRAM]: the program teslasim is not there\n  = help: put its folder into PATH", "PYTHON-PROGRAM")
    return found


def calibrate(machine, file):
    """Measures what the models need on a machine with micro-benchmarks, and writes it to a file, which is returned.

    `teslasim.machine(..., calibration=file)` has models use it. It takes seconds; the program `teslasim` does it.
    """
    with tempfile.TemporaryDirectory(prefix="teslasim-machine-") as folder:
        words = pathlib.Path(folder) / "machine.toml"
        words.write_text(machine.toml(), encoding="utf-8")
        command = [program(), "calibrate", "-c", str(words), "--export", str(file), "--quiet"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        code = done.stderr.partition("[")[2].partition("]")[0]
        raise Error(done.stderr.strip(), code, exit_code=done.returncode)
    return str(file)
