# SPDX-License-Identifier: Apache-2.0
"""Every configuration key changes some result in at least one of its values: a key that no code reads is a lie.

usage: keys_change_results.py PROGRAM [KEY...]

Each key is set to other values (words of its list, its limits, double and half of what it is) in small runs, until one of them has
other statistics than without it. keys_without_effect.csv lists keys that change nothing there, each with the reason; a row that is
no longer needed is a mistake too.
"""
import concurrent.futures
import csv
import json
import os
import pathlib
import re
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
TRACES = FOLDER.parents[1] / "traces"
TWO_TPCS = ["-s", "gpu.tpcs=2", "-s", "gpu.sms_per_tpc=2"]
EVERY_UNIT, EVERY_KEY = FOLDER / "every_unit.launch.toml", FOLDER / "every_key.launch.toml"
SMALL_CACHES = ["-s", "tpc.texture_cache.bytes_per_sm=1024", "-s", "texture_l2.bytes=2048", "-s", "texture_l2.ways=2"]
SMALL_TLBS = ["-s", "tlb.ideal=false", "-s", "tlb.l1_entries=2", "-s", "tlb.l2_entries=16", "-s", "tlb.l2_ways=4"]
# Command, launch file, machine and options; the quickest first. A key is tried on the next when those before do not show it.
BASES = (
    ["run", EVERY_UNIT, "tiny", *TWO_TPCS, "-s", "dram.timing.ranks=2"],
    ["run", EVERY_KEY, "tiny", *TWO_TPCS, *SMALL_CACHES, *SMALL_TLBS, "-s", "tlb.driver=own", "-s", "tlb.page_kb=8",
     "-s", "sm.scheduler=two_level"],
    ["run", EVERY_KEY, "tiny", *SMALL_TLBS, "-s", "tlb.driver=177.13", "-s", "gpu.max_ctas_per_sm=1", "-s", "sm.dp_units=0",
     "-s", "const_l3.line_bytes=256"],
    ["run", EVERY_KEY, "tiny", "-s", "dram.model=tlm"],
    ["run", TRACES / "sfu_mix/sfu_mix.launch.toml", "tiny"],
    ["run", TRACES / "daxpy/daxpy.launch.toml", "tiny"],
    ["run", TRACES / "stencil2d/stencil2d.launch.toml", "tiny", *TWO_TPCS],
    ["run", EVERY_UNIT, "gtx280"],
    ["models", TRACES / "daxpy/daxpy.launch.toml", "gtx280"],
    ["models", TRACES / "transpose_naive/transpose_naive.launch.toml", "8800gt"],
)
OPTIONS = {"run": ["--no-out", "--max-seconds", "20"], "models": []}


def leaves(schema, prefix=""):
    for name, part in schema.get("properties", {}).items():
        if "properties" in part:
            yield from leaves(part, f"{prefix}{name}.")
        elif prefix or "type" in part or "enum" in part:
            yield prefix + name, part


def other_values(part, now):
    """What a key is set to, the boldest first; `now`: its value on the machine."""
    if "enum" in part:
        return [value for value in part["enum"] if value != now]
    if part.get("type") == "boolean":
        return [not now]
    if part.get("type") not in ("integer", "number"):
        return []
    low, high = part.get("minimum", 0), part.get("maximum", 1e9)
    bold = [2 * now, now / 2, now * 8, now / 8, now + 1, now - 1, low, high]
    whole = part["type"] == "integer"
    values = [int(value) if whole else float(value) for value in bold if low <= value <= high]
    return list(dict.fromkeys(value for value in values if value != now))


def text_of(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def launches(program, base, setting=()):
    """What a run found out, or None when it is refused or cannot end."""
    action, launch, machine, *settings = base
    command = [program, action, str(launch), "-c", machine, "-q", *OPTIONS[action], "--json", "-", *settings, *setting]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        refusal = re.search(rb"error\[((?:ISA|KERNEL|LAUNCH)-\w+)\]", done.stderr)  # of the kernel, not of the machine
        return refusal and refusal.group(1)
    found = json.loads(done.stdout)
    return found if action == "models" else (found["launches"], found["digest"])


class Audit:
    def __init__(self, program):
        self.program = program
        self.plain = [launches(program, base) for base in BASES]
        schema = subprocess.run([program, "configs", "schema"], stdout=subprocess.PIPE, check=True)
        self.keys = dict(leaves(json.loads(schema.stdout)))
        self.machines = {base[2]: self.effective(base[2]) for base in BASES}

    def effective(self, machine):
        """Its values, by key."""
        done = subprocess.run([self.program, "configs", "show", machine], stdout=subprocess.PIPE, check=True)
        values, table = {}, ""
        for line in done.stdout.decode().splitlines():
            if line.startswith("["):
                table = line[1:line.index("]")] + "."
            elif "=" in line and not line.startswith("#"):
                name, _, rest = line.partition(" = ")
                values[table + name.strip()] = json.loads(rest.split(" # ")[0].strip())
        return values | {key: values[first] for key in self.keys for first in values
                         if key not in values and first.split(".")[-1] == key.split(".")[-1]}  # second names of keys

    def changes(self, key):
        """The first run and value that show the key, or None."""
        for base, plain in zip(BASES, self.plain):
            if (base[0] == "models") != key.startswith("models."):
                continue  # a model that reads a key is no proof that the simulated machine does
            for value in other_values(self.keys[key], self.machines[base[2]][key]):
                found = launches(self.program, base, ["--set", f"{key}={text_of(value)}"])
                if found is not None and found != plain:
                    return f"{key} = {text_of(value)} in {base[1].name} on {base[2]}"
        return None


def main():
    audit = Audit(str(pathlib.Path(sys.argv[1]).resolve()))
    with open(FOLDER / "keys_without_effect.csv", encoding="utf-8", newline="") as stream:
        excused = {row["key"]: row["reason"] for row in csv.DictReader(stream)}
    keys = sys.argv[2:] or list(audit.keys)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        shown = dict(zip(keys, pool.map(audit.changes, keys)))
    complaints = [f"{key} changes no result" for key in keys if not shown[key] and key not in excused]
    complaints += [f"keys_without_effect.csv: {key} has an effect: {shown[key]}" for key in keys if shown[key] and key in excused]
    complaints += [f"keys_without_effect.csv: {key} is no key" for key in excused if key not in audit.keys]
    complaints += [f"keys_without_effect.csv: {key} has no reason" for key, reason in excused.items() if not reason]
    print(f"{sum(map(bool, shown.values()))} of {len(keys)} keys change results, {len(excused)} excused", *complaints, sep="\n")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
