# SPDX-License-Identifier: Apache-2.0
"""`dram.model = "tlm"` from outside: the memory that comes along, behind the socket of each partition."""
from cli import Cli

TLM = ("--set", "dram.model=tlm")


class TlmMemory(Cli):
    def run_small(self, folder, *options):
        self.expect(0, "run", "k.launch.toml", "-c", "tiny", "-q", "--no-report", "-o", folder, *options)
        return self.stats(folder)

    def test_runs_and_tells_what_it_does_not_know(self):
        dram = self.run_small("tlm", *TLM)["launches"][0]["dram"]
        self.assertGreater(dram["read_bytes"], 0)
        self.assertIsNone(dram["row_hit_pct"])
        self.assertIsNone(dram["bus_pct"]["idle"])
        self.assertGreater(dram["partitions"][0]["queue_deepest"], 0)

    def test_moves_the_same_bytes_as_the_built_in_memory(self):
        built_in, outside = (self.run_small(folder, *options)["launches"][0]["dram"]
                             for folder, options in (("built_in", ()), ("tlm", TLM)))
        for key in "read_bytes", "write_bytes":
            self.assertEqual(outside[key], built_in[key], key)

    def test_has_its_own_latency_and_the_digest_does_not_know_the_look_ahead(self):
        slow = self.run_small("slow", *TLM, "--set", "dram.tlm.latency_ns=900")
        self.assertGreater(slow["launches"][0]["time"]["cycles"], self.run_small("fast", *TLM)["launches"][0]["time"]["cycles"] + 800)
        self.assertEqual(slow["digest"], self.run_small("exact", *TLM, "--set", "dram.tlm.latency_ns=900", "--look-ahead", "0")["digest"])

    def test_waveforms_show_the_port_and_change_nothing(self):
        plain = self.run_small("plain", *TLM)
        self.assertEqual(self.run_small("waves", *TLM, "--vcd")["digest"], plain["digest"])

    def test_an_unknown_model_is_refused(self):
        self.expect_refusal(3, "CFG-CHOICE", "run", "k.launch.toml", "-c", "tiny", "--set", "dram.model=foreign")
