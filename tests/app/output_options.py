# SPDX-License-Identifier: Apache-2.0
"""Every option of every command that names an output, and every command that prints: a table, and a test that nothing is
missing in it. What is asked of each: docs/decisions/0070-outputs.md."""
import os
import re
import resource
import signal
import socket
import stat
import struct
import subprocess
import unittest

from cli import PROGRAM, Cli
from dse import DESIGN
from models import GIVEN

MACHINE = 'schema = "teslasim.machine/1"\nextends = "{}"\n'
LAUNCH = """\
schema = "teslasim.launch/1"
kernel = "add_one"
grid = [1]
block = [64]
param = [
  { name = "data", type = "u32", init = "file", file = "y.npy" },
  { name = "n", type = "u32", value = 64 },
]
[expect.data]
file = "want.npy"
"""
PLAN = """\
schema = "teslasim.sweep/1"
name = "p"
machine = "tiny"
inputs = ["k.launch.toml"]
mode = "grid"
[axes]
"sm.latency_cycles.alu" = [20]
"""
KERNEL = ["k.asm", "k.launch.toml", "y.npy", "want.npy", "m.toml", "base.toml"]
RUN = ["one/stats.json", "one/run.json", "one/config.effective.toml", "one/inputs/k.asm"]

# Command and option: the command line around OUT, and what the command reads.
TABLE = {
    ("asm", "output"): (["asm", "k.asm", "-o", "OUT"], ["k.asm"]),
    ("cc", "output"): (["cc", "k.ptx", "-o", "OUT"], ["k.ptx"]),
    ("disasm", "output"): (["disasm", "k.asm", "--output", "OUT"], ["k.asm"]),
    ("run", "json"): (["run", "k.asm", "-c", "m.toml", "--no-out", "--json=OUT"], KERNEL),
    ("run", "dump"): (["run", "k.asm", "-c", "m.toml", "--no-out", "--dump", "data=OUT"], KERNEL),
    ("models", "json"): (["models", "k.asm", "-c", "m.toml", "--json=OUT"], KERNEL),
    ("calibrate", "export"): (["calibrate", "-c", "m.toml", "--export", "OUT"], ["m.toml", "base.toml"]),
    ("compare", "html"): (["compare", "one", "two", "--html", "OUT"], RUN),
    ("compare", "json"): (["compare", "one", "two", "--json=OUT"], RUN),
    ("report", "out"): (["report", "one", "-o", "OUT"], RUN),
    ("validate", "json"): (["validate", "--only", "COL-CPI1", "--json=OUT"], []),
    ("trace", "output"): (["trace", "record", "k.asm", "-c", "m.toml", "-o", "OUT"], KERNEL),
}
# The same options again, where there is another way through the program.
MORE = {
    ("models", "of runs"): (["models", "one", "--json=OUT"], RUN),
    ("models", "given"): (["models", "--given", "given.toml", "--json=OUT"], ["given.toml"]),
    ("compare", "with models"): (["compare", "one", "--json=OUT"], RUN),
    ("compare", "with measurements"): (["compare", "one", "two", "--hw", "hw.csv", "--html", "OUT"], ["hw.csv"]),
    ("run", "launch file"): (["run", "k.launch.toml", "-c", "base.toml", "-c", "m.toml", "--no-out", "--json=OUT"], KERNEL),
    ("run", "options"): (["run", "k.asm", "-c", "m.toml", "--no-out", "--grid", "1", "--block", "64", "--param", "data=u32[]:./y.npy",
                          "--param", "n=64", "--check", "data=./want.npy", "--json=OUT"], ["k.asm", "y.npy", "want.npy"]),
    ("run", "trace"): (["run", "k.wtrace", "-c", "m.toml", "--no-out", "--json=OUT"], ["k.wtrace"]),
    ("trace", "cut"): (["trace", "cut", "k.wtrace", "-o", "OUT"], ["k.wtrace"]),
    ("trace", "convert"): (["trace", "convert", "k.wtrace", "-o", "OUT"], ["k.wtrace"]),
    ("trace", "convert back"): (["trace", "convert", "k.txt", "-o", "OUT"], ["k.txt"]),
}
# Names that mean an output in whatever command. These have tests of their own; validate --out is for tasks of Slurm.
NAMES = {"output", "out", "json", "dump", "export", "html", "report"}
ELSEWHERE = {("run", "out"), ("cuda", "out"), ("validate", "report"), ("validate", "out")}


def npy(words):
    header = f"{{'descr': '<u4', 'fortran_order': False, 'shape': ({len(words)},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(words)}I", *words)


def never_overwrites(name):
    return name[0] == "trace"


