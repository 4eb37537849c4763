# SPDX-License-Identifier: Apache-2.0
"""What traces are made into: parts, text, other programs' traces as ours; their size and what they ask of memory.

TESLASIM_LONG_TESTS in the environment: every shipped kernel, and longer traces.
"""
import os
import re
import subprocess

from cli import PROGRAM, not_under_sanitizers
from traces import KERNELS, LONG, ROOT, Traces


class Parts(Traces):
    def lines(self, trace, *options):
        return self.expect(0, "trace", "cat", trace, *options).stdout

    def test_a_cut_holds_what_cat_shows(self):
        self.record(self.gather(blocks=6), "k.wtrace")
        for option in ["--blocks", "1-2,5"], ["--warps", "1"], ["--launches", "0"]:
            name = f"cut{option[0]}.wtrace"
            self.expect(0, "trace", "cut", "k.wtrace", *option, "-o", name)
            self.assertEqual(self.lines(name), self.lines("k.wtrace", *option))
            self.expect(0, "trace", "verify", name)
        self.assertIn("SAMPLED: warps 1", self.expect(0, "trace", "info", "cut--warps.wtrace").stdout)
        self.assertIn("error[TRACE-WARPS]", self.expect(4, "run", "cut--warps.wtrace").stderr)
        self.expect(2, "trace", "cut", "k.wtrace", "--blocks", "99", "-o", "none.wtrace")
        self.assertFalse((self.here / "none.wtrace").exists())

    def test_blocks_that_touch_addresses(self):
        self.expect(0, "new", "hello", "vecadd")
        self.record("hello/vecadd.launch.toml", "k.wtrace")
        address = int(re.search(r"buffer a: .* at (0x\w+)", self.expect(0, "trace", "info", "k.wtrace").stdout).group(1), 16)
        self.expect(0, "trace", "cut", "k.wtrace", "--addresses", f"{address + 1024:#x}-{address + 1027:#x}", "-o", "b.wtrace")
        self.assertEqual(self.lines("b.wtrace"), self.lines("k.wtrace", "--blocks", "1"))
        self.assertTrue(self.numbers("b.wtrace")["launches"][0]["sampled"])

    def test_launches_are_renumbered(self):
        self.write("two.launch.toml", 'schema = "teslasim.launch/1"\ncode = "k.asm"\nkernel = "add_one"\ngrid = [1]\nblock = [64]\n'
                   'param = [ { name = "data", type = "u32", count = 64 }, { name = "n", type = "u32", value = 64 } ]\n'
                   "[[launch]]\n[[launch]]\n")
        self.record("two.launch.toml", "two.wtrace")
        self.expect(0, "trace", "cut", "two.wtrace", "--launches", "1", "-o", "one.wtrace")
        self.assertEqual(self.lines("one.wtrace"), self.lines("two.wtrace", "--launches", "1").replace("launch=1", "launch=0"))
        self.assertEqual(len(self.numbers("one.wtrace")["launches"]), 1)


