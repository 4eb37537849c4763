# SPDX-License-Identifier: Apache-2.0
"""What is written, where, and what is never written over: every output of every command follows one policy."""
import json
import os
import pathlib
import signal
import stat
import subprocess
import threading
import time
import unittest

from cli import FOREVER_ASM, PROGRAM, Cli

MACHINE = 'schema = "teslasim.machine/1"\nextends = "tiny"\n'
CHECKED = """\
schema = "teslasim.launch/1"
kernel = "add_one"
grid = [1]
block = [64]
param = [
  { name = "data", type = "u32", count = 64, init = "file", file = "data.npy" },
  { name = "n", type = "u32", value = 64 },
]
"""


class Outputs(Cli):
    def setUp(self):
        super().setUp()
        self.write("m.toml", MACHINE)
        self.write("hw.csv", "workload,metric,value,unit,source\nadd_one,time_ms,1,ms,test\n")

    def a_run(self):
        """A finished run in runs/001..., and its folder."""
        self.expect(0, "run", "k.asm", "-c", "tiny", "-q")
        return next((self.here / "runs").glob("001-*"))

    def bytes_of(self, name):
        return (self.here / name).read_bytes()

    def left_over(self):
        return [str(path) for path in self.here.rglob(".*part*")]

    def file_outputs(self):
        """Every option that names a file to write, as a command with the file last."""
        self.a_run()
        self.expect(0, "trace", "record", "k.asm", "-c", "tiny", "-o", "t.wtrace", "-q")
        return [
            ("asm", "k.asm", "-o"),
            ("disasm", "k.asm", "-o"),
            ("run", "k.asm", "-c", "tiny", "--no-out", "-q", "--json="),
            ("run", "k.asm", "-c", "tiny", "--no-out", "-q", "--dump", "data="),
            ("models", "k.asm", "-c", "tiny", "--calibration", "none", "--json="),
            ("models", "1", "--calibration", "none", "--json="),
            ("compare", "1", "runs/latest", "-q", "--json="),
            ("compare", "1", "runs/latest", "--html"),
            ("report", "1", "-o"),
            ("trace", "record", "k.asm", "-c", "tiny", "-o"),
            ("trace", "cut", "t.wtrace", "-o"),
            ("trace", "convert", "t.wtrace", "-o"),
        ]

    @staticmethod
    def naming(command, path):
        """The command with its output: behind "=" or as a word of its own."""
        if command[-1].endswith("="):
            return (*command[:-1], command[-1] + str(path))
        return (*command, str(path))


