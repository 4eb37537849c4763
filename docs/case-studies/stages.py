# SPDX-License-Identifier: Apache-2.0
"""The steps of cyclic reduction one by one: what the model says of each with the paper's count of transactions, and what they
take in the simulation."""
import csv
import json
import pathlib
import tempfile

from common import ROOT, table, term

STEPS, SYSTEMS, ACCESSES, HALF_WARPS_PER_WARP, BANKS = 9, 512, 16, 2, 16
FOLDER = ROOT / "traces/cyclic_reduction"
SHARED = ("slots_replay_shared", "stall_mem_shared")
GLOBAL = ("stall_mem_global", "stall_mem_queue")


def paper_passes(kernel, step):
    """Whole warps times the degree that the distance of neighbouring threads would give a full half-warp."""
    warps = max(1, 256 // 32 >> (step - 1))
    degree = min(BANKS, 2 ** step) if kernel == "cr" else 1
    return SYSTEMS * ACCESSES * HALF_WARPS_PER_WARP * warps * degree


def with_paper_passes(program, kernel, prediction):
    """The prediction again, with the paper's transactions in the steps of forward reduction."""
    inputs = {row["name"]: row["value"] for row in prediction["inputs"]}
    inputs |= {f"stage.{step}.shared_passes": paper_passes(kernel, step) for step in range(1, STEPS + 1)}
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "given.toml"
        lines = ['schema = "teslasim.model_inputs/1"', 'model = "zhang-owens"', "[inputs]",
                 *(f"{name} = {value}" for name, value in inputs.items())]
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        document = json.loads(program.call("models", "--given", str(file), "--json", "-"))
    return document["launches"][0]["predictions"][0]


def parts_of(prediction, step):
    return {name: 1e3 * term(prediction, f"stage.{step}_{name}_ms") for name in ("instruction", "shared", "global")}


def unrolled():
    """The kernels with the loop forward written out, so that each step has addresses of its own."""
    text = (FOLDER / "cyclic_reduction.asm").read_text(encoding="utf-8")
    head, rest = text.split("forward\\@:\n", 1)
    step, tail = rest.split("@$p1.ne bra.label   forward\\@\n", 1)
    step = step.replace("reduced\\@", "reduced\\@_\\step")
    return f"{head}.rept STEPS, step\n{step}@$p1.ne bra.label   step\\@_\\step\nstep\\@_\\step:\n.endr\n{tail}"


def simulated(program):
    """kernel -> for each step, microseconds of issue slots by what they went to."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "cyclic_reduction.asm").write_text(unrolled(), encoding="utf-8")
        launch = folder / "cr.launch.toml"
        launch.write_text((FOLDER / "cyclic_reduction.paper.launch.toml").read_text(encoding="utf-8"), encoding="utf-8")
        program.call("run", str(launch), "-c", "gtx285", "-o", str(folder / "out"), "-q")
        machine = json.loads((folder / "out/stats.json").read_text(encoding="utf-8"))["machine"]
        with open(folder / "out/pc.csv", encoding="utf-8", newline="") as stream:
            rows = sorted(csv.DictReader(stream), key=lambda row: (row["kernel"], int(row["pc"], 16)))
    slots_per_us = machine["sms"] * machine["shader_mhz"] / 2
    stages = {}
    for row in rows:
        found = stages.setdefault(row["kernel"], [dict.fromkeys(("instruction", "shared", "global"), 0.0)])
        for column, count in row.items():
            if column.startswith(("slots_", "stall_")) and count and column != "stall_empty":
                owner = "shared" if column in SHARED else "global" if column in GLOBAL else "instruction"
                found[-1][owner] += int(count) / slots_per_us
        if row["text"].startswith("bar."):
            found.append(dict.fromkeys(("instruction", "shared", "global"), 0.0))
    return stages


def cells_of(parts):
    return [*(f"{parts[name]:.1f}" for name in ("instruction", "shared", "global")), max(parts, key=parts.get)]


def published(kernel, step):
    """Figure 6 and section 5.2."""
    if step == 0:
        return "global"
    return "shared" if kernel == "cr" and step > 1 else "instruction"


def bottlenecks_table(program, predictions):
    """The bottleneck of every step: published, model, simulation."""
    stages = simulated(program)
    rows = []
    for kernel, models in predictions.items():
        counted = models["zhang-owens"]
        given = with_paper_passes(program, kernel, counted)
        for step in range(STEPS + 1):
            parts = parts_of(counted, step)
            rows.append([f"`{kernel}`", step, published(kernel, step), *cells_of(parts_of(given, step)), max(parts, key=parts.get),
                         *cells_of(stages[kernel][step])])
    return table(["kernel", "step", "bottleneck, published", "model with the paper's transactions: instructions, us", "shared", "global",
                  "bottleneck", "model with the passes of this kernel", "simulated: instructions, us", "shared", "global", "bottleneck"], rows)
