# SPDX-License-Identifier: Apache-2.0
"""warps.csv: where the cycles of single warps went, and which warps those are."""
import collections
import json
import os
import pathlib
import signal
import subprocess
import time
import unittest

from cli import ASM, PROGRAM, Cli, not_under_sanitizers

PROJECT = pathlib.Path(__file__).resolve().parents[2]
STATES_AFTER = "warp_cycles"
# Warp 0 goes through a loop while the other warps of its block wait for it at a barrier; then each goes on by itself.
WAITING_ASM = """\
.entry waiting
{
    mov.b32 $r2, 0x0000ffe0
    and.b32 $p0|$r1, $r0, $r2
@$p0.ne bra.label meet
    mov.b32 $r3, 0x00000100
    mov.b32 $r4, 1
again:
    sub.u32 $p1|$r3, $r3, $r4
@$p1.ne bra.label again
meet:
    bar.sync.u32 0
    return
}
"""
FAILING_ASM = """\
.entry failing
{
    cvt.u32.u16 $r1, %ctaid.x
    mov.b32 $r2, 1
again:
    sub.u32 $p0|$r1, $r1, $r2
@$p0.ne bra.label again
    mov.b32 $r3, 0
    mov.u32 $r4, g[$r3]
    return
}
"""


def states(row):
    names = list(row)
    return {name: int(row[name]) for name in names[names.index(STATES_AFTER) + 1:]}


def column(state):
    return "".join(letter.lower() if letter.isalnum() else "_" for letter in state)


