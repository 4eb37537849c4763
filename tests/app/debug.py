# SPDX-License-Identifier: Apache-2.0
"""The debugger: sessions as transcripts, what they show beside the log of the run, and any command without a crash."""
import collections
import os
import pty
import random
import re
import shutil
import subprocess

from cli import PROGRAM, STUCK_ASM, Cli
from instruction_log import KERNELS, Line, by_lane

BAD_ASM = """\
.entry bad
{
.param ptr out
    mov.b32 $r1, s[out]
    mov.b32 $r2, 0x00000007
    mov.u32 g[$r1], $r2
    mov.b32 $r3, 0x00000000
    mov.u32 $r4, g[$r3]
    return
}
"""
OUT = 'param = [{ name = "out", type = "u32", count = 64 }]\n'


class Debug(Cli):
    def small(self, kernel, blocks=2):
        """Its first blocks; the sums of the others are not checked."""
        for file in f"{kernel}.asm", f"{kernel}.launch.toml":
            text = (KERNELS / kernel / file).read_text().split("[expect.")[0]
            self.write(file, re.sub(r"(?m)^grid .*", f"grid = [{blocks}]", text))
        return f"{kernel}.launch.toml"

    def session(self, commands, source="k.launch.toml", machine="tiny", status=0, options=()):
        """What a session with these commands prints: {command: lines behind it}, the last one of each command."""
        self.write("script", "\n".join(commands) + "\n")
        self.done = self.teslasim("debug", source, "-c", machine, "--commands", "script", *options)
        if status is not None:
            self.assertEqual(self.done.returncode, status, self.done.stdout + self.done.stderr)
        return self.answers(self.done.stdout)

    def answers(self, transcript):
        answers, lines = {}, []
        for line in transcript.splitlines():
            if line.startswith("(debug) "):
                answers[line[len("(debug) "):]] = lines = []
            else:
                lines.append(line)
        return answers

    def log(self, source, machine="tiny", what="isa"):
        self.expect(0, "run", source, "-c", machine, "-o", "logged", "-q", "--no-report", "--log", what, "--log-file", "out.log")
        return [Line(text) for text in (self.here / "out.log").read_text().splitlines() if not text.startswith("#")]


class Ends(Debug):
    def test_the_digest_and_the_cycles_are_those_of_a_run(self):
        for source, machine in ((self.small("reduce1"), "tiny"), (self.small("matmul_tiled", 4), "gtx280")):
            shutil.rmtree(self.here / "runs", ignore_errors=True)
            self.expect(0, "run", source, "-c", machine, "-q", "--no-report")
            statistics = self.stats()
            cycles = statistics["launches"][0]["time"]["cycles"]
            for commands in (["run"], ["step 40", "step 30 cycle", "break 0x30", "run", "delete 1", "break stall mem>1%", "run",
                                       "run", "delete 2", "finish"]):
                self.session(commands, source, machine)
                ended = re.search(r"launch 1 ended in cycle (\d+): ok\nthe run has ended: ok, digest (\w+)", self.done.stdout)
                self.assertEqual(ended[2], statistics["digest"])
                self.assertEqual(int(ended[1]), cycles)

    def test_what_ends_it(self):
        self.assertNotIn("the run has ended", self.session(["step"]) and self.done.stdout)
        self.session(["step", "quit", "step"])
        self.assertEqual(self.done.stdout.count("(debug)"), 2)
        after = self.session(["run", "global data 0:4", "where"], status=2)
        self.assertEqual(after["global data 0:4"], ["data  u32[64]", "[0] 1 2 3 4"])
        self.assertIn("error[DEBUG-STATE]: no launch is under way", self.done.stderr)
        self.assertIn("--> script:3:1", self.done.stderr)

    def test_a_kernel_error_stops_with_the_state_visible(self):
        self.kernel("bad", BAD_ASM, block=32, param=OUT)
        shown = self.session(["run", "regs 0 0", "list", "where"], "bad.launch.toml", status=5)
        self.assertRegex(shown["run"][0], r"kernel error in cycle \d+")
        self.assertIn("error[MEM-OOB]: global load outside any buffer", self.done.stderr)
        registers = dict(line.split(None, 1) for line in shown["regs 0 0"])
        self.assertTrue(registers["$r2"].startswith("0x00000007"))
        self.assertTrue(any(line.startswith("-> ") and "g[$r3]" in line for line in shown["list"]), shown["list"])

    def test_a_stuck_kernel_stops_with_the_state_visible(self):
        self.kernel("stuck", STUCK_ASM)
        shown = self.session(["run", "warps", "run"], "stuck.launch.toml", status=6)
        self.assertIn("stuck", shown["run"][-1] + self.done.stdout)
        self.assertTrue(any("sync.barrier" in line for line in shown["warps"]), shown["warps"])

    def test_a_limit_stops_with_the_state_visible(self):
        source = self.small("reduce1")
        shown = self.session(["run", "where"], source, options=("--max-cycles", "500"))
        self.assertRegex(shown["where"][0], r"^cycle 50[0-4], launch 1 of 1 \(reduce1\)")

    def test_launches_follow_each_other(self):
        self.write("two.asm", (self.here / "k.asm").read_text())
        self.write("two.launch.toml", (self.here / "k.launch.toml").read_text() + "[[launch]]\n[[launch]]\n")
        shown = self.session(["break 0x8", "finish", "where", "run", "delete 1", "run", "global data 0:3"], "two.launch.toml")
        self.assertIn("launch 2 of 2", shown["finish"][-1])
        self.assertIn("cycle 0, launch 2 of 2", shown["where"][0])
        self.assertIn("breakpoint 1: SM 0 warp 0", self.done.stdout)
        self.assertEqual(shown["global data 0:3"], ["data  u32[64]", "[0] 2 3 4"])