class Places(Outputs):
    def test_a_fifo_is_written_to_and_stays(self):
        for number, command in enumerate(self.file_outputs()):
            with self.subTest(command=command):
                fifo = self.here / f"fifo{number}"
                os.mkfifo(fifo)
                received = []
                reader = threading.Thread(target=lambda: received.append(fifo.read_bytes()), daemon=True)
                reader.start()
                self.expect(0, *self.naming(command, fifo))
                reader.join(30)
                self.assertTrue(received and received[0], "nothing came through")
                self.assertTrue(stat.S_ISFIFO(fifo.lstat().st_mode))

    def test_a_device_is_written_to_and_stays(self):
        if os.geteuid() != 0:
            self.skipTest("only root makes device nodes")
        for number, command in enumerate(self.file_outputs()):
            with self.subTest(command=command):
                null = self.here / f"null{number}"
                try:
                    os.mknod(null, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
                    null.open("wb").close()
                except PermissionError:
                    self.skipTest("no device nodes in this place")
                self.expect(0, *self.naming(command, null))
                self.assertTrue(stat.S_ISCHR(null.lstat().st_mode))

    def test_a_full_device_is_an_error(self):
        for command in self.file_outputs():
            with self.subTest(command=command):
                full = self.expect(8, *self.naming(command, "/dev/full"))
                self.assertIn("error[FILE-WRITE]", full.stderr)
                self.assertTrue(stat.S_ISCHR(os.stat("/dev/full").st_mode))

    def test_standard_output_by_its_name(self):
        shown = self.expect(0, "asm", "k.asm", "-o", "/dev/stdout")
        self.assertIn("add_one", shown.stdout)
        with open(self.here / "all.txt", "wb") as file:
            file.write(b"before\n")
            file.flush()
            subprocess.run([PROGRAM, "asm", "k.asm", "-o", "/dev/stdout"], cwd=self.here, stdout=file, check=True)
            file.write(b"after\n")
        text = self.bytes_of("all.txt")
        self.assertTrue(text.startswith(b"before\n") and text.endswith(b"after\n") and b"add_one" in text, text[:80])

    def test_a_link_stays_and_its_file_is_written(self):
        (self.here / "folder").mkdir()
        self.write("folder/target", "old")
        os.symlink("folder/target", self.here / "link")
        os.symlink("folder/new", self.here / "dangling")
        for link, target in ("link", "folder/target"), ("dangling", "folder/new"):
            self.expect(0, "asm", "k.asm", "-o", link)
            self.assertTrue((self.here / link).is_symlink())
            self.assertIn(b"add_one", self.bytes_of(target))
        self.assertEqual(self.left_over(), [])

    def test_the_rights_of_a_file_are_kept(self):
        self.write("k.cubin", "old")
        os.chmod(self.here / "k.cubin", 0o640)
        self.expect(0, "asm", "k.asm", "-o", "k.cubin")
        self.assertEqual(stat.S_IMODE((self.here / "k.cubin").stat().st_mode), 0o640)
        self.assertIn(b"add_one", self.bytes_of("k.cubin"))

    def test_an_earlier_output_is_there_until_the_new_one_is(self):
        # Who has the old file open reads the old file: it was replaced, not written over.
        self.write("k.cubin", "old")
        with open(self.here / "k.cubin", encoding="utf-8") as old:
            self.expect(0, "asm", "k.asm", "-o", "k.cubin")
            self.assertEqual(old.read(), "old")
        self.assertEqual(self.left_over(), [])


class Refused(Outputs):
    def refuses(self, code, *arguments, keeps=()):
        before = {name: self.bytes_of(name) for name in keeps}
        told = self.expect(2, *arguments).stderr
        self.assertIn(f"error[{code}]", told)
        for name, content in before.items():
            self.assertEqual(self.bytes_of(name), content, name)
        self.assertEqual(self.left_over(), [])

    def test_what_the_same_command_reads(self):
        run = self.a_run().relative_to(self.here)
        self.expect(0, "run", "k.asm", "-c", "tiny", "-q", "--no-out", "--dump", "data=data.npy")
        self.write("data.launch.toml", CHECKED)
        self.expect(0, "trace", "record", "k.asm", "-c", "tiny", "-o", "t.wtrace", "-q")
        for command, kept in [
                (("asm", "k.asm", "-o", "k.asm"), "k.asm"),
                (("asm", "k.asm", "-o", "./runs/../k.asm"), "k.asm"),
                (("disasm", "k.asm", "-o", "k.asm"), "k.asm"),
                (("run", "k.asm", "-c", "tiny", "--json=k.launch.toml"), "k.launch.toml"),
                (("run", "k.asm", "-c", "m.toml", "--json=m.toml"), "m.toml"),
                (("run", "k.asm", "--launch", "data.launch.toml", "-c", "tiny", "--dump", "data=data.npy"), "data.npy"),
                (("run", "k.asm", "-c", "tiny", "--check", "data=data.npy", "--json=data.npy"), "data.npy"),
                (("run", "t.wtrace", "-c", "tiny", "--json=t.wtrace"), "t.wtrace"),
                (("models", "k.asm", "-c", "tiny", "--json=k.asm"), "k.asm"),
                (("models", "1", "--json=" + str(run / "stats.json")), run / "stats.json"),
                (("calibrate", "-c", "m.toml", "--export", "m.toml"), "m.toml"),
                (("compare", "1", str(run), "--json=" + str(run / "stats.json")), run / "stats.json"),
                (("compare", "1", str(run), "--html", str(run / "run.json")), run / "run.json"),
                (("compare", "1", "--hw", "hw.csv", "--html", "hw.csv"), "hw.csv"),
                (("report", "1", "-o", str(run / "stats.json")), run / "stats.json"),
                (("trace", "record", "k.asm", "-c", "m.toml", "-o", "k.asm"), "k.asm")]:
            with self.subTest(command=command):
                before = self.bytes_of(kept)
                self.expect(2, *command)
                self.assertEqual(self.bytes_of(kept), before)
        self.assertEqual(len(list((self.here / "runs").glob("0*"))), 1, "nothing was simulated")

    def test_other_names_of_an_input(self):
        os.link(self.here / "k.asm", self.here / "hard")
        os.symlink("k.asm", self.here / "soft")
        for name in "hard", "soft", str(self.here / "k.asm"):
            self.refuses("OUT-IS-INPUT", "asm", "k.asm", "-o", name, keeps=["k.asm"])

    def test_one_file_for_two_outputs(self):
        self.refuses("OUT-TWICE", "run", "k.asm", "-c", "tiny", "--json=x", "--dump", "data=./x")

    def test_places_that_cannot_be_written_are_said_before_anything_is_simulated(self):
        (self.here / "folder").mkdir()
        self.kernel("forever", FOREVER_ASM)
        for place in "missing/x", "folder", "k.asm/x":
            for option in "--json=", "--dump=data=":
                name = "forever.asm" if option == "--json=" else "k.asm"
                told = self.expect(8, "run", name, "-c", "tiny", "--no-out", option + place)
                self.assertIn("error[FILE-WRITE]", told.stderr)
        self.assertEqual(self.left_over(), [])

    def test_folders_and_files_without_the_right_to_write(self):
        if os.geteuid() == 0:
            self.skipTest("root may write everywhere")
        (self.here / "folder").mkdir(mode=0o555)
        self.write("closed", "mine")
        os.chmod(self.here / "closed", 0o444)
        for place in "folder/x", "closed":
            self.assertIn("error[FILE-WRITE]", self.expect(8, "asm", "k.asm", "-o", place).stderr)
        self.assertEqual(self.bytes_of("closed"), b"mine")


class Lost(Outputs):
    def test_results_that_cannot_be_printed(self):
        self.a_run()
        self.write("plan.toml", 'schema = "teslasim.sweep/1"\nname = "p"\nmachine = "tiny"\ninputs = ["k.asm"]\n'
                                'mode = "grid"\n[axes]\n"sm.max_warps_per_sm" = [4]\n')
        for command in [("--help",), ("--version",), ("asm", "k.asm"), ("disasm", "k.asm"), ("run", "k.asm", "-c", "tiny"),
                        ("run", "k.asm", "-c", "tiny", "--json"), ("models", "k.asm", "-c", "tiny"),
                        ("occupancy", "k.asm", "-c", "tiny"), ("compare", "1", "1"), ("explain", "issued"),
                        ("configs", "list"), ("configs", "show", "tiny"), ("sweep", "plan.toml", "--list"),
                        ("validate", "--list"), ("completion", "bash"), ("man",), ("rerun", "1")]:
            with self.subTest(command=command), open("/dev/full", "wb") as full:
                done = subprocess.run([PROGRAM, *command], cwd=self.here, stdout=full, stderr=subprocess.PIPE, text=True,
                                      timeout=60, check=False)
                self.assertEqual(done.returncode, 8, done.stderr)
                self.assertIn("error[FILE-WRITE]: cannot write 'standard output'", done.stderr)

    def test_a_closed_standard_output(self):
        done = subprocess.run(["sh", "-c", f"'{PROGRAM}' asm k.asm >&-"], cwd=self.here, stderr=subprocess.PIPE, text=True,
                              timeout=60, check=False)
        self.assertEqual(done.returncode, 8, done.stderr)
        self.assertIn("error[FILE-WRITE]", done.stderr)

    def test_files_do_not_take_the_place_of_a_closed_stream(self):
        subprocess.run(["sh", "-c", f"'{PROGRAM}' run k.asm -c tiny -o out >&- 2>&-"], cwd=self.here, timeout=60,
                       check=False)
        for path in (self.here / "out").rglob("*.json"):
            self.assertTrue(path.read_text().startswith("{"), path)


class Together(Outputs):
    def test_two_recordings_into_one_file(self):
        self.kernel("forever", FOREVER_ASM)
        words = [PROGRAM, "trace", "record", "forever.asm", "-c", "tiny", "-o", "t.wtrace"]
        first = subprocess.Popen(words, cwd=self.here, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        try:
            while not (self.here / "t.wtrace").exists():
                self.assertIsNone(first.poll())
            self.expect(2, "trace", "record", "k.asm", "-c", "tiny", "-o", "t.wtrace")
        finally:
            first.send_signal(signal.SIGTERM)
            first.wait(60)
        self.assertIn("forever", self.expect(0, "trace", "info", "t.wtrace").stdout)

    def test_two_runs_into_one_folder(self):
        self.kernel("forever", FOREVER_ASM)
        words = [PROGRAM, "run", "forever.asm", "-c", "tiny", "-o", "out"]
        first = subprocess.Popen(words, cwd=self.here, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        try:
            status = self.here / "out/status.json"
            # It counts cycles: by then it minds signals.
            while not status.exists() or json.loads(status.read_text())["cycle"] == 0:
                self.assertIsNone(first.poll())
                time.sleep(0.05)
            self.assertIn("error[OUT-EXISTS]", self.expect(8, "run", "k.asm", "-c", "tiny", "-o", "out").stderr)
        finally:
            first.send_signal(signal.SIGTERM)
            first.wait(60)
        self.assertIn("forever", (self.here / "out/stats.json").read_text())

    def test_many_writers_of_one_file_leave_a_whole_one(self):
        writers = [subprocess.Popen([PROGRAM, "asm", "k.asm", "-o", "k.cubin"], cwd=self.here) for _ in range(6)]
        self.assertEqual([writer.wait(60) for writer in writers], [0] * 6)
        self.expect(0, "asm", "k.asm", "-o", "alone.cubin")
        self.assertEqual(self.bytes_of("k.cubin"), self.bytes_of("alone.cubin"))
        self.assertEqual(self.left_over(), [])

    def test_a_folder_named_as_a_file(self):
        self.write("out", "mine")
        self.assertIn("error[OUT-EXISTS]", self.expect(8, "run", "k.asm", "-c", "tiny", "-o", "out").stderr)
        self.assertEqual(pathlib.Path(self.here / "out").read_text(), "mine")


if __name__ == "__main__":
    unittest.main()
