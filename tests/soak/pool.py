# SPDX-License-Identifier: Apache-2.0
"""The files that commands are fed with, made once: shipped kernels, small ones, and what the program makes of those."""
import os
import pathlib
import re
import shutil
import struct
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SMALL_KERNELS = {
    "straight": ("mov.b32 $r1, 1\nadd.u32 $r1, $r1, $r1\nreturn", ""),
    "counting": ("mov.b32 $r1, 200\nagain:\nadd.u32 $r1, $r1, -1\nset.ne.u32 $p0|$o127, $r1, $r124\n@$p0.ne bra again\nreturn", ""),
    "endless": ("again:\nbra again\nreturn", ""),
    "half_barrier": ("and.b32 $r1, $r0, 0x1f\nset.lt.u32 $p0|$o127, $r1, 16\n@$p0.ne bar.sync.u32 0\nreturn", ""),
    "add_one": ("and.b32 $r1, $r0, 0x0000ffff\nshl.u32 $r1, $r1, 2\nadd.u32 $r1, s[data], $r1\nmov.u32 $r2, g[$r1]\n"
                "add.u32 $r2, $r2, 1\nmov.u32 g[$r1], $r2\nreturn", 'param = [ { name = "data", type = "u32", count = 64 } ]'),
    "out_of_bounds": ("mov.b32 $r1, 0x7fffff00\nmov.u32 $r2, g[$r1]\nmov.u32 g[$r1], $r2\nreturn", ""),
}
ACCEL_SIM = """-kernel name = vecadd
-grid dim = (2,1,1)
-block dim = (32,1,1)
-shmem = 64
-nregs = 12
-accelsim tracer version = 4

#BEGIN_TB
thread block = 0,0,0
warp = 0
insts = 3
0000 ffffffff 1 R1 IMAD.MOV.U32 2 R255 R2 0
0010 ffffffff 1 R1 LDG.E.SYS 1 R2 4 1 0x7f0000001000 4
0020 ffffffff 0 EXIT 0 0
#END_TB
"""
SWEEP = """schema = "teslasim.sweep/1"
name = "s"
machine = "tiny"
inputs = ["add_one.asm", "straight.asm"]
mode = "grid"
columns = ["time_ms", "shared.replays"]
[axes]
"sm.shared.banks" = [8, 16]
"sm.latency_cycles.alu" = [8, 22]
[rules]
skip_if = "sm.shared.banks == 8 && sm.latency_cycles.alu == 8"
"""
EXPLORATION = """schema = "teslasim.dse/1"
name = "d"
machine = "tiny"
inputs = ["add_one.asm"]
[axes]
"gpu.tpcs" = [1, 2]
"sm.registers" = [8192, 16384]
[area]
budget = 12.0
tolerance = 0.5
fixed = 0.0
per_sm = 3.99
per_register = 0.000352
per_shared_byte = 0.000036
[screen]
model = "zhang-owens"
keep = 1
"""
GIVEN = """schema = "teslasim.model_inputs/1"
model = "zhang-owens"
[inputs]
fu_mad = 8           # source: Zhang & Owens 2011, Table 1
shader_ghz = 1.48
sms = 30
itp_mad = 11.1
[inputs.stage.0]
mad_insts = 33554432
"""
HARDWARE = "workload,metric,value,unit,source\nadd_one,time_ms,0.02,ms,me\nstraight,time_us,20,us,me\nadd_one,gpu.cycles,4000,,me\n"
MACHINES = {
    "slow.toml": 'schema = "teslasim.machine/1"\nname = "slow"\nextends = ["tiny"]\n[sm.latency_cycles]\nalu = 60 # source: made up\n',
    "wide.toml": 'schema = "teslasim.machine/1"\nname = "wide"\nextends = ["tiny"]\n[gpu]\ntpcs = 3 # source: made up\n',
}
# Name, exit code and options of the finished runs.
RUNS = [("ok", 0, "add_one", []), ("other", 0, "counting", []), ("limit", 0, "endless", ["--max-cycles", "4000"]),
        ("functional", 0, "add_one", ["--mode", "functional"]), ("sampled", 0, "add_one", ["--blocks", "0"]),
        ("illegal", 5, "out_of_bounds", []), ("wrong", 1, "wrong", [])]


def launch_text(kernel, param):
    return f'schema = "teslasim.launch/1"\nkernel = "{kernel}"\ngrid = [2]\nblock = [64]\n{param}\n'


def npy(values, code="<u4", letter="I"):
    header = f"{{'descr': '{code}', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}{letter}", *values)


