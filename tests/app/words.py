# SPDX-License-Identifier: Apache-2.0
"""What the program says is true: hints, warnings, occupancy, reasons of refusals."""
import json
import os
import re
import signal
import subprocess
import time

from cli import FOREVER_ASM, PROGRAM, Cli

STRAIGHT_ASM = """\
.entry straight
{
.param ptr out
    mov.b32 $r1, s[out]
    mov.u32 g[$r1], $r1
    return
}
"""
# A part of each warp meets at a barrier; with ENDED the other lanes have ended before.
PARTIAL_ASM = """\
.entry partial
{
    and.b32 $r1, $r0, 0x0000ffff
    mov.b32 $r2, 16
    set.lt.u32 $p0|$o127, $r1, $r2
    join.label together
@$p0.ne bra.label together
    bar.sync.u32 0
together:
    nop.join
    return
}
"""
ENDED_ASM = """\
.entry ended
{
    and.b32 $r1, $r0, 0x0000ffff
    mov.b32 $r2, 16
    set.lt.u32 $p0|$o127, $r1, $r2
@$p0.ne return
    bar.sync.u32 0
    return
}
"""
OUT = 'param = [{ name = "out", type = "u32", count = 4096 }]\n'


def unrolled(adds):
    """Straight code that no instruction cache holds."""
    lines = "\n".join(f"    add.u32 $r{2 + i % 8}, $r{2 + i % 8}, 0x00012345" for i in range(adds))
    return (".entry unrolled\n{\n.param ptr out\n    mov.b32 $r1, s[out]\n" + lines
            + "\n    mov.u32 g[$r1], $r2\n    return\n}\n")


class Hints(Cli):
    def hint_of(self, name, asm, **shape):
        self.kernel(name, asm, param=OUT, **shape)
        out = self.expect(0, "run", f"{name}.asm", "-c", "tiny", "--no-out").stdout
        found = re.search(r"^HINT +(.*?)^HOST", out, re.MULTILINE | re.DOTALL)
        return " ".join(found.group(1).split()) if found else ""

    def test_code_without_a_branch_has_no_control_transfers(self):
        for name, asm in (("straight", STRAIGHT_ASM), ("unrolled", unrolled(1500))):
            hint = self.hint_of(name, asm, block=32)
            self.assertIn("SMs have so few warps", hint)
            self.assertIn("explain grid-size", hint)
            self.assertNotIn("control transfers", hint)

    def test_full_is_what_was_there_and_not_what_would_fit(self):
        """Four warps would fit an SM more than once; a grid of one block has no others."""
        body = "    mov.u32 $r3, g[$r2]\n    add.u32 $r4, $r4, $r3\n" * 32
        asm = (".entry few\n{\n.param ptr out\n    and.b32 $r1, $r0, 0x0000ffff\n    shl.u32 $r2, $r1, 2\n"
               "    add.u32 $r2, s[out], $r2\n" + body + "    mov.u32 g[$r2], $r4\n    return\n}\n")
        self.kernel("few", asm, block=32, param=OUT)
        self.expect(0, "run", "few.asm", "-c", "gtx280", "-s", "gpu.tpcs=1", "-s", "gpu.sms_per_tpc=1", "-s",
                    "gpu.max_ctas_per_sm=32", "-s", "tlb.ideal=true", "-o", "r")
        page = (self.here / "r/report.html").read_text()
        self.assertIn("SMs have few warps although more would fit", page)
        self.assertNotIn("although SMs are more than half full", page)

    def test_a_block_of_one_warp_waits_for_nobody(self):
        asm = ".entry alone\n{\n.param ptr out\n" + "    bar.sync.u32 0\n" * 64 + "    return\n}\n"
        self.assertNotIn("warps wait for each other", self.hint_of("alone", asm, block=32))

    def test_blocks_of_a_few_threads_do_not_diverge(self):
        asm = (".entry small\n{\n.param ptr out\n    mov.b32 $r5, 32\n    mov.b32 $r6, 0xffffffff\nagain:\n"
               + "    add.u32 $r3, $r3, $r4\n    add.u32 $r7, $r8, $r4\n" * 16 +
               "    add.u32 $p0|$r5, $r5, $r6\n@$p0.ne bra.label again\n    return\n}\n")
        self.assertNotIn("different paths", self.hint_of("small", asm, block=8, grid=64))


