# SPDX-License-Identifier: Apache-2.0
"""Reports in a real browser: nothing is loaded, nothing goes wrong, every chart is drawn, the listing works."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("TESLASIM", "build/release/teslasim")).resolve()
BROWSER = shutil.which("chromium")
SHOTS = os.environ.get("TESLASIM_SCREENSHOTS")
KERNELS = [("reduce2", "gtx280"), ("vecadd", "8800gtx"), ("transpose_naive", "gtx280"), ("matmul_tiled", "gtx280"),
           ("sfu_mix", "gtx280"), ("saxpy", "tiny")]

# In front of everything: whatever the page tries to load is forbidden and noted, and so is every complaint.
WATCH = """<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'
'unsafe-eval'; style-src 'unsafe-inline'; img-src data:"><script>
window.complaints = [];
addEventListener("securitypolicyviolation", e => complaints.push("load " + e.blockedURI));
addEventListener("error", e => complaints.push("error " + e.message));
addEventListener("unhandledrejection", e => complaints.push("promise " + e.reason));
for (const kind of ["error", "warn"]) console[kind] = (...words) => complaints.push(kind + " " + words.join(" "));
</script>"""
# Behind everything: a user who sorts and filters, and a note of what happened.
USE = """<script>(async () => {
const result = {}, wait = () => new Promise(r => setTimeout(r, 50));
for (let i = 0; i < 200 && !document.documentElement.dataset.ready; ++i) await wait();
const table = document.querySelector("table.listing"), names = [...table.tHead.rows[0].cells].map(c => c.textContent);
const column = name => [...table.tBodies[0].rows].map(r => r.cells[names.indexOf(name)].textContent);
const press = name => table.tHead.rows[0].cells[names.indexOf(name)].click();
result.unsorted = column("pc");
press("slots"); result.most = column("slots").map(Number);
press("slots"); result.least = column("slots").map(Number);
const search = document.getElementById("search"), reason = document.getElementById("reason");
search.value = "mov"; search.oninput(); result.found = column("instruction");
search.value = ""; reason.value = [...reason.options].map(o => o.value).filter(Boolean)[0]; reason.oninput();
result.reason = reason.value; result.reasons = column("top reason");
reason.value = ""; reason.oninput(); result.all = column("pc").length;
result.charts = [...document.querySelectorAll("figure.chart")].map(f => f.dataset.chart);
result.drawn = [...document.querySelectorAll("figure.chart[data-drawn]")].map(f => f.dataset.chart);
result.marks = [...document.querySelectorAll("figure.chart")].map(f => f.querySelectorAll(".plot svg path, .plot svg rect").length);
result.complaints = complaints; result.loaded = performance.getEntriesByType("resource").map(e => e.name);
const note = document.createElement("pre"); note.id = "result"; note.textContent = JSON.stringify(result); document.body.append(note);
})();</script>"""


@unittest.skipUnless(BROWSER, "chromium (package group full) is not installed")
class Reports(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.here = pathlib.Path(folder.name)

    def run_kernel(self, name, machine, *options):
        out = self.here / name
        subprocess.run([PROGRAM, "run", ROOT / f"traces/{name}/{name}.launch.toml", "-c", machine, "-o", out, "-q", *options],
                       check=True, capture_output=True)
        return (out / "report.html").read_text()

    def browse(self, *arguments):
        return subprocess.run([BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1200,6000",
                               f"--user-data-dir={self.here}/profile", "--virtual-time-budget=30000", *arguments],
                              check=True, capture_output=True, timeout=120, text=True).stdout

    def use(self, name, page):
        self.assertNotIn("vegaEmbed is not", page)
        if "without Vega" in page:
            self.skipTest("the program was built without the chart libraries")
        file = self.here / f"{name}-watched.html"
        head, _, tail = page.replace("<head>", "<head>" + WATCH, 1).rpartition("</body>")  # Vega has such words too
        file.write_text(head + USE + "</body>" + tail)
        note = re.search(r'<pre id="result">(.*?)</pre>', self.browse("--dump-dom", f"file://{file}"), re.S)
        self.assertTrue(note, "the page did not come to its end")
        if SHOTS:
            pathlib.Path(SHOTS).mkdir(parents=True, exist_ok=True)
            self.browse(f"--screenshot={pathlib.Path(SHOTS).resolve()}/{name}.png", f"file://{file}")
        text = note[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
        return json.loads(text)

    def check(self, name, page):
        seen = self.use(name, page)
        self.assertEqual(seen["complaints"], [])
        self.assertEqual(seen["loaded"], [])
        self.assertEqual(seen["drawn"], seen["charts"])
        self.assertGreaterEqual(len(seen["charts"]), 12)
        self.assertTrue(all(marks > 2 for marks in seen["marks"]), seen["marks"])
        self.assertEqual(seen["most"], sorted(seen["most"], reverse=True))
        self.assertEqual(seen["least"], sorted(seen["least"]))
        self.assertTrue(seen["found"] and all("mov" in text for text in seen["found"]))
        self.assertLess(len(seen["found"]), seen["all"])
        self.assertTrue(seen["reasons"] and set(seen["reasons"]) == {seen["reason"]})
        self.assertEqual(seen["all"], len(seen["unsorted"]))
        return seen

    def test_six_kernels(self):
        for name, machine in KERNELS:
            with self.subTest(kernel=name):
                page = self.run_kernel(name, machine)
                self.assertLess(len(page.encode()), 1_500_000)
                self.check(name, page)

    def test_a_run_that_was_stopped(self):
        page = self.run_kernel("reduce2", "gtx280", "--max-cycles", "9000")
        self.assertIn("class=banner", page)
        seen = self.use("stopped", page)
        self.assertEqual((seen["complaints"], seen["drawn"]), ([], seen["charts"]))


if __name__ == "__main__":
    unittest.main()
