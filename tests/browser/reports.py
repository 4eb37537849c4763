# SPDX-License-Identifier: Apache-2.0
"""Reports in a real browser: nothing is loaded, nothing goes wrong, every chart is drawn, the listing works."""
import csv
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import large_run
from chromium import BROWSER, Chromium

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/app"))
from cli import STUCK_ASM  # noqa: E402: the kernels of tests/app

PROGRAM = pathlib.Path(os.environ.get("TESLASIM", "build/release/teslasim")).resolve()
SHOTS = os.environ.get("TESLASIM_SCREENSHOTS")
KERNELS = [("reduce2", "gtx280"), ("vecadd", "8800gtx"), ("transpose_naive", "gtx280"), ("matmul_tiled", "gtx280"),
           ("sfu_mix", "gtx280"), ("saxpy", "tiny")]

# A user who sorts and filters, and what was seen.
USE = """(() => {
const result = {};
const table = document.querySelector("table.listing"), names = [...table.tHead.rows[0].cells].map(c => c.textContent);
const column = name => [...table.tBodies[0].rows].map(r => r.cells[names.indexOf(name)].textContent);
const press = name => table.tHead.rows[0].cells[names.indexOf(name)].click();
result.unsorted = column("pc");
press("slots"); result.most = column("slots").map(Number);
press("slots"); result.least = column("slots").map(Number);
press("pc"); result.back = column("pc");
const search = document.getElementById("search"), reason = document.getElementById("reason");
search.value = "mov"; search.oninput(); result.found = column("instruction");
search.value = ""; reason.value = [...reason.options].map(o => o.value).filter(Boolean)[0]; reason.oninput();
result.reason = reason.value; result.reasons = column("top reason");
reason.value = ""; reason.oninput(); result.all = column("pc").length;
result.shown = document.getElementById("shown").textContent;
return result;
})()"""
CHARTS = """(() => { const all = [...document.querySelectorAll("figure.chart")]; return {
charts: all.map(f => f.dataset.chart), drawn: all.filter(f => f.dataset.drawn).map(f => f.dataset.chart),
marks: all.map(f => f.querySelectorAll(".plot svg path, .plot svg rect").length)}; })()"""
READY = """new Promise(done => { const look = () => document.documentElement.dataset.ready
? done(+document.documentElement.dataset.ready) : setTimeout(look, 20); look(); })"""
LOADED = "performance.getEntriesByType('navigation')[0].loadEventEnd"
# What sticks out to the right of the window without a frame that scrolls.
TOO_WIDE = """document.documentElement.scrollWidth - document.documentElement.clientWidth"""


# Rows of the listing: their addresses, and what is drawn beside them.
ARROWS = """[...document.querySelectorAll("table.listing tbody tr")].map(row => {
const names = [...document.querySelector("table.listing").tHead.rows[0].cells].map(c => c.textContent);
const lines = [...row.querySelectorAll("td.flow line")].map(line => line.getBoundingClientRect());
return {pc: row.cells[names.indexOf("pc")].textContent, lines: lines.length, heads: row.querySelectorAll("td.flow path").length,
tallest: Math.max(0, ...lines.map(line => line.height)), widest: Math.max(0, ...lines.map(line => line.width)),
height: row.getBoundingClientRect().height}; })"""
# Bars of the chart of blocks after the SM with this number was chosen.
BLOCKS = """new Promise(done => { const figure = document.querySelector('figure[data-chart=blocks]');
const field = figure.querySelector('select'); field.value = field.options[%d].value;
for (const event of ['input', 'change']) field.dispatchEvent(new Event(event));
setTimeout(() => done(figure.querySelectorAll('.plot svg .mark-rect path').length), 300); })"""
ROOFS = """new Promise(done => { const figure = document.querySelector('figure[data-chart=roofline]');
const count = () => figure.querySelectorAll('.plot svg .mark-line path').length, before = count();
figure.querySelectorAll('input[type=checkbox]').forEach(field => field.click());
setTimeout(() => done([before, count()]), 300); })"""


