# SPDX-License-Identifier: Apache-2.0
"""teslasim run --sample: some blocks of long launches in time, the others by function."""
import csv
import json

from cli import Cli

# Each thread goes (block * step / 256) + 32 times through a loop and writes how often.
LOOPS = """\
.entry loops
{
.param ptr out
.param u32 step
    mov.u32.u16 $r3, %ctaid.x
    and.b32 $r4, $r0, 0x0000ffff
    mov.u32.u16 $r5, %ntid.x
    mul24.u32 $r1, $r3, $r5
    add.u32 $r1, $r1, $r4
    shl.u32 $r2, $r1, 2
    add.u32 $r2, s[out], $r2
    mov.b32 $r7, s[step]
    mul24.u32 $r6, $r3, $r7
    shr.u32 $r6, $r6, 8
    add.u32 $r6, $r6, 0x00000020
    mov.b32 $r9, 1
    mov.b32 $r10, 0
again:
    add.u32 $r10, $r10, $r9
    sub.u32 $p0|$r6, $r6, $r9
    @$p0.ne bra.label again
    mov.u32 g[$r2], $r10
    return
}
"""
BLOCKS, WAVE = 800, 48  # 6 SMs hold 8 blocks each
MACHINE = ("-c", "gtx280", "--set", "gpu.tpcs=2")
TIMED = 8 * WAVE + BLOCKS % WAVE


