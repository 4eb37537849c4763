# SPDX-License-Identifier: Apache-2.0
"""`teslasim validate` from outside: the JSON form, selection, exit codes, the same digest twice."""
import json
import os
import subprocess
import unittest

TESLASIM = os.environ["TESLASIM"]
ROW_KEYS = ["id", "experiment", "machine", "condition", "published", "unit", "confidence", "simulated", "error_pct", "counted", "verdict"]
SUMMARY_KEYS = ["rows", "counted", "within", "mean_abs_error_pct", "max_abs_error_pct"]


def run(*arguments):
    return subprocess.run([TESLASIM, "validate", *arguments], capture_output=True, text=True, check=False)


class Validate(unittest.TestCase):
    def test_json(self):
        document = json.loads(run("--machine", "t10p", "--only", "E3", "--json", "-").stdout)
        self.assertEqual(SUMMARY_KEYS, list(document["summary"]))
        for row in document["rows"]:
            self.assertEqual(ROW_KEYS, [key for key in row if key != "why"])
            self.assertEqual(("t10p", "E3"), (row["machine"], row["experiment"]))
            self.assertEqual(row["simulated"] is None, "why" in row)

    def test_selection_by_id(self):
        lines = run("--only", "COL-CPI1").stdout.splitlines()
        self.assertEqual(3, sum("COL-CPI1" in line for line in lines))

    def test_the_same_twice(self):
        self.assertEqual(run("--only", "E5").stdout, run("--only", "E5", "-j", "1").stdout)

    def test_strict_fails_exactly_when_a_counted_row_is_not_within(self):
        done = run("--machine", "t10p", "--only", "E3", "--only", "E4", "--strict", "--json", "-")
        summary = json.loads(done.stdout)["summary"]
        self.assertEqual(int(summary["within"] < summary["counted"]), done.returncode)

    def test_slips(self):
        done = run("--machine", "gtx28")
        self.assertEqual(2, done.returncode)
        self.assertIn("no published rows", done.stderr)
        self.assertEqual(2, run("--only", "COL-CPI").returncode)


if __name__ == "__main__":
    unittest.main()
