# SPDX-License-Identifier: Apache-2.0
"""Warp traces: a replay takes the same time and gives the same statistics as the execution it was recorded from.

TESLASIM_LONG_TESTS in the environment: longer traces.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import time

from cli import PROGRAM, Cli, not_under_sanitizers

LONG = "TESLASIM_LONG_TESTS" in os.environ
ROOT = pathlib.Path(__file__).resolve().parents[2]
MACHINES = "tiny", "8800gtx", "gtx280"
KERNELS = sorted(path.parent.name for path in ROOT.glob("traces/*/*.launch.toml")
                 if path.parent.name == path.name.split(".")[0] and path.name.count(".") == 2)

# Every thread reads `n` words at addresses that look random: 32 unrelated addresses per warp.
GATHER = """\
.entry gather
{
.param ptr data
.param u32 n
.param u32 mask
.param ptr out
    mov.b16         $r3.lo, %ntid.x
    cvt.u32.u16     $r1, $r0.lo
    mad24.lo.u32.u16.u16.u32 $r1, %ctaid.x, $r3.lo, $r1
    add.u32         $r2, $r1, 0x9e3779b9
    mov.b32         $r5, s[n]
    mov.b32         $r6, $r124
    mov.b32         $r7, 1
again:
    shl.u32         $r3, $r2, 13
    xor.b32         $r2, $r2, $r3
    shr.u32         $r3, $r2, 17
    xor.b32         $r2, $r2, $r3
    shl.u32         $r3, $r2, 5
    xor.b32         $r2, $r2, $r3
    mov.b32         $r4, s[mask]
    and.b32         $r3, $r2, $r4
    add.u32         $r3, s[data], $r3
    mov.u32         $r3, g[$r3]
    add.u32         $r6, $r6, $r3
    sub.u32         $p0|$r5, $r5, $r7
    @$p0.ne bra     again
    shl.u32         $r1, $r1, 2
    add.u32         $r1, s[out], $r1
    mov.u32         g[$r1], $r6
    return
}
"""

# A bit of everything that a trace must hold: texture, constants, local and shared memory, atomics, votes, barriers.
FEATURES = """\
.arch sm_12
.entry features
{
.lmem 64
.param ptr out
.param ptr counter
.shared words, 512
.const table c1 : u32 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3
    cvt.u32.u16     $r1, $r0.lo
    and.b32         $r2, $r1, 15
    movsh.b32       $ofs1, $r2, 2
    mov.b32         $r3, c1[$ofs1+table]
    mov.u32         l[$ofs1], $r3
    movsh.b32       $ofs2, $r1, 2
    mov.b32         s[$ofs2+words], $r3
    bar.sync        0
    mov.b32         $r4, s[$ofs1+words]
    mov.u32         $r5, l[$ofs1]
    add.u32         $r4, $r4, $r5
    cvt.rn.f32.u32  $r8, $r2
    cvt.rn.f32.u32  $r9, $r4
    tex.2d.b32.f32  {$r8,_,_,_}, $tex0, {$r8,$r9}
    set.gt.u32      $p0|$o127, $r4, $r3
    vote.any        $p1, $p0.ne
    @$p1.ne add.u32 $r4, $r4, $r8
    mov.b32         $r6, s[counter]
    atom.add.u32    $r7, g[$r6], $r4
    set.gt.u32      $p0|$o127, $r7, $r3
    @$p0.ne add.u32 $r4, $r4, $r4
    shl.u32         $r1, $r1, 2
    add.u32         $r1, s[out], $r1
    mov.u32         g[$r1], $r4
    return
}
"""
FEATURES_LAUNCH = """\
schema = "teslasim.launch/1"
kernel = "features"
grid = [3]
block = [128]
param = [ { name = "out", type = "u32", count = 128 }, { name = "counter", type = "u32", count = 4 } ]
[[texture]]
name = "image"
slot = 0
type = "f32"
size = [24, 24]
filter = "linear"
init = "random"
seed = 5
"""

# Each block adds what the block before it left, and stops early when that is odd: path and time depend on their order.
CHAIN = """\
.entry chain
{
.param ptr data
    mov.b32         $r2, s[data]
    mov.u32         $r3, g[$r2]
    add.u32         $r4, $r3, 1
    mov.u32         g[$r2], $r4
    mov.b32         $r5, 1
    and.b32         $p0|$r6, $r3, $r5
    @$p0.ne bra     end
    mov.u32         g[$r2], $r4
end:
    return
}
"""


class Traces(Cli):
    def numbers(self, *arguments):
        """Everything in stats.json but the host's time, the outputs and what identifies the run."""
        stats = json.loads(self.expect(0, "run", *arguments, "--json", "-", "--no-out", "-q").stdout)
        for key in "digest", "host":
            stats.pop(key, None)
        for launch in stats["launches"]:
            launch.pop("outputs", None)
        return stats

    def record(self, source, name, *options):
        return self.expect(0, "trace", "record", source, "-o", name, *options).stdout

    def gather(self, blocks=4, steps=64, mask=0xfffc, block=64):
        self.kernel("gather", GATHER, block=block, grid=blocks,
                    param=f'param = [ {{ name = "data", type = "u32", count = {mask // 4 + 1} }}, '
                          f'{{ name = "n", type = "u32", value = {steps} }}, {{ name = "mask", type = "u32", value = {mask} }}, '
                          f'{{ name = "out", type = "u32", count = {blocks * block} }} ]\n')
        return "gather.launch.toml"

    def features(self):
        self.write("features.asm", FEATURES)
        self.write("features.launch.toml", FEATURES_LAUNCH)
        return "features.launch.toml"

    def same_when_replayed(self, source, machine, *options):
        trace = f"{pathlib.Path(source).stem}-{machine}.wtrace"
        self.record(source, trace, "-c", machine, *options)
        self.assertEqual(self.numbers(trace, "-c", machine, *options), self.numbers(source, "-c", machine, *options), trace)
        return trace


