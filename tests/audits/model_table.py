# SPDX-License-Identifier: Apache-2.0
"""The table in docs/models.md: every shipped kernel on two chips, simulated against all models.

usage: model_table.py PROGRAM [--update]

--update makes the table anew (minutes). Without it: every shipped kernel has its rows, and those of a few kernels are what the
program says now, within the tolerance.
"""
import csv
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import project

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "models.md"
DATA = ROOT / "docs" / "model-errors.csv"
MARKS = re.compile(r"(<!-- model table begin -->\n).*?(<!-- model table end -->)", re.S)
MACHINES = {"gtx285": 13, "8800gtx": 10}  # instruction set level
CHECKED = ("saxpy", "reduce2", "matmul_tiled")
TOLERANCE = 0.05
MODELS = ("roofline", "quantitative-roofline", "hong-kim", "hong-kim-pwp", "zhang-owens", "latency-throughput", "interval")
COLUMNS = ("kernel", "machine", "model", "simulated_ms", "predicted_ms", "level", "bound", "why")


def shipped():
    """Folders of kernels, with the instruction set level that each needs."""
    found = {}
    for launch in sorted(ROOT.glob("traces/*/*.launch.toml")):
        name = launch.parent.name
        if launch.name == f"{name}.launch.toml":
            level = re.search(r"^\.arch sm_(\d+)", (launch.parent / f"{name}.asm").read_text(encoding="utf-8"), re.M)
            found[name] = int(level.group(1)) if level else 10
    return found


def call(program, cache, *words):
    done = subprocess.run([program, *words], cwd=ROOT, env=dict(os.environ, TESLASIM_CACHE=cache), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(words)}: exit {done.returncode}\n{done.stderr}")
    return done.stdout


def rows_of(program, cache, folder, machine):
    """One row per launch and model."""
    file = f"traces/{folder}/{folder}.launch.toml"
    stats = json.loads(call(program, cache, "run", file, "-c", machine, "--no-out", "-q", "--json", "-"))
    models = json.loads(call(program, cache, "models", file, "-c", machine, "--json", "-"))
    rows = []
    for launch, predicted in zip(stats["launches"], models["launches"]):
        for row in predicted["predictions"]:
            if row["model"] in MODELS:
                ms = row.get("ms")
                rows.append({"kernel": launch["kernel"], "machine": machine, "model": row["model"],
                             "simulated_ms": f"{launch['time']['ms']:.6g}", "predicted_ms": "" if ms is None else f"{ms:.6g}",
                             "level": row["level"] if ms is not None else "", "bound": row.get("bound") or "",
                             "why": (row.get("refusal") or "") if ms is None else ""})
    return rows


def error_of(row):
    if not row["predicted_ms"]:
        return None
    return float(row["predicted_ms"]) / float(row["simulated_ms"]) - 1.0


def markdown(rows):
    text = ""
    for machine in MACHINES:
        text += f"\n### {machine}\n\n| kernel | simulated, ms | " + " | ".join(MODELS) + " |\n|---|---|" + "---|" * len(MODELS) + "\n"
        here = [row for row in rows if row["machine"] == machine]
        for kernel in dict.fromkeys(row["kernel"] for row in here):
            cells, ms = [], ""
            for model in MODELS:
                row = next((r for r in here if r["kernel"] == kernel and r["model"] == model), None)
                error = error_of(row) if row else None
                ms = row["simulated_ms"] if row else ms
                cells.append("-" if error is None else f"{100 * error:+.0f} % {row['bound']}")
            text += f"| `{kernel}` | {float(ms):.4g} | " + " | ".join(cells) + " |\n"
        text += "| **geometric mean of errors** | | " + " | ".join(summary(here, model) for model in MODELS) + " |\n"
    return text


def summary(rows, model):
    errors = [abs(error_of(row)) for row in rows if row["model"] == model and error_of(row) is not None]
    if not errors:
        return "-"
    mean = math.exp(sum(math.log(max(error, 1e-6)) for error in errors) / len(errors))
    close = sum(error < 0.25 for error in errors)
    return f"{100 * mean:.0f} %; {close} of {len(errors)} below 25 %"


def update(program):
    rows = []
    with tempfile.TemporaryDirectory() as cache:
        for machine, level in MACHINES.items():
            call(program, cache, "calibrate", "-c", machine, "-q")
            for folder, needed in shipped().items():
                if needed <= level:
                    print(folder, machine, flush=True)
                    rows += rows_of(program, cache, folder, machine)
    with open(DATA, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    document = DOCUMENT.read_text(encoding="utf-8")
    DOCUMENT.write_text(MARKS.sub(lambda m: m.group(1) + markdown(rows) + "\n" + m.group(2), document), encoding="utf-8")


def complaints(program):
    with open(DATA, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found = []
    if MARKS.sub(lambda m: m.group(1) + markdown(rows) + "\n" + m.group(2), DOCUMENT.read_text(encoding="utf-8")) != \
            DOCUMENT.read_text(encoding="utf-8"):
        found.append("docs/models.md is not what docs/model-errors.csv says")
    known = {(row["kernel"], row["machine"]) for row in rows}
    for folder in CHECKED:
        for machine in MACHINES:
            with tempfile.TemporaryDirectory() as cache:
                call(program, cache, "calibrate", "-c", machine, "-q")
                for now in rows_of(program, cache, folder, machine):
                    then = next((r for r in rows if all(r[key] == now[key] for key in ("kernel", "machine", "model"))), None)
                    if then is None:
                        found.append(f"no row for {now['kernel']} on {machine}, {now['model']}")
                        continue
                    for column in ("simulated_ms", "predicted_ms"):
                        if bool(then[column]) != bool(now[column]) or (
                                now[column] and abs(float(now[column]) / float(then[column]) - 1.0) > TOLERANCE):
                            found.append(f"{now['kernel']} on {machine}, {now['model']}: {column} is {now[column]}, the table has {then[column]}")
    for folder, needed in shipped().items():
        text = (ROOT / "traces" / folder / f"{folder}.launch.toml").read_text(encoding="utf-8")
        for kernel in re.findall(r'^kernel\s*=\s*"(\w+)"', text, re.M):
            for machine, level in MACHINES.items():
                if needed <= level and (kernel, machine) not in known:
                    found.append(f"{kernel} has no row for {machine}")
    return found


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    if "--update" in sys.argv:
        return update(program)
    found = complaints(program)
    if found:
        found.append("python3 -B tests/audits/model_table.py PROGRAM --update makes it anew")
    return project.finish("table of models", found)


if __name__ == "__main__":
    main()
