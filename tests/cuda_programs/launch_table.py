# SPDX-License-Identifier: Apache-2.0
"""The table of launches that a program leaves in its run folder."""
import collections
import csv

Launch = collections.namedtuple("Launch", "kernel instructions limiter")


def read(folder):
    with open(folder / "launches.csv", encoding="utf-8", newline="") as stream:
        return [Launch(row["kernel"], int(row["warp_instructions"]), row.get("limiter", "")) for row in csv.DictReader(stream)]


def limiter(launches):
    """What limits the launches with most instructions: the word without its share."""
    weights = collections.Counter()
    for launch in launches:
        weights[(launch.limiter.split() or [""])[0]] += launch.instructions
    return max(weights, key=weights.get, default="")
