# SPDX-License-Identifier: Apache-2.0
"""How runs end: limits, signals, expectations, compared outputs."""
import signal
import subprocess
import time

from cli import FOREVER_ASM, LAUNCH, PROGRAM, Cli


class Limits(Cli):
    def test_max_cycles(self):
        self.kernel("forever", FOREVER_ASM)
        self.expect(0, "run", "forever.asm", "-c", "tiny", "--max-cycles", "20000")
        stats = self.stats()
        self.assertEqual(stats["status"], "limit")
        self.assertGreaterEqual(stats["launches"][0]["time"]["cycles"], 20000)
        self.assertLess(stats["launches"][0]["time"]["cycles"], 30000)

    def test_max_seconds(self):
        self.kernel("forever", FOREVER_ASM)
        self.expect(0, "run", "forever.asm", "-c", "tiny", "--max-seconds", "1")
        self.assertEqual(self.stats()["status"], "limit")
        done = self.expect(7, "run", "forever.asm", "-c", "tiny", "--max-seconds", "0.5", "--limit-is-error", "-q")
        self.assertIn("error[RUN-LIMIT]: stopped after --max-seconds 0.5", done.stderr)

    def test_max_rss(self):
        self.kernel("forever", FOREVER_ASM)
        done = self.expect(7, "run", "forever.asm", "-c", "tiny", "--max-rss", "1")
        self.assertIn("--max-rss 1", done.stderr)
        self.assertEqual(self.stats()["status"], "limit")

    def interrupted(self, number, *options):
        self.kernel("forever", FOREVER_ASM)
        latest = self.here / "runs/latest"
        latest.unlink(missing_ok=True)  # of the run before
        process = subprocess.Popen([PROGRAM, "run", "forever.asm", "-c", "tiny", *options], cwd=self.here, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        status = latest / "status.json"
        deadline = time.monotonic() + 60
        while not status.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.3)
        process.send_signal(number)
        output = process.communicate(timeout=600)
        return process.returncode, *output

    def test_interrupt_writes_complete_statistics(self):
        for mode in "timing", "functional":
            code, out, err = self.interrupted(signal.SIGINT, "--mode", mode)
            self.assertEqual(code, 130, err)
            self.assertIn("interrupted at cycle" if mode == "timing" else "interrupted in launch 0 (", err)
            stats = self.stats()
            self.assertEqual(stats["status"], "interrupted")
            self.assertGreater(stats["launches"][0]["instructions"]["warp"], 0)
            if mode == "timing":
                slots = stats["launches"][0]["issue_slots"]
                self.assertEqual(sum(v for k, v in slots.items() if k != "total"), slots["total"])
            self.assertIn("error[RERUN-INCOMPLETE]", self.expect(4, "rerun", "latest").stderr)

    def test_terminate(self):
        self.assertEqual(self.interrupted(signal.SIGTERM)[0], 143)

    def test_expectations(self):
        done = self.expect(1, "run", "k.asm", "-c", "tiny", "--no-out", "--expect", "cycles > 0", "--expect", "time_ms < 0")
        self.assertRegex(done.stdout, r"expect: cycles > 0 +pass")
        self.assertRegex(done.stdout, r"expect: time_ms < 0 +FAIL  \([0-9.e-]+\)")
        self.expect(0, "run", "k.asm", "-c", "tiny", "--no-out", "--expect", "stall.replay.shared_bank_pct < 1")

    def test_outputs_are_compared_with_a_file(self):
        for first, status, word in (1, 0, "OK (1 of 1 checked)"), (0, 1, "WRONG (1 of 1 differ)"):
            self.numpy("ref.npy", range(first, first + 64))
            self.write("k.launch.toml", LAUNCH + '[expect.data]\nfile = "ref.npy"\n')
            done = self.expect(status, "run", "k.asm", "-c", "tiny")
            self.assertIn(word, done.stdout)
            self.assertEqual(self.stats()["launches"][0]["outputs"]["ok"], status == 0)
        self.expect(1, "run", "k.asm", "-c", "tiny", "--expect", "outputs_ok")

    def numpy(self, name, values):
        header = "{'descr': '<u4', 'fortran_order': False, 'shape': (64,), }"
        header = header.ljust(117) + "\n"
        (self.here / name).write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()
                                       + b"".join(value.to_bytes(4, "little") for value in values))
