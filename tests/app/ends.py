# SPDX-License-Identifier: Apache-2.0
"""How runs end when somebody stops them or the disk is full: nothing that was simulated is lost."""
import csv
import json
import os
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from cli import FOREVER_ASM, PROGRAM, Cli

SWEEP = """\
schema = "teslasim.sweep/1"
name = "p"
machine = "tiny"
inputs = ["forever.asm"]
{}
[axes]
"sm.shared.banks" = [8, 16]
"""


class Signals(Cli):
    def setUp(self):
        super().setUp()
        self.kernel("forever", FOREVER_ASM)

    def started(self, *options, wait_for="out/status.json"):
        process = subprocess.Popen([PROGRAM, "run", "forever.asm", "-c", "tiny", "-o", "out", *options], cwd=self.here,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 60
        while not (self.here / wait_for).exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(0.3)
        return process

    def check_whole(self, code, number):
        self.assertEqual(code, 128 + number)
        run, stats = (json.loads((self.here / "out" / name).read_text()) for name in ("run.json", "stats.json"))
        self.assertEqual((run["status"], stats["status"], run["exit"]), ("interrupted", "interrupted", 128 + number))
        self.assertNotIn("writing", run)
        self.assertGreater(stats["launches"][0]["instructions"]["warp"], 0)
        self.assertTrue((self.here / "out/report.html").exists())

    def test_a_signal_sent_twice_at_once_is_one_wish(self):
        for number in signal.SIGTERM, signal.SIGINT:
            shutil.rmtree(self.here / "out", ignore_errors=True)
            process = self.started()
            os.kill(process.pid, number)
            os.kill(process.pid, number)
            time.sleep(0.01)
            try:
                os.kill(process.pid, number)
            except ProcessLookupError:
                pass
            out, err = process.communicate(timeout=120)
            self.check_whole(process.returncode, number)
            self.assertIn("interrupted at cycle", err)
            self.assertIn("DIGEST", out)

    @unittest.skipUnless(shutil.which("timeout"), "there is no timeout(1)")
    def test_timeout_of_coreutils_loses_nothing(self):
        for attempt in range(10):
            shutil.rmtree(self.here / "out", ignore_errors=True)
            done = subprocess.run(["timeout", "--preserve-status", "1", PROGRAM, "run", "forever.asm", "-c", "tiny", "-o", "out"],
                                  cwd=self.here, capture_output=True, text=True, timeout=120, check=False)
            with self.subTest(attempt=attempt):
                self.check_whole(done.returncode, signal.SIGTERM)

    def test_a_later_second_signal_ends_the_program_at_once(self):
        # A pipe that nobody reads from holds the run in the middle of its end.
        self.kernel("forever", FOREVER_ASM.replace("{\n", "{\n.param u32 data\n", 1),
                    param='param = [{ name = "data", type = "u32", count = 64 }]\n')
        os.mkfifo(self.here / "pipe.npy")
        process = self.started("--dump", "data=pipe.npy")
        os.kill(process.pid, signal.SIGINT)
        time.sleep(1.5)
        self.assertIsNone(process.poll(), "it waits for a reader")
        os.kill(process.pid, signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGINT)
        for name in "run.json", "stats.json":
            self.assertEqual(json.loads((self.here / "out" / name).read_text())["status"], "interrupted")


class FullDisk(Cli):
    FIRST = ["run.json", "stats.json", "summary.txt"]

    def check_what_is_left(self, done, folder, missing):
        self.assertEqual(done.returncode, 8, done.stderr)
        self.assertIn("error[FILE-WRITE]", done.stderr)
        self.assertIn("DIGEST", done.stdout)
        run = json.loads((folder / "run.json").read_text())
        self.assertEqual((run["status"], run["exit"]), ("ok", 8))
        lost = {row["file"] for row in run["missing"]}
        self.assertLessEqual(missing, lost)
        for name in lost:
            self.assertIn(name, done.stderr)
            self.assertFalse((folder / name).exists(), name)
            self.assertNotIn(name, run["files"])
        for name in self.FIRST:
            self.assertTrue((folder / name).exists(), name)
        self.assertEqual([name for name in os.listdir(folder) if ".part" in name], [])
        self.assertEqual(json.loads((folder / "stats.json").read_text())["status"], "ok")

    def test_a_file_that_may_not_grow(self):
        limit = 1024 * 80
        done = subprocess.run([PROGRAM, "run", "k.asm", "-c", "gtx280", "-o", "out"], cwd=self.here, text=True, check=False,
                              capture_output=True, timeout=120,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.check_what_is_left(done, self.here / "out", {"stats.csv", "report.html"})

    def test_a_disk_that_fills(self):
        disk = tempfile.mkdtemp()
        self.addCleanup(os.rmdir, disk)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", disk], capture_output=True, check=False)
        if mounted.returncode != 0:
            self.skipTest("a small file system cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        done = self.teslasim("run", "k.asm", "-c", "tiny", "-o", disk + "/out")
        self.check_what_is_left(done, self.here / disk / "out", {"report.html"})

    def test_other_outputs_are_named_too(self):
        limit = 1024 * 20
        done = subprocess.run([PROGRAM, "run", "k.asm", "-c", "gtx280", "--no-out", "--json=big.json"], cwd=self.here,
                              text=True, check=False, capture_output=True, timeout=120,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertEqual(done.returncode, 8)
        self.assertIn("big.json", done.stderr)
        self.assertIn("DIGEST", done.stdout)

    def test_no_pipe_left_for_a_measurement_is_the_environment(self):
        script = 'export TESLASIM_CACHE=cache; ulimit -n 4; exec "$0" calibrate -c tiny -j 2'
        done = subprocess.run(["bash", "-c", script, PROGRAM], cwd=self.here, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=60, check=False)
        self.assertEqual(8, done.returncode, done.stderr)
        self.assertIn("error[ENV-SPAWN]: cannot start a measurement: Too many open files", done.stderr)
        self.assertIn("ulimit", done.stderr)


class Limits(Cli):
    def setUp(self):
        super().setUp()
        self.kernel("forever", FOREVER_ASM)

    def test_models(self):
        done = self.expect(0, "models", "forever.asm", "-c", "tiny", "--max-seconds", "0.3", "--json=models.json")
        self.assertIn("status limit: --max-seconds", done.stderr)
        self.assertEqual(json.loads((self.here / "models.json").read_text())["status"], "limit")
        done = self.expect(7, "models", "forever.asm", "-c", "tiny", "--max-seconds", "0.3", "--limit-is-error")
        self.assertIn("error[RUN-LIMIT]", done.stderr)
        done = self.expect(0, "models", "forever.asm", "-c", "tiny", "--max-cycles", "1000", "--limit-is-error")
        self.assertIn("status limit: --max-cycles", done.stderr)
        self.assertNotIn("status limit", self.expect(0, "models", "k.asm", "-c", "tiny", "--max-cycles", "1000").stderr)

    def test_recording(self):
        done = self.expect(0, "trace", "record", "forever.asm", "-c", "tiny", "-o", "a.wtrace", "--max-seconds", "0.3")
        self.assertIn("the run ended with status limit", done.stderr)
        done = self.expect(7, "trace", "record", "forever.asm", "-c", "tiny", "-o", "b.wtrace", "--max-seconds", "0.3",
                           "--limit-is-error")
        self.assertIn("error[RUN-LIMIT]", done.stderr)
        for mode in "functional", "timing":
            done = self.expect(0, "trace", "record", "forever.asm", "-c", "tiny", "-o", mode + ".wtrace", "--mode", mode,
                               "--max-cycles", "20000")
            self.assertIn("the run ended with status limit", done.stderr)

    def test_functional_limit_counts_instructions_over_all_launches(self):
        self.write("two.launch.toml", 'schema = "teslasim.launch/1"\ncode = "k.asm"\n' + 2 * (
            "[[launch]]\ngrid = [1]\nblock = [64]\n"
            'param = [{ name = "data", buffer = "b%d", type = "u32", count = 64 }, { name = "n", type = "u32", value = 64 }]\n')
            % (0, 1))
        whole = self.expect(0, "run", "two.launch.toml", "--mode", "functional", "--no-out", "--json=-")
        first = json.loads(whole.stdout)["launches"][0]["instructions"]["warp"]
        cut = self.expect(0, "run", "two.launch.toml", "--mode", "functional", "--no-out", "--json=-", "--max-cycles",
                          str(first + 1))
        self.assertEqual(json.loads(cut.stdout)["status"], "limit")

    def rows(self):
        with open(self.here / "runs/sweep-p/table.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_points_of_a_sweep(self):
        self.write("p.toml", SWEEP.format(""))
        done = self.expect(0, "sweep", "p.toml", "--max-cycles", "20000")
        self.assertIn("2 stopped by a limit", done.stdout)
        self.assertEqual([row["status"] for row in self.rows()], ["limit", "limit"])
        commands = self.expect(0, "sweep", "p.toml", "--emit", "parallel", "--max-seconds", "5", "--limit-is-error").stdout
        self.assertEqual(commands.count("--max-seconds=5 --limit-is-error"), 2)

    def test_a_plan_sets_limits_and_the_command_line_wins(self):
        self.write("p.toml", SWEEP.format("max_cycles = 20000\nmax_seconds = 0.25"))
        commands = self.expect(0, "sweep", "p.toml", "--emit", "parallel", "--max-seconds", "9").stdout
        self.assertEqual(commands.count("--max-cycles=20000 --max-seconds=9"), 2)
        self.expect(0, "sweep", "p.toml")
        self.assertEqual([row["status"] for row in self.rows()], ["limit", "limit"])
        self.write("p.toml", SWEEP.format("max_cycles = -1\nmax_seconds = \"soon\""))
        self.assertEqual(self.expect(3, "sweep", "p.toml").stderr.count("error[PLAN-VALUE]"), 2)
        for wrong in "-1", "nan", "-0.5", "true":
            self.write("p.toml", SWEEP.format(f"max_seconds = {wrong}"))
            self.assertIn("must be a number of seconds", self.expect(3, "sweep", "p.toml").stderr)

    def test_a_point_that_may_take_longer_is_run_again(self):
        self.write("p.toml", SWEEP.format(""))
        self.expect(0, "sweep", "p.toml", "--max-seconds", "0.2")
        for seconds, done in ("0.1", 2), ("0.2", 2), ("0.3", 0):
            self.assertIn(f"{done} done earlier", self.expect(0, "sweep", "p.toml", "--max-seconds", seconds).stdout)
        self.expect(1, "sweep", "p.toml", "--max-seconds", "0.4", "--limit-is-error")

    def test_exploration(self):
        self.write("d.toml", SWEEP.format("max_seconds = 0.3").replace("sweep", "dse")
                   + "[area]\nbudget = 100.0\ntolerance = 1.0\nper_sm = 1.0\n[screen]\nkeep = 1\n")
        self.assertIn("a limit stopped the pre-run", self.expect(0, "dse", "d.toml").stdout)

    def test_validation(self):
        rows = "validate", "--machine", "gtx285", "--only", "ZO-IT-6"
        done = self.expect(0, *rows, "--max-cycles", "10", "--json=v.json")
        self.assertIn("STATUS      limit", done.stdout)
        self.assertIn("more than --max-cycles 10", done.stdout)
        self.assertEqual(json.loads((self.here / "v.json").read_text())["status"], "limit")
        done = self.expect(7, "validate", "--machine", "gtx285", "-j", "1", "--max-seconds", "0.001", "--limit-is-error")
        self.assertIn("not measured within --max-seconds 0.001", done.stdout)
        self.assertIn("error[RUN-LIMIT]", done.stderr)


if __name__ == "__main__":
    unittest.main()
