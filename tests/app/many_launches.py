# SPDX-License-Identifier: Apache-2.0
"""Runs of very many launches: what is written does not grow with those whose details nobody asked for."""
import collections
import json
import os
import pathlib
import resource
import signal
import subprocess
import time
import unittest

from cli import PROGRAM, Cli

TRACES = pathlib.Path(__file__).resolve().parents[2] / "traces"

TWO_KERNELS = """\
.entry store
{
.param u32 out
    mov.b32 $r1, s[out]
    mov.u32 g[$r1], $r1
    return
}
.entry twice
{
.param u32 out
    mov.b32 $r1, s[out]
    mov.u32 $r2, g[$r1]
    mov.u32 g[$r1], $r2
    return
}
"""

# What an entry says of the launches that it stands for, and the deepest queue of all: no counts.
NO_COUNT = {"grid", "block", "index", "merged", "occupancy", "sm", "partition", "queue_deepest"}


def totals(value, path=()):
    """Each whole number in a tree, with its path, but those that are no counts."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in NO_COUNT:
                yield from totals(inner, (*path, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from totals(inner, (*path, str(index)))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield ".".join(path), value


def moved(left, right):
    """Paths whose sums over the launches differ."""
    sums = []
    for stats in left, right:
        found = collections.Counter()
        for launch in stats["launches"]:
            for path, value in totals(launch):
                found[path] += value
        sums.append(found)
    assert len(sums[0]) > 100, "counts of the whole machine"
    return {path for path in set(sums[0]) | set(sums[1]) if sums[0][path] != sums[1][path]}


class ManyLaunches(Cli):
    def launches(self, count, code="two.asm", expect=""):
        """Of two kernels by turns, with one or two blocks, all on one buffer."""
        self.write("two.asm", TWO_KERNELS)
        rows = []
        for i in range(count):
            buffer = 'type = "u32", count = 4' if i == 0 else ""
            rows.append(f'[[launch]]\nkernel = "{("store", "twice")[i % 2]}"\ngrid = [{1 + i // 2 % 2}]\nblock = [32]\n'
                        'param = [{ name = "out"' + (", " + buffer if buffer else "") + " }]\n")
        self.write("two.launch.toml", f'schema = "teslasim.launch/1"\ncode = "{code}"\n' + "".join(rows) + expect)

    def run_to(self, folder, *options, status=0):
        return self.expect(status, "run", "two.launch.toml", "-c", "tiny", "-o", folder, *options)

    def sizes(self, folder):
        return {entry.name: entry.stat().st_size for entry in os.scandir(self.here / folder) if entry.is_file()}

    def test_a_few_launches_stand_alone_without_a_word(self):
        self.launches(64)
        self.run_to("few")
        self.assertFalse((self.here / "few/launches.csv").exists())
        launches = self.stats("few")["launches"]
        self.assertEqual([launch["index"] for launch in launches], list(range(64)))
        self.assertTrue(all("merged" not in launch for launch in launches))

    def test_many_are_added_up_by_kernel_and_nothing_is_lost(self):
        self.launches(100)
        self.run_to("sum")
        self.run_to("all", "--launch-details", "all")
        merged, single = self.stats("sum"), self.stats("all")
        self.assertEqual(merged["digest"], single["digest"])
        self.assertEqual(merged["counters_digest"], single["counters_digest"])
        self.assertEqual([(row["kernel"], row["index"], row["merged"]) for row in merged["launches"]],
                         [("store", 0, {"launches": 50, "last": 98, "same_shape": False}),
                          ("twice", 1, {"launches": 50, "last": 99, "same_shape": False})])
        self.assertEqual(len(single["launches"]), 100)
        self.assertEqual(moved(merged, single), set())
        self.assertEqual(sum(row["latency"]["answers"] for row in merged["launches"]),
                         sum(row["latency"]["answers"] for row in single["launches"]))
        issues = [sum(int(row["warp_issues"]) for row in self.table(folder + "/pc.csv")) for folder in ("sum", "all")]
        self.assertEqual(issues[0], issues[1])

    def test_every_counter_of_larger_kernels_is_added_up(self):
        """A counter that is new and forgotten in sums shows here."""
        for name in "histogram", "matmul_tiled":
            with self.subTest(name):
                text = (TRACES / name / f"{name}.launch.toml").read_text().split("\n[expect")[0]
                text = text.replace("\n", f'\ncode = "{TRACES / name / name}.asm"\n', 1) + "\n[[launch]]\n" * 2
                self.write("two.launch.toml", text)
                for folder, details in ("sum", "none"), ("all", "all"):
                    self.run_to(name + folder, "--launch-details", details)
                self.assertEqual(moved(self.stats(name + "sum"), self.stats(name + "all")), set())

    def test_every_launch_has_a_row(self):
        self.launches(100)
        self.run_to("sum")
        self.run_to("all", "--launch-details", "all")
        rows = self.table("sum/launches.csv")
        self.assertEqual([int(row["launch"]) for row in rows], list(range(100)))
        self.assertEqual(rows, self.table("all/launches.csv"))
        for row, launch in zip(rows, self.stats("all")["launches"]):
            self.assertEqual((row["kernel"], row["status"], int(row["cycles"]), float(row["ms"]), int(row["warp_instructions"]),
                              int(row["grid_x"])),
                             (launch["kernel"], "ok", launch["time"]["cycles"], launch["time"]["ms"],
                              launch["instructions"]["warp"], launch["grid"][0]))
        digests = {(row["kernel"], row["grid_x"], row["cycles"]): set() for row in rows}
        for row in rows:
            digests[row["kernel"], row["grid_x"], row["cycles"]].add(row["digest"])
        self.assertTrue(all(digests.values()))
        self.assertIn("launches.csv", json.loads((self.here / "sum/run.json").read_text())["files"])

    def test_chosen_launches_stand_alone(self):
        self.launches(100)
        self.run_to("some", "--launch-details", "3,10-11")
        self.run_to("all", "--launch-details", "all")
        some, single = self.stats("some"), self.stats("all")
        self.assertEqual([(row["index"], "merged" in row) for row in some["launches"]],
                         [(0, True), (1, True), (3, False), (10, False), (11, False)])
        self.assertEqual(some["launches"][2], single["launches"][3])
        self.assertEqual(sum(row.get("merged", {"launches": 1})["launches"] for row in some["launches"]), 100)
        self.assertEqual({row["launch"] for row in self.table("some/intervals.csv")}, {"3", "10", "11"})
        self.assertEqual(some["digest"], single["digest"])

    def test_few_launches_are_added_up_when_asked(self):
        self.launches(4)
        self.run_to("none", "--launch-details", "none")
        self.assertEqual([row["merged"]["launches"] for row in self.stats("none")["launches"]], [2, 2])
        self.assertEqual(len(self.table("none/launches.csv")), 4)

    def test_wrong_choices(self):
        self.launches(4)
        for words in ("4",), ("0-9",), ("some",), ("",), ("none", "--perfetto"):
            done = self.teslasim("run", "two.launch.toml", "-c", "tiny", "--launch-details", *words)
            self.assertEqual(done.returncode, 0 if words == ("",) else 2, done.stderr)

    def test_what_is_written_does_not_grow(self):
        self.launches(100)
        self.run_to("few")
        self.launches(800)
        self.run_to("many")
        few, many = self.sizes("few"), self.sizes("many")
        self.assertEqual(few.keys(), many.keys())
        for name in few.keys() - {"launches.csv"}:
            self.assertLess(many[name], 1.3 * few[name] + 500, name)
        self.assertLess(many["launches.csv"], 120 * 800)

    def test_readers_of_such_a_run(self):
        self.launches(100)
        done = self.run_to("a")
        self.assertIn("100 launches", done.stdout)
        self.assertIn("sum of 50 launches", done.stdout)
        self.run_to("b", "-s", "sm.shared.banks=8")
        self.expect(0, "rerun", "a")
        self.expect(0, "report", "a", "-o", "one.html")
        self.expect(0, "report", "a", "b", "-o", "two.html")
        self.expect(0, "compare", "a", "b", "--json=compare.json")
        self.expect(0, "compare", "a")
        total = sum(row["time"]["ms"] for row in self.stats("a")["launches"])
        models = json.loads(self.expect(0, "models", "a", "--json=-").stdout)
        self.assertEqual([row["kernel"] for row in models["launches"]], ["store", "twice"])
        self.assertAlmostEqual(sum(row["simulated_ms"] for row in models["launches"]), total)
        self.expect(0, "run", "two.launch.toml", "-c", "tiny", "--no-out", "--expect", "instructions.warp == 525")
        self.assertTrue((self.here / "a/report.html").stat().st_size > 100000)

    def test_functional_runs_and_traces(self):
        self.launches(100)
        self.run_to("functional", "--mode", "functional")
        self.assertEqual(len(self.table("functional/launches.csv")), 100)
        self.expect(0, "trace", "record", "two.launch.toml", "-c", "tiny", "-o", "t.wtrace")
        self.expect(0, "run", "t.wtrace", "-c", "tiny", "-o", "replay")
        self.run_to("run")
        self.assertEqual(self.stats("replay")["counters_digest"], self.stats("run")["counters_digest"])

    def test_outputs_are_checked_behind_the_last_launch(self):
        self.launches(100, expect='[expect.out]\nfile = "ref.npy"\ntol_abs = 0\n')
        header = "{'descr': '<u4', 'fortran_order': False, 'shape': (4,), }".ljust(117) + "\n"
        (self.here / "ref.npy").write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()
                                            + bytes(16))
        self.run_to("wrong", status=1)
        self.assertEqual([launch["outputs"]["ok"] for launch in self.stats("wrong")["launches"]], [None, False])

    def test_limits_and_signals_reach_runs_of_short_launches(self):
        self.launches(20000)
        self.run_to("limited", "--max-seconds", "0.5")
        stats = self.stats("limited")
        done = sum(row.get("merged", {"launches": 1})["launches"] for row in stats["launches"])
        self.assertEqual(stats["status"], "limit")
        self.assertLess(done, 20000)
        self.assertEqual(len(self.table("limited/launches.csv")), done)
        process = subprocess.Popen([PROGRAM, "run", "two.launch.toml", "-c", "tiny", "-o", "stopped"], cwd=self.here, text=True,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        rows = self.here / "stopped/launches.csv"
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not (rows.exists() and rows.stat().st_size > 1000):
            time.sleep(0.02)
        self.assertIsNone(process.poll(), "rows are written while the run goes on")
        process.send_signal(signal.SIGINT)
        err = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("interrupted", err)
        self.assertEqual(self.stats("stopped")["status"], "interrupted")

    @unittest.skipUnless(os.environ.get("TESLASIM_LONG_TESTS"), "takes a minute: set TESLASIM_LONG_TESTS")
    def test_twenty_thousand_launches(self):
        memory = []
        for count in 2000, 20000:
            self.launches(count)
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
            self.run_to(f"r{count}", "-c", "gtx280")
            memory.append(max(before, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
        self.assertEqual(len(self.table("r20000/launches.csv")), 20000)
        self.assertLess(sum(self.sizes("r20000").values()), 8e6)
        self.assertLess(memory[1] - memory[0], 150e3, "kB for 18,000 launches more")


if __name__ == "__main__":
    unittest.main()