class Stops(Debug):
    def test_a_breakpoint_stops_before_each_warp_issues_there(self):
        source = self.small("reduce1")
        lines = [line for line in self.log(source) if line.sm == 0]
        pc = "0x0030"
        expected = collections.Counter((line.cta, line.warp) for line in lines if line.pc == pc)
        commands = [f"break {pc}"] + ["run", "where"] * (sum(expected.values()) + 1)
        self.session(commands, source, status=2)
        found = re.findall(rf"breakpoint 1: SM 0 warp (\d+) \(block (\d+), number \d+\) is at {pc}.*\n  cycle (\d+), lanes (\w+)\n"
                           r"(?:  (\d+) more)?", self.done.stdout)
        self.assertEqual(sum(1 + int(more or 0) for *_, more in found), sum(expected.values()))
        issues = collections.defaultdict(list)
        for line in lines:
            if line.pc == pc:
                issues[line.cta, line.warp].append(line.cycle)
        for warp, block, cycle, _, _ in found:
            self.assertTrue(any(int(cycle) <= issue for issue in issues[int(block), int(warp)]), (warp, block, cycle))

    def test_conditions_choose_the_warps(self):
        source = self.small("reduce1")
        shown = self.session(["break line 36 if mask!=full and warp==0 and block==1", "run", "stack", "list"], source)
        found = re.search(r"warp (\d+) \(block 1, number 0\) is at .*\n  cycle \d+, lanes (\w+)", self.done.stdout)
        self.assertNotEqual(found[2], "ffffffff")
        self.assertTrue(shown["stack"][0].startswith(f"runs    {found[2]}"))

    def test_at_a_join_conditions_see_the_lanes_of_each_path(self):
        source = self.small("reduce1", 1)
        (join,) = sorted({line.pc for line in self.log(source) if ".join" in line.text})[:1]
        self.session([f"break {join} if mask!=full and warp==0", "run", "stack", "delete 1", "run"], source)
        lanes, pc = re.search(r"breakpoint 1: lanes (\w+) of SM 0 warp 0 \(block 0, number 0\) come to the join at (\w+)",
                              self.done.stdout).groups()
        self.assertEqual(pc, join)
        self.assertNotEqual(lanes, "ffffffff")

    def test_a_kernel_is_a_place_also_of_a_later_launch(self):
        other = (self.here / "k.asm").read_text().replace("add_one", "add_two").replace("$r2, 1", "$r2, 2")
        self.write("two.asm", (self.here / "k.asm").read_text() + other)
        self.write("two.launch.toml", (self.here / "k.launch.toml").read_text() + '[[launch]]\n[[launch]]\nkernel = "add_two"\n')
        shown = self.session(["break add_two if warp==1", "break kernel add_one", "break add_tow", "info", "run", "delete 2", "run", "list"],
                             "two.launch.toml", status=2)
        self.assertEqual(shown["break add_two if warp==1"], ["breakpoint 1: kernel add_two at its launch if warp==1"])
        self.assertEqual(shown["break kernel add_one"], ["breakpoint 2: kernel add_one at 0x0000"])
        self.assertIn("did you mean 'add_two'?", self.done.stderr)
        self.assertRegex(shown["run"][-2], r"breakpoint 1: SM 0 warp 1 \(block 0, number 1\) is at 0x0000")
        self.assertIn("launch 2 of 2: add_two", self.done.stdout)

    def test_lines_are_those_of_the_assembly_file(self):
        number = next(i for i, line in enumerate((self.here / "k.asm").read_text().splitlines(), 1) if "g[$r1]" in line)
        shown = self.session([f"break line {number}", "run", "list"])
        self.assertTrue(any(line.startswith("->") and "g[$r1]" in line for line in shown["list"]))

    def test_what_is_not_there_is_said(self):
        self.session(["break 0x31", "break line 1", "break lable", "watch g[dato]", "watch g[data+1]", "watch s[0x4000]", "regs 9",
                      "sm 7", "delete 3", "global datum", "shared 0x4000", "global data 64", "stack 1:9"], status=2)
        for words in ("no instruction of 'add_one' stands at 0x0031", "no instruction of line 1", "no label 'lable'",
                      "no buffer has the name 'dato'", "did you mean 'data'?", "not a multiple of 4", "bytes of shared memory",
                      "SM 0 has no warp 9 now", "the machine has SMs 0-0", "there is no breakpoint 3", "'data' has 64 elements"):
            self.assertIn(words, self.done.stderr)
        self.assertEqual(self.done.stderr.count("error[DEBUG-STATE]"), 13)

    def test_a_watchpoint_names_who_writes(self):
        shown = self.session(["watch g[data+132]", "run", "info", "run"])
        self.assertEqual(shown["watch g[data+132]"][0].split(" at ")[0], "watchpoint 1: g[data+132]")
        self.assertIn("watchpoint 1 g[data+132]: SM 0 warp 1 (block 0) lane 1 writes 0x00000022, old 0x00000021", self.done.stdout)
        self.assertEqual(self.done.stdout.count("watchpoint 1 g"), 1)
        lines = [line for line in self.log("k.launch.toml") if line.text.startswith("mov.u32 g[") and line.warp == 1]
        self.assertIn(f"issued in cycle {lines[0].cycle}, lanes 00000002", self.done.stdout)

    def test_a_watchpoint_in_shared_memory_sees_each_store(self):
        source = self.small("reduce1", 1)
        address = 0x18
        stores = []
        for line in self.log(source):
            for target, values in line.values.items():
                if target.startswith("s[") and line.text.startswith("mov.b32 s["):
                    places, words = by_lane(line.lanes, target[2:-1]), by_lane(line.lanes, values)
                    stores += [(line.cycle, words[lane]) for lane in line.lanes if places[lane] == address]
        self.assertGreater(len(stores), 3)
        self.session([f"watch s[{address:#x}]"] + ["run"] * (len(stores) + 1), source)
        found = re.findall(r"writes (0x\w+), old (0x\w+)\n  issued in cycle (\d+)", self.done.stdout)
        self.assertEqual([(int(cycle), int(new, 16)) for new, _, cycle in found], stores)
        self.assertEqual([old for _, old, _ in found[1:]], [new for new, _, _ in found[:-1]])

    def test_a_share_of_a_state_stops_at_the_end_of_an_interval(self):
        """All intervals together have what the run counts, but for the last one, which is not whole."""
        source = self.small("pointer_chase", 1)
        self.expect(0, "run", source, "-c", "tiny", "-q", "--no-report", "--max-cycles", "20000")
        counted = self.stats()["launches"][0]["warp_cycles"]
        self.session(["break stall mem>0%"] + ["run"] * 100, source, status=None, options=("--max-cycles", "20000"))
        found = re.findall(r"breakpoint 1: mem has (\S+) % \((\d+) of (\d+)\) of the warp cycles of SM 0 in cycles (\d+)-(\d+)",
                           self.done.stdout)
        self.assertGreater(len(found), 5)
        for share, part, whole, begin, end in found:
            self.assertAlmostEqual(float(share), 100 * int(part) / int(whole), delta=0.06)
            self.assertEqual((int(begin) % 256, int(end) - int(begin)), (0, 256))
        total = sum(cycles for state, cycles in counted.items() if state.startswith("wait.mem."))
        measured = sum(int(part) for _, part, *_ in found)
        self.assertLessEqual(measured, total)
        self.assertGreater(measured, total - 128)

