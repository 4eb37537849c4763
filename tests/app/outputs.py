# SPDX-License-Identifier: Apache-2.0
"""Where an output goes: devices, FIFOs and links stay what they are, and two commands do not meet in one place. What every
option is asked for stands in output_options.py."""
import json
import os
import stat
import subprocess
import threading
import time
import unittest

from cli import FOREVER_ASM, PROGRAM, Cli
from output_options import Outputs


class Places(Outputs):
    def setUp(self):
        super().setUp()
        self.prepare()

    def test_a_fifo_is_written_to_and_stays(self):
        def check(_, command, __):
            fifo = self.here / "fifo"
            os.mkfifo(fifo)
            received = []
            reader = threading.Thread(target=lambda: received.append(fifo.read_bytes()), daemon=True)
            reader.start()
            self.expect(0, *command(fifo))
            reader.join(30)
            self.assertTrue(received and received[0], "nothing came through")
            self.assertTrue(stat.S_ISFIFO(fifo.lstat().st_mode))
            fifo.unlink()
        self.for_each(check)

    def test_a_device_is_written_to_and_stays(self):
        if os.geteuid() != 0:
            self.skipTest("only root makes device nodes")
        null = self.here / "null"
        try:
            os.mknod(null, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
            null.open("wb").close()
        except PermissionError:
            self.skipTest("no device nodes in this place")

        def check(_, command, __):
            self.expect(0, *command(null))
            self.assertTrue(stat.S_ISCHR(null.lstat().st_mode))
        self.for_each(check)

    def test_a_full_device_is_an_error(self):
        def check(_, command, __):
            self.assertIn("error[FILE-WRITE]", self.expect(8, *command("/dev/full")).stderr)
            self.assertTrue(stat.S_ISCHR(os.stat("/dev/full").st_mode))
        self.for_each(check)

    def test_a_link_stays_and_its_file_is_written(self):
        (self.here / "folder").mkdir()
        self.write("folder/target", "old")
        for link, target in ("link", "folder/target"), ("dangling", "folder/new"):
            os.symlink(target, self.here / link)
            self.expect(0, "asm", "k.asm", "-o", link)
            self.assertTrue((self.here / link).is_symlink())
            self.assertIn("add_one", (self.here / target).read_text())


class StandardOutput(Cli):
    def test_by_its_name(self):
        self.assertIn("add_one", self.expect(0, "asm", "k.asm", "-o", "/dev/stdout").stdout)
        with open(self.here / "all.txt", "wb") as file:
            file.write(b"before\n")
            file.flush()
            subprocess.run([PROGRAM, "asm", "k.asm", "-o", "/dev/stdout"], cwd=self.here, stdout=file, check=True)
            file.write(b"after\n")
        text = (self.here / "all.txt").read_bytes()
        self.assertTrue(text.startswith(b"before\n") and text.endswith(b"after\n") and b"add_one" in text, text[:80])


class Replacement(Cli):
    def test_an_earlier_output_is_there_until_the_new_one_is(self):
        # Who has the old file open reads the old file: it was replaced, not written over.
        self.write("k.cubin", "old")
        with open(self.here / "k.cubin", encoding="utf-8") as old:
            self.expect(0, "asm", "k.asm", "-o", "k.cubin")
            self.assertEqual(old.read(), "old")


class Together(Cli):
    def start(self, *arguments):
        self.kernel("forever", FOREVER_ASM)
        words = [PROGRAM, *arguments, "-c", "tiny"]
        first = subprocess.Popen(words, cwd=self.here, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.addCleanup(first.wait, 60)
        self.addCleanup(first.terminate)
        return first

    def wait_for(self, condition, first):
        while not condition():
            self.assertIsNone(first.poll())
            time.sleep(0.05)

    def test_two_recordings_into_one_file(self):
        first = self.start("trace", "record", "forever.asm", "-o", "t.wtrace")
        self.wait_for((self.here / "t.wtrace").exists, first)
        self.expect(2, "trace", "record", "k.asm", "-c", "tiny", "-o", "t.wtrace")
        first.terminate()
        first.wait(60)
        self.assertIn("forever", self.expect(0, "trace", "info", "t.wtrace").stdout)

    def test_two_runs_into_one_folder(self):
        first = self.start("run", "forever.asm", "-o", "out")
        status = self.here / "out/status.json"
        # It counts cycles: by then it minds signals.
        self.wait_for(lambda: status.exists() and json.loads(status.read_text())["cycle"] > 0, first)
        self.assertIn("error[OUT-EXISTS]", self.expect(8, "run", "k.asm", "-c", "tiny", "-o", "out").stderr)
        first.terminate()
        first.wait(60)
        self.assertIn("forever", (self.here / "out/stats.json").read_text())

    def test_a_folder_named_as_a_file(self):
        self.write("out", "mine")
        self.assertIn("error[OUT-EXISTS]", self.expect(8, "run", "k.asm", "-c", "tiny", "-o", "out").stderr)
        self.assertEqual((self.here / "out").read_text(), "mine")


if __name__ == "__main__":
    unittest.main()