class Text(Traces):
    def round_trip(self, trace):
        stem = trace.removesuffix(".wtrace")
        for source, target in (trace, f"{stem}.txt"), (f"{stem}.txt", f"{stem}2.wtrace"):
            done = self.teslasim("trace", "convert", source, "-o", target, timeout=1200)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.here / trace).read_bytes(), (self.here / f"{stem}2.wtrace").read_bytes(), trace)
        (self.here / f"{stem}.txt").unlink()

    def test_binary_text_and_binary_again_are_the_same(self):
        kernels = KERNELS if LONG else ["divergent_loop", "histogram"]
        self.expect(0, "new", "hello", *kernels)
        for kernel in kernels:
            self.record(f"hello/{kernel}.launch.toml", f"{kernel}.wtrace", "-c", "gtx280")
            self.round_trip(f"{kernel}.wtrace")
        self.record(self.features(), "features.wtrace", "-c", "gtx280", "--mode", "timing")
        self.round_trip("features.wtrace")
        self.record(self.gather(), "gather.wtrace", "--blocks", "0,2")
        self.round_trip("gather.wtrace")

    def test_a_trace_written_by_hand(self):
        text = (ROOT / "docs/trace-format.md").read_text(encoding="utf-8")
        example = re.search(r"    teslasim.trace-text/2\n(?:    .*\n)+", text).group(0).replace("\n    ", "\n")[4:]
        self.write("hand.txt", example)
        self.expect(0, "trace", "convert", "hand.txt", "-o", "hand.wtrace")
        self.expect(0, "trace", "verify", "hand.wtrace")
        launch = self.numbers("hand.wtrace", "-c", "gtx280")["launches"][0]
        self.assertEqual(launch["instructions"]["warp"], 3)

    def test_mistakes_are_named_with_their_place(self):
        self.record("k.asm", "k.wtrace")
        self.expect(0, "trace", "convert", "k.wtrace", "-o", "k.txt")
        lines = (self.here / "k.txt").read_text().splitlines(keepends=True)
        at = next(i for i, line in enumerate(lines) if "global load" in line)
        lines[at] = lines[at].replace("global", "globl")
        lines[at + 1] = lines[at + 1].replace("000020", "000021")
        self.write("bad.txt", "".join(lines))
        errors = self.expect(4, "trace", "convert", "bad.txt", "-o", "bad.wtrace").stderr
        self.assertIn(f"bad.txt:{at + 1}:{lines[at].index('globl') + 1}", errors)
        self.assertIn(f"bad.txt:{at + 2}:1", errors)
        self.assertIn("2 errors", errors)
        self.assertFalse((self.here / "bad.wtrace").exists())
        self.assertIn("trace convert", self.expect(4, "run", "k.txt").stderr)


class Foreign(Traces):
    HEAD = ("-kernel name = _Z6vecaddPfS_\n-kernel id = 1\n-grid dim = (2,1,2)\n-block dim = (64,1,1)\n-shmem = 256\n-nregs = 20\n"
            "-binary version = 70\n-cuda stream id = 0\n-shmem base_addr = 0x00007f0000000000\n"
            "-local mem base_addr = 0x00007e0000000000\n-accelsim tracer version = 4\n\n#traces format = ...\n\n")
    WARP = ("insts = 9\n0000 ffffffff 1 R1 IMAD.MOV.U32 2 R255 R255 0 \n"
            "0010 ffffffff 1 R2 LDG.E.SYS 1 R4 4 1 0x7f4400001000 4 \n"
            "0020 0000ffff 1 R3 LDG.E.64 1 R4 8 0 " + " ".join(f"0x{0x7f4400200000 + 4096 * i:x}" for i in range(16)) + "\n"
            "0030 ffffffff 0 STS 2 R1 R2 4 1 0x7f0000000000 4 \n0040 ffffffff 0 BAR.SYNC 0 0 \n"
            "0050 ffffffff 1 R9 SHFL.IDX 2 R2 R3 0 \n0060 ffffffff 0 STL 2 R1 R2 4 1 0x7e0000000010 4 \n"
            "0070 ffffffff 0 STG.E 2 R4 R3 4 1 0x7f4400300000 4 \n0080 ffffffff 0 EXIT 0 0 \n")

    def sample(self):
        blocks = "".join(f"#BEGIN_TB\n\nthread block = {x},0,{z}\n\n" +
                         "".join(f"warp = {warp}\n{self.WARP}\n" for warp in range(2)) + "#END_TB\n\n"
                         for z in range(2) for x in range(2))
        self.write("kernel-1.traceg", self.HEAD + blocks)
        self.write("kernelslist.g", "MemcpyHtoD,0x00007f4400001000,1024\nkernel-1.traceg\nkernel-1.traceg\n")

    def test_a_list_of_kernels_is_imported_and_runs(self):
        self.sample()
        out = self.expect(0, "trace", "convert", "kernelslist.g", "-o", "f.wtrace").stdout
        self.assertIn("144 warp instructions", out)
        self.assertIn("no counterpart: SHFL, 16 times", out)
        info = self.expect(0, "trace", "info", "f.wtrace").stdout
        self.assertIn("APPROXIMATE", info)
        self.assertIn("SHFL (16 times)", info)
        self.expect(0, "trace", "verify", "f.wtrace")
        done = self.expect(0, "run", "f.wtrace", "-c", "gtx280", "--no-out")
        self.assertIn("warning[TRACE-APPROXIMATE]", done.stderr)
        self.assertIn("APPROXIMATE", done.stdout)
        launch = self.numbers("f.wtrace", "-c", "gtx280")["launches"][0]
        self.assertTrue(launch["approximate"])
        self.assertEqual(launch["instructions"]["warp"], 72)
        self.assertEqual(launch["ctas"]["total"], 4)
        self.assertEqual(launch["barriers"] if "barriers" in launch else 8, 8)
        Text.round_trip(self, "f.wtrace")

    def test_mistakes_are_named_with_their_place(self):
        self.sample()
        text = (self.here / "kernel-1.traceg").read_text().replace("0040 ffffffff 0 BAR", "0040 fffxffff 0 BAR", 1)
        self.write("kernel-2.traceg", text)
        line = text[:text.index("fffx")].count("\n") + 1
        self.assertIn(f"kernel-2.traceg:{line}:6", self.expect(4, "trace", "convert", "kernel-2.traceg", "-o", "f.wtrace").stderr)
        self.write("kernelslist.g", "kernel-9.traceg\n")
        self.assertIn("kernel-9.traceg", self.expect(4, "trace", "convert", "kernelslist.g", "-o", "f.wtrace").stderr)


