# SPDX-License-Identifier: Apache-2.0
"""Points as jobs of Slurm: on a real one, which this starts on this host (skipped where that cannot be), and against commands that
only look like it, for what a real one does not do when asked."""
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

import slurm_cluster
from cli import PROGRAM, Cli

# Long enough to be met while it runs.
ASM = """\
.entry busy
{
.param u32 rounds
    mov.u32 $r1, s[rounds]
    mov.b32 $r3, 0x00000001
again:
    add.u32 $r2, $r2, $r1
    sub.u32 $p0|$r1, $r1, $r3
    @$p0.ne bra again
    return
}
"""
PLAN = """\
schema = "teslasim.sweep/1"
name = "busy"
machine = "tiny"
inputs = ["busy.asm"]
keep = ["stats.json"]
[axes]
"sm.latency_cycles.alu" = [8, 10, 12, 14, 16, 18, 20, 22, 24, 26]
"sm.shared.banks" = [8, 16]
"sm.registers" = [2048, 4096, 8192]
"""


class OnSlurm(Cli):
    def setUp(self):
        super().setUp()
        self.kernel("busy", ASM, param='param = [ { name = "rounds", type = "u32", value = 20000 } ]\n')
        self.write("plan.toml", PLAN)
        self.environment = dict(os.environ, TESLASIM_CACHE=str(self.here / "cache"))

    def begin(self, *arguments):
        return subprocess.Popen([PROGRAM, *arguments], cwd=self.here, env=self.environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def teslasim(self, *arguments, timeout=120):
        child = self.begin(*arguments)
        output, errors = child.communicate(timeout=timeout)
        return subprocess.CompletedProcess(arguments, child.returncode, output, errors)

    def end_of(self, child, status):
        output, errors = child.communicate(timeout=120)
        self.assertEqual(child.returncode, status, f"{output}\n{errors}")
        return output, errors

    def results(self, folder):
        return [(self.here / folder / name).read_bytes() for name in ("table.csv", "report.html")]

    def rounds(self, folder="runs/sweep-busy"):
        return len(list((self.here / folder / "slurm").glob("round-*")))


@unittest.skipIf(slurm_cluster.why_not(), f"no Slurm: {slurm_cluster.why_not()}")
class RealSlurm(OnSlurm):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        pathlib.Path(scratch.name).chmod(0o755)
        cls.cluster = slurm_cluster.Cluster(scratch.name)
        cls.addClassCleanup(cls.cluster.stop)
        cls.cluster.start()

    def setUp(self):
        super().setUp()
        self.environment["SLURM_CONF"] = self.cluster.environment["SLURM_CONF"]

    def wait_for_tasks(self):
        """Until a task is within its points, and more tasks wait."""
        self.cluster.wait_until(lambda: self.cluster.processes("slurm_script"), "a task runs")
        time.sleep(0.1)

    def test_60_points_through_trouble(self):
        self.expect(0, "sweep", "plan.toml", "--runs-dir", "local")
        sweep = self.begin("sweep", "plan.toml", "--on", "slurm")
        self.wait_for_tasks()
        slurm_cluster.end(self.cluster.processes("slurm_script")[0])
        self.cluster.run("scontrol", "update", "nodename=two", "state=drain", "reason=test")
        self.addCleanup(self.cluster.resume, "two")
        self.cluster.restart_controller()
        output, errors = self.end_of(sweep, 0)
        self.assertIn("60 points, 0 done earlier, 60 to run", output)
        self.assertIn("pilot: 3 points on this host", errors)
        self.assertIn("again, e.g. because task", errors)
        self.assertIn("(60 rows, 0 failed)", output)
        self.assertEqual(self.results("local/sweep-busy"), self.results("runs/sweep-busy"))
        points = list((self.here / "runs/sweep-busy/points").iterdir())
        self.assertEqual({path.suffix for path in points}, {"", ".outcome"}, "nothing half-done is left")
        rounds = self.rounds()
        self.assertGreaterEqual(rounds, 2)
        self.assertIn("60 done earlier, 0 to run", self.expect(0, "sweep", "plan.toml", "--on", "slurm").stdout)
        self.assertEqual(self.rounds(), rounds)

    def test_left_and_resumed_after_a_node_was_lost(self):
        self.write("plan.toml", PLAN.replace(", 4096, 8192", ""))
        sweep = self.begin("sweep", "plan.toml", "--on", "slurm:main", "--chunk", "3", "--slurm-args", "--time=5 --nodelist='one'")
        self.wait_for_tasks()
        sweep.send_signal(signal.SIGINT)
        _, errors = self.end_of(sweep, 130)
        self.assertRegex(errors, r"jobs? \d+ go on; scancel \d+ ends them")
        self.assertIn("teslasim sweep --resume runs/sweep-busy", errors)
        self.assertTrue(self.cluster.processes("slurm_script"), "jobs go on")
        self.cluster.run("scontrol", "update", "nodename=one", "state=down", "reason=test")
        self.cluster.resume("one")
        elsewhere = tempfile.TemporaryDirectory()
        self.addCleanup(elsewhere.cleanup)
        self.environment["PWD"] = elsewhere.name
        resumed = subprocess.run([PROGRAM, "sweep", "--resume", str(self.here / "runs/sweep-busy")], cwd=elsewhere.name, env=self.environment,
                                 stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        self.assertIn("NODE_FAIL", resumed.stderr)
        self.assertIn("(20 rows, 0 failed)", resumed.stdout)
        self.expect(0, "sweep", "plan.toml", "--runs-dir", "local")
        self.assertEqual(self.results("local/sweep-busy"), self.results("runs/sweep-busy"))

    def test_a_partition_that_does_not_exist(self):
        refused = self.expect(8, "sweep", "plan.toml", "--on", "slurm:none", "--chunk", "9")
        self.assertIn("error[SLURM-REFUSED]: sbatch refused the job: sbatch: error: invalid partition specified: none", refused.stderr)

    def test_validate_and_dse(self):
        here = self.expect(0, "validate", "--only", "E1", "--machine", "8800gtx", "--json", "-").stdout
        self.assertEqual(here, self.expect(0, "validate", "--only", "E1", "--machine", "8800gtx", "--json", "-", "--on", "slurm", "--chunk", "2").stdout)
        rounds = self.rounds("runs/validate")
        again = self.expect(0, "validate", "--only", "E1", "--machine", "8800gtx", "--json", "-", "--on", "slurm")
        self.assertEqual(here, again.stdout)
        self.assertIn(", 0 to make", again.stderr)
        self.assertEqual(self.rounds("runs/validate"), rounds)
        self.write("areas.toml", PLAN.replace("teslasim.sweep/1", "teslasim.dse/1").replace('keep = ["stats.json"]\n', "") +
                   '[area]\nbudget = 1000.0\ntolerance = 1.0\nper_sm = 1.0\n[screen]\nkeep = 2\n')
        self.expect(0, "dse", "areas.toml", "--runs-dir", "local")
        self.expect(0, "dse", "areas.toml", "--on", "slurm")
        self.assertEqual(self.results("local/dse-busy"), self.results("runs/dse-busy"))


class LikeSlurm(OnSlurm):
    """Commands that stand in for Slurm's."""

    def commands(self, **scripts):
        folder = self.here / "commands"
        folder.mkdir()
        for name, text in scripts.items():
            (folder / name).write_text("#!/bin/bash\n" + text)
            (folder / name).chmod(0o755)
        self.environment["PATH"] = f"{folder}:{self.environment['PATH']}"
        self.write("plan.toml", PLAN.replace("[8, 10, 12, 14, 16, 18, 20, 22, 24, 26]", "[8]").replace(", 8192", ""))

    def test_what_never_gets_a_result_is_lost(self):
        self.commands(sbatch="echo 7\n", squeue="true\n", sacct="echo '7_1|PREEMPTED'\n")
        done = self.expect(1, "sweep", "plan.toml", "--on", "slurm", "--chunk", "4")
        self.assertIn("LOST after 4 submissions: task 7_1 ended without its result (PREEMPTED)", done.stdout)
        self.assertIn("(0 rows, 0 failed, 4 lost)", done.stdout)
        self.assertEqual(self.rounds(), 4)
        self.assertIn("4 lost", self.expect(1, "sweep", "--resume", "runs/sweep-busy").stdout)
        self.assertEqual(self.rounds(), 4)

    def test_a_controller_that_does_not_answer_is_waited_for(self):
        self.commands(sbatch='if [ ! -e asked ]; then touch asked; echo "sbatch: error: Unable to contact slurm controller" >&2; exit 1; fi\n'
                             'for i in 1 2; do SLURM_JOB_ID=$i SLURM_ARRAY_TASK_ID=$i bash "${@: -1}"; done\necho 8\n', squeue="true\n")
        done = self.expect(0, "sweep", "plan.toml", "--on", "slurm", "--chunk", "2")
        self.assertIn("the controller of Slurm does not answer; trying again (sbatch: error: Unable to contact", done.stderr)
        self.assertIn("(4 rows, 0 failed)", done.stdout)
        self.assertEqual(self.rounds(), 1)

    def test_a_point_that_fails_by_itself_is_not_submitted_again(self):
        self.commands(sbatch='SLURM_JOB_ID=1 SLURM_ARRAY_TASK_ID=1 bash "${@: -1}"; echo 8\n', squeue="true\n")
        plan = self.here / "plan.toml"
        plan.write_text(plan.read_text().replace("[2048, 4096]", "[2048, 0]"))
        self.expect(1, "sweep", "plan.toml", "--runs-dir", "local")
        done = self.expect(1, "sweep", "plan.toml", "--on", "slurm", "--chunk", "9")
        self.assertIn("FAILED exit 3: error[CFG-RANGE]", done.stdout)
        self.assertEqual(self.rounds(), 1)
        self.assertEqual(self.results("local/sweep-busy"), self.results("runs/sweep-busy"))

    def test_a_changed_plan_is_not_resumed(self):
        self.commands(sbatch='SLURM_JOB_ID=1 SLURM_ARRAY_TASK_ID=1 bash "${@: -1}"; echo 8\n', squeue="true\n")
        self.expect(0, "sweep", "plan.toml", "--on", "slurm", "--chunk", "9")
        self.assertIn("4 done earlier, 0 to run", self.expect(0, "sweep", "--resume", "runs/sweep-busy").stdout)
        (self.here / "plan.toml").write_text(PLAN)
        self.assertIn("error[SLURM-CHANGED]", self.expect(3, "sweep", "--resume", "runs/sweep-busy").stderr)
        self.assertIn("error[SLURM-RESUME]", self.expect(2, "sweep", "--resume", "runs").stderr)

    def test_no_slurm_here(self):
        self.environment["PATH"] = str(self.here)
        self.assertIn("error[SLURM-MISSING]: there is no 'sbatch' here", self.expect(8, "sweep", "plan.toml", "--on", "slurm").stderr)

    def test_options(self):
        for words, told in ((("--on", "pbs"), "--on takes local, slurm or slurm:PARTITION"), (("--chunk", "2"), "--chunk needs --on slurm"),
                            (("--on", "slurm", "--slurm-args", "'a"), "a quotation does not end")):
            self.assertIn(told, self.expect(2, "sweep", "plan.toml", *words).stderr)
        self.assertIn("does not go with", self.expect(2, "validate", "--sensitivity", "--on", "slurm").stderr)
