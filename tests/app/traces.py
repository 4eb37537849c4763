# SPDX-License-Identifier: Apache-2.0
"""Warp traces: a replay takes the same time and gives the same statistics as the execution it was recorded from."""
import json

from cli import Cli


class Traces(Cli):
    def numbers(self, *arguments):
        """Everything in stats.json but the host's time, the outputs and what identifies the run."""
        stats = json.loads(self.expect(0, "run", *arguments, "--json", "-", "--no-out", "-q").stdout)
        for key in "digest", "host":
            stats.pop(key, None)
        for launch in stats["launches"]:
            launch.pop("outputs", None)
        return stats

    def test_a_replay_is_the_execution_in_time(self):
        self.expect(0, "new", "hello", "divergent_loop", "transpose_padded", "matmul_tiled")
        for kernel in "divergent_loop", "transpose_padded":
            for machine in "tiny", "8800gtx", "gtx280":
                trace = f"{kernel}-{machine}.wtrace"
                launch = f"hello/{kernel}.launch.toml"
                self.expect(0, "trace", "record", launch, "-c", machine, "-o", trace)
                self.assertEqual(self.numbers(trace, "-c", machine), self.numbers(launch, "-c", machine), trace)

    def test_a_trace_recorded_in_time_is_the_same_as_one_without(self):
        self.expect(0, "trace", "record", "k.asm", "-o", "f.wtrace")
        self.expect(0, "trace", "record", "k.asm", "-o", "t.wtrace", "--mode", "timing")
        self.assertEqual(self.expect(0, "trace", "cat", "f.wtrace").stdout,
                         self.expect(0, "trace", "cat", "t.wtrace").stdout)

    def test_info_cat_verify(self):
        self.expect(0, "trace", "record", "k.asm", "-o", "k.wtrace")
        info = self.expect(0, "trace", "info", "k.wtrace").stdout
        self.assertIn("launch 0: add_one", info)
        self.assertIn("14 warp instructions", info)
        self.assertIn("chunks and 14 warp instructions are as they were written",
                      self.expect(0, "trace", "verify", "k.wtrace").stdout)
        lines = self.expect(0, "trace", "cat", "k.wtrace", "--warps", "1").stdout.splitlines()[1:]
        self.assertEqual(len(lines), 7)
        self.assertIn("0 0 1 000018 ffffffff ffffffff mov.u32 $r2, g[$r1]", lines[3])

    def test_nothing_is_overwritten(self):
        self.expect(0, "trace", "record", "k.asm", "-o", "k.wtrace")
        self.assertIn("never overwritten", self.expect(2, "trace", "record", "k.asm", "-o", "k.wtrace").stderr)

    def test_a_stopped_writer_leaves_a_readable_file(self):
        self.expect(0, "trace", "record", "k.asm", "-o", "k.wtrace")
        data = (self.here / "k.wtrace").read_bytes()
        (self.here / "cut.wtrace").write_bytes(data[:-16])
        self.assertIn("TRUNCATED", self.expect(0, "trace", "info", "cut.wtrace").stdout)
        self.expect(1, "trace", "verify", "cut.wtrace")

    def test_flipped_bits_are_found(self):
        self.expect(0, "trace", "record", "k.asm", "-o", "k.wtrace")
        data = bytearray((self.here / "k.wtrace").read_bytes())
        start = data.index(b"CHNK") + 24
        data[start + 8] ^= 1
        (self.here / "bad.wtrace").write_bytes(data)
        for action in ["trace", "verify"], ["run"]:
            self.assertIn("chunk 0 does not match its checksum", self.expect(4, *action, "bad.wtrace").stderr)