class Replay(Traces):
    @not_under_sanitizers
    def test_a_replay_is_the_execution_in_time(self):
        """Two kernels; tests/golden/replays.py has all."""
        self.expect(0, "new", "hello", "divergent_loop", "transpose_padded")
        for kernel in "divergent_loop", "transpose_padded":
            for machine in MACHINES:
                with self.subTest(kernel=kernel, machine=machine):
                    self.same_when_replayed(f"hello/{kernel}.launch.toml", machine)

    def test_all_kinds_of_access_replay(self):
        for machine in "gtx280", "gt240":
            trace = f"t-{machine}.wtrace"
            self.record(self.features(), trace, "-c", machine, "--mode", "timing")
            self.assertEqual(self.numbers(trace, "-c", machine), self.numbers("features.launch.toml", "-c", machine))
        self.same_when_replayed(self.gather(), "gtx280")
        self.record(self.features(), "f.wtrace")
        self.assertEqual(self.numbers("f.wtrace", "--mode", "functional"),
                         self.numbers("features.launch.toml", "--mode", "functional"))

    def test_a_trace_recorded_in_time_is_the_same_as_one_without(self):
        self.record("k.asm", "f.wtrace")
        self.record("k.asm", "t.wtrace", "--mode", "timing")
        timed = self.expect(0, "trace", "cat", "t.wtrace").stdout
        self.assertEqual(self.expect(0, "trace", "cat", "f.wtrace").stdout, re.sub(" sm=\\d+", "", timed))

    def test_a_machine_of_a_lower_level_is_refused(self):
        self.features()
        self.record("features.launch.toml", "f.wtrace", "-c", "gtx280")
        self.assertIn("error[ISA", self.expect(4, "run", "f.wtrace", "-c", "8800gtx").stderr)

    def test_a_block_that_does_not_fit_is_refused(self):
        self.record("k.asm", "k.wtrace")
        self.assertIn("error[LAUNCH-BLOCK]",
                      self.expect(3, "run", "k.wtrace", "-c", "gtx280", "-s", "gpu.max_threads_per_cta=32").stderr)

    def test_a_path_that_depends_on_the_order_of_blocks_is_told(self):
        self.kernel("chain", CHAIN, block=32, grid=6, param='param = [ { name = "data", type = "u32", count = 1 } ]\n')
        self.record("chain.asm", "chain.wtrace")
        info = self.expect(0, "trace", "info", "chain.wtrace").stdout
        self.assertIn("saw values written in this launch by another block 5 times", info)
        self.assertIn("the path depends on it", info)
        self.assertIn("warning[TRACE-ORDER]", self.expect(0, "run", "chain.wtrace", "--no-out").stderr)
        self.record("chain.asm", "timed.wtrace", "--mode", "timing", "-c", "tiny")
        self.assertNotIn("TRACE-ORDER", self.expect(0, "run", "timed.wtrace", "-c", "tiny", "--no-out").stderr)
        self.assertIn("TRACE-ORDER", self.expect(0, "run", "timed.wtrace", "-c", "gtx280", "--no-out").stderr)
        self.assertEqual(self.numbers("timed.wtrace", "-c", "tiny"), self.numbers("chain.asm", "-c", "tiny"))
        self.record("k.asm", "k.wtrace")
        self.assertIn("valid on any machine", self.expect(0, "trace", "info", "k.wtrace").stdout)


