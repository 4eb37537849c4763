# SPDX-License-Identifier: Apache-2.0
"""Ye 2009, the lecture, Konstantinidis 2017. Each function makes the generated part of a page."""
import tempfile
import pathlib

from common import ROOT, bars, difference, predictions_table, reasons, table, term, write_page, write_plot


def launch_file(folder, kernel, grid, block, extra):
    """A launch of a shipped kernel with another shape."""
    file = pathlib.Path(folder) / f"{kernel}-{grid}-{block}.launch.toml"
    source = next(ROOT.glob(f"traces/*/{extra['code']}"))
    file.write_text(f'schema = "teslasim.launch/1"\ncode = "{source}"\nkernel = "{kernel}"\ngrid = [{grid}]\nblock = [{block}]\n{extra["rest"]}',
                    encoding="utf-8")
    return file


def givens_qr(program):
    columns, rows, panel = 32, 3072, 8
    lines, plotted = [], []
    with tempfile.TemporaryDirectory() as folder:
        for threads in (32, 64, 128, 256, 512):
            rest = f"""dynamic_shared_bytes = {4 * rows}
param = [
  {{ name = "column", type = "f32", count = {columns * rows}, init = "random", seed = 1, range = [-1.0, 1.0] }},
  {{ name = "cosine", type = "f32", count = {panel * rows}, init = "random", seed = 2, range = [-0.9, 0.9] }},
  {{ name = "m", type = "u32", value = {rows} }},
  {{ name = "panel", type = "u32", value = {panel} }},
]
[expect.column]
builtin = "givens_panel"
threads = {threads}
tol_abs = 1e-4
"""
            file = launch_file(folder, "givens_panel", columns, threads, {"code": "givens_panel.asm", "rest": rest})
            launch = program.run(file, "8800gtx")["givens_panel"]
            row = program.models(file, "8800gtx")["givens_panel"]
            ms = launch["time"]["ms"]
            plain, extended = row["hong-kim"]["ms"], row["hong-kim-pwp"]["ms"]
            lines.append([threads, launch["occupancy"]["ctas_per_sm"], f"{ms:.4g}", f"{plain:.4g} ({difference(plain, ms)})",
                          f"{extended:.4g} ({difference(extended, ms)}, {row['hong-kim-pwp']['bound']})",
                          f"{row['zhang-owens']['ms']:.4g} ({difference(row['zhang-owens']['ms'], ms)})", reasons(launch, 10.0)])
            plotted.append((ms, plain, extended))
    text = table(["threads per block", "blocks per SM", "simulated, ms", "hong-kim, ms", "hong-kim-pwp, ms", "zhang-owens, ms", "issue slots"], lines)
    series = [(label, [row[i] for row in plotted]) for i, label in enumerate(("simulated", "hong-kim", "hong-kim-pwp"))]
    text += "\n" + write_plot("givens-qr", bars("Panel of Givens rotations, 8800 GTX, by threads per block", "ms",
                                                [line[0] for line in lines], series))
    write_page("givens-qr", text)


def launch_overhead(program):
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for blocks in (2, 10, 50, 250, 1000):
            cells = [blocks]
            for threads, arguments in ((32, 0), (64, 0), (128, 0), (32, 5), (32, 10)):
                values = ", ".join(f'{{ name = "p{i}", type = "u32", value = 0 }}' for i in range(arguments))
                file = launch_file(folder, f"empty{arguments}", blocks, threads, {"code": "empty.asm", "rest": f"param = [{values}]\n"})
                launch = program.run(file, "8800gt")[f"empty{arguments}"]
                model = 0.011 + 0.0005 * arguments + 1e-5 * blocks
                cells.append(f"{launch['time']['end_to_end_ms']:.5f} / {model:.5f}")
            lines.append(cells)
    text = table(["blocks", "32 threads", "64 threads", "128 threads", "32 threads, 5 arguments", "32 threads, 10 arguments"], lines)
    write_page("launch-overhead", "From end to end, ms: simulated / eq. 1.\n\n" + text)


def lecture(program):
    text = ""
    for kernel, bytes_moved in (("daxpy", 24 * 4194304), ("vector_multiply", 12 * 8192)):
        file = f"traces/{kernel}/{kernel}.paper.launch.toml"
        launches, predictions = program.run(file), program.models(file)
        launch = launches[kernel]
        rate = bytes_moved / launch["time"]["ms"] / 1e6
        text += f"`{kernel}`: {launch['time']['ms']:.4g} ms, {rate:.1f} GB/s of useful traffic, "
        text += f"{launch['instructions']['warp']} warp instructions; {reasons(launch)}.\n\n"
        text += predictions_table(launches, predictions) + "\n"
    write_page("lecture", text)


def densities(prediction):
    return [term(prediction, name) for name in ("mix_efficiency_pct", "density_operations_pct", "density_ldst_pct", "density_other_pct")]


def sor_and_sgemm(program):
    file = "traces/red_black_sor/red_black_sor.paper.launch.toml"
    launches, predictions = program.run(file), program.models(file)
    matmul = "traces/matmul_volkov/matmul_volkov.launch.toml"
    multiply = program.models(matmul)["volkov16"]
    sor = predictions["red_black_sor"]["quantitative-roofline"]
    rows = [["E_mix, %", "57.69", f"{densities(sor)[0]:.2f}", "49.97 or more", f"{densities(multiply['quantitative-roofline'])[0]:.2f}"]]
    for i, name in ((1, "D_ops, %"), (2, "D_ldst, %"), (3, "D_other, %")):
        published = {1: ("12.15", "-"), 2: ("16.88", "-"), 3: ("70.97", "-")}[i]
        rows.append([name, published[0], f"{densities(sor)[i]:.2f}", published[1], f"{densities(multiply['quantitative-roofline'])[i]:.2f}"])
    rows[0][3] = "-"
    intensity = term(sor, "kernel_intensity")
    rows.append(["O_krn, op/B", "0.30", f"{intensity:.3f}", "24.81", f"{term(multiply['quantitative-roofline'], 'kernel_intensity'):.2f}"])
    text = table(["", "red/black SOR, published", "ours", "SGEMM, published", "`volkov16`, ours"], rows) + "\n"
    text += f"`red_black_sor`: {reasons(launches['red_black_sor'])}.\n\n" + predictions_table(launches, predictions)
    write_page("sor-and-sgemm", text)
