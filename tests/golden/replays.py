# SPDX-License-Identifier: Apache-2.0
"""A replay is the execution in time: every shipped kernel, on three machines.

usage: replays.py PROGRAM [NAME...] [--machines A,B] [--long]

Each launch file under traces/ is executed, recorded once, and replayed on each machine whose instruction set level it has. All
of stats.json must be the same but for the host's time, the outputs (a replay computes nothing), and the digest that holds their
bytes; the digest of all counters is among what must be the same. A trace whose path depends on the order of blocks is recorded
in time on each machine instead. The micro-benchmarks have no launch files: each gets a small launch. --long adds the sizes of
papers and benches, without those in MINUTES.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from kernels import MACHINES, ROOT, level_of, machine_level

MINUTES = {"matmul_volkov.paper": "130 million warp instructions; the small size has the same kernels"}
# Values of the micro-benchmarks' parameters; all others are buffers of zeros.
NUMBERS = {"stride": 16, "offset": 0, "round": 1024, "spread": 2, "pitch": 256}
NEED_ADDRESSES = {"chase_pointer", "fan_pointer"}  # follow addresses that `validate` writes; the kernel pointer_chase is of that kind
TEXTURE = '[[texture]]\nname = "image"\nslot = 0\ntype = "u32"\nsize = [1024]\n'
CONSTANTS = f'[[constant]]\ntype = "u32"\nvalues = {[0] * 1024}\n'


class Replays:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def call(self, *words):
        done = subprocess.run([self.program, *map(str, words)], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            complaint = "\n".join(done.stderr.splitlines()[:6])
            raise RuntimeError(f"exit {done.returncode}: {' '.join(map(str, words))}\n{complaint}")
        return done.stdout

    def statistics(self, source, machine):
        stats = json.loads(self.call("run", source, "-c", machine, "--no-out", "-q", "--json", "-"))
        for key in ("digest", "host"):
            del stats[key]
        for launch in stats["launches"]:
            del launch["outputs"]
        return stats

    def micro_launches(self, code):
        """A launch file with every kernel of a file of micro-benchmarks."""
        launches, seen = [], set()
        for line in self.call("asm", code).splitlines():
            kernel = re.match(r"// .* kernel (\w+):", line)
            parameter = re.match(r"// parameter (\w+):", line)
            if kernel:
                launches.append((kernel.group(1), []))
            elif parameter and launches[-1][0] not in NEED_ADDRESSES:
                name = parameter.group(1)
                numeric = name in NUMBERS or re.fullmatch(r"p\d+", name)
                value = f"value = {NUMBERS.get(name, 1)}" if numeric else "count = 65536"
                launches[-1][1].append(f'{{ name = "{name}"' + ("" if name in seen else f', type = "u32", {value}') + " }")
                seen.add(name)
        text = f'schema = "teslasim.launch/1"\ncode = "{code}"\n' + "".join(
            f'[[launch]]\nkernel = "{kernel}"\ngrid = [4]\nblock = [64]\nparam = [{", ".join(parameters)}]\n'
            for kernel, parameters in launches if kernel not in NEED_ADDRESSES)
        source = code.read_text(encoding="utf-8")
        text += (TEXTURE if "$tex" in source else "") + (CONSTANTS if "c0[" in source else "")
        path = self.folder / f"{code.stem}.launch.toml"
        path.write_text(text, encoding="utf-8")
        return path

    def record(self, source, trace, *options):
        trace.unlink(missing_ok=True)
        self.call("trace", "record", source, "-o", trace, "-q", *options)
        return trace

    def refused(self, source, machine):
        """Whether a block has more threads than the machine takes; found before anything runs."""
        try:
            self.call("run", source, "-c", machine, "--no-out", "-q", "--mode", "functional", "--max-seconds", "0.01")
        except RuntimeError as error:
            return "error[LAUNCH-BLOCK]" in str(error)
        return False

    def check(self, name, source, code, machines):
        """Lines of what differs."""
        needed = level_of(code.read_text(encoding="utf-8"), r"^\.arch sm_(\d+)")
        fitting = [machine for machine in machines if machine_level(machine) >= needed]
        trace, found = self.folder / "k.wtrace", []
        self.record(source, trace, "-c", fitting[0])
        ordered = "the path depends on it" in self.call("trace", "info", trace)
        for machine in fitting:
            if ordered:
                self.record(source, trace, "-c", machine, "--mode", "timing")
            if self.refused(source, machine) and self.refused(trace, machine):
                print(f"{name:24} {machine:8} a block does not fit", flush=True)
                continue
            executed, replayed = self.statistics(source, machine), self.statistics(trace, machine)
            cycles = sum(launch["time"]["cycles"] for launch in executed["launches"])
            print(f"{name:24} {machine:8} {cycles:>10} cycles  {executed['counters_digest']}{'  recorded there' if ordered else ''}", flush=True)
            found += [f"{name} on {machine}: {line}" for line in differences(executed, replayed)]
        return found


def differences(executed, replayed, place=""):
    """Where two documents differ, one line each."""
    if type(executed) is not type(replayed):
        return [f"{place}: {executed} executed, {replayed} replayed"]
    if isinstance(executed, dict):
        lines = [f"{place}.{key}: only in one" for key in executed.keys() ^ replayed.keys()]
        return lines + [line for key in executed.keys() & replayed.keys() for line in differences(executed[key], replayed[key], f"{place}.{key}")]
    if isinstance(executed, list) and len(executed) == len(replayed):
        return [line for i, pair in enumerate(zip(executed, replayed)) for line in differences(*pair, f"{place}[{i}]")]
    return [] if executed == replayed else [f"{place}: {executed} executed, {replayed} replayed"]


def shipped(with_long):
    """Launch files by name. Those of a paper or a bench end in its name."""
    found = {path.name.removesuffix(".launch.toml"): path for path in sorted(ROOT.glob("traces/*/*.launch.toml"))}
    return {name: path for name, path in found.items()
            if name not in MINUTES and (with_long or not name.endswith((".paper", ".bench")) and ".published" not in name)}


def code_of(launch):
    """The assembly beside a launch file."""
    named = launch.parent / f"{launch.name.split('.')[0]}.asm"
    return named if named.exists() else launch.parent / f"{launch.parent.name}.asm"


def main():
    parser = argparse.ArgumentParser(description="every shipped kernel, executed and replayed")
    parser.add_argument("program")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--machines", default=",".join(MACHINES))
    parser.add_argument("--long", action="store_true")
    options = parser.parse_args()
    complaints = []
    with tempfile.TemporaryDirectory(prefix="teslasim-replays-") as folder:
        replays = Replays(str(pathlib.Path(options.program).resolve()), pathlib.Path(folder))
        sources = {name: (path, code_of(path)) for name, path in shipped(options.long).items()}
        sources |= {f"micro/{code.stem}": (replays.micro_launches(code), code) for code in sorted(ROOT.glob("traces/micro/*.asm"))}
        for name in options.names or sources:
            try:
                complaints += replays.check(name, *sources[name], options.machines.split(","))
            except RuntimeError as error:
                complaints.append(f"{name}: {error}")
    print("\n".join(complaints[:50]) or f"{len(options.names or sources)} workloads: every replay is the execution in time")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