class Size(Traces):
    def bytes_per_instruction(self, launch, name):
        return float(re.search(r"([\d.]+) bytes per instruction", self.record(launch, name)).group(1))

    def test_bytes_per_warp_instruction(self):
        self.expect(0, "new", "hello", "matmul_tiled")
        self.assertLessEqual(self.bytes_per_instruction("hello/matmul_tiled.launch.toml", "m.wtrace"), 4)
        self.assertLessEqual(self.bytes_per_instruction(self.gather(blocks=32), "g.wtrace"), 12)

    def peak_mb(self, *arguments):
        """Of the program alone; it must succeed."""
        # The address sanitizer keeps what was given back for a while, 256 MB of it unless told otherwise.
        environment = os.environ | {"ASAN_OPTIONS": "quarantine_size_mb=1:thread_local_quarantine_size_kb=16"}
        process = subprocess.Popen([PROGRAM, *arguments], cwd=self.here, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0, arguments)
        return usage.ru_maxrss / 1024

    @not_under_sanitizers
    def test_memory_does_not_grow_with_the_trace(self):
        peaks = []
        for number, steps in enumerate([64, 16 * 64] if not LONG else [640, 16 * 640]):
            launch = self.gather(blocks=60, steps=steps, mask=0x1ffffc, block=128)
            trace = f"{number}.wtrace"
            peaks.append([self.peak_mb("trace", "record", launch, "-o", trace), self.peak_mb("trace", "info", trace),
                          self.peak_mb("trace", "cut", trace, "--blocks", "0-49", "-o", "c" + trace),
                          self.peak_mb("trace", "verify", trace),
                          # With its files written, among them the hash of the trace.
                          self.peak_mb("run", trace, "--out", f"r{number}", "--mode", "functional"),
                          self.peak_mb("run", trace, "--no-out", "--max-cycles", "100000")])
        for small, large in zip(*peaks):
            self.assertLess(large, small + 80, peaks)
            self.assertLess(large, 200, peaks)
        self.assertGreater((self.here / "1.wtrace").stat().st_size, 15 * (self.here / "0.wtrace").stat().st_size)
