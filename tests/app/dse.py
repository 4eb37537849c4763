# SPDX-License-Identifier: Apache-2.0
"""teslasim dse: equal areas, screening, survivors; Ye's optima."""
import csv
import re

from cli import Cli

DESIGN = """\
schema = "teslasim.dse/1"
name = "ye"
[design]
model = "equal-area"
pes = [128, 136, 144, 152, 160, 168, 176, 184, 192, 200, 208, 216]
area_total = 118.88
area_sms = 16
area_scratchpad = 0.59
scratchpad_words = 4096
area_registers = 2.85
register_words = 8096
memory_gbs = 104
registers_per_thread = 30
working_set_words = 3
bytes_per_access = 4
memory_cycles = 400
cpi = 1
pe_ghz = 1.5
"""
MACHINES = """\
schema = "teslasim.dse/1"
name = "machines"
machine = "tiny"
inputs = ["many.launch.toml"]
[axes]
"gpu.tpcs" = [1, 2, 3]
"sm.registers" = [4096, 8192]
[area]
budget = 20.0
tolerance = 0.6
per_sm = 4.0
per_register = 0.0003
[screen]
model = "zhang-owens"
keep = 2
"""


class Dse(Cli):
    def setUp(self):
        super().setUp()
        self.write("many.launch.toml", (self.here / "k.launch.toml").read_text().replace("grid = [1]", 'grid = [60]\ncode = "k.asm"'))

    def rows(self, name):
        with open(self.here / f"runs/dse-{name}/table.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_optima_of_ye(self):
        """Ye 2009, Figure 18: bandwidth, registers per thread, best number of processing elements."""
        for gbs, registers, best in ((104, 30, 160), (32, 30, 160), (104, 20, 176), (32, 20, 176), (104, 10, 192), (32, 10, 184)):
            self.write("ye.toml", DESIGN.replace("memory_gbs = 104", f"memory_gbs = {gbs}").replace("thread = 30", f"thread = {registers}"))
            text = self.expect(0, "dse", "ye.toml").stdout
            self.assertEqual(re.search(r"best: (\d+) PEs", text).group(1), str(best), (gbs, registers))
        self.assertEqual(len(self.rows("ye")), 12)

    def test_other_areas_have_other_optima(self):
        self.write("ye.toml", DESIGN.replace("area_registers = 2.85", "area_registers = 1.0"))
        self.assertNotIn("best: 160", self.expect(0, "dse", "ye.toml").stdout)

    def test_survivors_are_simulated(self):
        self.write("plan.toml", MACHINES)
        text = self.expect(0, "dse", "plan.toml", "-j", "2").stdout
        self.assertIn("6 designs, 4 of the right area", text)
        rows = self.rows("machines")
        for row in rows:
            sms, registers = int(row["gpu.tpcs"]), int(row["sm.registers"])
            self.assertAlmostEqual(float(row["area_mm2"]), sms * (4.0 + 0.0003 * registers), places=4)
            self.assertTrue(8.0 <= float(row["area_mm2"]) <= 20.0)
            self.assertGreater(float(row["predicted_ms"]), 0.0)
        self.assertEqual([bool(row["simulated_ms"]) for row in rows], [True, True, False, False])
        self.assertIn("yes", {row["pareto"] for row in rows})
        self.assertIn("2 done earlier, 0 to run", self.expect(0, "dse", "plan.toml").stdout)
        self.expect(0, "dse", "plan.toml", "--model-only", "--runs-dir", "alone")
        self.assertFalse((self.here / "alone/dse-machines/points").exists())

    def test_values_that_do_not_go_together_have_a_reason(self):
        self.write("plan.toml", MACHINES.replace("[4096, 8192]", "[4096, 8000]").replace("[1, 2, 3]", "[1, 2]")
                   .replace("[area]", '"sm.register_alloc_unit" = [64, 512]\n[area]'))
        self.assertIn("3 of the right area, 2 impossible", self.expect(0, "dse", "plan.toml", "--model-only").stdout)
        refused = [row for row in self.rows("machines") if row["why"]]
        self.assertEqual([(row["sm.registers"], row["sm.register_alloc_unit"], row["area_mm2"]) for row in refused], [("8000", "512", "")] * 2)
        self.assertIn("not a multiple", refused[0]["why"])

    def test_values_that_no_machine_has_are_mistakes_of_the_plan(self):
        self.write("plan.toml", MACHINES.replace("[1, 2, 3]", "[1, 2, 300]").replace("sm.registers", "sm.register"))
        told = self.expect_refusal(3, "CFG-RANGE", "dse", "plan.toml")
        self.assertIn('plan.toml:6:21\n   |\n  6| "gpu.tpcs" = [1, 2, 300]', told)
        self.assertIn("plan.toml:7:1", told)
        self.assertIn("did you mean 'sm.registers'?", told)

    def test_mistakes_are_told_together(self):
        self.write("plan.toml", MACHINES.replace("per_sm", "per_smm").replace('"zhang-owens"', '"equal-area"'))
        text = self.expect_refusal(3, "PLAN-VALUE", "dse", "plan.toml")
        self.assertIn("did you mean 'area.per_sm'?", text)
        self.assertIn("is no model of the time of a launch", text)
        self.write("plan.toml", MACHINES.replace('"zhang-owens"', '"occupancy"'))
        text = self.expect_refusal(3, "PLAN-VALUE", "dse", "plan.toml")
        self.assertIn("'occupancy' is no model of the time of a launch", text)
        self.assertIn("hong-kim", text)
        self.write("plan.toml", DESIGN.replace("cpi = 1", "cpl = 1"))
        self.assertIn("there is no input 'cpl'", self.expect_refusal(3, "PLAN-VALUE", "dse", "plan.toml"))
