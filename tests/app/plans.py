# SPDX-License-Identifier: Apache-2.0
"""Plans of sweep and dse: what is refused before anything runs, equal points, job scripts, two sweeps at once."""
import fcntl
import os
import pathlib
import signal
import subprocess
import time

from cli import FOREVER_ASM, PROGRAM, Cli, not_under_sanitizers

PLAN = """\
schema = "teslasim.sweep/1"
name = "banks"
machine = "tiny"
inputs = ["k.asm"]
[axes]
"sm.shared.banks" = [8, 16]
"""
DSE = """\
schema = "teslasim.dse/1"
name = "machines"
machine = "tiny"
inputs = ["k.asm"]
[axes]
"gpu.tpcs" = [1, 2]
[area]
budget = 20.0
tolerance = 1.0
per_sm = 4.0
"""


class Plans(Cli):
    def plan(self, *changes, text=PLAN):
        """Writes plan.toml, with (old, new) replaced."""
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        self.write("plan.toml", text)

    def refused(self, code, place, *words, command="sweep"):
        told = self.expect_refusal(3, code, command, "plan.toml")
        self.assertIn(f"  --> plan.toml:{place}\n", told)
        for word in words:
            self.assertIn(word, told)

    def rows(self, folder="runs/sweep-banks"):
        return self.table(f"{folder}/table.csv")

    def test_names_are_one_part_of_a_path(self):
        for name in "../../../evil", "a/b", "..", ".hidden", "", "a b", "x\\ntouch pwned\\n#", "x" * 101, "caf\u00e9", "$(id)", "a\\u0000b":
            for text, command in (PLAN, "sweep"), (DSE, "dse"):
                self.plan(('"banks"' if command == "sweep" else '"machines"', f'"{name}"'), text=text)
                self.refused("PLAN-VALUE", "2:8", command=command)
        for name in "a", "a-b_c.d", "x" * 100:
            self.plan(('"banks"', f'"{name}"'))
            self.assertEqual(self.expect(0, "sweep", "plan.toml", "--list").stdout.count("point"), 2)

    def test_without_a_name_that_of_the_file(self):
        self.write("my plan; rm x.toml", PLAN.replace('name = "banks"\n', ""))
        self.expect(0, "sweep", "my plan; rm x.toml", "-q")
        self.assertTrue((self.here / "runs/sweep-my_plan__rm_x/table.csv").exists())
        self.write(".toml", PLAN.replace('name = "banks"\n', ""))
        self.expect(0, "sweep", ".toml", "-q")
        self.assertTrue((self.here / "runs/sweep-_.toml/table.csv").exists())

    def test_the_size_is_counted_before_anything_is_expanded(self):
        thirty = ", ".join(str(i) for i in range(1, 31))
        axes = "".join(f'"sm.latency_cycles.axis{i}" = [{thirty}]\n' for i in range(8))
        self.plan(('"sm.shared.banks" = [8, 16]\n', axes))
        self.refused("PLAN-SIZE", "13:1", "656 100 000 000 points, more than 100 000")
        axes = "".join(f'"sm.latency_cycles.axis{i}" = [{thirty}]\n' for i in range(64))
        self.plan(('"sm.shared.banks" = [8, 16]\n', axes))
        self.refused("PLAN-SIZE", "69:1", "over 18 446 744 073 709 551 615 points")
        self.plan(("[axes]", 'mode = "random"\nn = 1000000000000\n[axes]'))
        self.refused("PLAN-SIZE", "6:5", "1 000 000 000 000 points")
        self.plan(("[axes]", 'mode = "random"\nn = 9223372036854775807\n[axes]'), ('["k.asm"]', '["k.asm", "k.asm", "k.asm"]'))
        self.refused("PLAN-SIZE", "6:5", "over ")
        self.plan(('"gpu.tpcs" = [1, 2]', f'"gpu.tpcs" = [{thirty}]\n"sm.registers" = [{thirty}]\n"sm.shared.banks" = [{thirty}]\n"sm.x" = [{thirty}]'),
                  text=DSE)
        self.refused("PLAN-SIZE", "9:1", "810 000 points", command="dse")

    def test_the_limit_can_be_moved(self):
        self.plan(("[axes]", 'mode = "random"\nn = 100001\n[axes]'))
        self.refused("PLAN-SIZE", "6:5", "raise max_points (at most 1 000 000)")
        self.plan(("[axes]", 'mode = "random"\nn = 100001\nmax_points = 100001\n[axes]'))
        self.assertEqual(self.expect(0, "sweep", "plan.toml", "--list").stdout.count("\n"), 100001)
        self.plan(("[axes]", "max_points = 1\n[axes]"))
        self.refused("PLAN-SIZE", "7:1", "the plan has 2 points, more than 1")
        for value in "0", "1000001", "-1", "1.5", '"many"':
            self.plan(("[axes]", f"max_points = {value}\n[axes]"))
            self.refused("PLAN-VALUE", "5:14")
        axes = "".join(f'"x{i}" = [1]\n' for i in range(65))
        self.plan(('"sm.shared.banks" = [8, 16]\n', axes))
        self.assertIn("the plan has 65 axes, more than 64", self.expect_refusal(3, "PLAN-SIZE", "sweep", "plan.toml"))

    def test_equal_points_run_once(self):
        self.plan(("[8, 16]", "[8, 16, 8]"), ('["k.asm"]', '["k.asm", "k.asm"]'))
        text = self.expect(0, "sweep", "plan.toml", "-j", "4").stdout
        self.assertIn("2 inputs x 3 = 6 points, 4 equal to others, 0 done earlier, 2 to run", text)
        rows = self.rows()
        self.assertEqual([row["sm.shared.banks"] for row in rows], ["8", "16", "8"] * 2)
        self.assertEqual({(row["status"], row["exit"], row["reason"]) for row in rows}, {("ok", "0", "")})
        self.assertEqual(len({row["time_ms"] for row in rows if row["sm.shared.banks"] == "8"} - {""}), 1)
        self.assertIn("2 done earlier, 0 to run", self.expect(0, "sweep", "plan.toml").stdout)
        self.assertEqual(len(self.expect(0, "sweep", "plan.toml", "--emit", "parallel").stdout.splitlines()), 2)
        self.assertIn("--array=1-2\n", self.expect(0, "sweep", "plan.toml", "--emit", "slurm").stdout)

    def test_wrong_outputs_are_not_ok(self):
        self.write("k.launch.toml", (self.here / "k.launch.toml").read_text() + '[expect.data]\nfile = "wrong.raw"\n')
        (self.here / "wrong.raw").write_bytes(bytes(256))
        self.plan()
        self.expect(1, "sweep", "plan.toml", "-q")
        self.assertEqual([(row["status"], row["exit"]) for row in self.rows()], [("wrong outputs", "1")] * 2)
        self.assertIn("has wrong outputs: data (64 of 64 elements)", self.rows()[0]["reason"])
        many = (self.here / "k.launch.toml").read_text().replace("grid = [1]", 'grid = [60]\ncode = "k.asm"')
        self.write("many.launch.toml", many)
        self.plan(("k.asm", "many.launch.toml"), ("[area]", "[screen]\nkeep = 1\n[area]"), text=DSE)
        self.expect(1, "dse", "plan.toml", "-q")
        self.assertEqual({row["simulated_ms"] for row in self.rows("runs/dse-machines")}, {""})

    def test_columns_are_statistics(self):
        known = '["time_ms", "stall.mem.global_pct", "slots_pct.issued", "global.bytes", "models.roofline.predicted_ms", "per_sm.0.blocks"]'
        self.plan(("[axes]", f"columns = {known}\n[axes]"))
        self.expect(0, "sweep", "plan.toml", "-q")
        for column in "time_ms", "stall.mem.global_pct", "slots_pct.issued", "global.bytes", "per_sm.0.blocks":
            self.assertNotEqual(self.rows()[0][column], "", column)

    def test_other_columns_are_mistakes(self):
        self.plan(("[axes]", 'columns = ["tmie_ms", "nonsense", "time_ms", "models.x.predicted_ms", 7]\n[axes]'))
        told = self.expect_refusal(3, "PLAN-VALUE", "sweep", "plan.toml")
        self.assertIn("did you mean 'time_ms'?", told)
        self.assertIn("there is no statistic 'nonsense'\n  --> plan.toml:5:23\n", told)
        self.assertIn("there is no statistic 'models.x.predicted_ms'", told)
        self.assertEqual(told.count("error["), 4)

    def test_keep_names_files_of_a_run(self):
        self.plan(("[axes]", 'keep = ["stat.json", "../k.asm", "/etc/passwd"]\n[axes]'))
        self.refused("PLAN-VALUE", "5:9", "did you mean 'stats.json'?", "a run has no file '../k.asm'", "plan.toml:5:22")
        self.expect(0, "run", "k.asm", "-c", "tiny", "-q", "-o", "all")
        written = ", ".join(f'"{path.name}"' for path in (self.here / "all").iterdir())
        self.plan(("[axes]", f"keep = [{written}]\n[axes]"))
        self.expect(0, "sweep", "plan.toml", "--list")

    def test_inputs_that_cannot_be_read(self):
        self.plan(('["k.asm"]', '["k.asm", "nope.asm", "", "."]'))
        self.refused("PLAN-INPUT", "4:20", "cannot read 'nope.asm': No such file or directory", "plan.toml:4:32", "plan.toml:4:36")
        self.plan(('["k.asm"]', '["nope.asm"]'), text=DSE)
        self.refused("PLAN-INPUT", "4:11", command="dse")
        self.plan(('["k.asm"]', '["k.asm\\u0000.txt"]'))
        self.refused("PLAN-VALUE", "4:11")

    def test_axes(self):
        self.plan(('"sm.shared.banks" = [8, 16]', '"sm.shared.banks" = [8]\nsm.shared.banks = [16]'))
        self.refused("PLAN-VALUE", "7:11", "there is another axis 'sm.shared.banks'")
        self.plan(('"sm.shared.banks" = [8, 16]', '"sm.shared.banks=8" = [8]'))
        self.refused("PLAN-VALUE", "6:1", "this cannot be a key of a machine")
        self.plan(('"sm.shared.banks" = [8, 16]', '"sm.shared\\nbanks" = [8]'))
        self.refused("PLAN-VALUE", "6:1", "this cannot be a key of a machine")
        self.plan(("[8, 16]", '[8, "16\\n17"]'))
        self.refused("PLAN-VALUE", "6:25", "no line ends")
        self.plan(("[axes]\n", 'axes."sm.registers" = [4096]\nmode = "zip"\n[axes]\n'))
        self.assertIn("error", self.expect(3, "sweep", "plan.toml").stderr)
        self.write("plan.toml", PLAN.replace("[axes]\n", 'axes."sm.registers" = [4096]\nmode = "zip"\naxes.').replace('\naxes."sm', '\naxes."sm'))
        self.refused("PLAN-VALUE", "7:6", "in mode zip all axes have equally many values")
        points = PLAN[:PLAN.index("[axes]")] + 'mode = "list"\n'
        self.write("plan.toml", points + 'points = ["sm.registers=1 sm.registers=2"]\n')
        self.refused("PLAN-VALUE", "6:10", "a point sets 'sm.registers' twice")
        self.write("plan.toml", points + 'points = ["sm.registers=4096", "sm.shared.banks=8"]\n[rules]\nskip_if = "sm.registers == 1"\n')
        self.refused("PLAN-VALUE", "8:11", "'sm.registers' is not an axis")

    def test_conditions(self):
        self.plan(("[8, 16]\n", '[8, 16]\n[rules]\nskip_if = "' + "sm.shared.banks == 8 && " * 1000 + 'sm.shared.banks == 8"\n'))
        self.refused("PLAN-VALUE", "8:11", "a condition has at most 4096 characters")
        # nan equals nothing: it is compared as a word.
        self.plan(("[8, 16]\n", '[8, 16]\n[rules]\nskip_if = "sm.shared.banks == nan || sm.shared.banks == inf"\n'))
        self.assertEqual(self.expect(0, "sweep", "plan.toml", "--list").stdout.count("point"), 2)

    def test_what_is_no_plan(self):
        (self.here / "folder.toml").mkdir()
        (self.here / "binary.toml").write_bytes(bytes(range(256)) * 16)
        (self.here / "latin.toml").write_bytes(PLAN.replace("banks", "b\u00e4nke").encode("latin-1"))
        self.write("empty.toml", "")
        for command in "sweep", "dse":
            for name in "folder", "binary", "latin", "empty", "missing":
                done = subprocess.run([PROGRAM, command, f"{name}.toml"], cwd=self.here, stdin=subprocess.DEVNULL, capture_output=True,
                                      text=True, errors="replace", check=False)
                self.assertEqual(done.returncode, 3, name)
                self.assertIn("error[", done.stderr)
            self.assertIn("it is larger than", self.expect(3, command, "/dev/zero").stderr)
        self.assertFalse((self.here / "runs").exists())

    def test_numbers_of_explorations(self):
        for change in ("20.0", "inf"), ("20.0", "nan"), ("4.0", "-1"), ("1.0", "inf"):
            self.plan(change, text=DSE)
            self.expect_refusal(3, "PLAN-VALUE", "dse", "plan.toml")
        for keep in "1e300", "-1", "2.5", "nan":
            self.plan(("[area]", f"[screen]\nkeep = {keep}\n[area]"), text=DSE)
            self.refused("PLAN-VALUE", "8:8", "'screen.keep' must be a whole number", command="dse")

    @not_under_sanitizers
    def test_commands_are_quoted(self):
        """Whatever stands in names, a shell runs the points and nothing else."""
        # Names that a shell would take apart, an option of `run` among them; one takes two lines.
        names = ["a b", "x'; touch pwned; '", "$(touch pwned)", "`touch pwned`", "two\nlines", "-q", "back\\slash", "tab\there"]
        inputs = []
        for name in names:
            self.kernel(name, (self.here / "k.asm").read_text(), block=64)
            (self.here / f"{name}.launch.toml").write_text((self.here / "k.launch.toml").read_text())
            inputs.append(f"{name}.asm")
        machine = "m ' $(touch pwned).toml"
        self.write(machine, self.expect(0, "configs", "show", "tiny").stdout)
        listed = ", ".join('"' + name.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t") + '"' for name in inputs)
        self.plan(('["k.asm"]', f"[{listed}]"), ('"tiny"', f'"{machine}"'), ("[8, 16]", "[8]"))
        folder = "r u n s'; touch pwned; '"
        lines = self.expect(0, "sweep", "plan.toml", "--emit", "parallel", "--runs-dir", folder).stdout.splitlines()
        self.assertEqual(len(lines), len(names), "one command is one line")
        for line in lines[: len(lines) // 2]:
            subprocess.run(["bash", "-c", line], cwd=self.here, check=True, stdin=subprocess.DEVNULL, capture_output=True)
        script = self.expect(0, "sweep", "plan.toml", "--emit", "slurm", "--runs-dir", folder).stdout
        for task in range(len(lines) // 2, len(lines)):
            subprocess.run(["bash", "-c", script], cwd=self.here, check=True, stdin=subprocess.DEVNULL, capture_output=True,
                           env=dict(os.environ, SLURM_ARRAY_TASK_ID=str(task + 1)))
        self.assertIn(f"{len(names)} done earlier, 0 to run", self.expect(0, "sweep", "plan.toml", "--runs-dir", folder).stdout)
        self.assertEqual({row["status"] for row in self.table(f"{folder}/sweep-banks/table.csv")}, {"ok"})
        self.assertEqual(list(self.here.rglob("pwned")), [])
        self.assertEqual(self.expect(0, "sweep", "plan.toml", "--list").stdout.count("\n"), len(names))

    def test_two_at_once(self):
        """A kernel without end keeps the first busy; the second is told so and touches nothing."""
        self.kernel("forever", FOREVER_ASM)
        self.plan(("k.asm", "forever.asm"))
        first = subprocess.Popen([PROGRAM, "sweep", "plan.toml", "-j", "1"], cwd=self.here, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(first.wait)
        self.addCleanup(first.kill)
        points = self.here / "runs/sweep-banks/points"
        deadline = time.time() + 60
        while time.time() < deadline and not list(points.glob("*/status.json")):
            time.sleep(0.01)
        before = sorted(path.name for path in points.iterdir())
        told = self.expect(8, "sweep", "plan.toml").stderr
        self.assertIn("error[PLAN-BUSY]: another teslasim works on 'runs/sweep-banks'", told)
        self.assertEqual(before, sorted(path.name for path in points.iterdir()))
        self.expect(0, "sweep", "plan.toml", "--list")
        os.kill(first.pid, signal.SIGKILL)
        first.wait()
        # Killed, it holds nothing any more.
        self.write("forever.asm", FOREVER_ASM.replace("bra again", "nop"))
        self.assertIn("2 to run", self.expect(0, "sweep", "plan.toml").stdout)

    def test_explorations_too(self):
        self.plan(text=DSE)
        folder = self.here / "runs/dse-machines"
        folder.mkdir(parents=True)
        held = os.open(folder, os.O_RDONLY)
        fcntl.flock(held, fcntl.LOCK_EX)
        self.assertIn("error[PLAN-BUSY]", self.expect(8, "dse", "plan.toml").stderr)
        os.close(held)
        self.expect(0, "dse", "plan.toml", "-q")

    def test_a_folder_that_cannot_be(self):
        self.plan()
        self.write("runs", "a file")
        for command, text in ("sweep", PLAN), ("dse", DSE):
            self.write("plan.toml", text)
            self.assertIn("error[FILE-WRITE]", self.expect(8, command, "plan.toml").stderr)

    def test_no_folder_is_not_the_root(self):
        for command, text in ("sweep", PLAN), ("dse", DSE):
            self.write("plan.toml", text)
            self.assertIn("error[CLI-VALUE]", self.expect(2, command, "plan.toml", "--runs-dir", "").stderr)

    def test_records_that_are_damaged_are_run_again(self):
        self.plan()
        self.expect(0, "sweep", "plan.toml", "-q")
        rows = self.rows()
        points = self.here / "runs/sweep-banks/points"
        first, second = sorted(points.glob("*.outcome"))
        first.write_text('{"exit": "zero", "reason": 7}')
        (pathlib.Path(str(second).removesuffix(".outcome")) / "stats.json").unlink()
        self.assertIn("1 to run", self.expect(0, "sweep", "plan.toml").stdout)
        self.assertEqual(rows, self.rows())
        for path in points.glob("*/stats.json"):
            path.write_text('{"launches": 7}')
        self.expect(0, "sweep", "plan.toml", "-q")
        self.assertEqual({row["status"] for row in self.rows()}, {"failed"})

    def test_what_the_host_made_fail_is_run_again(self):
        self.plan(("[8, 16]", "[8, 16, 0]"))
        self.expect(1, "sweep", "plan.toml", "-q")
        rows = self.rows()
        self.assertEqual([row["exit"] for row in rows], ["0", "0", "3"])
        good = [path for path in (self.here / "runs/sweep-banks/points").glob("*.outcome") if '"exit": 0' in path.read_text()]
        for path, status in zip(good, (8, 137)):
            path.write_text(f'{{"exit": {status}, "reason": "no space, or killed"}}')
        self.assertIn("1 done earlier, 2 to run", self.expect(1, "sweep", "plan.toml").stdout)
        self.assertEqual(rows, self.rows())
