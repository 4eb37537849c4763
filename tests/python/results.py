# SPDX-License-Identifier: Apache-2.0
"""What a run knows: the same numbers as the command line, in every form."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest
from unittest import mock

import numpy
import teslasim

TESLASIM = os.environ["TESLASIM"]
SOURCE = pathlib.Path(os.environ["TESLASIM_SOURCE"])
TRACES = SOURCE / "traces"


def command(*words, folder):
    done = subprocess.run([TESLASIM, *map(str, words)], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return done.stdout


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = teslasim.machine("gtx280").run(TRACES / "reduce1/reduce1.launch.toml")
        holder = tempfile.TemporaryDirectory(prefix="teslasim-python-")
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        command("run", TRACES / "reduce1/reduce1.launch.toml", "-c", "gtx280", "-q", folder=cls.folder)
        cls.recorded = json.loads((cls.folder / "runs/latest/stats.json").read_text(encoding="utf-8"))

    def test_a_launch_file_gives_the_digest_of_the_command_line(self):
        self.assertEqual(self.recorded["digest"], self.run_.digest)
        self.assertEqual(self.recorded["launches"][0]["time"]["ms"], self.run_.time_ms)
        self.assertEqual(self.recorded["launches"][0]["time"]["cycles"], self.run_.cycles)

    def test_a_call_with_arrays_gives_the_digest_of_the_command_line(self):
        values = numpy.arange(512, dtype=numpy.float32)
        out = numpy.zeros(2, numpy.float32)
        run = teslasim.kernel(TRACES / "reduce1/reduce1.asm")(2, 256, values, out, machine=teslasim.machine("8800gtx"))
        numpy.save(self.folder / "values.npy", values)
        command("run", TRACES / "reduce1/reduce1.asm", "--launch", "none", "-c", "8800gtx", "-q", "--grid", 2, "--block", 256, "--out", "call",
                "--param", "in=f32[512]:file:values.npy", "--param", "out=f32[2]:zero", folder=self.folder)
        recorded = json.loads((self.folder / "call/stats.json").read_text(encoding="utf-8"))
        self.assertEqual(recorded["digest"], run.digest)
        self.assertEqual([values[:256].sum(), values[256:].sum()], list(out))

    def test_every_statistic_has_its_path(self):
        stats = self.run_.stats
        launch = self.recorded["launches"][0]
        self.assertEqual(launch["issue_slots"]["issued"], stats["issue_slots.issued"])
        self.assertEqual(launch["issue_slots"]["issued"], stats["sm.issue_slots.issued"])
        self.assertEqual(launch["per_sm"][3]["blocks"], stats["per_sm.3.blocks"])
        self.assertEqual(launch["time"]["clock"], stats["time.clock"])
        self.assertEqual(self.recorded["machine"]["name"], stats["machine.name"])
        self.assertGreater(len(stats), 300)
        for path, value in stats.items():
            self.assertEqual(value, stats[path], path)

    def test_a_statistic_that_is_not_there_names_the_nearest(self):
        with self.assertRaises(teslasim.Error) as caught:
            self.run_.stats["shared.replay"]
        self.assertEqual("STAT-UNKNOWN", caught.exception.code)
        self.assertIn("shared.replays", str(caught.exception))
        self.assertNotIn("no.such", self.run_.stats)

    def test_stalls_are_all_slots(self):
        self.assertEqual(self.run_.stats["issue_slots.total"], self.run_.stalls.total)
        self.assertAlmostEqual(1.0, sum(self.run_.stalls.shares().values()))
        self.assertEqual(self.run_.stats["issue_slots.issued"], self.run_.stalls["issued"])

    def test_the_table_of_instructions(self):
        pc = self.run_.pc
        self.assertEqual(self.run_.stats["instructions.warp"], pc["warp_issues"].sum())
        self.assertEqual("reduce1", pc["kernel"][0])

    def test_the_table_of_warps(self):
        every = teslasim.machine("gtx280", warp_sms="all").run(TRACES / "reduce1/reduce1.launch.toml")
        self.assertEqual(every.digest, self.run_.digest)
        self.assertEqual(every.stats["warp_cycles.total"], every.warps["warp_cycles"].sum())
        self.assertEqual(every.stats["warp_cycles.wait.sync.barrier"], every.warps["wait_sync_barrier"].sum())
        self.assertEqual(every.stats["instructions.warp"], every.warps["instructions"].sum())
        first = self.run_.warps
        self.assertEqual({0}, set(first["sm"]))
        self.assertEqual(len(first), (every.warps["sm"] == 0).sum())
        self.assertEqual(len(first), len(teslasim.load(self.folder / "runs/latest").warps))
        self.assertEqual(0, len(teslasim.machine("tiny", warp_sms="none").run(TRACES / "reduce1/reduce1.launch.toml").warps))
        with self.assertRaisesRegex(teslasim.Error, "there is no SM 30"):
            teslasim.machine("gtx280", warp_sms="0-30")

    def test_without_pandas_there_is_a_plain_table(self):
        with mock.patch.dict("sys.modules", {"pandas": None}):
            pc = self.run_.pc
        self.assertIsInstance(pc, teslasim.Table)
        self.assertEqual(self.run_.stats["instructions.warp"], pc["warp_issues"].sum())
        self.assertEqual(len(pc), len(list(pc.rows())))
        self.assertIn("<table>", pc._repr_html_())

    def test_without_matplotlib_figures_say_what_they_need(self):
        with mock.patch.dict("sys.modules", {"matplotlib": None}), self.assertRaisesRegex(ImportError, "python3-matplotlib"):
            self.run_.plot.stalls()

    def test_figures(self):
        try:
            import matplotlib
        except ImportError:
            self.skipTest("matplotlib is not there")
        matplotlib.use("Agg")
        self.assertIn("reduce1", self.run_.plot.stalls().get_title())
        self.assertEqual("ms", self.run_.plot.models().get_xlabel())
        axes = self.run_.plot.time()
        self.assertEqual("SP cycles", axes.get_xlabel())
        shares = axes.get_lines()[0].get_ydata()
        self.assertTrue(0 < max(shares) <= 100, shares)

    def test_a_loaded_run_is_the_run(self):
        loaded = teslasim.load(self.folder / "runs/latest")
        self.assertEqual(self.run_.digest, loaded.digest)
        self.assertEqual(self.run_.stalls, loaded.stalls)
        self.assertEqual(dict(self.run_.stats.items()), dict(loaded.stats.items()))
        self.assertEqual(list(self.run_.pc["bytes"]), list(loaded.pc["bytes"]))
        self.assertEqual(self.run_.configuration, loaded.configuration)
        self.assertIn("DIGEST", str(loaded))
        with self.assertRaises(teslasim.Error) as caught:
            teslasim.load(self.folder / "none")
        self.assertIn("none", str(caught.exception))

    def test_the_report_and_its_beginning(self):
        page = self.run_.report()
        self.assertIn("<h2>", page)
        self.assertIn('id="s15"', page.replace("id=s15", 'id="s15"'))
        self.run_.report(self.folder / "report.html")
        self.assertEqual(page, (self.folder / "report.html").read_text(encoding="utf-8"))
        frame = self.run_._repr_html_()
        self.assertTrue(frame.startswith("<iframe srcdoc="))
        self.assertIn("allow-scripts", frame)

    def test_models_speak_of_runs_and_of_kernels(self):
        names = teslasim.models.names()
        said = {one.model: one for one in self.run_.predictions}
        self.assertEqual(names, list(said))
        self.assertAlmostEqual(self.run_.time_ms, said["roofline"].simulated_ms)
        values, out = numpy.ones(512, numpy.float32), numpy.zeros(2, numpy.float32)
        before = teslasim.kernel(TRACES / "reduce1/reduce1.asm").predict(2, 256, values, out)
        self.assertEqual(names, [one.model for one in before])
        self.assertIsNone(before[0].simulated_ms)
        self.assertEqual(0.0, out.sum())
        self.assertIn("hong-kim", list(teslasim.models.of(before)["model"]))
        with self.assertRaises(teslasim.Error):
            teslasim.models.find("crystal-ball")

    def test_a_sweep_is_a_table(self):
        (self.folder / "plan.toml").write_text(f"""schema = "teslasim.sweep/1"
name = "latencies"
machine = "tiny"
inputs = ["{TRACES}/saxpy/saxpy.launch.toml"]
[axes]
"sm.latency_cycles.alu" = [10, 40]
""", encoding="utf-8")
        command("sweep", "plan.toml", folder=self.folder)
        table = teslasim.load_sweep(self.folder / "runs/sweep-latencies")
        self.assertEqual(2, len(table))
        self.assertEqual([10, 40], list(table["sm.latency_cycles.alu"]))
        self.assertEqual(["ok", "ok"], list(table["status"]))
        times = [float(time) for time in table["time_ms"]]
        self.assertLess(times[0], times[1])
        with self.assertRaises(teslasim.Error) as caught:
            teslasim.load_sweep(self.folder)
        self.assertEqual("RUN-NOT-FOUND", caught.exception.code)


if __name__ == "__main__":
    unittest.main()
