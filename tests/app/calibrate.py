# SPDX-License-Identifier: Apache-2.0
"""teslasim calibrate: measured once, kept by configuration, taken by the models."""
import json

from cli import Cli


class Calibrate(Cli):
    def setUp(self):
        super().setUp()
        self.write("many.launch.toml", (self.here / "k.launch.toml").read_text().replace("grid = [1]", 'grid = [60]\ncode = "k.asm"'))

    def predictions(self, *extra):
        done = self.expect(0, "models", "many.launch.toml", "-c", "tiny", "--json", "-", *extra)
        return {row["model"]: row for row in json.loads(done.stdout)["launches"][0]["predictions"]}

    def test_models_take_what_was_measured(self):
        before = self.predictions()
        self.assertEqual(before["hong-kim"]["level"], "P0")
        text = self.expect(0, "calibrate", "-c", "tiny").stdout
        self.assertIn("departure_del_uncoal", text)
        after = self.predictions()
        for model in ("hong-kim", "zhang-owens", "quantitative-roofline", "latency-throughput"):
            self.assertEqual(after[model]["level"], "P1", model)
        self.assertEqual(after["roofline"]["level"], "P0")
        origins = {row["name"]: row["origin"] for row in after["hong-kim"]["inputs"]}
        self.assertEqual(origins["mem_ld"], "calibration")
        self.assertNotEqual(before["hong-kim"]["ms"], after["hong-kim"]["ms"])
        self.assertEqual(self.predictions("--calibration", "none"), before)
        self.expect(0, "run", "many.launch.toml", "-c", "tiny")
        run = json.loads((self.here / "runs/latest/models.json").read_text())
        self.assertEqual({row["model"]: row["level"] for row in run["launches"][0]["predictions"]}["hong-kim"], "P1")

    def test_a_cache_is_one_of_the_configuration(self):
        first = self.expect(0, "calibrate", "-c", "tiny", "--export", "-").stdout
        files = list((self.here / "cache").iterdir())
        self.assertEqual(len(files), 1)
        self.assertEqual(files[0].read_text(), first)
        files[0].write_text(first.replace("[constants]\n", "[constants]\nconstant_only_in_the_cache = 1.0\n"))
        self.assertIn("constant_only_in_the_cache", self.expect(0, "calibrate", "-c", "tiny", "--export", "-").stdout)
        self.assertEqual(self.expect(0, "calibrate", "-c", "tiny", "--force", "--export", "-").stdout, first)
        self.expect(0, "calibrate", "-c", "tiny", "-s", "models.mem_ld_cycles=77", "-q")
        self.assertEqual(len(list((self.here / "cache").iterdir())), 1, "constants of the models change nothing")
        self.expect(0, "calibrate", "-c", "tiny", "-s", "sm.latency_cycles.alu=20", "-q")
        self.assertEqual(len(list((self.here / "cache").iterdir())), 2)

    def test_a_damaged_cache_is_measured_anew(self):
        first = self.expect(0, "calibrate", "-c", "tiny", "--export", "-").stdout
        file = next((self.here / "cache").iterdir())
        file.write_text("schema = 1")
        self.assertEqual(self.predictions()["hong-kim"]["level"], "P0")
        self.assertEqual(self.expect(0, "calibrate", "-c", "tiny", "--export", "-").stdout, first)

    def test_a_file_of_another_machine_is_refused(self):
        self.expect(0, "calibrate", "-c", "tiny", "-q", "--export", "tiny.toml")
        self.assertEqual(self.predictions("--calibration", "tiny.toml")["hong-kim"]["level"], "P1")
        self.expect_refusal(3, "CAL-MACHINE", "models", "many.launch.toml", "-c", "gtx285", "--calibration", "tiny.toml")
        self.expect_refusal(3, "CAL-FILE", "models", "many.launch.toml", "-c", "tiny", "--calibration", "none.toml")
        self.write("bad.toml", 'schema = "teslasim.calibration/1"\nsms = 0\n[curves]\nwarps = [1.0]\nitp_mad = [1.0, 2.0]\nx = "y"\n')
        text = self.expect_refusal(3, "CAL-VALUE", "models", "many.launch.toml", "-c", "tiny", "--calibration", "bad.toml")
        self.assertIn("'sms' must be a number above 0", text)
        self.assertIn("equally long", text)
