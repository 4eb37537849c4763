# SPDX-License-Identifier: Apache-2.0
"""teslasim watch: a run seen from another process, while it goes on and when it has ended, however that came."""
import json
import os
import pty
import signal
import subprocess
import time
import unittest

from cli import FOREVER_ASM, PROGRAM, Cli


class Watch(Cli):
    def setUp(self):
        super().setUp()
        self.kernel("forever", FOREVER_ASM)

    def start(self, *options, kernel="forever.asm"):
        run = subprocess.Popen([PROGRAM, "run", kernel, "-c", "tiny", "-q", *options], cwd=self.here, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for cleanup in run.wait, run.kill:
            self.addCleanup(cleanup)
        self.wait_for("status.json", lambda: (self.here / "runs/latest/status.json").exists() and self.shows_work())
        return run

    def shows_work(self):
        return json.loads((self.here / "runs/latest/status.json").read_text())["ctas_total"] == 1

    def watch(self, *options, stdout=subprocess.PIPE):
        watcher = subprocess.Popen([PROGRAM, "watch", *options], cwd=self.here, stdin=subprocess.DEVNULL, stdout=stdout,
                                   stderr=subprocess.PIPE, text=True)
        for cleanup in watcher.stderr.close, watcher.wait, watcher.kill:
            self.addCleanup(cleanup)
        if watcher.stdout:
            self.addCleanup(watcher.stdout.close)
        return watcher

    def wait_for(self, what, condition):
        until = time.monotonic() + 60
        while time.monotonic() < until:
            if condition():
                return
            time.sleep(0.02)
        self.fail(f"there is no {what}")

    def test_until_the_run_is_stopped(self):
        run = self.start()
        watcher = self.watch("latest")
        first = watcher.stdout.readline()
        self.assertIn("forever  0/1 blocks  0 %", first)
        while watcher.stdout.readline() == first:
            pass
        run.send_signal(signal.SIGTERM)
        out, err = watcher.communicate(timeout=120)
        self.assertEqual((watcher.returncode, run.wait(), err), (143, 143, ""))
        self.assertIn("001-forever-tiny: stopped by a signal (status interrupted, exit 143); results in runs/latest\n", out)
        self.assertTrue((self.here / "runs/latest/report.html").exists())

    def test_now(self):
        run = self.start()
        for word in "1", "001-forever-tiny", "latest", "runs/001-forever-tiny":
            done = self.expect(0, "watch", word, "--once")
            self.assertEqual(len(done.stdout.splitlines()), 1)
            self.assertIn("forever  0/1 blocks", done.stdout)
        status = json.loads(self.expect(0, "watch", "latest", "--once", "--json").stdout)
        self.assertEqual((status["schema"], status["phase"], status["process"]), ("teslasim.status/1", "running", run.pid))
        self.assertEqual(self.expect(0, "watch", "latest", "--once", "-q").stdout, "")
        self.assertIsNone(run.poll(), "who watches does not disturb")

    def test_status_has_the_last_intervals(self):
        self.start()
        status = lambda: json.loads((self.here / "runs/latest/status.json").read_text())
        self.wait_for("second interval", lambda: len(status()["intervals"]) >= 2)
        first, second = status()["intervals"][:2]
        self.assertEqual((first["seconds_end"], first["cycle_end"]), (second["seconds_begin"], second["cycle_begin"]))
        self.assertGreater(second["warp_instructions"], 0)
        self.assertGreater(second["cycle_end"], second["cycle_begin"])

    def test_on_a_terminal_the_newest_lines_stand_in_their_place(self):
        run = self.start()
        main, side = pty.openpty()
        watcher = self.watch("latest", stdout=side)
        os.close(side)
        text = b""
        while text.count(b"\x1b[J") < 2:
            text += os.read(main, 4096)
        run.send_signal(signal.SIGTERM)
        try:
            while piece := os.read(main, 4096):
                text += piece
        except OSError:  # the other side is closed
            pass
        os.close(main)
        self.assertEqual(watcher.wait(timeout=120), 143)
        blocks = text.decode().replace("\r\n", "\n").split("\x1b[J")
        lines = blocks[0].splitlines()
        self.assertEqual(lines[0], "001-forever-tiny   running")
        self.assertEqual(lines[1].split(" on ")[0], f"  process {run.pid}")
        self.assertEqual(lines[2], "  kernel   forever")
        self.assertIn(f"\x1b[{len(blocks[1].splitlines()) - 1}A", blocks[1])
        self.assertIn("stopped by a signal", blocks[-1])

    def test_of_a_run_whose_process_is_dead(self):
        run = self.start()
        watcher = self.watch("latest")
        watcher.stdout.readline()
        run.kill()
        _, err = watcher.communicate(timeout=120)
        self.assertEqual(watcher.returncode, 4)
        self.assertIn("error[RUN-UNFINISHED]", err)
        self.assertIn("its process is dead", err)
        self.assertIn("forever  0/1 blocks", err)
        self.assertIn("its process is dead", self.expect(4, "watch", "latest", "--once").stderr)

    def test_of_a_run_that_has_ended(self):
        self.expect(0, "run", "k.asm", "-c", "tiny", "-q")
        done = self.expect(0, "watch", "1")
        self.assertEqual(done.stdout, "001-k-tiny: done (status ok, exit 0); results in runs/001-k-tiny\n")
        status = json.loads(self.expect(0, "watch", "1", "--json").stdout)
        self.assertEqual((status["phase"], status["ctas_done"], status["ctas_total"]), ("ok", 1, 1))
        self.expect(1, "run", "k.asm", "-c", "tiny", "-q", "--expect", "cycles < 1")
        self.assertIn("done, but a check failed", self.expect(1, "watch", "latest").stdout)
        self.expect(0, "run", "forever.asm", "-c", "tiny", "-q", "--max-cycles", "1000")
        self.assertIn("stopped at the limit", self.expect(0, "watch", "latest", "--once").stdout)

    def test_a_run_that_failed_says_why(self):
        self.write("k.launch.toml", (self.here / "k.launch.toml").read_text().replace("count = 64", "count = 8"))
        self.expect(5, "run", "k.asm", "-c", "tiny", "-q")
        done = self.expect(5, "watch", "latest")
        self.assertIn("error[", done.stdout)
        self.assertIn("the kernel did something illegal (status kernel_error, exit 5)", done.stdout)

    def test_what_is_no_run(self):
        self.assertIn("there is no run '7'", self.expect_refusal(4, "RUN-NOT-FOUND", "watch", "7"))
        self.assertIn("'.' is not the directory of a run", self.expect_refusal(4, "RUN-NOT-FOUND", "watch", "."))
        self.expect_refusal(2, "CLI-INPUT", "watch")
        self.expect_refusal(2, "CLI-INPUT", "watch", "1", "2")


if __name__ == "__main__":
    unittest.main()