class Outputs(Cli):
    def setUp(self):
        super().setUp()
        self.write("k.launch.toml", LAUNCH)
        (self.here / "y.npy").write_bytes(npy(range(64)))
        (self.here / "want.npy").write_bytes(npy(range(1, 65)))
        self.write("base.toml", MACHINE.format("tiny"))
        self.write("m.toml", MACHINE.format("./base.toml"))
        self.write("given.toml", GIVEN)
        self.write("k.ptx", ".version 1.4\n.target sm_13\n.entry k() { exit; }\n")
        self.write("hw.csv", "workload,metric,value,unit,source\none,time_ms,0.01,ms,measured\n")

    def prepare(self):
        """What the commands of the table read."""
        for run in "one", "two":
            self.expect(0, "run", "k.asm", "-c", "m.toml", "-o", run, "-q")
        self.expect(0, "trace", "record", "k.asm", "-c", "m.toml", "-o", "k.wtrace", "-q")
        self.expect(0, "trace", "convert", "k.wtrace", "-o", "k.txt", "-q")
        self.expect(0, "calibrate", "-c", "m.toml", "-q")

    def commands(self):
        names = re.findall(r"^  (\w+) +\w", self.expect(0, "--help").stdout.split("teslasim COMMAND --help")[0], re.M)
        self.assertGreater(len(names), 15)
        return set(names)

    def for_each(self, check):
        """check(name, command, inputs) for each row; command(out) is the command line that writes out."""
        for name, (arguments, inputs) in (TABLE | MORE).items():
            with self.subTest(" ".join(name)):
                check(name, lambda out, words=arguments: [word.replace("OUT", str(out)) for word in words], inputs)

    def run_into(self, stdout, *arguments, **more):
        return subprocess.run([PROGRAM, *arguments], cwd=self.here, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE,
                              text=True, env=dict(os.environ, TESLASIM_CACHE=str(self.here / "cache")), check=False, **more)

    def everything(self):
        """Names, kinds and contents of all files."""
        found = {}
        for path in sorted(self.here.rglob("*")):
            mode = path.lstat().st_mode
            found[str(path)] = (stat.S_IFMT(mode), path.read_bytes() if path.is_file() and not path.is_symlink() else b"")
        return found

    def refused(self, status, codes, *arguments):
        """Nothing was done: one of the codes, nothing printed, no file changed."""
        before = self.everything()
        done = self.expect(status, *arguments)
        self.assertRegex(done.stderr, rf"error\[({codes})\]")
        self.assertEqual(done.stdout, "")
        self.assertEqual(self.everything(), before)
        return done


class Table(Outputs):
    def test_every_option_that_names_an_output_is_in_the_table(self):
        commands = self.commands()
        found = {(command, option) for command in commands
                 for option in re.findall(r"^  (?:-.,|   ) --([\w-]+)(?: |\[=)[A-Z]", self.expect(0, command, "--help-all").stdout, re.M)
                 if option in NAMES}
        self.assertEqual(found, set(TABLE) | ELSEWHERE)

    def test_an_input_is_refused_under_every_name(self):
        self.prepare()
        (self.here / "sub").mkdir()

        def check(name, command, inputs):
            code = "OUT-IS-INPUT|CLI-VALUE" if never_overwrites(name) else "OUT-IS-INPUT"
            for number, file in enumerate(inputs):
                link, other = self.here / f"link{number}", self.here / f"other{number}"
                link.symlink_to(self.here / file)
                os.link(self.here / file, other)
                for out in [file] if number else [file, f"sub/../{file}", link, other]:
                    self.refused(2, code, *command(out))
                link.unlink()
                other.unlink()
        self.for_each(check)

    def test_folders_are_looked_at_first(self):
        self.prepare()
        (self.here / "folder").mkdir()
        with socket.socket(socket.AF_UNIX) as server:
            here = os.open(self.here, os.O_RDONLY)
            self.addCleanup(os.close, here)
            server.bind(f"/proc/self/fd/{here}/s")
            self.for_each(lambda name, command, inputs: [
                self.refused(8, "FILE-WRITE", *command(out)) for out in ("no/such/x", "folder", "k.asm/x", "s")])

    def test_rights_are_respected(self):
        if os.geteuid() == 0:
            self.skipTest("root may write everything")
        self.prepare()
        (self.here / "folder").mkdir(mode=0o500)
        self.addCleanup((self.here / "folder").chmod, 0o700)
        self.write("mine", "older")
        (self.here / "mine").chmod(0o400)

        def check(name, command, _):
            self.refused(8, "FILE-WRITE", *command("folder/x"))
            if not never_overwrites(name):
                self.refused(8, "FILE-WRITE", *command("mine"))
        self.for_each(check)

    def test_a_file_is_replaced_and_keeps_its_rights(self):
        self.prepare()

        def check(name, command, _):
            self.write("x", "older")
            (self.here / "x").chmod(0o640)
            os.link(self.here / "x", self.here / "other")
            if never_overwrites(name):
                self.refused(2, "CLI-VALUE", *command("x"))
            else:
                self.expect(0, *command("x"))
                self.assertNotEqual((self.here / "x").read_bytes(), b"older")
                self.assertEqual(stat.S_IMODE((self.here / "x").stat().st_mode), 0o640)
            self.assertEqual((self.here / "other").read_text(), "older")
            self.assertEqual(list(self.here.glob(".*")), [])
            (self.here / "other").unlink()
        self.for_each(check)

    def test_a_full_disk_leaves_the_older_file(self):
        self.prepare()
        self.write("x", "older")

        def check(name, command, _):
            out = "new" if never_overwrites(name) else "x"
            # All outputs are longer. The signal of the limit must not end the program.
            limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
            done = self.run_into(subprocess.PIPE, *command(out), preexec_fn=limit)
            self.assertEqual(done.returncode, 8, done.stderr)
            self.assertIn("File too large", done.stderr)
            self.assertEqual((self.here / "x").read_text(), "older")
            self.assertEqual((self.here / "new").exists(), name == ("trace", "output"))  # which grows in its place
            (self.here / "new").unlink(missing_ok=True)
            self.assertEqual(list(self.here.glob(".*")), [])
        self.for_each(check)