class Looks(Debug):
    def test_registers_are_those_of_the_log(self):
        """Behind each instruction of a warp, what it wrote is what `regs` shows."""
        source = self.small("reduce1", 1)
        lines = [line for line in self.log(source) if line.warp == 3][:60]
        self.session(["step", *(command for _ in lines for command in ("step warp 3", "regs 3"))], source)
        blocks = self.done.stdout.split("(debug) regs 3\n")[1:]
        self.assertEqual(len(blocks), len(lines))
        checked = 0
        for line, block in zip(lines, blocks):
            shown = dict(row.split(None, 1) for row in block.split("(debug)")[0].splitlines())
            for name, value in line.values.items():
                if not name.startswith(("$r", "$ofs")):
                    continue
                written, here = by_lane(line.lanes, value), by_lane(range(32), shown[name])
                if "awaited" in line.words:
                    continue
                pending = line.text.split()[0] == "mov.u32" and "g[" in line.text
                if not pending:
                    self.assertEqual({lane: here[lane] for lane in line.lanes}, written, line.text)
                    checked += 1
        self.assertGreater(checked, 30)

    def test_steps_follow_the_log(self):
        source = self.small("reduce1", 1)
        lines = [line for line in self.log(source) if line.sm == 0]
        self.session(["step"] * 50, source)
        steps = re.findall(r"^cycle (\d+)  warp (\d+) \(block (\d+)\)  (0x\w+)  .*?  (\w{8}) \|", self.done.stdout, re.M)
        self.assertEqual([(int(c), int(w), int(b), pc) for c, w, b, pc, _ in steps],
                         [(line.cycle, line.warp, line.cta, line.pc) for line in lines[:50]])
        self.session(["step 200"], source)
        self.assertIn(f"cycle {lines[199].cycle}  warp {lines[199].warp} ", self.done.stdout)
        shown = self.session(["step 25 cycle"], source)
        self.assertIn("cycle 50, launch 1 of 1", shown["step 25 cycle"][-1])

    def test_memory_has_its_names_and_types(self):
        shown = self.session(["global", "global data 60:70", "global n", "step 5", "shared 0x10 2"])
        self.assertRegex(shown["global"][0], r"^data  u32\[64\] at 0x\w+$")
        self.assertEqual(shown["global"][1], "n  u32 = 64")
        self.assertEqual(shown["global data 60:70"], ["data  u32[64]", "[60] 60 61 62 63"])
        self.assertEqual(shown["global n"], ["n  u32 = 64"])
        address = shown["global"][0].split()[-1]
        self.assertEqual(shown["shared 0x10 2"], [f"0x0010  {int(address, 16):08x} 00000040"])

    def test_units_and_warps_are_shown(self):
        shown = self.session(["warps", "step 30", "pipeline", "warps", "where", "list all", "sm 0", "warp 3", "info"],
                             self.small("matmul_tiled", 1), "gtx280")
        self.assertEqual(self.answers(self.done.stdout)["warps"][0].split()[:3], ["warp", "block", "number"])
        units = [line.split("  ")[0] for line in shown["pipeline"] if not line.startswith(" ")]
        self.assertEqual(units[0], "issue port")
        for unit in "MAD", "SFU", "DP", "memory path", "results due", "queues":
            self.assertIn(unit, units)
        self.assertIn("<- warp", "\n".join(shown["list all"]))
        self.assertIn("launch", shown["where"][1])

    def test_all_results_are_written_in_the_end(self):
        shown = self.session(["watch g[data+252]", "run", "pipeline"])
        self.assertIn("results due  none", shown["pipeline"])