class Barriers(Cli):
    def test_a_barrier_of_a_part_of_a_warp_is_warned_of(self):
        self.kernel("partial", PARTIAL_ASM, block=64)
        for mode in "timing", "functional":
            done = self.expect(0, "run", "partial.asm", "-c", "tiny", "--mode", mode, "-o", mode)
            self.assertIn("warning[KERNEL-BARRIER-DIVERGENT]: ", done.stderr)
            self.assertIn("bar.sync.u32 0", done.stderr)
            self.assertIn("lanes 0-15 (mask 0x0000ffff) not there", done.stderr)
            noted = json.loads((self.here / mode / "run.json").read_text())["diagnostics"]
            self.assertEqual([row["code"] for row in noted], ["KERNEL-BARRIER-DIVERGENT"])

    def test_w_makes_it_an_error_or_drops_it(self):
        self.kernel("partial", PARTIAL_ASM, block=64)
        done = self.expect(5, "run", "partial.asm", "-c", "tiny", "--no-out", "-W", "error=KERNEL-BARRIER-DIVERGENT")
        self.assertIn("error[KERNEL-BARRIER-DIVERGENT]", done.stderr)
        self.assertEqual(self.expect(0, "run", "partial.asm", "-c", "tiny", "--no-out", "-q").stderr, "")
        done = self.expect(0, "run", "partial.asm", "-c", "tiny", "--no-out", "-W", "ignore=KERNEL-BARRIER-DIVERGENT")
        self.assertNotIn("KERNEL-BARRIER-DIVERGENT", done.stderr)

    def test_w_counts_in_the_debugger_too(self):
        self.kernel("partial", PARTIAL_ASM, block=64)
        self.write("all.debug", "run\n")
        debug = ["debug", "partial.asm", "-c", "tiny", "--commands", "all.debug"]
        self.assertIn("warning[KERNEL-BARRIER-DIVERGENT]", self.expect(0, *debug).stderr)
        self.assertIn("error[KERNEL-BARRIER-DIVERGENT]",
                      self.expect(5, *debug, "-q", "-W", "error=KERNEL-BARRIER-DIVERGENT").stderr)
        self.assertEqual(self.expect(0, *debug, "-W", "ignore=KERNEL-BARRIER-DIVERGENT").stderr, "")

    def test_lanes_that_have_ended_are_not_missing(self):
        self.kernel("ended", ENDED_ASM, block=64)
        self.kernel("odd", ".entry odd\n{\n    bar.sync.u32 0\n    return\n}\n", block=40)
        for name in "ended", "odd":
            self.assertNotIn("KERNEL-BARRIER", self.expect(0, "run", f"{name}.asm", "-c", "tiny", "--no-out").stderr)

    def test_explain_says_what_happens(self):
        self.assertNotIn("part of a warp", self.expect(0, "explain", "KERNEL-BARRIER").stdout)
        self.assertIn("counts warps", self.expect(0, "explain", "KERNEL-BARRIER-DIVERGENT").stdout)


class Occupancy(Cli):
    def setUp(self):
        super().setUp()
        self.kernel("straight", STRAIGHT_ASM, block=128, grid=12, param=OUT)

    def test_achieved_stands_beside_possible(self):
        out = self.expect(0, "run", "straight.asm", "-c", "gtx280").stdout
        self.assertIn("OCCUPANCY   possible 32 of 32 warps/SM (100 %)", out)
        self.assertRegex(out, r"achieved \d\.\d warps/SM \(\d\.\d %\): 12 of 30 SMs had blocks")
        launch = self.stats()["launches"][0]
        self.assertEqual(launch["occupancy"]["possible_pct"], 100)
        self.assertAlmostEqual(launch["occupancy"]["achieved_pct"], 100 * launch["warps"]["resident_avg"] / 32)
        self.assertLess(launch["occupancy"]["achieved_pct"], 5.1)
        self.assertGreater(launch["warps"]["resident_busy_avg"], 2 * launch["warps"]["resident_avg"])

    def test_the_command_says_what_the_grid_makes_of_it(self):
        out = self.expect(0, "occupancy", "straight.asm", "-c", "gtx280").stdout
        self.assertIn("at most 1.6 of 32 warps per SM (5.0 %) at a time, on average over 30 SMs, of which some get no block", out)