class Sampling(Traces):
    def test_a_sampled_run_is_labelled_everywhere(self):
        launch = self.gather(blocks=8)
        full = self.numbers(launch, "-c", "gtx280")
        self.assertFalse(full["launches"][0]["sampled"])
        self.record(launch, "all.wtrace")
        self.record(launch, "some.wtrace", "--blocks", "1-2,5")
        self.assertIn("SAMPLED: blocks 1-2,5", self.expect(0, "trace", "info", "some.wtrace").stdout)
        part = self.numbers(launch, "-c", "gtx280", "--blocks", "1-2,5")
        self.assertTrue(part["launches"][0]["sampled"])
        self.assertEqual(part["launches"][0]["ctas"]["total"], 3)
        for source in ["some.wtrace"], ["all.wtrace", "--blocks", "1-2,5"]:
            self.assertEqual(self.numbers(*source, "-c", "gtx280"), part, source)
        self.assertIn("SAMPLED     gather: 3 of 8 blocks", self.expect(0, "run", "some.wtrace", "--no-out").stdout)

    @not_under_sanitizers
    def test_blocks_of_an_sm(self):
        launch = self.gather(blocks=64)
        self.record(launch, "all.wtrace", "--mode", "timing", "-c", "gtx280")
        self.record(launch, "sm.wtrace", "--mode", "timing", "-c", "gtx280", "--sms", "0-1")
        self.assertIn("SAMPLED: SMs 0-1", self.expect(0, "trace", "info", "sm.wtrace").stdout)
        self.expect(0, "trace", "cut", "all.wtrace", "--sms", "0-1", "-o", "cut.wtrace")
        part = self.numbers("all.wtrace", "--sms", "0-1", "-c", "gtx280")
        self.assertLess(part["launches"][0]["ctas"]["total"], 64)
        self.assertEqual(part, self.numbers("sm.wtrace", "-c", "gtx280"))
        self.assertEqual(part, self.numbers("cut.wtrace", "-c", "gtx280"))

    def test_what_cannot_be_chosen_is_refused(self):
        self.record("k.asm", "k.wtrace")
        for arguments in (["run", "k.asm", "--sms", "0"], ["run", "k.asm", "--blocks", "7"], ["run", "k.wtrace", "--sms", "0"],
                          ["run", "k.asm", "--blocks", "3-1"], ["run", "k.asm", "--blocks", "x"],
                          ["trace", "record", "k.asm", "-o", "n.wtrace", "--sms", "0"],
                          ["trace", "record", "k.asm", "-o", "n.wtrace", "--warps", "0"],
                          ["trace", "cut", "k.wtrace", "-o", "n.wtrace", "--sms", "0"]):
            self.expect(2, *arguments)
        self.assertFalse((self.here / "n.wtrace").exists())


