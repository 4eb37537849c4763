# SPDX-License-Identifier: Apache-2.0
"""benches/mechanisms.py on a block or two: its keys exist, its rows are differences, its counters are read."""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "benches" / "mechanisms.py"


def load():
    specification = importlib.util.spec_from_file_location("mechanisms_script", SCRIPT)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def run(*arguments):
    return subprocess.run([sys.executable, "-B", SCRIPT, os.environ["TESLASIM"], *arguments], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)


class Mechanisms(unittest.TestCase):
    def test_every_mechanism_can_be_switched_off(self):
        done = run("--kernel", "matmul_tiled=1", "--counter", "cpu", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(len(rows), 1 + len(load().MECHANISMS))
        cycles = {row["mechanism"]: row["kernels"]["matmul_tiled"]["cycles_pct"] for row in rows}
        self.assertEqual(cycles.pop("all, as configured"), 0.0)
        # What the script calls simulated cycles moves with the mechanisms that take time, and only with them.
        for word, sign in (("sm.icache.bytes", 1), ("sm.latency_cycles.shared", 1), ("--no-intervals", 0),
                           ("--no-sleep", 0), ("--look-ahead", 0)):
            (change,) = [value for name, value in cycles.items() if word in name]
            self.assertEqual((change > 0) - (change < 0), sign, f"{word}: {change}")

    def test_the_table_has_a_column_for_each_kernel(self):
        done = run("--kernel", "matmul_tiled=1", "--kernel", "mad_chain=1", "--counter", "cpu", "--only", "tlb.ideal")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [line for line in done.stdout.splitlines() if line.startswith("|")]
        self.assertEqual(lines[0], "| mechanism | matmul_tiled | mad_chain |")
        self.assertEqual(len(lines), 4)
        self.assertTrue(lines[3].startswith("| address translation (`tlb.ideal=true`) | "), lines[3])
        self.assertGreater(int(lines[2].split("|")[2]), 0)

    def test_counts_are_read_from_perf_and_valgrind(self):
        script = load()
        self.assertEqual(script.count_in(b"some warning\n123456,,instructions:u,1000,100.00,,\n", "perf"), 123456)
        self.assertEqual(script.count_in(b"==7== \n==7== I   refs:      1,234,567\n", "valgrind"), 1234567)
        with self.assertRaises(SystemExit):
            script.count_in(b"<not supported>,,instructions:u,0,100.00,,\n", "perf")

    def test_costs_are_differences_per_warp_instruction(self):
        cost, cycles = load().compared((3000, 10, 110), (1000, 10, 100))
        self.assertAlmostEqual(cost, 200.0)
        self.assertAlmostEqual(cycles, 10.0)
        with self.assertRaises(SystemExit):
            load().compared((3000, 10, 110), (1000, 11, 100))

    def test_unknown_kernels_are_refused(self):
        done = run("--kernel", "nothing=1")
        self.assertEqual(done.returncode, 2)
        self.assertIn("'nothing=1' is not KERNEL=BLOCKS", done.stderr)


if __name__ == "__main__":
    unittest.main()
