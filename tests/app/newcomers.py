# SPDX-License-Identifier: Apache-2.0
"""What somebody meets who uses the program for the first time."""
import pathlib

from cli import Cli

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Partitions of boards that have no power of two of them.
PARTITIONS = {"gtx260": 7, "gtx260_216": 7, "8800ultra": 6, "8800gts_640": 5, "8800gts_320": 5, "8800gtx": 6}


class Machines(Cli):
    def presets(self):
        lines = self.expect(0, "configs", "list").stdout.splitlines()[1:]
        self.assertGreater(len(lines), 25)
        return [line.split()[0] for line in lines]

    def test_every_preset_checks_and_runs_a_shipped_kernel(self):
        for preset in self.presets():
            self.expect(0, "configs", "check", str(ROOT / "configs" / f"{preset}.toml"))
            self.expect(0, "run", str(ROOT / "traces/reduce3/reduce3.launch.toml"), "-c", preset, "-o", preset, "-q",
                        "--expect", "outputs_ok")

    def test_addresses_spread_evenly_over_any_number_of_partitions(self):
        for preset, partitions in PARTITIONS.items():
            self.expect(0, "run", str(ROOT / "traces/vecadd/vecadd.launch.toml"), "-c", preset, "-o", preset, "-q")
            dram = self.stats(preset)["launches"][0]["dram"]
            read = [row["read_bytes"] for row in dram["partitions"]]
            self.assertEqual(len(read), partitions, preset)
            self.assertLess(max(read), 1.02 * min(read), preset)
