# SPDX-License-Identifier: Apache-2.0
"""Zhang & Owens 2011: matrix multiply, cyclic reduction, sparse matrix. Each function makes the generated part of a page."""
import pathlib
import re
import tempfile

from common import ROOT, bars, difference, predictions_table, reasons, table, term, write_page, write_plot
from stages import bottlenecks_table

COMPONENTS = ("t_instruction_ms", "t_shared_ms", "t_global_ms")


def components_table(launches, predictions):
    """Zhang & Owens' three components and bottleneck beside the simulated time."""
    rows = []
    for kernel, launch in launches.items():
        row = predictions[kernel]["zhang-owens"]
        parts = [f"{term(row, name):.4g}" for name in COMPONENTS]
        rows.append([f"`{kernel}`", *parts, row["bound"], f"{row['ms']:.4g}", f"{launch['time']['ms']:.4g}",
                     difference(row["ms"], launch["time"]["ms"])])
    return table(["kernel", "instructions, ms", "shared memory, ms", "global memory, ms", "bottleneck", "predicted, ms", "simulated, ms",
                  "error"], rows)


def components_plot(name, title, launches, predictions):
    series = [(label, [term(predictions[kernel]["zhang-owens"], key) for kernel in launches])
              for label, key in zip(("instructions (model)", "shared memory (model)", "global memory (model)"), COMPONENTS)]
    series.append(("simulated", [launch["time"]["ms"] for launch in launches.values()]))
    return write_plot(name, bars(title, "ms", list(launches), series))


def slots_table(launches):
    return table(["kernel", "where the issue slots went"], [[f"`{kernel}`", reasons(launch)] for kernel, launch in launches.items()])


PEAK_GFLOPS = 708.48                                                        # of a GTX 285, multiply-adds
WHOLE_ROUNDS = {"volkov8": (15, 128), "volkov16": (15, 64), "volkov32": (15, 30)}  # multiples of 240, 240 and 90 blocks


def share_of_peak(launch):
    """Of a kernel of matrix multiply: blocks of 64 x S elements, each a sum of 1024 products."""
    operations = 2 * 1024 * 64 * int(launch["kernel"].removeprefix("volkov")) * launch["ctas"]["total"]
    return 1e-4 * operations / launch["time"]["ms"] / PEAK_GFLOPS


def rounds_table(program, file, launches):
    """How much of the time the last blocks take: as published, without a remainder, and with other policies."""
    text = (ROOT / file).read_text(encoding="utf-8").split("[expect", 1)[0]
    text = text.replace('"matmul_volkov.asm"', f'"{ROOT}/traces/matmul_volkov/matmul_volkov.asm"')
    for kernel, grid in WHOLE_ROUNDS.items():
        text = re.sub(rf'(kernel = "{kernel}"\ngrid   = )\[.*?\]', rf"\g<1>{list(grid)}", text)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "rounds.launch.toml"
        path.write_text(text, encoding="utf-8")
        whole = program.run(path)
    others = [program.run(file, sets=(f"gpu.cta_replacement={policy}",)) for policy in ("per_cta", "wave")]
    rows = []
    for kernel, launch in launches.items():
        cells = [f"`{kernel}`", f"{launch['ctas']['total'] / (30 * launch['occupancy']['ctas_per_sm']):.2f}"]
        blocks = [sm["blocks"] for sm in launch["per_sm"]]
        cells.append(f"{min(blocks)} to {max(blocks)}")
        for run in (launch, whole[kernel], *(other[kernel] for other in others)):
            slots = run["issue_slots"]
            cells += [f"{share_of_peak(run):.1f} %", f"{100 * slots['empty.tail'] / slots['total']:.1f} %"]
        rows.append(cells)
    return "\nThe end of the launch (shares of the peak; of the issue slots, those after an SM's last block):\n\n" + table(
        ["kernel", "rounds of what the GPU holds", "blocks of an SM", "of peak", "slots at the end", "whole rounds only: of peak",
         "slots at the end", "any free slot: of peak", "slots at the end", "in waves: of peak", "slots at the end"], rows)


