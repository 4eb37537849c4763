# SPDX-License-Identifier: Apache-2.0
"""teslasim compare: runs against runs, models and measurements."""
import json
import re

from cli import Cli


class Compare(Cli):
    def setUp(self):
        super().setUp()
        self.expect(0, "run", "k.asm", "-c", "tiny", "-q")
        self.expect(0, "run", "k.asm", "-c", "tiny", "-q", "-s", "sm.latency_cycles.alu=60")

    def test_runs_against_runs(self):
        text = self.expect(0, "compare", "1", "2").stdout
        self.assertIn("x slower)", text)
        self.assertIn("inputs: identical; config: 1 keys differ", text)
        self.assertIn("sm.latency_cycles.alu", text)
        same = self.expect(0, "compare", "1", "1").stdout
        self.assertIn("0 statistics changed", same)
        self.assertIn("config: identical", same)

    def test_a_gate(self):
        self.assertIn("FAIL", self.expect(1, "compare", "1", "2", "--fail-on", "time_ms>+2%").stdout)
        self.assertIn("pass", self.expect(0, "compare", "1", "2", "--fail-on", "instructions.warp>+0").stdout)
        self.expect(1, "compare", "1", "2", "--fail-on", "tmie_ms>+2%")
        self.assertIn("error[CLI-FAIL-ON]", self.expect(2, "compare", "1", "2", "--fail-on", "time_ms").stderr)
        self.assertIn("error[CLI-FAIL-ON]", self.expect(2, "compare", "1", "--fail-on", "time_ms>+2%").stderr)

    def test_statistics_that_nest_without_end(self):
        for name, text in (("stats", '{"launches": [' + '{"a": ' * 200_000), ("models", "[" * 200_000)):
            path = self.here / "runs/latest" / f"{name}.json"
            whole = path.read_text()
            path.write_text(text)
            for command in ("compare", "report"):
                with self.subTest(file=name, command=command):
                    self.assertIn("error[RUN-DAMAGED]", self.expect(4, command, "latest").stderr)
            path.write_text(whole)

    def test_json_is_alone_on_stdout(self):
        document = json.loads(self.expect(0, "compare", "1", "2", "--json", "-").stdout)
        self.assertEqual([run["label"] for run in document["runs"]], ["001-k-tiny", "002-k-tiny"])
        self.assertIn("time.cycles", [row["name"] for row in document["changed"]])

    def test_one_run_against_the_models(self):
        text = self.expect(0, "compare", "latest").stdout
        self.assertIn("simulated", text)
        self.assertIn("attainable_gops", text)
        self.assertIn("differs most", text)

    def test_stack_against_stack(self):
        """Interval analysis, from a functional run of the recorded inputs: its stack beside the simulated one, which sums to the launch."""
        (self.here / "k.asm").unlink()
        text = self.expect(0, "compare", "1").stdout
        stack = text[text.index("  interval\n"):]
        rows = {name: (float(predicted), float(simulated)) for name, predicted, simulated
                in re.findall(r"^    (\w+) +([0-9.e+]+) +([0-9.e+]+) cycles", stack, re.MULTILINE)}
        self.assertEqual(list(rows), ["base", "compute_data", "memory_data", "outside", "cycles"])
        with open(self.here / "runs/001-k-tiny/stats.json", encoding="utf-8") as file:
            cycles = json.load(file)["launches"][0]["time"]["cycles"]
        for column in 0, 1:
            total = sum(rows[name][column] for name in rows if name != "cycles")
            self.assertAlmostEqual(total, rows["cycles"][column], delta=0.002 * total)
        self.assertAlmostEqual(rows["cycles"][1], cycles, delta=0.002 * cycles)
        self.assertGreater(rows["memory_data"][1], 0)

    def test_terms_as_json(self):
        document = json.loads(self.expect(0, "compare", "1", "--json", "-").stdout)
        self.assertEqual(document["schema"], "teslasim.models/1")
        predictions = {row["model"]: row for row in document["launches"][0]["predictions"]}
        terms = {row["term"]: row for row in predictions["interval"]["compared"]}
        parts = sum(terms[name]["simulated"] for name in ("base", "compute_data", "memory_data", "outside"))
        self.assertAlmostEqual(parts, terms["cycles"]["simulated"], places=3)
        self.assertGreater(predictions["interval"]["ms"], 0)
        self.assertEqual([row["term"] for row in predictions["roofline"]["compared"]], ["attainable_gops", "kernel_intensity"])
        self.assertEqual(predictions["hong-kim"]["compared"], [], "refused: one block")

    def test_without_its_inputs_a_run_is_compared_with_the_other_models(self):
        for file in (self.here / "runs/001-k-tiny/inputs").iterdir():
            file.write_text("")
        done = self.expect(0, "compare", "1")
        self.assertIn("note: no interval analysis of this run: ", done.stderr)
        self.assertIn("attainable_gops", done.stdout)
        self.assertNotIn("  Interval\n", done.stdout)

    def test_measurements(self):
        self.write("hw.csv", "workload,metric,value,unit,source\nadd_one,cycles,100,cycles,by hand\n")
        self.assertIn("1 compared", self.expect(0, "compare", "1", "--hw", "hw.csv").stdout)
        self.write("bad.csv", "workload,metric,value,unit,source\nadd_one,cycles\n")
        self.assertIn("error[HW-PROFILE]", self.expect(4, "compare", "1", "--hw", "bad.csv").stderr)

    def test_bad_use(self):
        self.expect(4, "compare", "1", "77")
        self.assertIn("error[CLI-INPUT]", self.expect(2, "compare").stderr)
        (self.here / "runs/001-k-tiny/stats.json").write_text("{")
        self.assertIn("error[RUN-DAMAGED]", self.expect(4, "compare", "1", "2").stderr)
