# SPDX-License-Identifier: Apache-2.0
"""Golden statistics: all of stats.json that belongs to a launch, one CSV file per machine.

A row is a statistic, named by its path; a column is a launch of a shipped kernel. Integers stand exactly, other numbers with
nine digits; an empty cell is 0, `-` says that the launch has no such statistic. A list (values of each SM, of each partition)
stands as a digest of eight hexadecimal digits: the totals say which statistic moved. The part `host` is not kept.
"""
import csv
import hashlib
import json
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent
ABSENT = "-"


def file_of(machine, folder=FOLDER):
    return folder / f"statistics.{machine}.csv"


def cell(value):
    """The text of one value."""
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, float):
        value = float(f"{value:.9g}")
        value = int(value) if value.is_integer() else value
    if isinstance(value, list):
        return "#" + hashlib.sha256(json.dumps(rounded(value)).encode()).hexdigest()[:8]
    return "" if value == 0 else str(value)


def rounded(value):
    """A list of the same structure whose numbers do not depend on the last bits of a division."""
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    return [rounded(part) for part in value] if isinstance(value, list) else cell(value)


def paths(document, prefix=""):
    """Path and text of every statistic."""
    for key, value in document.items():
        path = f"{prefix}.{key}" if prefix else key
        if isinstance(value, dict):
            yield from paths(value, path)
        else:
            yield path, cell(value)


def columns(kernel, stats):
    """The columns of one run, by name."""
    return {f"{kernel}.{launch['index']}": dict(paths(launch)) for launch in stats["launches"]}


def differences(expected, found):
    """Lines that say which statistics differ, old and new."""
    lines = []
    for launch in sorted(expected.keys() | found.keys()):
        old, new = expected.get(launch), found.get(launch)
        if old is None or new is None:
            lines.append(f"launch {launch}: {'not in the golden statistics' if old is None else 'no longer there'}")
            continue
        lines += [f"launch {launch}: {path}: {old.get(path, ABSENT) or 0} expected, {new.get(path, ABSENT) or 0} found"
                  for path in [*old, *(path for path in new if path not in old)] if old.get(path, ABSENT) != new.get(path, ABSENT)]
    return lines


class GoldenStatistics:
    """The file of one machine."""

    def __init__(self, machine, folder=FOLDER):
        self.file, self.launches = file_of(machine, folder), {}
        if not self.file.is_file():
            return
        with open(self.file, encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream):
                path = row.pop("statistic")
                for launch, text in row.items():
                    if text != ABSENT:
                        self.launches.setdefault(launch, {})[path] = text

    def of_kernel(self, kernel):
        return {launch: values for launch, values in self.launches.items() if launch.rpartition(".")[0] == kernel}

    def replace(self, kernel, found):
        self.launches = {launch: values for launch, values in self.launches.items() if launch.rpartition(".")[0] != kernel} | found

    def write(self):
        names = sorted(self.launches)
        rows = list(dict.fromkeys(path for name in names for path in self.launches[name]))
        with open(self.file, "w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(["statistic", *names])
            writer.writerows([path, *(self.launches[name].get(path, ABSENT) for name in names)] for path in rows)
