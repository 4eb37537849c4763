# SPDX-License-Identifier: Apache-2.0
"""`teslasim validate` from outside: the JSON form, selection, exit codes, the same digest twice; and that the kernels
behind rows of whole matrices compute what they say."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

WHOLE = pathlib.Path(__file__).resolve().parents[2] / "traces/whole"
TRANSPOSE = pathlib.Path(__file__).resolve().parents[2] / "traces/micro/transpose.asm"
TESLASIM = os.environ["TESLASIM"]
ROW_KEYS = ["id", "experiment", "machine", "condition", "published", "unit", "confidence", "simulated", "error_pct", "counted", "verdict"]
SUMMARY_KEYS = ["rows", "counted", "within", "mean_abs_error_pct", "max_abs_error_pct"]


def run(*arguments):
    return subprocess.run([TESLASIM, "validate", *arguments], capture_output=True, text=True, check=False)


class Validate(unittest.TestCase):
    def test_json(self):
        document = json.loads(run("--machine", "t10p", "--only", "E3", "--json", "-").stdout)
        self.assertEqual(SUMMARY_KEYS, list(document["summary"]))
        self.assertEqual(SUMMARY_KEYS, list(document["whole_kernels"]))
        self.assertEqual((len(document["rows"]), 0), (document["summary"]["rows"], document["whole_kernels"]["rows"]))
        for row in document["rows"]:
            self.assertEqual(ROW_KEYS, [key for key in row if key != "why"])
            self.assertEqual(("t10p", "E3"), (row["machine"], row["experiment"]))
            self.assertEqual(row["simulated"] is None, "why" in row)

    def test_whole_kernels_have_a_summary_of_their_own(self):
        done = run("--only", "SDK-TRANSPOSE", "--only", "COL-CPI1")
        self.assertIn("RESULT      3 of 3 counted rows within", done.stdout)
        self.assertIn("KERNELS     0 of 0 counted rows of whole kernels within tolerance (1 rows shown)", done.stdout)
        self.assertNotIn("KERNELS", run("--only", "COL-CPI1").stdout)
        self.assertNotIn("RESULT", run("--only", "SDK-TRANSPOSE").stdout)

    def test_a_whole_kernel_takes_the_time_that_run_prints(self):
        row = json.loads(run("--only", "SDK-TRANSPOSE", "--json", "-").stdout)["rows"][0]
        done = subprocess.run([TESLASIM, "run", WHOLE / "transpose_16.published.launch.toml", "-c", "8800gtx", "--no-out", "-q",
                               "--json", "-"], capture_output=True, text=True, check=True)
        self.assertAlmostEqual(json.loads(done.stdout)["launches"][0]["time"]["ms"], row["simulated"], places=12)

    def test_selection_by_id(self):
        lines = run("--only", "COL-CPI1").stdout.splitlines()
        self.assertEqual(3, sum("COL-CPI1" in line for line in lines))

    def test_an_output_of_one_measurement_is_no_output_of_all(self):
        done = run("--only", "COL-CPI1", "-o", "rows.txt")
        self.assertEqual(2, done.returncode)
        self.assertIn("--out goes with --measure only", done.stderr)

    def test_the_same_twice(self):
        self.assertEqual(run("--only", "E5").stdout, run("--only", "E5", "-j", "1").stdout)

    def test_strict_fails_exactly_when_a_counted_row_is_not_within(self):
        done = run("--machine", "t10p", "--only", "E3", "--only", "E4", "--strict", "--json", "-")
        summary = json.loads(done.stdout)["summary"]
        self.assertEqual(int(summary["within"] < summary["counted"]), done.returncode)

    def test_strict_without_a_counted_row_is_no_gate(self):
        """A row read from memory is shown and not counted."""
        done = run("--only", "WONG-OP01-lat", "--strict")
        self.assertEqual((2, ""), (done.returncode, done.stdout))
        self.assertIn("--strict judges counted rows", done.stderr)

    def test_slips(self):
        done = run("--machine", "gtx28")
        self.assertEqual(2, done.returncode)
        self.assertIn("no published rows", done.stderr)
        self.assertEqual(2, run("--only", "COL-CPI").returncode)


class Transpositions(unittest.TestCase):
    """traces/micro/transpose.asm on 4 x 4 tiles. Transposing twice copies; transposing words within tiles, then tiles as they
    are, transposes."""

    def outcome(self, folder, row, steps):
        """Whether the steps, one after the other, transpose the matrix, and whether they copy it (transpose it as a column)."""
        text = re.sub(r"\.equ TILES_LOG2, \d+", ".equ TILES_LOG2, 2", TRANSPOSE.read_text(encoding="utf-8"))
        code, launch = folder / "transpose.asm", folder / "transpose.launch.toml"
        code.write_text(re.sub(r"\.equ ROW, \d+", f".equ ROW, {row}", text), encoding="utf-8")
        lines = ['schema = "teslasim.launch/1"', f'code = "{code}"']
        for number, step in enumerate(steps):
            old = ', type = "u32", count = 16384, init = "iota"' if number == 0 else ""
            lines += ["[[launch]]", f'kernel = "transpose_{step}"', "grid = [16]", "block = [256]",
                      'param = [{ name = "out"' + (', type = "u32", count = 1' if number == 0 else "") + " },",
                      f'{{ name = "from", buffer = "after_{number}"{old} }},',
                      f'{{ name = "to", buffer = "after_{number + 1}", type = "u32", count = 16384, init = "zero" }},',
                      '{ name = "pitch", type = "u32", value = 512 }]']
        codes = []
        for width in 128, 1:
            expect = [f"[expect.after_{len(steps)}]", 'builtin = "transpose"', 'of = "after_0"', f"width = {width}",
                      f"height = {16384 // width}", ""]
            launch.write_text("\n".join(lines + expect), encoding="utf-8")
            done = subprocess.run([TESLASIM, "run", launch, "-c", "gtx280", "--mode", "functional", "--no-out", "-q"],
                                  capture_output=True, text=True, check=False)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            codes.append(done.returncode == 0)
        return tuple(codes)

    def test_each_does_what_its_name_says(self):
        transposed, copied, neither = (True, False), (False, True), (False, False)
        cases = [("copy", copied), ("tile_copy", copied), ("naive", transposed), ("tiled", transposed), ("diagonal", transposed),
                 ("tiled naive", copied), ("within_tiles between_tiles", transposed), ("within_tiles", neither),
                 ("between_tiles", neither)]
        with tempfile.TemporaryDirectory(prefix="teslasim-transpose-") as folder:
            for steps, want in cases:
                for row in 32, 33:
                    with self.subTest(steps=steps, row=row):
                        self.assertEqual(self.outcome(pathlib.Path(folder), row, steps.split()), want)


if __name__ == "__main__":
    unittest.main()
