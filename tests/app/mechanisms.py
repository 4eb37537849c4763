# SPDX-License-Identifier: Apache-2.0
"""benches/mechanisms.py on a block or two: its keys exist, its rows are differences, its counters are read; and what
benches/instructions.py makes of such counts."""
import contextlib
import importlib.util
import io
import json
import os
import pathlib
import subprocess
import sys
import unittest

BENCHES = pathlib.Path(__file__).resolve().parents[2] / "benches"
SCRIPT = BENCHES / "mechanisms.py"
sys.path.append(str(BENCHES))


def load(name):
    """Under a name of its own: this test is called like one of the scripts."""
    specification = importlib.util.spec_from_file_location(f"benches_{name}", BENCHES / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def run(*arguments):
    return subprocess.run([sys.executable, "-B", SCRIPT, os.environ["TESLASIM"], *arguments], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)


def printed(name, measure, *arguments):
    """Lines that the script prints when `measure` stands for running the simulator."""
    script = load(name)
    script.measure = measure
    output, saved = io.StringIO(), sys.argv
    sys.argv = [f"{name}.py", "teslasim", *arguments]
    try:
        with contextlib.redirect_stdout(output):
            script.main()
    finally:
        sys.argv = saved
    return output.getvalue().splitlines()


class Mechanisms(unittest.TestCase):
    def test_every_mechanism_can_be_switched_off(self):
        done = run("--kernel", "matmul_tiled=1", "--counter", "cpu", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        script = load("mechanisms")
        boards = list(dict.fromkeys(["gtx280", *(board for _, _, board in script.MECHANISMS_OF_BOARDS)]))
        self.assertEqual(len(rows), len(boards) + len(script.MECHANISMS) + len(script.MECHANISMS_OF_BOARDS))
        cycles = {row["mechanism"]: row["kernels"]["matmul_tiled"]["cycles_pct"] for row in rows}
        self.assertEqual([cycles.pop(f"all, as configured, {board}") for board in boards], [0.0] * len(boards))
        # What the script calls simulated cycles moves with the mechanisms that take time, and only with them.
        for word, sign in (("sm.icache.bytes", 1), ("sm.latency_cycles.shared", 1), ("sm.control_on_mad", 1),
                           ("sm.register_file.shared_operand_cycles", 1), ("--no-intervals", 0),
                           ("--no-sleep", 0), ("--look-ahead", 0)):
            (change,) = [value for name, value in cycles.items() if word in name]
            self.assertEqual((change > 0) - (change < 0), sign, f"{word}: {change}")

    def test_the_table_has_a_column_for_each_kernel(self):
        """A simulator that takes 500 instructions less per warp instruction where nothing is translated, and half the
        cycles for mad_chain; counts are put in, because the time of so short a run may read zero."""
        def measured(program, kernel, blocks, machine, counter, extra=()):
            ideal = "tlb.ideal=true" in extra
            return (2500 - 500 * ideal) * 10 * blocks, 10 * blocks, 100 // (2 if ideal and kernel == "mad_chain" else 1)

        lines = printed("mechanisms", measured, "--kernel", "matmul_tiled=1", "--kernel", "mad_chain=2", "--counter", "cpu",
                        "--only", "tlb.ideal")
        self.assertEqual(lines, ["ns of processor time, per warp instruction", "",
                                 "| mechanism | matmul_tiled | mad_chain |", "|---|---|---|",
                                 "| all, as configured, gtx280 | 2500 | 2500 |",
                                 "| address translation (`tlb.ideal=true`) | +500 | +500 (+100 % cycles) |"])

    def test_what_one_board_has_is_measured_there(self):
        def measured(program, kernel, blocks, machine, counter, extra=()):
            return {"8800gtx": 4000, "gtx280": 2500}[machine] - (100 if extra else 0), 10, 100

        lines = printed("mechanisms", measured, "--kernel", "matmul_tiled=1", "--counter", "cpu", "--only", "sm.control_on_mad")
        self.assertEqual(lines[-2:], ["| all, as configured, 8800gtx | 400 |",
                                      "| branches and barriers take turns of the MAD unit (`sm.control_on_mad=false`) | +10 |"])

    def test_counts_are_read_from_perf_and_valgrind(self):
        script = load("counting")
        self.assertEqual(script.count_in(b"some warning\n123456,,instructions:u,1000,100.00,,\n", "perf"), 123456)
        self.assertEqual(script.count_in(b"==7== \n==7== I   refs:      1,234,567\n", "valgrind"), 1234567)
        with self.assertRaises(SystemExit):
            script.count_in(b"<not supported>,,instructions:u,0,100.00,,\n", "perf")

    def test_costs_are_differences_per_warp_instruction(self):
        cost, cycles = load("mechanisms").compared((3000, 10, 110), (1000, 10, 100))
        self.assertAlmostEqual(cost, 200.0)
        self.assertAlmostEqual(cycles, 10.0)
        with self.assertRaises(SystemExit):
            load("mechanisms").compared((3000, 10, 110), (1000, 11, 100))

    def test_unknown_kernels_are_refused(self):
        done = run("--kernel", "nothing=1")
        self.assertEqual(done.returncode, 2)
        self.assertIn("'nothing=1' is not KERNEL=BLOCKS", done.stderr)


class Instructions(unittest.TestCase):
    def test_what_does_not_grow_with_the_launch_cancels_out(self):
        """A simulator that takes five million instructions for its files and 47,000 for a block of ten."""
        lines = printed("instructions", lambda program, kernel, blocks, *_: (5_000_000 + 47_000 * blocks, 10 * blocks, blocks),
                        "--counter", "valgrind")
        self.assertEqual([line.split() for line in lines[1:]],
                         [["kernel", "needed", "budget"]] +
                         [[kernel, "4700", str(budget)] for kernel, budget in load("instructions").BUDGET.items()])


if __name__ == "__main__":
    unittest.main()
