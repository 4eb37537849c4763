# SPDX-License-Identifier: Apache-2.0
"""Pages of sweeps and explorations in a real browser: curves by axis, the statistic that is chosen, fronts, what area bought."""
import csv
import unittest

from reports import ROOT, ReportsInBrowser
from dse import DESIGN  # of tests/app, where reports.py looks too

SWEEP = """\
schema = "teslasim.sweep/1"
name = "banks"
machine = "gtx280"
inputs = ["{root}/traces/reduce1/reduce1.asm", "{root}/traces/reduce2/reduce2.asm"]
keep = ["stats.json"]
[axes]
"sm.shared.banks" = [8, 16, 32]
"sm.latency_cycles.shared" = [16, 0, -1]
"""
MACHINES = """\
schema = "teslasim.dse/1"
name = "machines"
machine = "gtx280"
inputs = ["{root}/traces/saxpy/saxpy.asm"]
[axes]
"gpu.tpcs" = [2, 4, 6]
"sm.registers" = [4096, 8000]
"sm.register_alloc_unit" = [64, 512]
[area]
budget = 200.0
tolerance = 0.99
per_sm = 4.0
per_register = 0.0003
per_shared_byte = 0.00004
[screen]
model = "zhang-owens"
keep = 4
"""
# Heights of the points of the curves, before and after another statistic was chosen; and what can be chosen.
CHOOSE = """new Promise(done => { const figure = document.querySelector('figure[data-chart=sweep]');
const field = figure.querySelector('select');
const places = () => [...figure.querySelectorAll('.plot svg .mark-symbol.role-mark path')].map(p => p.getAttribute('transform'));
const before = places(); field.value = field.options[%d].value;
for (const event of ['input', 'change']) field.dispatchEvent(new Event(event));
setTimeout(() => done({before, after: places(), words: [...field.options].map(o => o.textContent)}), 300); })"""
TITLES = "[...document.querySelectorAll('figure .plot svg .role-axis-title text')].map(t => t.textContent)"


class Plans(ReportsInBrowser):
    def run_plan(self, command, name, text, status=0):
        (self.here / f"{name}.toml").write_text(text.replace("{root}", str(ROOT)))
        done = self.teslasim(command, f"{name}.toml", status=status)
        folder = self.here / f"runs/{command}-{name}"
        self.assertIn(f"results: runs/{command}-{name}/table.csv", done.stdout)
        self.assertTrue(done.stdout.endswith(f"   plot: runs/{command}-{name}/report.html\n"), done.stdout)
        with open(folder / "table.csv", newline="") as table:
            return folder / "report.html", list(csv.DictReader(table))

    def test_a_sweep(self):
        file, rows = self.run_plan("sweep", "banks", SWEEP, status=1)
        ok = [row for row in rows if row["status"] == "ok"]
        self.assertEqual((len(rows), len(ok)), (18, 12))
        self.assertEqual(self.open(file)["charts"], ["sweep"])
        seen = self.browser.run(CHOOSE % 3)
        self.assertEqual(len(seen["before"]), 12)
        self.assertNotEqual(seen["before"], seen["after"])
        self.assertEqual(seen["words"], [name for name in rows[0] if name in seen["words"]])
        self.assertEqual(seen["words"][0], "time_ms")
        self.assertIn("sm.shared.banks", self.browser.run(TITLES))
        text = self.browser.run("document.body.innerText")
        self.assertIn("6 failed", text)
        self.assertIn("CFG-RANGE", self.browser.run("document.getElementById('s3').innerText"))
        fastest = min((row for row in ok if row["input"] == "reduce1.asm"), key=lambda row: float(row["time_ms"]))
        self.assertIn(fastest["time_ms"], self.browser.run("document.getElementById('s2').innerText"))
        self.pictures("sweep", file)

    def test_points_of_a_list(self):
        axes = SWEEP[SWEEP.index("[axes]"):]
        points = 'mode = "list"\npoints = ["sm.shared.banks=8 sm.latency_cycles.shared=16", "sm.shared.banks=17"]\n'
        file, rows = self.run_plan("sweep", "banks", SWEEP.replace(axes, points))
        self.open(file)
        self.assertEqual(len(self.browser.run(CHOOSE % 0)["before"]), len(rows))
        self.assertIn("sm.shared.banks=8 sm.latency_cycles.shared=16", self.browser.run("document.body.textContent"))

    def test_an_exploration(self):
        file, rows = self.run_plan("dse", "machines", MACHINES)
        self.assertEqual(self.open(file)["charts"], ["front", "areas"])
        points = self.browser.run("document.querySelectorAll('figure[data-chart=front] .mark-symbol.role-mark path').length")
        self.assertEqual(points, sum(bool(row[name]) for row in rows for name in ("predicted_ms", "simulated_ms")))
        bars = self.browser.run("document.querySelectorAll('figure[data-chart=areas] .mark-rect.role-mark path').length")
        self.assertEqual(bars, 3 * sum(bool(row["area_mm2"]) for row in rows))
        self.assertIn("not a multiple", self.browser.run("document.getElementById('s3').innerText"))
        self.pictures("exploration", file)

    def test_designs_of_a_model(self):
        file, rows = self.run_plan("dse", "ye", DESIGN)
        self.assertEqual(self.open(file)["charts"], ["designs"])
        points = self.browser.run("document.querySelectorAll('figure[data-chart=designs] .mark-symbol.role-mark path').length")
        self.assertEqual(points, 2 * len(rows))
        self.pictures("designs", file, paper_bytes=20_000)


if __name__ == "__main__":
    unittest.main()