def matrix_multiply(program):
    n, peak = 1024, PEAK_GFLOPS
    file = "traces/matmul_volkov/matmul_volkov.paper.launch.toml"
    launches, predictions = program.run(file), program.models(file)
    multiplies = n ** 3 / 32
    rows = []
    published = {"volkov8": ("8", ""), "volkov16": ("8", "56 %"), "volkov32": ("3", "")}
    for kernel, launch in launches.items():
        gflops = 2e-6 * n ** 3 / launch["time"]["ms"]
        rows.append([f"`{kernel}`", published[kernel][0], launch["occupancy"]["ctas_per_sm"], launch["occupancy"]["limiter"],
                     f"{launch['instructions']['warp']:,}".replace(",", " "), f"{100 * multiplies / launch['instructions']['warp']:.1f} %",
                     f"{launch['global']['bytes'] / 1e6:.0f}", f"{gflops:.0f}", published[kernel][1] or "-", f"{100 * gflops / peak:.1f} %"])
    names = list(launches)
    traffic = [launches[name]["global"]["bytes"] for name in names]
    text = table(["kernel", "blocks per SM, published", "simulated", "limited by", "warp instructions", "multiply-adds", "MB moved",
                  "GFLOP/s", "of peak, published", "of peak, simulated"], rows)
    text += f"\nTraffic falls by {100 - 100 * traffic[1] / traffic[0]:.0f} % from 8x8 to 16x16 (published: 45 %) and by "
    text += f"{100 - 100 * traffic[2] / traffic[1]:.0f} % from 16x16 to 32x32 (published: 40 %).\n\n"
    text += components_table(launches, predictions) + "\n"
    text += components_plot("matrix-multiply", "Matrix multiply, 1024 x 1024, GTX 285", launches, predictions) + "\n"
    text += slots_table(launches) + "\n" + predictions_table(launches, predictions)
    text += rounds_table(program, file, launches)
    small = "traces/matmul_volkov/matmul_volkov.launch.toml"
    sixteen = "gpu.max_ctas_per_sm=16"
    rows = []
    for title, sets in (("as built", ()), ("one TPC", ("gpu.tpcs=1",)), ("one TPC, 16 blocks per SM", ("gpu.tpcs=1", sixteen)),
                        ("one TPC, twice the registers and shared memory",
                         ("gpu.tpcs=1", "sm.registers=32768", "sm.shared.bytes=32768"))):
        got = program.run(small, sets=sets)
        rows.append([title, *[f"{launch['time']['ms']:.4g} ({launch['occupancy']['ctas_per_sm']} blocks)" for launch in got.values()]])
    text += "\nWhat if, with matrices of 128 x 128 and time in ms:\n\n" + table(["machine", *[f"`{name}`" for name in names]], rows)
    write_page("matrix-multiply", text)