class Warps(Cli):
    def run_to(self, folder, *arguments, status=0):
        self.expect(status, "run", *arguments, "-q", "--no-report", "-o", folder)
        return self.table(f"{folder}/warps.csv")

    def many(self, grid=40):
        self.kernel("many", ASM.replace("add_one", "many"), block=64, grid=grid,
                    param='param = [{ name = "data", type = "u32", count = 64, init = "iota" }, { name = "n", type = "u32", value = 64 }]\n')

    def expect_law(self, folder, rows):
        """Each warp was in one state in each cycle between its block's arrival and end, and all together in those of the launch."""
        launch = self.stats(folder)["launches"][0]
        sums = collections.Counter()
        for row in rows:
            end = int(row["cycle_end"] or launch["time"]["cycles"])
            self.assertEqual(2 * sum(states(row).values()), end - int(row["cycle_begin"]), row)
            self.assertEqual(int(row["warp_cycles"]), sum(states(row).values()))
            finish = int(row["cycle_finish"] or end)
            self.assertEqual(2 * int(row["finished_waiting_for_cta"]), end - finish, row)
            sums.update(states(row))
            sums.update(instructions=int(row["instructions"]), threads=int(row["thread_instructions"]))
        for state, cycles in launch["warp_cycles"].items():
            if state != "total":
                self.assertEqual(sums[column(state)], cycles, state)
        self.assertEqual(sums["instructions"], launch["instructions"]["warp"])
        self.assertEqual(sums["threads"], launch["instructions"]["thread"])

    def test_all_sms_have_all_cycles_of_the_launch(self):
        self.many()
        rows = self.run_to("all", "many.asm", "-c", "gtx280", "-s", "gpu.tpcs=1", "--warp-sms", "all")
        self.assertEqual(len(rows), 80)
        self.assertEqual({row["kernel"] for row in rows}, {"many"})
        self.assertEqual([(row["sm"], int(row["cycle_begin"])) for row in rows], sorted((row["sm"], int(row["cycle_begin"])) for row in rows))
        self.expect_law("all", rows)
        blocks = {row["cta"]: row for row in self.table("all/ctas.csv")}
        for row in rows:
            block = blocks[row["cta"]]
            self.assertEqual([row[name] for name in ("sm", "slot", "cycle_begin", "cycle_end")],
                             [block[name] for name in ("sm", "slot", "cycle_begin", "cycle_end")])
        record = json.loads((self.here / "all/run.json").read_text())
        self.assertEqual(record["warps"], {"lines": 80, "dropped": 0})
        self.assertIn("warps.csv", record["files"])

    def test_of_sm_0_unless_others_are_chosen(self):
        self.many()
        every = self.run_to("all", "many.asm", "-c", "gtx280", "--warp-sms", "all")
        for name, words, sms in (("first", [], {"0"}), ("some", ["--warp-sms", "2,4-5"], {"2", "4", "5"})):
            with self.subTest(sms=sms):
                rows = self.run_to(name, "many.asm", "-c", "gtx280", *words)
                self.assertEqual(rows, [row for row in every if row["sm"] in sms])
                self.assertEqual(self.stats(name)["digest"], self.stats("all")["digest"])
        self.expect(0, "run", "many.asm", "-q", "-o", "none", "--warp-sms", "none")
        self.assertFalse((self.here / "none/warps.csv").exists())
        self.assertNotIn("warps", json.loads((self.here / "none/run.json").read_text()))
        chosen = self.run_to("blocks", "many.asm", "-c", "gtx280", "--blocks", "7-9,30", "--warp-sms", "all")
        self.assertEqual({row["cta"] for row in chosen}, {"7", "8", "9", "30"})

    @not_under_sanitizers
    def test_no_way_of_simulating_changes_a_byte(self):
        self.many()
        words = ["many.asm", "-c", "gtx280", "--warp-sms", "all"]
        self.run_to("first", *words)
        text = (self.here / "first/warps.csv").read_bytes()
        for i, way in enumerate((["--threads", "2"], ["--threads", "3", "--no-sleep"], ["--look-ahead", "exact"], ["--look-ahead", "1"],
                                 ["--no-sleep"], ["--no-intervals"], ["--perfetto"])):
            with self.subTest(way=way):
                self.run_to(f"way{i}", *words, *way)
                self.assertEqual((self.here / f"way{i}/warps.csv").read_bytes(), text)

    def test_a_barrier_shows_who_waits_for_whom(self):
        self.kernel("waiting", WAITING_ASM, block=128)
        rows = self.run_to("waiting", "waiting.asm", "-c", "tiny")
        waits = [int(row["wait_sync_barrier"]) for row in rows]
        self.assertEqual([row["warp"] for row in rows], ["0", "1", "2", "3"])
        self.assertLess(waits[0], 32)
        for other in waits[1:]:
            self.assertGreater(other, 1000)

    def test_of_a_reduction_the_first_warp_waits_least(self):
        """As docs/file-formats.md says: the others come to the barriers of steps that it does alone."""
        rows = self.run_to("reduce3", str(PROJECT / "traces/reduce3/reduce3.asm"))
        waits, blocks = collections.Counter(), {row["cta"] for row in rows}
        for row in rows:
            waits[row["warp"]] += int(row["wait_sync_barrier"]) / len(blocks)
        self.assertLess(abs(waits.pop("0") - 150), 30)
        self.assertEqual(len(waits), 7)
        for cycles in waits.values():
            self.assertTrue(720 < cycles < 1030, waits)

    def test_warps_beyond_the_bound_are_counted(self):
        self.many(grid=1100)
        rows = self.run_to("many", "many.asm", "-c", "tiny", "-s", "gpu.tpcs=1", "-s", "gpu.sms_per_tpc=1")
        self.assertEqual(len(rows), 2048)
        self.assertEqual(json.loads((self.here / "many/run.json").read_text())["warps"], {"lines": 2048, "dropped": 152})
        self.assertEqual({row["cta"] for row in rows}, {str(block) for block in range(1024)})

    def test_a_launch_that_stops_early_has_its_warps_up_to_there(self):
        self.many()
        rows = self.run_to("limit", "many.asm", "-c", "gtx280", "--warp-sms", "all", "--max-cycles", "1001")
        self.assertEqual(self.stats("limit")["status"], "limit")
        self.assertIn("", {row["cycle_end"] for row in rows})
        self.expect_law("limit", rows)
        self.kernel("failing", FAILING_ASM, block=64, grid=40)
        rows = self.run_to("failing", "failing.asm", "-c", "gtx280", "--warp-sms", "all", status=5)
        self.assertIn("", {row["cycle_end"] for row in rows})
        self.expect_law("failing", rows)

    def test_ctrl_c_leaves_the_warps_that_were_there(self):
        self.kernel("forever", ".entry forever\n{\nagain:\n    bra again\n    return\n}\n", block=64, grid=4)
        with subprocess.Popen([PROGRAM, "run", "forever.asm", "-c", "tiny", "-q", "-o", "stopped", "--warp-sms", "all"], cwd=self.here,
                              env=dict(os.environ, TESLASIM_CACHE=str(self.here / "cache")), stderr=subprocess.DEVNULL) as process:
            while not (self.here / "stopped/status.json").exists():
                time.sleep(0.05)
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=120), 128 + signal.SIGINT)
        rows = self.table("stopped/warps.csv")
        self.assertEqual({(row["cycle_finish"], row["cycle_end"]) for row in rows}, {("", "")})
        self.expect_law("stopped", rows)

    def test_launches_that_are_added_up_have_none(self):
        launches = "".join('[[launch]]\nkernel = "add_one"\ngrid = [1]\nblock = [64]\nparam = [{ name = "data"' + buffer + " }, "
                           '{ name = "n", type = "u32", value = 64 }]\n' for buffer in (', type = "u32", count = 64', "", ""))
        self.write("three.launch.toml", 'schema = "teslasim.launch/1"\ncode = "k.asm"\n' + launches)
        for details, numbers in ("all", ["0", "0", "1", "1", "2", "2"]), ("1", ["1", "1"]):
            rows = self.run_to(details, "three.launch.toml", "-c", "tiny", "--launch-details", details)
            self.assertEqual([row["launch"] for row in rows], numbers)
        self.expect(0, "run", "three.launch.toml", "-c", "tiny", "-q", "-o", "none", "--launch-details", "none")
        self.assertFalse((self.here / "none/warps.csv").exists())

    def test_a_trace_has_the_warps_of_its_kernel(self):
        self.run_to("run", "k.asm", "-c", "tiny", "--warp-sms", "all")
        self.expect(0, "trace", "record", "k.asm", "-c", "tiny", "-o", "k.wtrace")
        self.run_to("replay", "k.wtrace", "-c", "tiny", "--warp-sms", "all")
        self.assertEqual((self.here / "replay/warps.csv").read_bytes(), (self.here / "run/warps.csv").read_bytes())

    def test_without_time_there_is_no_file(self):
        self.expect(0, "run", "k.asm", "-q", "-o", "functional", "--mode", "functional")
        self.assertFalse((self.here / "functional/warps.csv").exists())

    def test_what_cannot_be_is_said(self):
        for words in (["--warp-sms", "2", "-c", "tiny"], ["--warp-sms", "x"], ["--warp-sms", "3-1"], ["--warp-sms", "0", "--no-out"],
                      ["--warp-sms", "all", "--mode", "functional"]):
            with self.subTest(words=words):
                self.expect_refusal(2, "CLI-VALUE", "run", "k.asm", *words)


if __name__ == "__main__":
    unittest.main()
