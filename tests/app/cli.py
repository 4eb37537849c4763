# SPDX-License-Identifier: Apache-2.0
"""The built program from outside: what the tests of the command line share.

Run by CTest; by hand, in this folder: TESLASIM=.../teslasim python3 -m unittest bad_input
"""
import csv
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = pathlib.Path(os.environ.get("TESLASIM", "build/release/teslasim")).resolve()
# For tests that take long there, ten times as long as elsewhere, and reach the code that shorter ones reach too.
not_under_sanitizers = unittest.skipIf("TESLASIM_SANITIZED" in os.environ, "the program has sanitizers")

# Adds 1 to each of n words; one block of 64 threads.
ASM = """\
.entry add_one
{
.param u32 data
.param u32 n
    and.b32 $r1, $r0, 0x0000ffff
    shl.u32 $r1, $r1, 2
    add.u32 $r1, s[data], $r1
    mov.u32 $r2, g[$r1]
    add.u32 $r2, $r2, 1
    mov.u32 g[$r1], $r2
    return
}
"""
LAUNCH = """\
schema = "teslasim.launch/1"
kernel = "add_one"
grid = [1]
block = [64]
param = [
  { name = "data", type = "u32", count = 64, init = "iota" },
  { name = "n", type = "u32", value = 64 },
]
"""
# Warps 1..3 of 4 leave, warp 0 waits for them at a barrier.
STUCK_ASM = """\
.entry stuck
{
    mov.b32 $r2, 0x0000ffe0
    and.b32 $p0|$r1, $r0, $r2
    @$p0.ne return
    bar.sync.u32 0
    return
}
"""
# Never ends.
FOREVER_ASM = """\
.entry forever
{
again:
    bra again
    return
}
"""


class Cli(unittest.TestCase):
    """A scratch folder with a small kernel and its launch file."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.here = pathlib.Path(scratch.name)
        self.write("k.asm", ASM)
        self.write("k.launch.toml", LAUNCH)

    def write(self, name, text):
        (self.here / name).write_text(text)

    def kernel(self, name, asm, block=128, grid=1, param=""):
        self.write(f"{name}.asm", asm)
        self.write(f"{name}.launch.toml",
                   f'schema = "teslasim.launch/1"\nkernel = "{name}"\ngrid = [{grid}]\nblock = [{block}]\n{param}')

    def teslasim(self, *arguments, timeout=600):
        environment = dict(os.environ, TESLASIM_CACHE=str(self.here / "cache"))
        return subprocess.run([PROGRAM, *arguments], cwd=self.here, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=timeout, check=False)

    def expect(self, status, *arguments):
        done = self.teslasim(*arguments)
        self.assertEqual(done.returncode, status, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def expect_refusal(self, status, code, *arguments):
        """An error with its code; nothing on stdout, nothing written."""
        done = self.expect(status, *arguments)
        self.assertIn(f"error[{code}]", done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertFalse((self.here / "runs").exists(), "a refused run leaves nothing behind")
        return done.stderr

    def stats(self, folder="runs/latest"):
        return json.loads((self.here / folder / "stats.json").read_text())

    def table(self, name):
        with (self.here / name).open(newline="") as file:
            return list(csv.DictReader(file))
