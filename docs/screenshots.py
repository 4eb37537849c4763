#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the pictures of README.md from runs of a shipped kernel, with headless Chromium.

usage: docs/screenshots.py PROGRAM [FOLDER]     (FOLDER: docs/images)
"""
import base64
import collections
import gzip
import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests/browser"), str(ROOT / "tests/app")]
from chromium import Chromium  # noqa: E402: the browser and the parser of the tests
from timelines import Trace  # noqa: E402

KERNEL, MACHINE = "reduce2", "gtx280"
REPORT = f"{KERNEL}-{MACHINE}"
FIRST, CYCLES = 3000, 900  # the window of the timeline
LEGEND = 12  # states that are named below it
WIDTH, ROW, LEFT, TOP = 1100, 13, 48, 66
READY = """new Promise(done => { const look = () => document.documentElement.dataset.ready ? done(1) : setTimeout(look, 20); look(); })"""
# Down to the end of the bar of slots, all of it laid out.
CLIP = """(() => { document.head.insertAdjacentHTML('beforeend', '<style>section{content-visibility:visible!important}</style>');
const chart = document.querySelector('#s4 figure'); return Math.floor(chart.getBoundingClientRect().top + window.scrollY) - 4; })()"""


def run(program, folder, *arguments):
    subprocess.run([program, "run", f"{KERNEL}.asm", "-c", MACHINE, "-q", *arguments], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def recorded(folder):
    """Slices of the warps of one SM by warp, as (begin, end, state), and the colours that the report has for states."""
    trace = Trace(gzip.decompress((folder / "moment/timeline.pftrace.gz").read_bytes()))
    lists = json.loads(re.search(r"id=palette>(.*?)</script>", (folder / REPORT / "report.html").read_text(), re.S)[1])
    warps = collections.defaultdict(list)
    for path, slices in trace.slices.items():
        if "/warps/" not in path:
            continue
        for begin, end, name, notes in slices:
            state = "issued" if name.startswith("0x") else name
            if notes.get("passes", 1) > 1:
                state = "replay.shared_bank"
            warps[path.rsplit("/", 1)[1]].append((max(begin, FIRST), min(end, FIRST + CYCLES), state))
    return dict(sorted(warps.items())), dict(zip(lists["reasons"], lists["colors"]))


def drawing(warps, colors):
    """The slices as SVG: a row for each warp, time to the right."""
    scale, rows, sums = (WIDTH - LEFT - 16) / CYCLES, [], collections.Counter()
    for index, (warp, slices) in enumerate(warps.items()):
        y = TOP + index * ROW
        rows.append(f'<text x="{LEFT - 8}" y="{y + 10}" text-anchor="end">{warp}</text>')
        for begin, end, state in slices:
            sums[state] += end - begin
            rows.append(f'<rect x="{LEFT + (begin - FIRST) * scale:.2f}" y="{y}" width="{max((end - begin) * scale, 1.2):.2f}" '
                        f'height="{ROW - 2}" fill="{colors[state]}"/>')
    bottom = TOP + len(warps) * ROW
    for cycle in range(FIRST, FIRST + CYCLES + 1, 100):
        x = LEFT + (cycle - FIRST) * scale
        rows.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 4}" y2="{bottom + 2}" stroke="#0003"/>'
                    f'<text x="{x:.1f}" y="{bottom + 14}" text-anchor="middle">{cycle}</text>')
    x, y = LEFT, bottom + 38
    for state, _ in sums.most_common(LEGEND):
        label = html.escape(state.removeprefix("wait."))
        if x + 17 + 7 * len(label) > WIDTH:
            x, y = LEFT, y + 20
        rows.append(f'<rect x="{x}" y="{y - 10}" width="12" height="12" fill="{colors[state]}"/><text x="{x + 17}" y="{y}">{label}</text>')
        x += 36 + 7 * len(label)
    title = (f'<text x="{LEFT}" y="24" font-size="17" font-weight="700">What the warps of one SM did</text><text x="{LEFT}" y="46">'
             f"{KERNEL} on a GTX 280, SM 0: one row for each warp, SP cycles to the right; eight warps are one block</text>")
    return (f'<!DOCTYPE html><meta charset=utf-8><body style="margin:0;background:#fff"><svg xmlns="http://www.w3.org/2000/svg" '
            f'width="{WIDTH}" height="{y + 14}" font-family="DejaVu Sans, sans-serif" font-size="11" fill="#1b1f24">{title}{"".join(rows)}</svg>')


def picture(browser, page, width, height_of):
    browser.open(page, width, 900)
    browser.ask("Emulation.setScrollbarsHidden", hidden=True)
    height = browser.run(height_of)
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    return base64.b64decode(browser.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)["data"])


def make(program, output):
    """Writes the pictures into folder `output`."""
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([program, "new", folder / "lab", KERNEL, "-q"], check=True)
        lab = folder / "lab"
        run(program, lab, "-o", REPORT)
        run(program, lab, "-o", "moment", "--window", f"cycle:{FIRST},+{CYCLES}", "--sms", "0", "--perfetto", "--no-report")
        (lab / "timeline.html").write_text(drawing(*recorded(lab)))
        browser = Chromium()
        try:
            ready = READY.replace("done(1)", f"done({CLIP})")
            (output / "report.png").write_bytes(picture(browser, lab / REPORT / "report.html", 1100, ready))
            bottom = "document.querySelector('svg').height.baseVal.value"
            (output / "timeline.png").write_bytes(picture(browser, lab / "timeline.html", WIDTH, bottom))
        finally:
            browser.close()


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    make(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else ROOT / "docs/images")
