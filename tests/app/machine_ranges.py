# SPDX-License-Identifier: Apache-2.0
"""Every key of a machine at both ends of its documented range, and at random: what `configs check` accepts runs to its
end with right outputs, what it refuses is refused with the rule and the place of a key. However the host goes about a
random machine, its digest is the same.

TESLASIM_LONG_TESTS in the environment: hundreds of random machines instead of some.
"""
import concurrent.futures
import json
import os
import random
import re
import subprocess
import unittest

from cli import PROGRAM, Cli

RANDOM_MACHINES = 300 if "TESLASIM_LONG_TESTS" in os.environ else 150
# Measured and computed figures: they change no run.
WITHOUT_EFFECT = ("derived.", "models.", "launch.")

# A page of global memory for each thread, texture and local memory, shared words of a neighbour, constants that differ
# within a warp, a barrier, a divergent branch and a loop. What further levels add goes where LEVEL stands.
ASM = """\
.arch ARCH
.entry mix
{
  .param ptr data
  .param ptr sum
  .param ptr out
  .lmem 16
  .shared words, 256
  .const taps c1 : u32 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59
    and.b32         $r1, $r0, 0x0000ffff
    mov.b32         $r2, %ctaid.x
    mov.b32         $r3, 64
    mad24.lo.u32    $r2, $r2, $r3, $r1
    mov.b32         $r4, 0
    mov.b32         $r5, 3
    mov.b32         $r6, 1
    mov.b32         $r7, 683
    mad24.lo.u32    $r7, $r2, $r7, $r124
again:
    and.b32         $r7, $r7, 0x0003ffff
    shl.u32         $r8, $r7, 2
    add.u32         $r8, s[data], $r8
    mov.u32         $r9, g[$r8]
    mov.b32         $r10, $r7
    tex.1d.b32.s32  {$r10,_,_,_}, $tex0, {$r10}
    movsh.b32       $ofs1, $r1, 2
    add.b32         $ofs1, $ofs1, words
    mov.b32         s[$ofs1], $r9
    mov.u32         l[0x4], $r10
    bar.sync        0
    xor.b32         $r11, $r1, $r6
    movsh.b32       $ofs2, $r11, 2
    add.b32         $ofs2, $ofs2, words
    mov.b32         $r11, s[$ofs2]
    and.b32         $r12, $r1, 15
    movsh.b32       $ofs3, $r12, 2
    mov.b32         $r12, c1[$ofs3+0]
    add.u32         $r4, $r4, $r11
    add.u32         $r4, $r4, $r12
    mov.u32         $r13, l[0x4]
    add.u32         $r4, $r4, $r13
LEVEL
    and.b32         $r14, $r1, $r6
    set.ne.u32      $p0|$o127, $r14, $r124
    join.label      even
@$p0.ne bra.label   even
    add.u32         $r4, $r4, 1
even:
    nop.join
    add.u32         $r7, $r7, 5003
    bar.sync        0
    sub.u32         $p1|$r5, $r5, $r6
@$p1.ne bra.label   again
    shl.u32         $r2, $r2, 2
    add.u32         $r2, s[out], $r2
    mov.u32         g[$r2], $r4
    return
}
"""
ATOMIC = """\
    mov.b32         $r15, s[sum]
    red.add.u32     g[$r15], $r12
"""
DOUBLE = """\
    cvt.rn.f64.u32  $r16, $r4
    add.rn.f64      $r16, $r16, $r16
    cvt.rni.u32.f64 $r4, $r16
    rcp.f32         $r18, $r6
    add.u32         $r4, $r4, $r18
"""
LEVELS = {"sm_10": "", "sm_11": ATOMIC, "sm_13": ATOMIC + DOUBLE}
LAUNCH = """\
schema = "teslasim.launch/1"
code = "ARCH.asm"
grid = [6]
block = [64]
param = [
  { name = "data", type = "u32", count = 262144, init = "iota" },
  { name = "sum", type = "u32", count = 1 },
  { name = "out", type = "u32", count = 384 },
]
[[texture]]
slot = 0
name = "image"
type = "u32"
size = [262144]
buffer = "data"
"""
EXPECT = '[expect.out]\nfile = "ARCH.out.npy"\n[expect.sum]\nfile = "ARCH.sum.npy"\n'
# When messages come, and what waits for them.
WAITS = re.compile(r"_ns$|cta_|credit|queue|misses|waiting|latency|buffer|fetch")
WAYS_TO_RUN = (("--look-ahead", "exact"), ("--threads", "2"), ("--threads", "3", "--look-ahead", "5"))
BASES = {"gtx280": "sm_13", "8800gtx": "sm_10", "tiny": "sm_13", "8800gt": "sm_11"}


