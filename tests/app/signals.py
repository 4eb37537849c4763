# SPDX-License-Identifier: Apache-2.0
"""Signals to a run that goes on: SIGUSR1 appends what stands where to snapshots.txt, SIGUSR2 begins a timeline and ends it."""
import gzip
import json
import re
import signal
import subprocess
import time
import unittest

from cli import PROGRAM, Cli
from live import PARAM, WORK_ASM
from timelines import Trace

WARP = re.compile(r" +(?P<block>\d+) +(?P<warp>\d+)  (?P<pc>0x[0-9a-f]{4}|-) +(?P<lanes>[0-9a-f]{8}|-) +(?P<state>[a-z._-]+) +(?P<since>\d+)(?:  (?P<text>.+))?")


class Signals(Cli):
    def setUp(self):
        super().setUp()
        self.kernel("long", WORK_ASM % ("long", "0x00100000"), param=PARAM, grid=2)
        self.kernel("short", WORK_ASM % ("short", "0x00002000"), param=PARAM, grid=2)

    def start(self, *arguments, kernel="long"):
        self.process = subprocess.Popen([PROGRAM, "run", f"{kernel}.asm", "-c", "tiny", "-o", "out", *arguments], cwd=self.here,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for cleanup in self.process.stdout.close, self.process.stderr.close, self.process.wait, self.process.kill:
            self.addCleanup(cleanup)
        self.wait_for("status.json", lambda: (self.here / "out/status.json").exists())

    def wait_for(self, what, condition):
        until = time.monotonic() + 60
        while time.monotonic() < until:
            found = condition()
            if found:
                return found
            time.sleep(0.02)
        self.fail(f"there is no {what}")

    def ends(self, status, by=signal.SIGINT):
        if by is not None:
            self.process.send_signal(by)
        out, err = self.process.communicate(timeout=120)
        self.assertEqual(self.process.returncode, status, err)
        return out, err

    def snapshots(self):
        file = self.here / "out/snapshots.txt"
        return re.split(r"(?m)^== snapshot \d+: ", file.read_text())[1:] if file.exists() else []

    def another_snapshot(self):
        count = len(self.snapshots())
        self.process.send_signal(signal.SIGUSR1)
        return self.wait_for("snapshot", lambda: self.snapshots()[count:])[0]

    def test_a_snapshot_shows_every_warp_of_every_busy_sm(self):
        self.start()
        first, second = self.another_snapshot(), self.another_snapshot()
        listing = dict(re.findall(r"^([0-9a-f]{6}):? +(?:[0-9a-f]{8} )*(.+)$", self.teslasim("asm", "long.asm").stdout, re.M))
        cycles = []
        for text in first, second:
            self.assertIn("long  0/2 blocks", text)
            cycles.append(int(re.search(r"launch 0, cycle (\d+)\n", text)[1]))
            self.assertRegex(text, r"SM 0: 2 blocks, 8 warps; last issue in cycle \d+\n")
            warps = [match for match in map(WARP.fullmatch, text.splitlines()) if match]
            self.assertEqual([(int(warp["block"]), int(warp["warp"])) for warp in warps], [(b, w) for b in range(2) for w in range(4)])
            for warp in warps:
                self.assertEqual(warp["lanes"], "ffffffff")
                self.assertIn(warp["text"].split()[0], listing[warp["pc"][2:].rjust(6, "0")])
                self.assertLessEqual(int(warp["since"]), cycles[-1] + 100)
                self.assertEqual(self.teslasim("explain", warp["state"]).returncode, 0, warp["state"])
            self.assertRegex(text, r"(?m)^gpu\.block_scheduler: block scheduler: 0 of 2 blocks finished, \d running$")
        self.assertLess(*cycles)
        self.ends(130)
        self.assertEqual(self.load("out/run.json")["status"], "interrupted")

    def load(self, path):
        return json.loads((self.here / path).read_text())

    def test_the_digest_is_that_of_a_run_alone(self):
        self.expect(0, "run", "short.asm", "-c", "tiny", "-o", "alone")
        self.start(kernel="short")
        while self.process.poll() is None:
            for one in signal.SIGUSR1, signal.SIGUSR2:
                self.process.send_signal(one)
                time.sleep(0.05)
        self.ends(0, by=None)
        self.assertEqual(self.load("out/stats.json")["digest"], self.load("alone/stats.json")["digest"])

    def test_a_timeline_between_two_signals(self):
        self.start()
        saved = self.here / "out/live/timeline-1.pftrace.gz"
        self.process.send_signal(signal.SIGUSR2)
        time.sleep(0.2)
        self.process.send_signal(signal.SIGUSR2)
        self.wait_for("timeline", saved.exists)
        err = self.ends(130)[1]
        self.assertIn("wrote out/live/timeline-1.pftrace.gz\n", err)
        trace = Trace(gzip.decompress(saved.read_bytes()))
        issued = [one for path, slices in trace.slices.items() if "/warps/" in path for one in slices if "mov.u32" in one[2]]
        self.assertGreater(len(issued), 10)
        self.assertGreater(min(begin for begin, *_ in issued), 0)
        noted = {note["file"]: note for note in self.load("out/run.json")["timelines"]}
        self.assertGreater(noted["live/timeline-1.pftrace.gz"]["events"], 100)

    def test_what_cannot_be_is_said_and_ends_nothing(self):
        self.start("--perfetto", "--window", "cycle:100-200")
        (self.here / "out/snapshots.txt").write_text("in the way")
        self.process.send_signal(signal.SIGUSR1)
        self.process.send_signal(signal.SIGUSR2)
        notes = sorted(self.process.stderr.readline() for _ in range(2))
        self.assertRegex(notes[0], "note: no snapshot on SIGUSR1: .*snapshots.txt")
        self.assertEqual(notes[1], "note: no timeline on SIGUSR2: the run records a timeline of its own\n")
        self.ends(130)
        self.assertEqual((self.here / "out/snapshots.txt").read_text(), "in the way")

    def test_a_functional_run_says_how_far_it_is(self):
        self.start("--mode", "functional")
        text = self.another_snapshot()
        self.assertIn("long  0/2 blocks", text)
        self.assertNotIn("SM 0", text)
        self.ends(130)


if __name__ == "__main__":
    unittest.main()
