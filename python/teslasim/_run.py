# SPDX-License-Identifier: Apache-2.0
"""What came out of a launch, or of a run of the command line."""
import collections.abc
import html

from . import _teslasim
from ._errors import Error
from ._plot import Plot
from ._table import table_of

_FRAME_HEIGHT = 620


def _in_frame(page):
    """A page of its own within a notebook: its styles and scripts reach nothing else."""
    return (f'<iframe srcdoc="{html.escape(page, quote=True)}" sandbox="allow-scripts" '
            f'style="width:100%;height:{_FRAME_HEIGHT}px;border:0"></iframe>')


class Statistics(collections.abc.Mapping):
    """Every number of a launch by its path in docs/statistics-reference.md: `stats["shared.replays"]`.

    A statistic that has no value in this run is None.
    """

    def __init__(self, run, launch):
        self._run, self._launch = run, launch

    def __getitem__(self, path):
        return self._run.statistic(path, self._launch)

    def __contains__(self, path):
        try:
            self[path]
        except Error:
            return False
        return True

    def __iter__(self):
        return (path for path, _ in self._run.statistics(self._launch))

    def __len__(self):
        return len(self._run.statistics(self._launch))

    def items(self):
        """Paths and values."""
        return self._run.statistics(self._launch)

    def find(self, word):
        """Those whose path contains a word, as a dictionary."""
        return {path: value for path, value in self.items() if word in path}

    def table(self):
        """All of them under the columns path and value."""
        return table_of(["path", "value"], [[path, "" if value is None else str(value)] for path, value in self.items()])

    def __repr__(self):
        return f"<{len(self)} statistics of a launch of {self._run.kernel(self._launch)}>"


class Stalls(dict):
    """Issue slots by reason, those that occurred; together they are all slots of the launch."""

    @property
    def total(self):
        """Issue slots of the launch: SM cycles times SMs."""
        return sum(self.values())

    def shares(self):
        """The same as parts of 1."""
        total = self.total or 1
        return {reason: slots / total for reason, slots in self.items()}

    def _repr_html_(self):
        rows = "".join(f"<tr><td>{html.escape(reason)}</td><td>{slots}</td><td>{100 * slots / (self.total or 1):.1f} %</td></tr>"
                       for reason, slots in sorted(self.items(), key=lambda one: -one[1]))
        return f"<table><thead><tr><th>reason</th><th>slots</th><th></th></tr></thead><tbody>{rows}</tbody></table>"


class Launch:
    """One launch of a run."""

    def __init__(self, run, number):
        self._run, self._number = run, number

    @property
    def kernel(self):
        """Name of the kernel."""
        return self._run.kernel(self._number)

    @property
    def stats(self):
        """Every statistic by its path."""
        return Statistics(self._run, self._number)

    @property
    def stalls(self):
        """Issue slots by reason."""
        return Stalls(self._run.stalls(self._number))

    @property
    def time_ms(self):
        """Simulated time; None without time."""
        return self.stats["time.ms"]

    @property
    def cycles(self):
        """SP cycles; None without time."""
        return self.stats["time.cycles"]

    def __repr__(self):
        return f"<launch {self._number}: {self.kernel}>"


class Run:
    """What a call of a kernel, `Machine.run` or `teslasim.load` returns.

    Numbers are those of the whole run; `run[i]` is one launch of several. A call of a kernel has one.
    """

    def __init__(self, run):
        self._run = run

    @property
    def name(self):
        """Of the kernel, the input or the run folder."""
        return self._run.name()

    @property
    def kernel(self):
        """Name of the (first) kernel."""
        return self._run.kernel(0)

    @property
    def machine(self):
        """Name of the machine, such as GeForce GTX 280."""
        return self._run.machine()

    @property
    def status(self):
        """ok, limit, interrupted, and for runs of the command line kernel_error or stuck."""
        return self._run.status()

    @property
    def digest(self):
        """Fingerprint over all counters and buffers: the same as that of the command line."""
        return self._run.digest()

    @property
    def time_ms(self):
        """Simulated time of all launches in ms; None without time."""
        return self._run.ms() if self._run.timed() else None

    @property
    def cycles(self):
        """SP cycles of all launches; None without time."""
        return self._run.cycles() if self._run.timed() else None

    @property
    def host_seconds(self):
        """What it took to simulate."""
        return self._run.host_seconds()

    @property
    def stats(self):
        """Every statistic of the (first) launch by its path."""
        return Statistics(self._run, 0)

    @property
    def stalls(self):
        """Issue slots by reason, of the (first) launch."""
        return Stalls(self._run.stalls(0))

    @property
    def pc(self):
        """What each instruction cost: the table pc.csv."""
        return table_of(*self._run.table(_teslasim.TableName.instructions))

    @property
    def intervals(self):
        """How the launch went over time: the table intervals.csv."""
        return table_of(*self._run.table(_teslasim.TableName.intervals))

    @property
    def blocks(self):
        """When each block was on which SM: the table ctas.csv."""
        return table_of(*self._run.table(_teslasim.TableName.blocks))

    @property
    def warps(self):
        """Where the cycles of single warps went: the table warps.csv, of the SMs that were chosen."""
        return table_of(*self._run.table(_teslasim.TableName.warps))

    @property
    def predictions(self):
        """What the analytical models say of the launches, a list."""
        return self._run.predictions()

    @property
    def configuration(self):
        """Every key of the machine with its value."""
        return dict(self._run.configuration())

    @property
    def warnings(self):
        """What was probably not meant."""
        return self._run.warnings()

    @property
    def plot(self):
        """Figures of matplotlib: `run.plot.stalls()`, `run.plot.time()`, `run.plot.models()`."""
        return Plot(self)

    def report(self, file=None):
        """The report as a page of HTML; with a file name it is written there instead."""
        if file is None:
            return self._run.report()
        return self._run.write_report(str(file))

    def stats_json(self):
        """The document stats.json as text."""
        return self._run.stats_json()

    def __len__(self):
        return self._run.launches()

    def __getitem__(self, number):
        length = len(self)
        if not -length <= number < length:
            raise IndexError(f"the run has {length} launches")
        return Launch(self._run, number % length)

    def __repr__(self):
        time = f"{self.time_ms:.6g} ms" if self._run.timed() else "without time"
        return f"<{self.name} on {self.machine}: {self.status}, {time}, digest {self.digest}>"

    def __str__(self):
        return self._run.summary()

    def _repr_html_(self):
        return _in_frame(self._run.overview())


def load(folder="latest"):
    """A run of the command line: a folder, or a number or "latest" of the folder runs/."""
    return Run(_teslasim.Run.load(str(folder)))
