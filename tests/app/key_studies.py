# SPDX-License-Identifier: Apache-2.0
"""`teslasim validate --sensitivity` and `--left-out`: the options, the table, the JSON form, the page."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

TESLASIM = os.environ["TESLASIM"]
CHEAP = ["--only", "E3", "--key", "sm.latency_cycles.writeback"]


def run(*arguments, code=0):
    done = subprocess.run([TESLASIM, "validate", *arguments], capture_output=True, text=True, check=False)
    if done.returncode != code:
        raise AssertionError(f"{arguments}: exit {done.returncode}\n{done.stderr}")
    return done.stdout if code == 0 else done.stderr


class Sensitivity(unittest.TestCase):
    def test_one_key_of_one_experiment(self):
        document = json.loads(run("--sensitivity", *CHEAP, "--json", "-"))
        self.assertEqual("teslasim.sensitivity/1", document["schema"])
        self.assertEqual(["sm.latency_cycles.writeback"] * 2, [move["key"] for move in document["moves"]])
        self.assertEqual([1, -1], [move["steps"] for move in document["moves"]])
        for move in document["moves"]:
            self.assertEqual(int(move["value"]) + move["steps"], int(move["changed"]))
            (family,) = move["families"]
            self.assertEqual("E3", family["experiment"])
            self.assertAlmostEqual(family["mean_abs_error_changed_pct"] - family["mean_abs_error_pct"],
                                   family["error_change_points"])
        self.assertEqual(document["runs"], 3 * document["rows"])

    def test_errors_as_shipped_are_those_of_validate(self):
        move = json.loads(run("--sensitivity", *CHEAP, "--json", "-"))["moves"][0]
        plain = json.loads(run("--only", "E3", "--json", "-"))["rows"]
        errors = [abs(row["error_pct"]) for row in plain if row["error_pct"] is not None]
        self.assertAlmostEqual(sum(errors) / len(errors), move["families"][0]["mean_abs_error_pct"])

    def test_the_same_for_any_number_of_processes(self):
        self.assertEqual(run("--sensitivity", *CHEAP, "-j", "1"), run("--sensitivity", *CHEAP, "-j", "3"))

    def test_list_runs_nothing(self):
        text = run("--sensitivity", "--list")
        self.assertIn("tpc.response_ns (g8x)", text)
        self.assertIn("tpc.response_ns (gt200)", text)
        self.assertIn("\nOTHER WORDS", text)
        self.assertNotIn("clock.shader_mhz", text)

    def test_whole_kernels_only_where_they_are_named(self):
        named = json.loads(run("--sensitivity", "--only", "SDK-TRANSPOSE", "--key", "tpc.response_ns", "--json", "-"))
        for move in named["moves"]:
            (family,) = move["families"]
            self.assertEqual("E30 SDK", family["experiment"])
            self.assertNotEqual(0.0, family["error_change_points"])
        experiments = sorted({row.split()[0] for row in run("--list").splitlines()} - {"E30"})
        others = run("--sensitivity", "--list", *[word for name in experiments for word in ("--only", name)])
        self.assertEqual(others, run("--sensitivity", "--list"))

    def test_the_page(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            run("--sensitivity", *CHEAP, "--report", str(page))
            first = page.read_text(encoding="utf-8")
            self.assertIn("Of the rows and keys of `--only E3 --key sm.latency_cycles.writeback` only.", first)
            run("--sensitivity", *CHEAP, "--report", str(page))  # its own page is written over
            self.assertEqual(first, page.read_text(encoding="utf-8"))
            page.write_text("mine", encoding="utf-8")
            self.assertIn("is no page of a study", run("--sensitivity", *CHEAP, "--report", str(page), code=2))
            self.assertEqual("mine", page.read_text(encoding="utf-8"))

    def test_slips(self):
        self.assertIn("did you mean 'tpc.response_ns'", run("--sensitivity", "--key", "tpc.respons_ns", code=2))
        self.assertIn("calibrated or assumed", run("--sensitivity", "--key", "clock.shader_mhz", code=2))
        self.assertIn("--key chooses keys of a study", run("--key", "tpc.response_ns", code=2))
        for other in ["--strict"], ["--max-cycles", "9"], ["--max-seconds", "1"]:
            self.assertIn("does not go with " + other[0], run("--sensitivity", *other, code=2))


class LeftOut(unittest.TestCase):
    CHEAP = ["--left-out", "--only", "E3", "--only", "E25", "--key", "const_l2.request_ns"]

    def test_one_key_of_two_experiments(self):
        document = json.loads(run(*self.CHEAP, "--json", "-"))
        self.assertEqual("teslasim.left_out/1", document["schema"])
        (key,) = document["keys"]
        self.assertEqual(("const_l2.request_ns", "tesla", 5), (key["key"], key["file"], len(key["values"])))
        self.assertIn(key["used"], key["values"])
        self.assertEqual(["E3", "E25"], [family["experiment"] for family in document["families"]])
        beyond = 0
        for family in document["families"]:
            if family["used_error_pct"]:
                self.assertAlmostEqual(family["left_out_error_pct"] / family["used_error_pct"], family["ratio"])
            beyond += family["ratio"] is None or family["ratio"] > 1.5
        self.assertEqual(beyond, document["beyond_bound"])

    def test_the_page(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            text = run(*self.CHEAP, "--report", str(page))
            for name in "E3", "E25":
                self.assertRegex(text, rf"\n{name} ")
                self.assertIn(f"\n| {name} |", page.read_text(encoding="utf-8"))
            self.assertIn("is no page of a study", run("--sensitivity", *CHEAP, "--report", __file__, code=2))

    def test_authors_of_whole_kernels_are_families(self):
        rows = ["--only", "SDK-TRANSPOSE", "--only", "NV-COAL"]
        document = json.loads(run("--left-out", *rows, "--key", "launch.base_us", "--json", "-"))
        self.assertEqual(["E30 SDK", "E30 NV"], [family["experiment"] for family in document["families"]])
        (key,) = document["keys"]
        self.assertTrue(set(key["told_by"]) <= {"E30 SDK", "E30 NV"})
        self.assertEqual(key["told"], bool(key["told_by"]))
        self.assertIn("launch.base_us", run("--left-out", "--list", "--only", "E30"))

    def test_slips(self):
        self.assertIn("rows of two families", run("--left-out", "--only", "E3", code=2))
        self.assertIn("rows of two families", run("--left-out", "--only", "SDK-TRANSPOSE", code=2))
        self.assertIn("two studies", run("--left-out", "--sensitivity", code=2))
        self.assertIn("has a calibrated value", run("--left-out", "--key", "sm.latency_cycles.writeback", code=2))


if __name__ == "__main__":
    unittest.main()