class Pool:
    """Files by kind; `pairs` are code with its launch file, `runs` are folders, `keys` configuration keys with a value."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.files, self.pairs, self.runs, self.keys = {}, [], {}, {}
        self.takes_limit = {name: b"--max-seconds" in self.teslasim(name, "--help-all").stdout
                            for name in ("run", "models", "trace", "sweep", "dse", "validate", "calibrate")}
        self.write_texts()
        self.make_code()
        self.make_traces()
        self.make_runs()
        self.read_keys()

    def teslasim(self, *arguments, expected=None):
        home = dict(os.environ, HOME=str(self.folder), TESLASIM_CACHE="none")
        done = subprocess.run([self.program, *arguments], cwd=self.folder, env=home, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if expected is not None and done.returncode != expected:
            raise SystemExit(f"soak: {arguments} ended with {done.returncode}, not {expected}:\n{done.stderr.decode(errors='replace')}")
        return done

    def add(self, kind, name, content=None):
        path = self.folder / name
        if content is not None:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        self.files.setdefault(kind, []).append(path)

    def write_texts(self):
        for name, (code, param) in SMALL_KERNELS.items():
            declared = ".param ptr data\n" if "data" in param else ""
            (self.folder / f"{name}.asm").write_text(f".entry {name}\n{{\n{declared}{code}\n}}\n")
            (self.folder / f"{name}.launch.toml").write_text(launch_text(name, param))
            self.pairs.append((self.folder / f"{name}.asm", self.folder / f"{name}.launch.toml"))
        for name, text in MACHINES.items():
            self.add("machine", name, text)
        for path in sorted((SOURCE / "traces").glob("*/*.asm")):
            launch = path.with_suffix(".launch.toml")
            if launch.exists():
                self.pairs.append((path, launch))
            else:
                self.files.setdefault("asm", []).append(path)
        self.add("plan", "sweep.toml", SWEEP)
        self.add("exploration", "dse.toml", EXPLORATION)
        self.add("given", "given.toml", GIVEN)
        self.add("hardware", "hw.csv", HARDWARE)
        self.add("npy", "ones.npy", npy([1000 + i for i in range(64)]))
        self.add("npy", "floats.npy", npy([0.5] * 64, "<f4", "f"))
        (self.folder / "wrong.launch.toml").write_text(
            launch_text("add_one", SMALL_KERNELS["add_one"][1] + '\ncode = "add_one.asm"\n[expect.data]\nfile = "ones.npy"'))
        self.add("foreign", "kernel-1.traceg", ACCEL_SIM)
        self.add("foreign", "kernelslist.g", "MemcpyHtoD,0x00007f00,1024\nkernel-1.traceg\n")

    def make_code(self):
        for path in [pair[0] for pair in self.pairs]:
            self.files.setdefault("asm", []).append(path)
            for form in ("text", "elf", "elf64"):
                name = f"{path.stem}.{form}.cubin"
                if self.teslasim("asm", str(path), "-o", name, "--format", form).returncode == 0:
                    self.add("cubin", name)
        self.add("listing", "counting.txt", self.teslasim("asm", "counting.asm", expected=0).stdout)

    def make_traces(self):
        for name, mode in (("straight", "functional"), ("add_one", "timing"), ("counting", "functional")):
            self.teslasim("trace", "record", f"{name}.asm", "--mode", mode, "-c", "tiny", "-o", f"{name}.wtrace", expected=0)
            self.add("trace", f"{name}.wtrace")
            self.teslasim("trace", "convert", f"{name}.wtrace", "-o", f"{name}.trace.txt", expected=0)
            self.add("text_trace", f"{name}.trace.txt")

    def make_runs(self):
        for label, code, kernel, options in RUNS:
            self.teslasim("run", f"{kernel}.launch.toml", "-c", "tiny", "-q", "-o", f"run-{label}", *options, expected=code)
            self.runs[label] = self.folder / f"run-{label}"
        killed = self.folder / "run-killed"
        shutil.copytree(self.runs["ok"], killed)
        for name in ("stats.json", "stats.csv", "summary.txt", "report.html"):
            (killed / name).unlink(missing_ok=True)
        self.runs["killed"] = killed

    def read_keys(self):
        table = ""
        for line in self.teslasim("configs", "show", "tiny", expected=0).stdout.decode().splitlines():
            if found := re.match(r"\[([\w.]+)\]", line):
                table = found.group(1) + "."
            elif found := re.match(r"(\w+) = (\S.*?)\s+#", line):
                self.keys[table + found.group(1)] = found.group(2).strip('"')