class Sample(Cli):
    def setUp(self):
        super().setUp()
        self.loops(0)

    def loops(self, step, launches=1):
        parameters = ('param = [ {{ name = "out", type = "u32", count = {}, init = "zero" }}, '
                      '{{ name = "step", type = "u32", value = {} }} ]\n').format(BLOCKS * 128, step)
        self.kernel("loops", LOOPS, block=128, grid=BLOCKS)
        head = f'schema = "teslasim.launch/1"\nblock = [128]\ngrid = [{BLOCKS}]\n'
        one = '\n[[launch]]\nkernel = "loops"\n' + parameters
        again = '\n[[launch]]\nkernel = "loops"\nparam = [ { name = "out" }, { name = "step" } ]\n'
        self.write("loops.launch.toml", head + one + again * (launches - 1) + "\n")

    def launch(self, *options, status=0):
        self.done = self.expect(status, "run", "loops.launch.toml", *MACHINE, *options)
        return self.stats()["launches"][0]

    def test_time_is_near_that_of_the_whole_and_results_are_right(self):
        whole = self.launch("--dump", "out=whole.npy")
        self.assertNotIn("sample", whole)
        self.assertFalse(whole["sampled"])
        sampled = self.launch("--dump", "out=sampled.npy", "--sample", "blocks=8")
        self.assertEqual((self.here / "whole.npy").read_bytes(), (self.here / "sampled.npy").read_bytes())
        sample = sampled["sample"]
        self.assertTrue(sampled["sampled"])
        self.assertEqual((sample["waves"], sample["timed_blocks"], sample["function_blocks"]), (8, TIMED, BLOCKS - TIMED))
        self.assertEqual(sample["measured_cycles"], sampled["time"]["cycles"])
        self.assertEqual(sampled["ctas"], {"total": TIMED, "done": TIMED})
        self.assertEqual(sampled["instructions"]["warp"] + sample["function_warp_instructions"], whole["instructions"]["warp"])
        off = abs(sample["cycles"] - whole["time"]["cycles"])
        self.assertLessEqual(off, max(sample["cycles_bound"], 0.02 * whole["time"]["cycles"]))
        self.assertTrue(sample["steady"])
        self.assertIn("+-", self.done.stdout)
        self.assertIn(f"done {BLOCKS}/{BLOCKS} blocks", self.done.stdout)
        self.assertIn("ran in time", self.done.stdout)
        self.assertEqual(self.done.stderr, "")
        page = (self.here / "runs/latest/report.html").read_text(encoding="utf-8")
        self.assertIn(">sampled</span>", page)
        self.assertIn("The time of the launch is extrapolated", page)
        with open(self.here / "runs/index.csv", encoding="utf-8") as file:
            self.assertEqual(int(list(csv.DictReader(file))[-1]["cycles"]), sample["cycles"])
        compared = self.expect(0, "compare", "1", "2").stdout
        self.assertIn(f"{TIMED} of {BLOCKS}", compared)
        self.assertIn("its time is extrapolated", compared)
        self.expect(1, "compare", "1", "2", "--fail-on", "time_ms>+50%")

    def test_threads_and_reruns_give_the_same_digest(self):
        self.launch("--sample", "blocks=8", "--no-report")
        digest = self.stats()["digest"]
        self.launch("--sample", "blocks=8", "--no-report", "--threads", "4")
        self.assertEqual(self.stats()["digest"], digest)
        self.expect(0, "rerun", "1")

    def test_conditions_are_about_the_whole_launch(self):
        sample = self.launch("--sample", "blocks=8", "--no-report")["sample"]
        cycles = f"cycles == {sample['cycles']}"
        self.assertIn("pass", self.expect(0, "run", "loops.launch.toml", *MACHINE, "--no-out", "--sample", "blocks=8", "--expect", cycles,
                                          "--expect", f"time.cycles == {sample['measured_cycles']}").stdout)

    def test_a_trend_is_told(self):
        self.loops(120)
        sample = self.launch("--sample", "blocks=8")["sample"]
        self.assertFalse(sample["steady"])
        self.assertGreater(sample["trend_pct"], 50)
        self.assertGreater(sample["work_ratio"], 1.3)
        self.assertIn("warning[SAMPLE-TREND]", self.done.stderr)
        self.assertIn("warning[SAMPLE-WORK]", self.done.stderr)
        self.assertIn("NO STEADY STATE", self.done.stdout)
        page = (self.here / "runs/latest/report.html").read_text(encoding="utf-8")
        self.assertIn("but in no steady state", page)
        self.assertIn("SAMPLE-TREND", page)
        self.assertIn("error[SAMPLE-TREND]", self.expect(5, "run", "loops.launch.toml", *MACHINE, "--no-out", "--sample", "blocks=8",
                                                         "-W", "error=SAMPLE-TREND").stderr)

    def test_small_launches_run_whole(self):
        launch = self.launch("--sample", "blocks=9", "--no-report")
        self.assertFalse(launch["sampled"])
        self.assertNotIn("sample", launch)
        self.assertEqual(launch["ctas"]["done"], BLOCKS)

    def test_limits_hold_for_the_extrapolated_time(self):
        sample = self.launch("--sample", "blocks=8", "--no-report")["sample"]
        limit = (sample["measured_cycles"] + sample["cycles"]) // 2
        stopped = self.launch("--sample", "blocks=8", "--no-report", "--max-cycles", str(limit))
        self.assertEqual(stopped["status"], "limit")
        self.assertLess(abs(stopped["sample"]["cycles"] - limit), 20)
        self.assertLess(stopped["sample"]["function_blocks"], BLOCKS - TIMED)

    def test_many_launches_are_added_up(self):
        self.loops(0, launches=3)
        one = self.launch("--sample", "blocks=8", "--no-report", "--launch-details", "0")
        launches = self.stats()["launches"]
        self.assertEqual(launches[1]["merged"]["launches"], 2)
        self.assertEqual(launches[1]["sample"]["cycles"], 2 * one["sample"]["cycles"])
        with open(self.here / "runs/latest/launches.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([float(row["extrapolated_ms"]) for row in rows], [one["sample"]["ms"]] * 3)
        self.assertEqual([float(row["bound_ms"]) for row in rows], [one["sample"]["ms_bound"]] * 3)

    def test_what_does_not_go_together(self):
        for options, words in ((["--sample", "blocks=4"], "is no rule for a sample of blocks"), (["--sample", "3,20"], "is no rule"),
                               (["--sample", "blocks", "--mode", "functional"], "--mode functional has none"),
                               (["--sample", "blocks", "--blocks", "0-3"], "--blocks and --sms choose some")):
            with self.subTest(options=options):
                stderr = self.expect(2, "run", "loops.launch.toml", *options).stderr
                self.assertIn("error[CLI-VALUE]", stderr)
                self.assertIn(words, stderr)
        self.expect(0, "trace", "record", "k.launch.toml", "-o", "k.wtrace")
        stderr = self.expect(2, "run", "k.wtrace", "--sample", "blocks").stderr
        self.assertIn("error[CLI-TRACE]", stderr)
        self.assertIn("a trace computes nothing", stderr)

    def test_the_schema_holds(self):
        self.launch("--sample", "blocks=8", "--no-report")
        schema = json.loads(self.expect(0, "configs", "schema", "--stats").stdout)
        sample = schema["properties"]["launches"]["items"]["properties"]["sample"]
        self.assertEqual(set(sample["properties"]), set(self.stats()["launches"][0]["sample"]))
        self.assertNotIn("sample", schema["properties"]["launches"]["items"]["required"])
