# SPDX-License-Identifier: Apache-2.0
"""teslasim: cycle-level simulation of NVIDIA Tesla-class GPUs, from Python.

    import numpy, teslasim
    k = teslasim.kernel("saxpy.asm")
    x, y = numpy.random.rand(2, 1000).astype(numpy.float32)
    r = k(4, 256, 1000, 1.5, x, y)                        # y = 1.5 * x + y
    r.time_ms, r.stalls, r.pc, r.stats["shared.replays"], r.digest

`teslasim.machine` configures a GPU, `teslasim.kernel` reads code, a call of a kernel launches it and returns a
`teslasim.Run`. `teslasim.load` reads runs of the command line. docs/python.md has it all.
"""
from . import models
from ._errors import Error, Warning  # noqa: A004
from ._machine import Kernel, Machine, default_machine, kernel, kernels, machine, machines, source
from ._run import Launch, Run, Stalls, Statistics, load
from ._sweep import load_sweep
from ._table import Table
from ._teslasim import Message, Progress

__all__ = ["Error", "Kernel", "Launch", "Machine", "Message", "Progress", "Run", "Stalls", "Statistics", "Table", "Warning",
           "default_machine", "kernel", "kernels", "load", "load_sweep", "machine", "machines", "models", "source"]
