# SPDX-License-Identifier: Apache-2.0
"""What the case studies share: running the program, tables, plots, the generated part of a page."""
import json
import os
import pathlib
import re
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MARKS = re.compile(r"(<!-- generated begin[^\n]*-->\n).*?(<!-- generated end -->)", re.S)
COLOURS = ("#1b6ca8", "#c0392b", "#2e8b57", "#8e5ba6", "#b9770e", "#16a2a2")


class Program:
    """The built program with a calibration cache of its own, so that predictions are of level P1 and nobody else's."""

    def __init__(self, path):
        self.path = str(pathlib.Path(path).resolve())
        self.cache = tempfile.TemporaryDirectory(prefix="teslasim-cases-")
        self.calibrated = set()

    def call(self, *words):
        environment = dict(os.environ, TESLASIM_CACHE=self.cache.name, NO_COLOR="1")
        done = subprocess.run([self.path, *words], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, check=False)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{' '.join(words)}: exit {done.returncode}\n{done.stderr}")
        return done.stdout

    def calibrate(self, machine, *sets):
        key = (machine, *sets)
        if key not in self.calibrated:
            self.call("calibrate", "-c", machine, *[word for s in sets for word in ("-s", s)], "-q")
            self.calibrated.add(key)

    def run(self, launch, machine="gtx285", sets=(), mode="timing"):
        """The launches of stats.json. A wrong result ends the study."""
        words = [word for s in sets for word in ("-s", s)]
        text = self.call("run", str(launch), "-c", machine, *words, "--mode", mode, "--no-out", "-q", "--json", "-")
        stats = json.loads(text)
        outputs = stats["launches"][-1]["outputs"]
        if stats["status"] != "ok" or outputs.get("ok") is False:
            raise SystemExit(f"{launch} on {machine}: {stats['status']}, outputs {outputs}")
        return {launch["kernel"]: launch for launch in stats["launches"]}

    def models(self, launch, machine="gtx285", sets=()):
        """Predictions after calibration, by kernel and model."""
        self.calibrate(machine, *sets)
        words = [word for s in sets for word in ("-s", s)]
        document = json.loads(self.call("models", str(launch), "-c", machine, *words, "--json", "-"))
        return {row["kernel"]: {p["model"]: p for p in row["predictions"]} for row in document["launches"]}


def term(prediction, name):
    for row in prediction["terms"]:
        if row["name"] == name:
            return row["value"]
    raise KeyError(name)


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]) + "\n"


def reasons(launch, least=3.0):
    """Where the issue slots of a launch went, largest first."""
    slots = launch["issue_slots"]
    shares = sorted(((100.0 * count / slots["total"], name) for name, count in slots.items() if name != "total"), reverse=True)
    return ", ".join(f"{name} {share:.0f} %" for share, name in shares if share >= least)


def difference(value, published):
    return f"{100.0 * (value / published - 1.0):+.0f} %"


def predictions_table(launches, predictions):
    """Every kernel: simulated, and each model with its error."""
    models = ["hong-kim-pwp", "zhang-owens", "quantitative-roofline", "latency-throughput", "interval", "roofline"]
    rows = []
    for kernel, launch in launches.items():
        ms, cells = launch["time"]["ms"], []
        for name in models:
            row = predictions[kernel].get(name, {})
            value = row.get("ms")
            cells.append("-" if value is None else f"{value:.4g} ({difference(value, ms)}, {row['bound']})")
        rows.append([f"`{kernel}`", f"{ms:.4g}", *cells])
    return table(["kernel", "simulated, ms", *models], rows)


def bars(title, unit, groups, series):
    """Grouped bars as SVG. groups: names; series: [(label, [value or None])]."""
    width, height, left, right, top, bottom = 720, 360, 64, 190, 40, 60
    most = max(value for _, values in series for value in values if value) * 1.05
    step, factor = 10.0 ** len(str(int(most))) / 100.0, 0
    while most / step > 6:
        step *= (2.0, 2.5, 2.0)[factor % 3]
        factor += 1
    text = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
            'font-family="sans-serif" font-size="12">', f'<rect width="{width}" height="{height}" fill="white"/>',
            f'<text x="{left}" y="22" font-size="15">{title}</text>']
    scale = (height - top - bottom) / most
    tick = 0.0
    while tick <= most:
        y = height - bottom - tick * scale
        text.append(f'<path d="M{left} {y:.1f}H{width - right}" stroke="#ddd"/>')
        text.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:g}</text>')
        tick += step
    slot = (width - left - right) / len(groups)
    thick = slot * 0.8 / len(series)
    for g, name in enumerate(groups):
        start = left + g * slot + slot * 0.1
        for s, (_, values) in enumerate(series):
            if values[g] is None:
                continue
            h = values[g] * scale
            text.append(f'<rect x="{start + s * thick:.1f}" y="{height - bottom - h:.1f}" width="{thick * 0.92:.1f}" '
                        f'height="{h:.1f}" fill="{COLOURS[s % len(COLOURS)]}"/>')
        text.append(f'<text x="{start + slot * 0.4:.1f}" y="{height - bottom + 18}" text-anchor="middle">{name}</text>')
    for s, (label, _) in enumerate(series):
        text.append(f'<rect x="{width - right + 14}" y="{top + 20 * s}" width="12" height="12" fill="{COLOURS[s % len(COLOURS)]}"/>')
        text.append(f'<text x="{width - right + 32}" y="{top + 10 + 20 * s}">{label}</text>')
    text.append(f'<text transform="translate(16 {(top + height - bottom) / 2}) rotate(-90)" text-anchor="middle">{unit}</text>')
    return "\n".join(text + ["</svg>"]) + "\n"


def write_plot(name, svg):
    (HERE / f"{name}.svg").write_text(svg, encoding="utf-8")
    return f"![{name}]({name}.svg)\n"


def write_page(name, generated):
    """Replaces what stands between the marks of a page."""
    page = HERE / f"{name}.md"
    text = page.read_text(encoding="utf-8")
    if not MARKS.search(text):
        raise SystemExit(f"{page} has no marks for the generated part")
    page.write_text(MARKS.sub(lambda m: m.group(1) + "\n" + generated + "\n" + m.group(2), text), encoding="utf-8")