class KilledRuns(Cli):
    def test_say_what_they_are(self):
        self.kernel("forever", FOREVER_ASM)
        process = subprocess.Popen([PROGRAM, "run", "forever.asm", "-c", "tiny"], cwd=self.here, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        status = self.here / "runs/latest/status.json"
        deadline = time.monotonic() + 60
        while not status.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        for arguments in (("report", "latest"), ("compare", "1", "latest"), ("rerun", "001-forever-tiny"),
                          ("models", "runs/001-forever-tiny"), ("compare", "runs/latest", "runs/latest")):
            done = self.expect(4, *arguments)
            self.assertIn("error[RUN-UNFINISHED]: the run 'runs/", done.stderr, arguments)
            self.assertIn("killed before its end, or it is still running", done.stderr)
            self.assertIn("with 0 of ", done.stderr)
        self.assertIn("error[RUN-NOT-FOUND]", self.expect(4, "report", "2").stderr)


class Chains(Cli):
    def chain(self, length, first="gtx280"):
        parent = first
        for i in range(length):
            self.write(f"m{i}.toml", f'schema = "teslasim.machine/1"\nextends = "{parent}"\n')
            parent = f"m{i}.toml"
        return parent

    def test_deep_ones_are_not_called_circles(self):
        last = self.chain(20)
        message = self.expect(3, "configs", "check", last).stderr
        self.assertIn("error[CFG-DEEP]: files that extend each other are at most 16 deep", message)
        self.assertNotIn("itself", message)
        self.assertIn("m19.toml extends m18.toml extends", message)
        self.expect(0, "configs", "check", self.chain(8))

    def test_circles_are_named(self):
        message = self.expect(3, "configs", "check", self.chain(3, first="m2.toml")).stderr
        self.assertIn("error[CFG-CYCLE]: 'm2.toml' would extend itself", message)
        self.assertIn("m2.toml extends m1.toml extends m0.toml extends m2.toml", message)


class LargeNumbers(Cli):
    HUGE = ("9223372036854775808", "-9223372036854775809", "1e400", "-1e400", "0x10000000000000000", "99_999_999_999_999_999_999")

    def test_are_out_of_range_and_no_text(self):
        for number in self.HUGE:
            for key, span in (("sm.registers", "1024 and 131072"), ("dram.latency_ns", "0.1 and 10000")):
                message = self.expect(3, "configs", "show", "gtx280", "-s", f"{key}={number}").stderr
                self.assertIn(f"error[CFG-RANGE]: '{key}' must be between {span}, got {number}", message)

    def test_in_files_too(self):
        for number in self.HUGE:
            self.write("m.toml", f'schema = "teslasim.machine/1"\nextends = "gtx280"\nsm.registers = {number}  # many\n')
            message = self.expect(3, "configs", "check", "m.toml").stderr
            self.assertIn(f"error[CFG-RANGE]: {number} is out of range", message)
            self.assertIn("--> m.toml:3:16", message)
            self.write("k.launch.toml", f'schema = "teslasim.launch/1"\ngrid = [{number}]\nblock = [64]\n')
            message = self.expect(3, "run", "k.asm", "--no-out").stderr
            self.assertIn(f"error[LAUNCH-RANGE]: {number} is out of range", message)
            self.assertIn("--> k.launch.toml:2:9", message)

    def test_on_the_command_line_of_a_launch(self):
        for number in self.HUGE[:5]:
            shapes = [("--grid", "1", "--block", "64", "--param", f"n=u32:{number}")]
            if "x" not in number:  # there, x stands between extents
                shapes.append(("--grid", number, "--block", "64"))
            for options in shapes:
                message = self.expect(2, "run", "k.asm", "--no-out", *options).stderr
                self.assertIn(f"error[LAUNCH-RANGE]: {number} is out of range", message)

    def test_the_range_itself_is_read(self):
        self.write("k.launch.toml", 'schema = "teslasim.launch/1"\ngrid = [9223372036854775807]\nblock = [64]\n')
        self.assertIn("'grid' must be between 1 and 65535, got 9223372036854775807", self.expect(3, "run", "k.asm", "--no-out").stderr)


class WhatIsNotThere(Cli):
    def refused(self, words, *options):
        message = self.expect(2, "run", "k.asm", "-c", "tiny", *options).stderr
        self.assertIn(words, message)
        self.assertFalse((self.here / "runs").exists())

    def test_sms(self):
        for option in "--sms", "--timeline-sms":
            self.refused("error[CLI-VALUE]: there is no SM 99: tiny has 1", "--perfetto", option, "99")
        self.refused("there is no SM 1: tiny has 1", "--konata", "--sms", "0-1")

    def test_addresses(self):
        self.refused("--lanes: no instruction of 'add_one' stands at 0x0003", "--lanes", "0x3")
        self.refused("--window: no instruction of 'add_one' stands at 0x0100", "--perfetto", "--window", "pc:0x100")

    def test_cycles_after_the_end(self):
        done = self.expect(0, "run", "k.asm", "-c", "tiny", "--konata", "--window", "cycle:1000000,+10", "-q")
        self.assertIn("note: the window begins at cycle 1000000, after the last one of the run", done.stderr)

    def test_parts_of_a_recording(self):
        for options, words in ((("--blocks", "9"), "no launch has one of these blocks; the largest grid has 0-0"),
                               (("--mode", "timing", "--sms", "7"), "--sms: tiny has SMs 0-0")):
            message = self.expect(2, "trace", "record", "k.asm", "-c", "tiny", "-o", "k.wtrace", *options).stderr
            self.assertIn(words, message)
            self.assertFalse((self.here / "k.wtrace").exists())


class Choices(Cli):
    def test_where_there_is_nothing_to_choose_from(self):
        self.write("none.asm", ".entry none\n{\n    return\n}\n")
        launch = ("none.asm", "--grid", "1", "--block", "32", "-c", "tiny")
        self.assertIn("there are none to choose from", self.expect(2, "run", *launch, "--check", "x=x.npy").stderr)
        self.assertIn("the launch has none", self.expect(2, "run", *launch, "--dump", "x=x.npy").stderr)