class Printed(Outputs):
    COMMANDS = [["run", "k.asm", "-c", "m.toml", "--no-out"], ["run", "k.asm", "-c", "m.toml", "--no-out", "--json"],
                ["asm", "k.asm"], ["cc", "k.ptx", "--listing"], ["disasm", "k.asm"], ["configs", "list"], ["configs", "show", "tiny"], ["explain", "issued"],
                ["occupancy", "k.asm", "-c", "m.toml"], ["models", "k.asm", "-c", "m.toml"], ["models", "--list"], ["man"],
                ["completion", "bash"], ["compare", "one", "two"], ["compare", "one"], ["rerun", "one"], ["report", "one"],
                ["trace", "info", "k.wtrace"], ["trace", "cat", "k.wtrace"], ["trace", "verify", "k.wtrace"],
                ["trace", "cut", "k.wtrace", "-o", "cut.wtrace"], ["validate", "--list"], ["validate", "--only", "COL-CPI1"],
                ["calibrate", "-c", "m.toml"], ["new", "hello"], ["new", "--list"], ["--version"], ["--help"], ["run", "--help"],
                ["sweep", "plan.toml"], ["sweep", "plan.toml", "--list"], ["dse", "design.toml"], ["doctor"],
                ["cuda", "--help"], ["debug", "k.asm", "-c", "m.toml"], ["watch", "one"]]

    def test_every_command_is_here(self):
        commands = self.commands()
        self.assertEqual(commands - {command[0] for command in self.COMMANDS}, set())

    def test_lost_output_ends_with_8(self):
        self.prepare()
        self.write("plan.toml", PLAN)
        self.write("design.toml", DESIGN)
        for command in self.COMMANDS:
            with self.subTest(command), open("/dev/full", "wb") as full:
                done = self.run_into(full, *command)
                self.assertEqual(done.returncode, 8, done.stderr)
                self.assertIn("error[FILE-WRITE]: cannot write 'standard output': No space left on device", done.stderr)

    def test_a_closed_stdout_ends_with_8_and_no_file_takes_its_place(self):
        for command in ["run", "k.asm", "-c", "m.toml", "-o", "closed"], ["trace", "record", "k.asm", "-o", "k.wtrace"]:
            with self.subTest(command):
                done = self.run_into(None, *command, preexec_fn=lambda: os.close(1))
                self.assertEqual(done.returncode, 8, done.stderr)
                self.assertIn("cannot write 'standard output': Bad file descriptor", done.stderr)
        self.expect(0, "trace", "verify", "k.wtrace")
        self.expect(0, "rerun", "closed")
        quiet = self.run_into(None, "run", "k.asm", "-c", "tiny", "-q", preexec_fn=lambda: os.close(1))
        self.assertEqual(quiet.returncode, 0, "nothing was to be printed")

    def test_a_closed_pipe_ends_as_other_programs_do(self):
        reading, writing = os.pipe()
        os.close(reading)
        done = self.run_into(writing, "configs", "reference")
        os.close(writing)
        self.assertEqual((done.returncode, done.stderr), (-signal.SIGPIPE, ""))