@unittest.skipUnless(BROWSER, "chromium (package group full) is not installed")
class ReportsInBrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Chromium()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.here = pathlib.Path(folder.name)

    def teslasim(self, *arguments, status=0):
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, cwd=self.here, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def run_kernel(self, name, machine, *options, out=None):
        out = self.here / (out or name)
        self.teslasim("run", ROOT / f"traces/{name}/{name}.launch.toml", "-c", machine, "-o", out, "-q", *options)
        return out / "report.html"

    def keep(self, name, data):
        if SHOTS:
            pathlib.Path(SHOTS).mkdir(parents=True, exist_ok=True)
            (pathlib.Path(SHOTS) / name).write_bytes(data)

    def open(self, file, **how):
        """The page with all charts drawn and nothing to complain about."""
        if "without Vega" in file.read_text():
            self.skipTest("the program was built without the chart libraries")
        self.browser.open(file, **how)
        self.browser.run(READY)
        self.assertEqual(self.browser.complaints, [])
        outside = [url for url in self.browser.requests if not url.startswith(("data:", "blob:"))]
        self.assertEqual(outside, [f"file://{file}"])
        seen = self.browser.run(CHARTS)
        self.assertEqual(seen["drawn"], seen["charts"])
        self.assertTrue(all(marks > 2 for marks in seen["marks"]), seen)
        return seen

    def pictures(self, name, file, paper_bytes=50_000):
        """Narrow, where what does not fit must scroll in a frame of its own, and on paper; kept with light and dark."""
        for kind, how in (("light", {}), ("dark", {"dark": True}), ("narrow", {"width": 420})):
            if not SHOTS and kind != "narrow":
                continue
            self.open(file, **how)
            self.assertLessEqual(self.browser.run(TOO_WIDE), 0, (name, kind))
            if SHOTS:
                self.keep(f"{name}-{kind}.png", self.browser.picture())
        paper = self.browser.paper()
        self.assertTrue(paper.startswith(b"%PDF") and len(paper) > paper_bytes)
        self.keep(f"{name}.pdf", paper)


