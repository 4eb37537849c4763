# SPDX-License-Identifier: Apache-2.0
"""teslasim models: from an input, for a run, on inputs given by hand."""
import json

from cli import Cli

GIVEN = """\
schema = "teslasim.model_inputs/1"
model = "hong-kim"
[inputs]
comp_insts = 27            # source: Hong & Kim 2009, worked example
uncoal_mem_insts = 6
uncoal_per_mw = 32
synch_insts = 6
load_bytes_per_warp = 128
mem_ld = 420
departure_del_uncoal = 10
issue_cycles = 4
shader_ghz = 1.0
memory_gbs = 80
blocks = 80
threads_per_block = 128
active_blocks_per_sm = 5
active_warps_per_sm = 20
active_sms = 16
"""


class Models(Cli):
    def test_one_block_is_outside_most_models(self):
        text = self.expect(0, "models", "k.asm", "-c", "gtx280").stdout
        self.assertIn("no prediction: the grid has one block", text)
        self.assertIn("functional pre-run", text)

    def test_json_has_terms_and_origins(self):
        self.write("many.launch.toml", (self.here / "k.launch.toml").read_text().replace("grid = [1]", 'grid = [60]\ncode = "k.asm"'))
        document = json.loads(self.expect(0, "models", "many.launch.toml", "-c", "gtx280", "--json", "-").stdout)
        self.assertEqual(document["schema"], "teslasim.models/1")
        by_name = {row["model"]: row for row in document["launches"][0]["predictions"]}
        hong_kim = by_name["hong-kim"]
        self.assertGreater(hong_kim["ms"], 0.0)
        self.assertIn("mwp", [term["name"] for term in hong_kim["terms"]])
        origins = {row["name"]: (row["origin"], row["source"]) for row in hong_kim["inputs"]}
        self.assertEqual(origins["shader_ghz"], ("configuration", "clock.shader_mhz"))
        self.assertEqual(origins["mem_ld"][0], "literature")
        self.assertEqual(origins["comp_insts"][0], "functional count")
        self.assertEqual(by_name["interval"]["level"], "P0")
        self.assertGreater(by_name["interval"]["ms"], 0.0)

    def test_a_run_is_put_beside_its_simulated_time(self):
        self.expect(0, "run", "k.asm", "-c", "tiny")
        self.assertTrue((self.here / "runs/latest/models.json").exists())
        text = self.expect(0, "models", "latest", "--explain", "--inputs").stdout
        self.assertIn("simulated", text)
        self.assertIn("configuration: ", text)
        launch = json.loads((self.here / "runs/latest/stats.json").read_text())["launches"][0]
        self.assertIn("error_pct", launch["models"]["roofline"])

    def test_given_inputs(self):
        self.write("given.toml", GIVEN)
        text = self.expect(0, "models", "--given", "given.toml", "--inputs").stdout
        self.assertIn("0.05073 ms", text)
        self.assertIn("given: given.toml:", text)
        self.write("wrong.toml", GIVEN.replace("mem_ld", "mem_lt"))
        wrong = self.expect(3, "models", "--given", "wrong.toml").stderr
        self.assertIn("error[GIVEN-UNKNOWN]", wrong)
        self.assertIn("wrong.toml:9:1", wrong)
        self.write("short.toml", GIVEN.replace("memory_gbs = 80\n", ""))
        self.assertIn("it needs memory_gbs", self.expect(3, "models", "--given", "short.toml").stdout)
        self.assertIn("error[GIVEN-FILE]", self.expect(3, "models", "--given", "absent.toml").stderr)

    def test_bad_use(self):
        self.assertIn("did you mean 'hong-kim'", self.expect(2, "models", "k.asm", "--model", "hong-kin").stderr)
        self.assertIn("--given", self.expect(2, "models", "k.asm", "--model", "equal-area").stderr)
        self.assertIn("error[CLI-INPUT]", self.expect(2, "models").stderr)
        self.write("few.toml", 'schema = "teslasim.model_inputs/1"\nmodel = "zhang-owens"\n[inputs]\nfu_mad = 8\n')
        self.assertIn("error[GIVEN-REFUSED]: 'zhang-owens' makes no prediction of this: it needs shader_ghz",
                      self.expect(3, "models", "--given", "few.toml").stderr)
        self.assertIn("hong-kim", self.expect(0, "models", "--list").stdout)
        self.expect_refusal(2, "CLI-VALUE", "models", "--list", "--json=models.json")
        self.assertIn("Hong & Kim 2009", self.expect(0, "explain", "hong-kim").stdout)