def settable(part, prefix=""):
    """(dotted key, its schema) of what a number or one of some words can be given to."""
    for name, row in part["properties"].items():
        if row.get("type") == "object":
            yield from settable(row, f"{prefix}{name}.")
        elif row.get("type") in ("integer", "number") or "enum" in row:
            yield prefix + name, row


class MachineRanges(Cli):
    def setUp(self):
        super().setUp()
        schema = json.loads(self.expect(0, "configs", "schema").stdout)
        self.keys = {key: row for key, row in settable(schema) if not key.startswith(WITHOUT_EFFECT)}
        self.assertGreater(len(self.keys), 150)
        for arch, level in LEVELS.items():
            self.write(f"{arch}.asm", ASM.replace("ARCH", arch).replace("LEVEL", level))
            self.write(f"{arch}.launch.toml", LAUNCH.replace("ARCH", arch))
            self.expect(0, "run", f"{arch}.launch.toml", "--mode", "functional", "--no-out", "--dump", f"out={arch}.out.npy",
                        "--dump", f"sum={arch}.sum.npy")
            self.write(f"{arch}.launch.toml", (LAUNCH + EXPECT).replace("ARCH", arch))

    def finish(self, base, settings):
        """Exit code and messages of a run on `base` with `settings`."""
        sets = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
        done = subprocess.run([PROGRAM, "run", f"{BASES[base]}.launch.toml", "-c", base, "--no-out", "--quiet",
                               "--max-seconds", "300", "--limit-is-error", *sets],
                              cwd=self.here, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    def judge(self, base, settings, code, messages):
        """It ran, its outputs are right, and all laws hold; or it was refused as a mistake of the configuration."""
        about = f"{base} {settings}\n{messages}"
        self.assertIn(code, (0, 3), about)
        if code == 0:
            return
        for error in re.findall(r"^error\[([A-Z-]+)\]", messages, re.MULTILINE):
            self.assertRegex(error, "^(CFG|LAUNCH|ISA)-", about)
        places = re.findall(r"--set ([a-z0-9_.]+)=", messages)
        for place in places:
            self.assertIn(place, settings, about)
        if "error[CFG-" in messages:
            self.assertTrue(places, f"no place: {about}")

    def try_all(self, machines):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            ends = list(pool.map(lambda machine: self.finish(*machine), machines))
        for machine, end in zip(machines, ends):
            with self.subTest(base=machine[0], **machine[1]):
                self.judge(*machine, *end)
        return sum(1 for code, _ in ends if code == 0)

    def ends_of(self, key):
        row = self.keys[key]
        if "enum" in row:
            values = [row["enum"][0], row["enum"][-1]] if row.get("type") == "integer" else row["enum"]
            return [json.dumps(value) for value in values]
        number = int if row["type"] == "integer" else float
        return [repr(number(row[end])) for end in ("minimum", "maximum")]

    def try_ends(self, base):
        machines = [(base, {key: end}) for key in self.keys for end in self.ends_of(key)]
        ran = self.try_all(machines)
        self.assertGreater(ran, len(machines) * 0.9, "nearly every key may be changed alone")

    def test_ends_of_ranges_of_a_gtx280(self):
        self.try_ends("gtx280")

    def test_ends_of_ranges_of_an_8800gtx(self):
        self.try_ends("8800gtx")

    def test_ends_of_ranges_of_the_teaching_machine(self):
        self.try_ends("tiny")

    def random_value(self, rng, key):
        """Often an end; else small values as often as large ones."""
        row = self.keys[key]
        if "enum" in row:
            return json.dumps(rng.choice(row["enum"]))
        low, high = row["minimum"], row["maximum"]
        value = rng.choice([low, high, low + (high - low) * rng.random() ** 6, low + (high - low) * rng.random() ** 3])
        return repr(int(value) if row["type"] == "integer" else value)

    def test_random_machines(self):
        rng = random.Random(1)
        machines = []
        for _ in range(RANDOM_MACHINES):
            keys = rng.sample(list(self.keys), rng.choice([2, 3, 5, 8]))
            if rng.random() < 0.3:
                keys = [key for key in self.keys if key.startswith(rng.choice(["tlb.", "dram.", "tpc.", "noc."]))][:8]
            machines.append((rng.choice(list(BASES)), {key: self.random_value(rng, key) for key in keys}))
        ran = self.try_all(machines)
        self.assertGreater(ran, RANDOM_MACHINES * 0.3)

    def digest(self, base, settings, options):
        """Of sixty blocks, so that places of blocks are filled again; the exit code where there is none."""
        sets = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
        done = subprocess.run([PROGRAM, "run", f"{BASES[base]}.many.launch.toml", "-c", base, "--no-out", "--json=-",
                               "--max-seconds", "300", "--limit-is-error", *sets, *options],
                              cwd=self.here, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        return json.loads(done.stdout)["digest"] if done.returncode == 0 else done.returncode

    def test_however_a_random_machine_is_run_its_digest_is_the_same(self):
        for arch in LEVELS:
            launch = LAUNCH.replace("ARCH", arch).replace("grid = [6]", "grid = [60]").replace("count = 384", "count = 3840")
            self.write(f"{arch}.many.launch.toml", launch)
        rng = random.Random(2)
        keys = [key for key in self.keys if WAITS.search(key)]
        machines = []
        for _ in range(RANDOM_MACHINES // 5):
            chosen = rng.sample(keys, rng.choice([1, 2, 4]))
            machines.append((rng.choice(list(BASES)), {key: self.random_value(rng, key) for key in chosen}))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            found = list(pool.map(lambda machine: [self.digest(*machine, way) for way in ((), *WAYS_TO_RUN)], machines))
        for machine, digests in zip(machines, found):
            self.assertEqual(len(set(digests)), 1, f"{machine}: {digests}")
        self.assertGreater(sum(1 for digests in found if isinstance(digests[0], str)), len(machines) * 0.4)

    def test_a_tlb_may_have_fewer_entries_than_its_preset_has_ways(self):
        for key, value in (("l1_entries", 1), ("l1_entries", 4), ("l1_entries", 8), ("l2_entries", 1), ("l1_ways", 512),
                           ("l2_ways", 4096)):
            code, messages = self.finish("gtx280", {f"tlb.{key}": value})
            self.assertEqual(code, 0, messages)
        code, messages = self.finish("gtx280", {"tlb.l1_entries": 512, "tlb.l2_entries": 4096, "tlb.driver": '"own"',
                                                "tlb.page_kb": 4096})
        self.assertEqual(code, 0, f"entries x page is 16 GB: {messages}")

    def test_all_documented_clusters_work(self):
        self.assertEqual(self.keys["gpu.tpcs"]["maximum"], 62)
        self.assertEqual(self.finish("gtx280", {"gpu.tpcs": 62})[0], 0)
        code, messages = self.finish("gtx280", {"gpu.tpcs": 63})
        self.assertEqual(code, 3)
        self.assertIn("error[CFG-RANGE]: 'gpu.tpcs' must be between 1 and 62, got 63", messages)

    def test_a_memory_that_does_nothing_but_refresh_is_refused(self):
        rule = "the memory is refreshed every 4318 memory cycles ('dram.timing.refresh_interval_ns')"
        self.write("m.toml", 'schema = "teslasim.machine/1"\nextends = "gtx280"\n[dram.timing]\nrefresh_ns = 10000\n')
        message = self.expect(3, "configs", "check", "m.toml").stderr
        self.assertIn(f"error[CFG-CROSS]: {rule}", message)
        self.assertIn("--> m.toml:4:14", message)
        code, messages = self.finish("gtx280", {"dram.timing.refresh_interval_ns": 113})
        self.assertEqual(code, 3)
        self.assertIn("--set dram.timing.refresh_interval_ns=113", messages)
        self.assertEqual(self.finish("gtx280", {"dram.timing.refresh_interval_ns": 116}), (0, ""))


if __name__ == "__main__":
    unittest.main()