class Inspection(Traces):
    def test_info_cat_verify(self):
        self.record("k.asm", "k.wtrace")
        info = self.expect(0, "trace", "info", "k.wtrace").stdout
        self.assertIn("launch 0: add_one", info)
        self.assertIn("14 warp instructions", info)
        self.assertIn("chunks and 14 warp instructions are as they were written",
                      self.expect(0, "trace", "verify", "k.wtrace").stdout)
        lines = self.expect(0, "trace", "cat", "k.wtrace", "--warps", "1").stdout.splitlines()
        self.assertEqual(len(lines), 8)
        self.assertEqual(lines[0], "warp launch=0 block=0 warp=1")
        self.assertIn("000018 ffffffff mov.u32 $r2, g[$r1] ; global load 4 1080+4", lines[4])
        self.assertEqual(len(self.expect(0, "trace", "cat", "k.wtrace", "--addresses", "data").stdout.splitlines()), 6)
        self.assertIn("nothing", self.expect(0, "trace", "cat", "k.wtrace", "--addresses", "0x10-0x20").stderr)

    def test_nothing_is_overwritten(self):
        self.record("k.asm", "k.wtrace")
        for arguments in ["record", "k.asm"], ["cut", "k.wtrace"], ["convert", "k.wtrace"]:
            self.assertIn("never overwritten", self.expect(2, "trace", *arguments, "-o", "k.wtrace").stderr)

    def test_actions_are_suggested(self):
        self.assertIn("did you mean 'convert'?", self.expect(2, "trace", "convrt", "x").stderr)

    def test_a_stopped_writer_leaves_a_readable_file(self):
        self.record("k.asm", "k.wtrace")
        data = (self.here / "k.wtrace").read_bytes()
        (self.here / "cut.wtrace").write_bytes(data[:-16])
        self.assertIn("TRUNCATED", self.expect(0, "trace", "info", "cut.wtrace").stdout)
        self.expect(1, "trace", "verify", "cut.wtrace")
        self.assertIn("error[TRACE-TRUNCATED]", self.expect(4, "run", "cut.wtrace").stderr)

    def test_kill_9_leaves_what_was_complete(self):
        launch = self.gather(blocks=4000, steps=4000)
        process = subprocess.Popen([PROGRAM, "trace", "record", launch, "-o", "k.wtrace", "-q"], cwd=self.here,
                                   stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        trace = self.here / "k.wtrace"
        while process.poll() is None and (not trace.exists() or trace.stat().st_size < 2_000_000):
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        self.assertEqual(process.wait(), -signal.SIGKILL)
        info = self.expect(0, "trace", "info", "k.wtrace").stdout
        self.assertIn("TRUNCATED", info)
        self.assertRegex(info, r"launch 0: gather.* [1-9][\d ]* warp instructions")
        chunks = int(re.search(r"in (\d+) chunks", info).group(1))
        self.assertGreater(chunks, 5)
        self.expect(0, "trace", "cut", "k.wtrace", "-o", "whole.wtrace")
        self.assertIn("complete blocks of a truncated trace", self.expect(0, "trace", "info", "whole.wtrace").stdout)
        self.expect(0, "trace", "verify", "whole.wtrace")
        self.expect(0, "run", "whole.wtrace", "--max-cycles", "1000", "--no-out")

    def test_flipped_bits_are_found(self):
        self.record(self.gather(blocks=64), "k.wtrace")
        data = bytearray((self.here / "k.wtrace").read_bytes())
        start = data.index(b"CHNK", data.index(b"CHNK") + 4) + 24
        data[start + 8] ^= 1
        (self.here / "bad.wtrace").write_bytes(data)
        for action in ["trace", "verify"], ["run"], ["trace", "convert", "-o", "x.txt"], ["trace", "cut", "-o", "x.wtrace"]:
            self.assertIn("chunk 1 does not match its checksum", self.expect(4, *action, "bad.wtrace").stderr)
        self.assertEqual([path.name for path in self.here.glob("x.*")], [], "what failed leaves nothing")
