# SPDX-License-Identifier: Apache-2.0
"""The live view of a run in a real browser: what it shows grows, its buttons work, other pages cannot use it."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time
import unittest

import large_run
from chromium import BROWSER, Chromium

PROGRAM = pathlib.Path(os.environ.get("TESLASIM", "build/release/teslasim")).resolve()
SHOTS = os.environ.get("TESLASIM_SCREENSHOTS")
SEEN = """({polls: Number(document.body.dataset.polls ?? 0), title: document.title,
heading: document.getElementById('title').textContent, facts: document.getElementById('facts').innerText,
done: document.getElementById('done').getBoundingClientRect().width,
parts: [...document.querySelectorAll('#stack div')].map(part => part.title),
reasons: [...document.querySelectorAll('#reasons tr')].map(row => row.cells[0].textContent),
areas: document.querySelectorAll('#slots-over-time polygon').length,
lines: [...document.querySelectorAll('#traffic-over-time polyline')].map(line => line.getAttribute('points').split(' ').length),
traffic: document.getElementById('traffic').innerText, timed: !document.getElementById('timed').hidden,
products: document.getElementById('products').innerText, timeline: document.getElementById('timeline').textContent,
said: document.getElementById('said').textContent, banner: document.getElementById('banner').innerText,
wide: document.documentElement.scrollWidth > document.documentElement.clientWidth})"""
# What a page of somebody else can try, with the token even.
ATTACK = """Promise.all([fetch('%(url)s/api/stop?token=%(token)s', {method: 'POST', mode: 'no-cors'}).catch(() => 0),
fetch('%(url)s/api/state?token=%(token)s').then(() => 'read', () => 'refused'),
fetch('%(url)s/api/state', {headers: {'X-Teslasim-Token': '%(token)s'}}).then(() => 'read', () => 'refused')])
.then(results => results.slice(1))"""


@unittest.skipIf(BROWSER is None, "no chromium (package chromium)")
class LiveView(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.here = pathlib.Path(scratch.name)
        (self.here / "large.asm").write_text(large_run.assembly(2_000))
        (self.here / "large.launch.toml").write_text(large_run.launch(20_000))
        self.process = subprocess.Popen([PROGRAM, "run", "large.asm", "-c", "gtx280", "-o", "out", "--serve"], cwd=self.here,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.process.stderr.close)
        self.addCleanup(self.process.wait)
        self.addCleanup(self.process.kill)
        line = self.process.stderr.readline()
        self.address = re.search(r"http://\S+", line)[0]
        self.url, self.token = re.fullmatch(r"(.*)/\?token=(.*)", self.address).groups()
        self.browser = Chromium()
        self.addCleanup(self.browser.close)

    def wait_for(self, what, condition):
        until = time.monotonic() + 60
        while time.monotonic() < until:
            seen = self.browser.run(SEEN)
            if condition(seen):
                return seen
            time.sleep(0.1)
        self.fail(f"{what}: {json.dumps(seen, indent=1)}")

    def press(self, button):
        self.browser.run(f"document.getElementById('{button}').click()")

    def picture(self, name, **options):
        if SHOTS:
            self.browser.open(self.address, **options)
            self.wait_for("a picture", lambda seen: seen["parts"] and seen["areas"])
            (pathlib.Path(SHOTS) / f"{name}.png").write_bytes(self.browser.picture())

    def test_what_it_shows_and_does(self):
        self.browser.open(self.address)
        first = self.wait_for("slots", lambda seen: seen["parts"] and max(seen["lines"], default=0) > 1)
        self.assertIn("large on GeForce GTX 280", first["heading"])
        self.assertIn("of 20,000", first["facts"])
        self.assertIn("GB/s", first["traffic"])
        self.assertEqual(sorted(part.split()[0] for part in first["parts"]), sorted(first["reasons"]))
        later = self.wait_for("growth", lambda seen: seen["polls"] > first["polls"] + 1 and seen["lines"][0] > first["lines"][0])
        self.assertNotEqual(later["facts"], first["facts"])
        self.assertGreaterEqual(later["areas"], len(later["reasons"]))
        self.press("timeline")
        self.wait_for("a recording", lambda seen: seen["timeline"] == "Save the timeline" and "SM 0 is being recorded" in seen["said"])
        self.press("snapshot")
        self.wait_for("a snapshot", lambda seen: "snapshot 1" in seen["products"] and "report.html" in seen["products"])
        self.press("timeline")
        self.wait_for("a timeline", lambda seen: "ui.perfetto.dev" in seen["products"])
        self.assertEqual({request.split("/")[2] for request in self.browser.requests if request.startswith("http")},
                         {self.url.split("/")[2]})
        self.assertEqual(self.browser.complaints, [])
        self.picture("live")
        self.picture("live-dark", dark=True)
        self.browser.open(self.address, width=420)
        self.assertFalse(self.wait_for("a narrow page", lambda seen: seen["parts"])["wide"])
        self.press("stop")
        self.wait_for("the end", lambda seen: "ended" in seen["banner"])
        self.assertEqual(self.process.wait(60), 130)
        self.assertEqual(json.loads((self.here / "out/run.json").read_text())["status"], "interrupted")
        self.assertTrue((self.here / "out/live/snapshot-1/report.html").exists())
        self.assertTrue((self.here / "out/live/timeline-1.pftrace.gz").exists())

    def test_pages_of_others_cannot_use_it(self):
        (self.here / "other.html").write_text("<!doctype html><title>another page</title>")
        self.browser.open(self.here / "other.html")
        self.assertEqual(self.browser.run(ATTACK % {"url": self.url, "token": self.token}), ["refused", "refused"])
        self.browser.open(self.address)
        self.assertNotIn("stopped", self.wait_for("the page itself", lambda seen: seen["polls"] > 0)["banner"])
        self.assertIsNone(self.process.poll())

    def test_without_its_token_the_page_says_what_to_do(self):
        self.browser.open(self.url + "/?token=" + 32 * "0")
        self.assertIn("use the address that the run printed", self.browser.run("document.body.innerText"))


if __name__ == "__main__":
    unittest.main()