class Sources(Debug):
    SCRIPT = ["break 0x18", "run", "regs", "step", "", "nonsense", "global data 0:8", "run", "quit"]

    def piped(self, commands):
        return subprocess.run([PROGRAM, "debug", "k.launch.toml", "-c", "tiny"], cwd=self.here, capture_output=True, text=True,
                              input="\n".join(commands) + "\n", timeout=120, check=False)

    def test_a_terminal_changes_nothing(self):
        piped = self.piped(self.SCRIPT)
        self.assertEqual(piped.returncode, 0, piped.stderr)
        main, side = pty.openpty()
        with subprocess.Popen([PROGRAM, "debug", "k.launch.toml", "-c", "tiny", "--color=never"], cwd=self.here, stdin=side,
                              stdout=side, stderr=subprocess.PIPE) as process:
            os.close(side)
            text, sent = b"", 0
            while True:
                try:
                    piece = os.read(main, 65536)
                except OSError:
                    break
                text += piece
                if sent < len(self.SCRIPT) and text.count(b"(debug) ") > sent:
                    os.write(main, self.SCRIPT[sent].encode() + b"\n")
                    sent += 1
            errors = process.stderr.read().decode()
        os.close(main)
        self.assertEqual(text.decode().replace("\r\n", "\n"), piped.stdout)
        self.assertEqual(errors, piped.stderr)

    def test_an_empty_line_repeats_a_step(self):
        answers = self.piped(["step 3", "", ""]).stdout
        self.assertEqual(len(re.findall(r"^cycle ", answers, re.M)), 3)

    def test_a_file_with_mistakes_runs_nothing_and_has_them_all(self):
        self.write("script", "run\nbrek 0x30\n# a remark\n\nregs 3 99\n")
        message = self.expect_refusal(2, "DEBUG-COMMAND", "debug", "k.launch.toml", "-c", "tiny", "--commands", "script")
        self.assertIn("--> script:2:1", message)
        self.assertIn("did you mean 'break'?", message)
        self.assertIn("--> script:5:8", message)
        self.assertIn("error[DEBUG-VALUE]: a lane is at most 31, got 99", message)
        self.assertIn("error[DEBUG-FILE]", self.expect(4, "debug", "k.launch.toml", "--commands", "none").stderr)

    def test_a_trace_has_no_values_and_no_crash(self):
        self.expect(0, "trace", "record", "k.launch.toml", "-c", "tiny", "-o", "k.wtrace")
        shown = self.session(["step 5", "regs", "stack", "warps", "pipeline", "list", "run"], "k.wtrace")
        self.assertEqual(shown["regs"], ["values are not known: the input is a recorded trace"])


class AnyCommands(Debug):
    WORDS = ("break watch delete info run continue step finish where warps regs shared global stack pipeline list sm warp help "
             "line label if and mask warp block != == full stall mem mem.global > % 50% [ ] g s data n + : 0 1 2 3 7 31 64 0x0 0x8 "
             "0x18 0x30 cycle issue all breaks add_one \u00e9 # , - 99999999999999999999").split()

    def test_never_crash(self):
        numbers = random.Random(7)
        source = self.small("reduce1", 1)
        for _ in range(12):
            commands = [" ".join(numbers.choices(self.WORDS, k=numbers.randint(1, 6))) for _ in range(150)]
            commands += ["step 20", "regs", "step cycle", "warps", "pipeline", "stack", "list"]
            done = subprocess.run([PROGRAM, "debug", source, "-c", "tiny"], cwd=self.here, capture_output=True, text=True,
                                  input="\n".join(commands) + "\n", timeout=300, check=False)
            self.assertIn(done.returncode, (0, 1), done.stderr[-2000:])
            for block in done.stderr.split("error[")[1:]:
                self.assertRegex(block, r"^DEBUG-(COMMAND|VALUE|STATE)\]: \S")
                self.assertIn("--> standard input:", block)
