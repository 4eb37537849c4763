# SPDX-License-Identifier: Apache-2.0
"""teslasim sweep: points, failures, resuming, emitting."""
import csv
import os
import signal
import subprocess
import time

from cli import PROGRAM, Cli, not_under_sanitizers

PLAN = """\
schema = "teslasim.sweep/1"
name = "latencies"
machine = "tiny"
inputs = ["k.asm"]
keep = ["stats.json"]
[axes]
"sm.latency_cycles.alu" = [10, 20, 30]
"sm.shared.banks" = [8, 16]
[rules]
skip_if = "sm.latency_cycles.alu == 30 && sm.shared.banks == 8"
"""


class Sweep(Cli):
    def rows(self, name="latencies"):
        with open(self.here / f"runs/sweep-{name}/table.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_points_table_and_cache(self):
        self.write("plan.toml", PLAN)
        text = self.expect(0, "sweep", "plan.toml", "-j", "2").stdout
        self.assertIn("3 x 2 = 6 points, 1 skipped, 0 done earlier, 5 to run", text)
        self.assertIn("results: runs/sweep-latencies/table.csv (5 rows, 0 failed)   plot: runs/sweep-latencies/report.html", text)
        rows = self.rows()
        self.assertIn(rows[3]["time_ms"], (self.here / "runs/sweep-latencies/report.html").read_text())
        self.assertEqual([row["point"] for row in rows], ["1", "2", "3", "4", "6"])
        self.assertEqual({row["status"] for row in rows}, {"ok"})
        self.assertLess(float(rows[0]["time_ms"]), float(rows[4]["time_ms"]))
        points = [path for path in (self.here / "runs/sweep-latencies/points").iterdir() if path.is_dir()]
        self.assertEqual({path.name for path in points[0].iterdir()}, {"run.json", "stats.json"})
        self.assertIn("5 done earlier, 0 to run", self.expect(0, "sweep", "plan.toml").stdout)
        self.assertEqual(rows, self.rows())

    def test_a_list_of_points(self):
        axes = PLAN[PLAN.index("[axes]"):]
        points = 'mode = "list"\npoints = ["sm.shared.banks=8 sm.latency_cycles.alu=10", "sm.shared.banks=17"]\n'
        self.write("plan.toml", PLAN.replace(axes, points))
        self.expect(0, "sweep", "plan.toml", "-j", "2")
        rows = self.rows()
        self.assertEqual([(row["sm.shared.banks"], row["sm.latency_cycles.alu"]) for row in rows], [("8", "10"), ("17", "")])
        self.write("plan.toml", PLAN.replace(axes, points.replace("list", "grid")))
        self.assertIn("belong to mode list", self.expect(3, "sweep", "plan.toml").stderr)
        self.write("plan.toml", PLAN.replace(axes, 'mode = "list"\npoints = ["sm.shared.banks"]\n'))
        self.assertIn("is not KEY=VALUE", self.expect(3, "sweep", "plan.toml").stderr)

    def test_failures_have_a_reason(self):
        self.write("plan.toml", PLAN.replace("[10, 20, 30]", "[20, 0]"))
        done = self.expect(1, "sweep", "plan.toml")
        self.assertIn("FAILED exit 3: error[CFG-RANGE]", done.stdout)
        failed = [row for row in self.rows() if row["status"] == "failed"]
        self.assertEqual([row["exit"] for row in failed], ["3", "3"])
        self.assertIn("sm.latency_cycles.alu", failed[0]["reason"])

    def test_what_would_fail_at_every_point_is_a_mistake_of_the_plan(self):
        self.write("plan.toml", PLAN.replace("sm.shared.banks\" = ", "sm.shared.bank\" = ").replace("latency_cycles.alu", "latency_cycle.alu")
                   .replace("skip_if", "# skip_if"))
        told = self.expect_refusal(3, "CFG-UNKNOWN", "sweep", "plan.toml")
        self.assertIn('plan.toml:7:1\n   |\n  7| "sm.latency_cycle.alu" = [10, 20, 30]', told)
        self.assertIn("did you mean 'sm.latency_cycles.alu'?", told)
        self.assertIn("did you mean 'sm.shared.banks'?", told)
        self.assertIn("2 errors", told)
        self.assertFalse((self.here / "runs").exists())
        self.write("plan.toml", PLAN.replace('"tiny"', '"tine"'))
        told = self.expect_refusal(3, "CFG-PRESET", "sweep", "plan.toml")
        self.assertIn('plan.toml:3:11\n   |\n  3| machine = "tine"', told)
        axes = PLAN[PLAN.index("[axes]"):]
        self.write("plan.toml", PLAN.replace(axes, 'mode = "list"\npoints = ["sm.bank=8"]\n'))
        self.assertIn("plan.toml:7:10", self.expect_refusal(3, "CFG-UNKNOWN", "sweep", "plan.toml"))

    def test_warps_are_found_in_the_sm_too(self):
        self.write("plan.toml", PLAN.replace("sm.latency_cycles.alu", "sm.max_warps_per_sm").replace("[10, 20, 30]", "[4, 8, 0]").replace("== 30", "== 4"))
        self.expect(1, "sweep", "plan.toml")
        rows = self.rows()
        self.assertEqual([row["sm.max_warps_per_sm"] for row in rows], ["4", "8", "8", "0", "0"])
        self.assertEqual([row["status"] for row in rows], ["ok", "ok", "ok", "failed", "failed"])

    @not_under_sanitizers
    def test_killed_and_resumed_without_loss(self):
        values = ", ".join(str(4 + 2 * i) for i in range(12))
        self.write("plan.toml", PLAN.replace("[10, 20, 30]", f"[{values}]").replace("skip_if", "# skip_if"))
        child = subprocess.Popen([PROGRAM, "sweep", "plan.toml", "-j", "2"], cwd=self.here, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        points = self.here / "runs/sweep-latencies/points"
        deadline = time.time() + 60
        while time.time() < deadline and len(list(points.glob("*.outcome")) if points.exists() else []) < 3:
            time.sleep(0.01)
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        before = len(list(points.glob("*.outcome")))
        self.assertGreaterEqual(before, 3)
        text = self.expect(0, "sweep", "plan.toml", "-j", "2").stdout
        earlier = int(text.split(" done earlier")[0].split()[-1])
        self.assertGreaterEqual(earlier, before)
        self.assertEqual(len(self.rows()), 24)
        self.assertEqual({row["status"] for row in self.rows()}, {"ok"})

    def test_zip_random_and_list(self):
        self.write("zip.toml", PLAN.replace("inputs", 'mode = "zip"\ninputs').replace("[10, 20, 30]", "[10, 20]").replace("skip_if", "# skip_if"))
        self.assertEqual(self.expect(0, "sweep", "zip.toml", "--list").stdout.count("point"), 2)
        self.write("random.toml", PLAN.replace("inputs", 'mode = "random"\nn = 7\nseed = 3\ninputs').replace("skip_if", "# skip_if"))
        first = self.expect(0, "sweep", "random.toml", "--list").stdout
        self.assertEqual(first.count("point"), 7)
        self.assertEqual(first, self.expect(0, "sweep", "random.toml", "--list").stdout)

    def test_emit(self):
        self.write("plan.toml", PLAN)
        lines = self.expect(0, "sweep", "plan.toml", "--emit", "parallel").stdout.splitlines()
        self.assertEqual(len(lines), 5)
        subprocess.run(lines[0], shell=True, cwd=self.here, check=True, stdout=subprocess.DEVNULL)
        self.assertIn("1 done earlier", self.expect(0, "sweep", "plan.toml").stdout)
        self.assertIn("#SBATCH --array=1-5", self.expect(0, "sweep", "plan.toml", "--emit", "slurm").stdout)

    def test_bad_plans(self):
        self.write("plan.toml", PLAN.replace("machine", "machin").replace('mode', "mode").replace("== 30", "= 30"))
        told = self.expect(3, "sweep", "plan.toml").stderr
        self.assertIn("error[PLAN-UNKNOWN]", told)
        self.assertIn("did you mean 'machine'?", told)
        self.assertRegex(told, r"(?m)^ +\d+\| machin = .*\n +\| \^{6}$")  # the caret stands at the key
        self.write("plan.toml", PLAN.replace("machine", "config"))
        self.assertIn("did you mean 'machine'?", self.expect(3, "sweep", "plan.toml").stderr)
        self.write("plan.toml", PLAN.replace('inputs = ["k.asm"]', 'inputs = "k.asm"').replace("[10, 20, 30]", "[]"))
        told = self.expect(3, "sweep", "plan.toml").stderr
        self.assertEqual(told.count("error[PLAN-VALUE]"), 3)
        self.write("plan.toml", PLAN.replace("sm.latency_cycles.alu == 30", "sm.registers == 30"))
        self.assertIn("'sm.registers' is not an axis", self.expect(3, "sweep", "plan.toml").stderr)
        self.assertIn("error[CLI-INPUT]", self.expect(2, "sweep").stderr)