class Reports(ReportsInBrowser):
    def check(self, file):
        seen = self.open(file)
        self.assertGreaterEqual(len(seen["charts"]), 12)
        seen = self.browser.run(USE)
        self.assertEqual(seen["most"], sorted(seen["most"], reverse=True))
        self.assertEqual(seen["least"], sorted(seen["least"]))
        self.assertEqual(seen["back"], seen["unsorted"])
        self.assertTrue(seen["found"] and all("mov" in text for text in seen["found"]))
        self.assertTrue(seen["reasons"] and set(seen["reasons"]) == {seen["reason"]})
        self.assertEqual(seen["all"], len(seen["unsorted"]))
        self.assertEqual(self.browser.complaints, [])
        return seen

    def test_six_kernels(self):
        for name, machine in KERNELS:
            with self.subTest(kernel=name):
                file = self.run_kernel(name, machine)
                self.assertLess(file.stat().st_size, 1_500_000)
                seen = self.check(file)
                self.assertLess(len(seen["found"]), seen["all"])
                if SHOTS or name == "reduce2":
                    self.pictures(name, file)

    def large_page(self):
        """10 000 instructions; one SM, so that the intervals of the GPU may fill all 2 048 rows, which 48 blocks nearly do."""
        (self.here / "large.asm").write_text(large_run.assembly(10_000))
        (self.here / "large.launch.toml").write_text(large_run.launch(48))
        self.teslasim("run", "large.asm", "-c", "gtx280", "-s", "gpu.tpcs=1", "-s", "gpu.sms_per_tpc=1", "-o", "large", "-q")
        with open(self.here / "large/pc.csv", newline="") as pcs, open(self.here / "large/intervals.csv") as intervals:
            self.assertEqual(len(list(csv.DictReader(pcs))), 10_000)
            rows = len(intervals.readlines()) - 1
        self.assertGreater(rows, 1_900)
        self.assertLessEqual(rows, 2_048)
        return self.here / "large/report.html"

    def test_ten_thousand_instructions_and_two_thousand_intervals(self):
        file = self.large_page()
        self.assertLess(file.stat().st_size, 1_500_000)
        self.open(file)
        loaded, ready = self.browser.run(LOADED), self.browser.run(READY)
        elements = self.browser.run("document.querySelectorAll('*').length")
        self.assertLess(elements, 15_000)
        for name, value in (("load_event_ms", loaded), ("all_charts_ms", ready), ("elements", elements),
                            ("page_bytes", file.stat().st_size), ("cpu_ms", 1000 * self.browser.metric("ThreadTime"))):
            print(f'<CTestMeasurement type="numeric/double" name="{name}">{value:.0f}</CTestMeasurement>')
        seen = self.check(file)
        self.assertIn("of 10000 instructions shown", seen["shown"])
        self.assertEqual(self.browser.run("document.getElementById('instructions').textContent.trim().split('\\n').length"),
                         10_001)

    def test_without_scripts_everything_can_be_read(self):
        file = self.run_kernel("reduce2", "gtx280")
        self.browser.ask("Emulation.setScriptExecutionDisabled", value=True)
        self.addCleanup(self.browser.ask, "Emulation.setScriptExecutionDisabled", value=False)
        self.browser.open(file)
        text = self.browser.run("document.body.textContent")
        with open(self.here / "reduce2/pc.csv", newline="") as pcs:
            for row in csv.DictReader(pcs):
                self.assertIn(row["text"], text)
        self.assertEqual(self.browser.run("document.querySelectorAll('svg.marks').length"), 0)
        self.assertTrue(self.browser.run("document.querySelector('figure.chart table').closest('details').open"))
        if SHOTS:
            self.keep("reduce2-without-scripts.png", self.browser.picture())

    def test_printing_at_once_draws_every_chart(self):
        file = self.run_kernel("reduce2", "gtx280")
        self.browser.open(file, height=300)
        while not self.browser.run("typeof vegaEmbed !== 'undefined'"):
            time.sleep(0.01)
        self.browser.paper()
        self.browser.run("new Promise(done => setTimeout(done))")
        seen = self.browser.run(CHARTS)
        self.assertEqual(seen["drawn"], seen["charts"])

    def banner(self, file, *words):
        """An unfinished run says so above everything else, and its page works."""
        self.open(file)
        said = self.browser.run("document.querySelector('h1').nextElementSibling.matches('.banner') || "
                                "[...document.body.children].findIndex(e => e.matches('.banner')) < "
                                "[...document.body.children].findIndex(e => e.matches('section'))")
        self.assertTrue(said)
        text = self.browser.run("document.querySelector('.banner').innerText")
        for word in words:
            self.assertIn(word, text)
        self.assertEqual(self.browser.run(USE)["all"], len(self.browser.run(USE)["unsorted"]))
        self.assertEqual(self.browser.complaints, [])

    def test_a_run_that_was_stopped_at_a_limit(self):
        self.banner(self.run_kernel("reduce2", "gtx280", "--max-cycles", "9000"), "limit", "blocks")

    def test_a_run_that_was_interrupted(self):
        (self.here / "large.asm").write_text(large_run.assembly(2_000))
        (self.here / "large.launch.toml").write_text(large_run.launch(20_000))
        process = subprocess.Popen([PROGRAM, "run", "large.asm", "-c", "gtx280", "-o", "cut", "-q"], cwd=self.here,
                                   stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 30
        while not (self.here / "cut/status.json").exists() and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), 130)
        self.banner(self.here / "cut/report.html", "interrupted", "of 20000 blocks")
        self.pictures("interrupted", self.here / "cut/report.html")

    def test_a_run_that_is_stuck(self):
        (self.here / "stuck.asm").write_text(STUCK_ASM)
        self.teslasim("run", "stuck.asm", "-c", "8800gtx", "--grid", "60", "--block", "128", "-o", "stuck", "-q", status=6)
        self.banner(self.here / "stuck/report.html", "stuck", "0 of 60 blocks")

    def test_a_run_with_an_error_of_its_kernel(self):
        (self.here / "wrong.asm").write_text("""\
.entry wrong
{
    mov.b32 $r1, 0x00000100
    mov.b32 g[$r1], $r1
    return
}
""")
        self.teslasim("run", "wrong.asm", "-c", "gtx280", "--grid", "60", "--block", "128", "-o", "wrong", "-q", status=5)
        self.banner(self.here / "wrong/report.html", "error of its kernel", "of 60 blocks")

    def test_a_run_of_some_blocks(self):
        file = self.run_kernel("reduce2", "gtx280", "--blocks", "0-39", out="sampled")
        self.banner(file, "Sampled")
        self.pictures("sampled", file)

    def test_arrows_of_jumps(self):
        """From each jump to its target, past every row between; none when the rows are in another order."""
        file = self.run_kernel("reduce2", "gtx280")
        self.open(file)
        rows = self.browser.run(ARROWS)
        place = {row["pc"]: i for i, row in enumerate(rows)}
        with open(self.here / "reduce2/pc.csv", newline="") as pcs:
            jumps = [(place[row["pc"]], place[row["target"]]) for row in csv.DictReader(pcs)
                     if row["target"] and not row["text"].startswith("join")]
        self.assertTrue(any(to <= jump for jump, to in jumps))  # a loop
        for jump, to in jumps:
            self.assertGreater(rows[jump]["widest"], 4)
            self.assertGreaterEqual(rows[to]["heads"], 1)
            for between in rows[min(jump, to) + 1:max(jump, to)]:
                self.assertGreater(between["tallest"], 0.9 * between["height"])
        self.assertEqual(sum(row["heads"] for row in rows), len(jumps))
        self.browser.run("document.querySelector('table.listing').tHead.rows[0].cells[7].click()")
        self.assertEqual(sum(row["lines"] for row in self.browser.run(ARROWS)), 0)

    def test_blocks_of_a_chosen_sm_and_roofs_on_demand(self):
        file = self.run_kernel("reduce2", "gtx280")
        self.open(file)
        with open(self.here / "reduce2/ctas.csv", newline="") as blocks:
            of_sm = [row["sm"] for row in csv.DictReader(blocks)]
        for sm in 0, 7:
            self.assertEqual(self.browser.run(BLOCKS % sm), of_sm.count(str(sm)))
        before, after = self.browser.run(ROOFS)
        self.assertEqual((before, after), (3, 5))
        self.assertEqual(self.browser.complaints, [])

    def test_a_replay_of_some_sms(self):
        launch = ROOT / "traces/reduce2/reduce2.launch.toml"
        self.teslasim("trace", "record", launch, "-c", "gtx280", "--mode", "timing", "-o", "all.wtrace", "-q")
        self.teslasim("run", "all.wtrace", "-c", "gtx280", "--sms", "0-1", "-o", "some", "-q")
        self.banner(self.here / "some/report.html", "Sampled")
        with open(self.here / "some/ctas.csv", newline="") as blocks:
            rows = list(csv.DictReader(blocks))
        self.assertTrue(rows)
        self.assertIn("blocks", self.browser.run(CHARTS)["drawn"])

    def test_two_runs_beside_each_other(self):
        self.run_kernel("reduce2", "gtx280", out="slow")
        self.run_kernel("reduce2", "gtx285", out="fast")
        self.teslasim("compare", "slow", "fast", "--html", "both.html")
        seen = self.open(self.here / "both.html")
        self.assertIn("waterfall", seen["charts"])
        colors = self.browser.run("[...document.querySelectorAll('figure[data-chart=waterfall] .mark-rect.role-mark path')].map(p => p.getAttribute('fill'))")
        self.assertEqual(colors.count("#607d8b"), 2, "the two runs")
        self.assertLessEqual(set(colors), {"#607d8b", "#f67816", "#004df6"})
        self.assertGreater(len(set(colors)), 1)
        self.pictures("compare", self.here / "both.html")


if __name__ == "__main__":
    unittest.main()