def stage_rows(prediction, systems):
    """Steps of cyclic reduction as the model has them: stage 0 loads, 1 to 9 reduce."""
    inputs = {row["name"]: row["value"] for row in prediction["inputs"]}
    rows = []
    for stage in range(10):
        parts = {name: 1e3 * term(prediction, f"stage.{stage}_{name}_ms") for name in ("instruction", "shared", "global")}
        half_warps = max(1, (512 >> stage) // 16) if stage else 0
        accesses = 16 * half_warps * systems
        passes = inputs.get(f"stage.{stage}.shared_passes", 0.0)
        rows.append({"stage": stage, "parts": parts, "bottleneck": max(parts, key=parts.get), "passes": passes,
                     "degree": passes / accesses if accesses else None})
    return rows


def sustained(row):
    """Bandwidth of shared memory that the model allows the warps of a step, at 64 bytes for a pass."""
    return f"{row['passes'] * 64 / row['parts']['shared'] / 1e3:.0f}" if row["parts"]["shared"] else "-"


def computing_share(launch):
    """Warp instructions that are arithmetic in floating point: multiplications, multiply-adds and reciprocals; the kernels
    have no other multiplications."""
    classes = launch["instructions"]["by_class"]
    return (classes["mul"] + classes["sfu"]) / launch["instructions"]["warp"]


def cyclic_reduction(program):
    file, systems = "traces/cyclic_reduction/cyclic_reduction.paper.launch.toml", 512
    launches, predictions = program.run(file), program.models(file)
    cr, nbc = launches["cr"]["time"]["ms"], launches["cr_nbc"]["time"]["ms"]
    model = [predictions[name]["zhang-owens"]["ms"] for name in ("cr", "cr_nbc")]
    text = table(["", "published", "predicted", "simulated"],
                 [["`cr`, ms", "0.75, from 7 GB/s", f"{model[0]:.4g}", f"{cr:.4g}"], ["`cr_nbc`, ms", "plotted", f"{model[1]:.4g}", f"{nbc:.4g}"],
                  ["`cr` / `cr_nbc`", "1.6", f"{model[0] / model[1]:.2f}", f"{cr / nbc:.2f}"],
                  ["blocks per SM", "1", "1", launches["cr"]["occupancy"]["ctas_per_sm"]],
                  ["instructions of `cr` that compute", "about one tenth", "-", f"{computing_share(launches['cr']):.1%}".replace("%", " %")]])
    text += "\nDegrees of conflict (half-warps), simulated: "
    for name, launch in launches.items():
        degrees = {degree: count for degree, count in launch["shared"]["degree_hist"].items() if count}
        text += f"`{name}` " + ", ".join(f"{degree}-way {count}" for degree, count in degrees.items()) + ". "
    text += "\n\nForward reduction step by step, model with calibration (us; step 0 loads):\n\n"
    found = {name: stage_rows(predictions[name]["zhang-owens"], systems) for name in launches}
    rows = []
    for a, b in zip(found["cr"], found["cr_nbc"]):
        cells = [a["stage"], "-" if a["degree"] is None else f"{a['degree']:.1f}", f"{a['passes']:.0f}", sustained(a)]
        for row in (a, b):
            cells += [f"{row['parts'][name]:.1f}" for name in ("instruction", "shared", "global")] + [row["bottleneck"]]
        rows.append(cells)
    text += table(["step", "conflicts of `cr`", "passes", "sustained, GB/s", "instructions", "shared", "global", "bottleneck", "`cr_nbc`: instructions",
                   "shared", "global", "bottleneck"], rows) + "\n"
    for name, stages in found.items():
        series = [(part, [row["parts"][part] for row in stages]) for part in ("instruction", "shared", "global")]
        text += write_plot(f"cyclic-reduction-{name}", bars(f"{name}: forward reduction by step (model)", "us",
                                                            [row["stage"] for row in stages], series))
    text += "\nThe bottleneck of each step (microseconds of the whole launch):\n\n" + bottlenecks_table(program, predictions)
    text += "\n" + slots_table(launches) + "\n" + predictions_table(launches, predictions)
    rows = []
    for title, sets in (("16 banks", ()), ("17 banks, a prime number", ("sm.shared.banks=17",))):
        got = program.run(file, sets=sets)
        rows.append([title, *[f"{launch['time']['ms']:.4g}" for launch in got.values()]])
    text += "\nWhat if, ms:\n\n" + table(["machine", "`cr`", "`cr_nbc`"], rows)
    write_page("cyclic-reduction", text)


def vector_bytes(launch, kernel, rows, entries):
    """Bytes moved for the vector, per matrix entry: the rest is matrix, indices and result, which are coalesced."""
    count = rows * entries
    indices = 4 * count if kernel.startswith("ell") else 4 * count / 9
    texture = launch["texture"]["bytes"] if "tex" in kernel else 0
    return (launch["global"]["bytes"] - 4 * count - indices - 4 * rows + texture) / count


def lattice_columns(extent, place):
    """The 13 block columns of each row of blocks of sim's lattice matrix (docs/launch-files.md), if `place` gives the row of (site, spin)."""
    units = [extent ** axis for axis in range(4)]
    columns = [None] * (4 * extent ** 4)
    for site in range(extent ** 4):
        def neighbour(axis, steps):
            at = site // units[axis] % extent
            return site + ((at + steps) % extent - at) * units[axis]
        for spin in range(4):
            found = [place(neighbour(axis, steps), s) for axis in range(3) for steps in (1, extent - 1)
                     for s in (spin, 3 - spin if axis < 2 else (spin + 2) % 4)]
            columns[place(site, spin)] = sorted(found + [place(neighbour(3, 1 if spin < 2 else extent - 1), spin)])
    return columns


def shrunk_bytes(words, least):
    """What the coalescing rules of compute capability 1.2 move for 4-byte words of one half-warp."""
    total = 0
    for segment in {word // 32 for word in words}:
        inside = [word for word in words if word // 32 == segment]
        size, start = 128, 32 * segment
        while size > least:
            half = size // 8
            if min(inside) >= start + half:
                start += half
            elif max(inside) >= start + half:
                break
            size //= 2
        total += size
    return total


def segments_table(extent=8):
    """Bytes per vector entry of ELL on paper: two ways to cut accesses into transactions, three orders of the rows."""
    sites = extent ** 4
    parity = [sum(site // extent ** axis % extent for axis in range(4)) % 2 for site in range(sites)]
    even_odd = [0] * sites
    for position, site in enumerate(sorted(range(sites), key=lambda site: (parity[site], site))):
        even_odd[site] = position
    rows = [["published", "6.69", "4.55", "6.69", "4.55"]]
    for title, place in (("sites in turn, as simulated", lambda site, spin: 4 * site + spin),
                         ("even sites, then odd ones", lambda site, spin: 4 * even_odd[site] + spin),
                         ("spins outermost", lambda site, spin: sites * spin + site)):
        columns = lattice_columns(extent, place)
        sums, entries = [0] * 4, 0
        for first in range(0, 12 * sites, 16):
            for k in range(39):
                words = [3 * columns[row // 3][k // 3] + k % 3 for row in range(first, first + 16)]
                sums[0] += 32 * len({word // 8 for word in words})
                sums[1] += 16 * len({word // 4 for word in words})
                sums[2] += shrunk_bytes(words, 32)
                sums[3] += shrunk_bytes(words, 16)
                entries += 16
        rows.append([title, *[f"{total / entries:.2f}" for total in sums]])
    return table(["order of the rows", "pieces of 32 bytes", "pieces of 16 bytes", "128 shrunk to 32", "128 shrunk to 16"], rows)


def sparse_matrix(program):
    file, rows, entries = "traces/spmv/spmv.paper.launch.toml", 49152, 39
    launches = program.run(file)
    predictions = program.models(file)
    smaller = program.run(file, sets=("coalescing.rules=cc12_16", "dram.timing.burst_length=2"))
    published = {"ell": ("6.69", "4.55")}
    lines = []
    for kernel, launch in launches.items():
        gflops = 2e-6 * rows * entries / launch["time"]["ms"]
        memory = "tex" not in kernel
        lines.append([f"`{kernel}`", published.get(kernel, ("-", "-"))[0], f"{vector_bytes(launch, kernel, rows, entries):.2f}" if memory else "-",
                      published.get(kernel, ("-", "-"))[1], f"{vector_bytes(smaller[kernel], kernel, rows, entries):.2f}" if memory else "-",
                      f"{launch['time']['ms']:.4g}", f"{gflops:.1f}", f"{smaller[kernel]['time']['ms']:.4g}"])
    text = table(["kernel", "bytes per vector entry, published", "simulated", "with 16-byte transactions, published", "simulated",
                  "ms", "GFLOP/s", "ms with 16-byte transactions"], lines)
    text += "\nBytes per vector entry of `ell`, counted from the pattern:\n\n" + segments_table()
    speed = launches["bell_tex"]["time"]["ms"] / launches["belliv_tex"]["time"]["ms"]
    text += f"\n`bell_tex` / `belliv_tex`: {speed:.2f} (published: 1.18).\n\n"
    text += components_table(launches, predictions) + "\n"
    text += components_plot("sparse-matrix", "Sparse matrix times vector, GTX 285", launches, predictions) + "\n"
    write_page("sparse-matrix", text + slots_table(launches) + "\n" + predictions_table(launches, predictions))


