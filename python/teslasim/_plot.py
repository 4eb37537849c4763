# SPDX-License-Identifier: Apache-2.0
"""Figures of a run, for those who have matplotlib."""


def _axes(axes, size):
    if axes is not None:
        return axes
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("figures need matplotlib (Debian: python3-matplotlib); the numbers are there without it: "
                          "run.stalls, run.intervals, run.predictions") from error
    return pyplot.subplots(figsize=size)[1]


class Plot:
    """Each function draws into `axes`, or into a figure of its own, and returns the axes."""

    def __init__(self, run):
        self._run = run

    def stalls(self, axes=None, at_least=0.005):
        """Where the issue slots went, as bars; reasons below a share of `at_least` are left out."""
        axes = _axes(axes, (8, 4))
        shares = sorted(((share, reason) for reason, share in self._run.stalls.shares().items() if share >= at_least))
        axes.barh([reason for _, reason in shares], [100 * share for share, _ in shares])
        axes.set_xlabel("issue slots [%]")
        axes.set_title(f"{self._run.kernel} on {self._run.machine}")
        return axes

    def time(self, axes=None):
        """How busy the issue slots were over time."""
        axes = _axes(axes, (8, 4))
        table = self._run.intervals
        whole = [row for row in range(len(table["sm"])) if table["sm"][row] == -1]
        begin, end, issued = ([table[name][row] for row in whole] for name in ("cycle_begin", "cycle_end", "slot_issued"))
        reasons = [name for name in table if name.startswith("slot_")]
        slots = [max(1, sum(int(table[name][row]) for name in reasons)) for row in whole]
        axes.step([(first + last) / 2 for first, last in zip(begin, end)],
                  [100 * count / all_slots for count, all_slots in zip(issued, slots)], where="mid")
        axes.set_xlabel("SP cycles")
        axes.set_ylabel("slots that issued [%]")
        axes.set_title(f"{self._run.kernel} on {self._run.machine}")
        return axes

    def models(self, axes=None):
        """What the analytical models predict beside the simulated time."""
        axes = _axes(axes, (8, 4))
        said = [one for one in self._run.predictions if one.ms is not None]
        axes.barh([one.model for one in reversed(said)], [one.ms for one in reversed(said)])
        if self._run.time_ms is not None:
            axes.axvline(self._run.time_ms, color="black", label="simulated")
            axes.legend()
        axes.set_xlabel("ms")
        axes.set_title(f"{self._run.kernel} on {self._run.machine}")
        return axes