class Together(Outputs):
    RUN = ["run", "k.asm", "-c", "m.toml"]

    def test_two_outputs_to_one_file(self):
        self.prepare()
        self.write("old", "older")
        os.link(self.here / "old", self.here / "other")
        for command in ([*self.RUN, "--dump", "data=x", "--dump", "data=./x"], ["compare", "one", "two", "--json=x", "--html", "x"],
                        [*self.RUN, "--json=old", "--dump", "data=other"], ["validate", "--report", "old", "--json=other"]):
            with self.subTest(command):
                self.refused(2, "OUT-TWICE", *command)
        self.expect(0, *self.RUN, "--no-out", "--json=/dev/null", "--dump", "data=/dev/null")

    def test_what_is_printed_goes_to_another_file(self):
        for stream in "stdout", "stderr":
            with self.subTest(stream), open(self.here / "x", "wb") as file:
                streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: file}
                done = subprocess.run([PROGRAM, *self.RUN, "--no-out", "--json=x"], cwd=self.here, check=False, **streams)
                self.assertEqual(done.returncode, 2)
        self.assertIn("'x' is also where stderr goes", (self.here / "x").read_text())

    def test_outputs_beside_the_files_of_a_run(self):
        self.expect(0, *self.RUN, "-o", "all", "--dump", "data=all/y.npy", "--json=all/more.json", "--perfetto", "--konata", "--vcd",
                    "--lanes", "0x10", "-q")
        made = {path.name for path in (self.here / "all").iterdir()} - {"y.npy", "more.json"}
        self.assertGreater(len(made), 12)
        for name in [*made, ".", "../new/run.json"]:
            with self.subTest(name):
                self.refused(2, "OUT-TWICE", *self.RUN, "-o", "new", "--dump", f"data=new/{name}")
        self.refused(2, "OUT-TWICE", *self.RUN, "-o", "new", "--dump", "data=new/x", "--json=new/x")
        self.refused(8, "FILE-WRITE", *self.RUN, "-o", "new", "--json=new/sub/x")

    def test_one_json_of_several_runs(self):
        self.prepare()
        self.refused(2, "CLI-INPUT", "models", "one", "two", "--json=x")

    def test_validate_looks_at_its_document_first(self):
        self.refused(8, "FILE-WRITE", "validate", "--report", "no/such.md")
        self.refused(2, "CLI-VALUE", "validate", "--report", "absent.md")
        self.write("doc", "")
        self.write("doc.md", "")
        self.refused(8, "FILE-WRITE", "validate", "--report", "doc.md")

    def test_plans_look_at_their_results_first(self):
        self.write("plan.toml", PLAN)
        self.write("design.toml", DESIGN)
        for command, plan, folder in ("sweep", "plan", "sweep-p"), ("dse", "design", "dse-ye"):
            for name in "table.csv", "report.html":
                with self.subTest((command, name)):
                    place = self.here / "runs" / folder / name
                    place.mkdir(parents=True)
                    done = self.expect(8, command, f"{plan}.toml")
                    self.assertIn("error[FILE-WRITE]", done.stderr)
                    self.assertEqual(done.stdout, "", "nothing was run")
                    place.rmdir()
        table = "runs/sweep-p/table.csv"
        self.write(table, PLAN.replace("k.launch", f"{self.here}/k.launch"))
        before = (self.here / table).read_bytes()
        self.assertIn("error[OUT-IS-INPUT]", self.expect(2, "sweep", table).stderr)
        self.assertEqual((self.here / table).read_bytes(), before)

    def test_a_calibration_that_cannot_be_kept_is_said_before_measuring(self):
        self.write("cache", "")
        self.assertIn("error[FILE-WRITE]", self.expect(8, "calibrate", "-c", "m.toml").stderr)

    def ends_of_four(self, *arguments):
        """How that many processes with the same arguments end."""
        processes = [subprocess.Popen([PROGRAM, *arguments], cwd=self.here, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.PIPE, text=True) for _ in range(4)]
        ends = [(process.communicate()[1], process.returncode) for process in processes]
        for error, status in ends:
            self.assertTrue(status == 0 or re.search(r"error\[(CLI-VALUE|OUT-EXISTS|NEW-EXISTS)\]", error), error)
        return sorted(status for _, status in ends)

    def test_of_many_writers_one_has_the_place(self):
        for number in range(3):
            statuses = self.ends_of_four("trace", "record", "k.asm", "-o", f"{number}.wtrace")
            self.assertEqual(statuses[:1] + [status for status in statuses[1:] if status in (2, 8)], statuses)
            self.assertEqual(statuses[0], 0)
            self.expect(0, "trace", "verify", f"{number}.wtrace")
            self.assertEqual(self.ends_of_four(*self.RUN, "-o", f"{number}"), [0, 8, 8, 8])
            self.expect(0, "rerun", f"{number}")
            self.assertEqual(self.ends_of_four("new", f"new{number}"), [0, 8, 8, 8])

    def test_the_index_begins_with_its_header(self):
        self.assertEqual(self.ends_of_four(*self.RUN), [0] * 4)
        lines = (self.here / "runs/index.csv").read_text().splitlines()
        self.assertEqual(len(lines), 5)
        self.assertTrue(lines[0].startswith("run,"), lines)


if __name__ == "__main__":
    unittest.main()
