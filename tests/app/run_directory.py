# SPDX-License-Identifier: Apache-2.0
"""What a run leaves behind, and that it can be repeated."""
import json
import os

from cli import ASM, Cli


class Run_directory(Cli):
    def test_has_everything(self):
        self.expect(0, "run", "k.asm", "-c", "tiny")
        folder = self.here / "runs/001-k-tiny"
        names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
        self.assertEqual(names, {"run.json", "config.effective.toml", "summary.txt", "stats.json", "stats.csv", "pc.csv", "ctas.csv", "warps.csv", "intervals.csv", "models.json", "report.html",
                                 "cuprof_cc1x.csv",
                                 "status.json", "inputs/k.asm", "inputs/k.launch.toml"})
        run = json.loads((folder / "run.json").read_text())
        self.assertEqual((run["status"], run["exit"], run["schema"]), ("ok", 0, "teslasim.run/1"))
        self.assertEqual(run["digest"], self.stats()["digest"])
        self.assertEqual(set(run["files"]), {name for name in names if "/" not in name} - {"run.json", "report.html"})
        self.assertEqual(json.loads((folder / "status.json").read_text())["phase"], "ok")
        self.assertEqual((folder / "inputs/k.asm").read_text(), ASM)

    def test_report_made_again_from_the_files_has_the_same_bytes(self):
        first = self.here / "timed/report.html"
        self.expect(0, "run", "k.asm", "-c", "gtx280", "-o", "timed", "--lanes", "0x0008", "-s", "sm.latency_cycles.alu=24")
        self.expect(0, "run", "k.asm", "-c", "tiny", "-o", "functional", "--mode", "functional")
        for name in "timed", "functional":
            with self.subTest(run=name):
                page = (self.here / name / "report.html").read_bytes()
                self.expect(0, "report", name, "-o", "again.html")
                self.assertEqual((self.here / "again.html").read_bytes(), page)
        self.assertIn("<td>24<td>--set", first.read_text().replace(" class=n", ""))

    def test_numbers_count_up_and_latest_follows(self):
        for number in 1, 2:
            self.expect(0, "run", "k.asm", "-c", "tiny", "-q")
            self.assertEqual(os.readlink(self.here / "runs/latest"), f"00{number}-k-tiny")
        rows = self.table("runs/index.csv")
        self.assertEqual([row["run"] for row in rows], ["1", "2"])
        self.assertEqual(rows[0]["digest"], rows[1]["digest"])

    def test_out_is_never_overwritten(self):
        self.expect(0, "run", "k.asm", "-c", "tiny", "-o", "mine")
        before = (self.here / "mine/stats.json").read_bytes()
        self.assertIn("error[OUT-EXISTS]", self.expect(8, "run", "k.asm", "-c", "tiny", "-o", "mine").stderr)
        self.assertEqual((self.here / "mine/stats.json").read_bytes(), before)
        self.assertFalse((self.here / "runs").exists())

    def test_no_out_writes_nothing(self):
        before = set(self.here.iterdir())
        self.expect(0, "run", "k.asm", "-c", "tiny", "--no-out")
        self.assertEqual(set(self.here.iterdir()), before)

    def test_unwritable_place(self):
        self.write("file", "")
        self.assertIn("error[FILE-WRITE]", self.expect(8, "run", "k.asm", "-c", "tiny", "--runs-dir", "file/runs").stderr)

    def test_effective_configuration_is_a_machine_file_with_origins(self):
        self.expect(0, "run", "k.asm", "-c", "tiny", "-s", "sm.latency_cycles.alu=24")
        text = (self.here / "runs/latest/config.effective.toml").read_text()
        self.assertRegex(text, r"alu = 24 +# from: --set")
        self.write("again.toml", text)
        self.expect(0, "configs", "check", "again.toml")

    def test_statistics_csv_agrees_with_json(self):
        self.expect(0, "run", "k.asm", "-c", "tiny")
        rows = self.table("runs/latest/stats.csv")
        launch = self.stats()["launches"][0]
        value = {row["stat"]: row["value"] for row in rows if row["scope"] == "launch"}
        self.assertEqual(int(value["time.cycles"]), launch["time"]["cycles"])
        self.assertEqual(int(value["issue_slots.issued"]), launch["issue_slots"]["issued"])

    def test_pc_csv_sums_to_the_launch(self):
        self.expect(0, "run", "k.asm", "-c", "tiny")
        rows = self.table("runs/latest/pc.csv")
        launch = self.stats()["launches"][0]
        self.assertEqual(sum(int(row["warp_issues"]) for row in rows), launch["instructions"]["warp"])
        self.assertEqual(sum(int(row["slots_issued"]) for row in rows), launch["issue_slots"]["issued"])
        self.assertEqual(rows[0]["text"][:3], "and")

    def test_blocks_stand_where_and_when_they_ran(self):
        self.kernel("many", ASM.replace("add_one", "many"), block=64, grid=40,
                    param='param = [{ name = "data", type = "u32", count = 64, init = "iota" }, { name = "n", type = "u32", value = 64 }]\n')
        self.expect(0, "run", "many.asm", "-c", "gtx280", "-s", "gpu.tpcs=1", "-o", "all")
        rows = self.table("all/ctas.csv")
        self.assertEqual(sorted(int(row["cta"]) for row in rows), list(range(40)))
        self.assertEqual({row["sm"] for row in rows}, {"0", "1", "2"})
        self.assertLessEqual(max(int(row["slot"]) for row in rows), 7)
        end = json.loads((self.here / "all/stats.json").read_text())["launches"][0]["time"]["cycles"]
        last = {}
        for row in rows:  # blocks of a slot follow each other
            place, begin = (row["sm"], row["slot"]), int(row["cycle_begin"])
            self.assertGreaterEqual(begin, last.get(place, 0))
            last[place] = int(row["cycle_end"])
            self.assertLess(begin, last[place])
        self.assertLessEqual(max(last.values()), end)
        self.expect(0, "run", "many.asm", "-c", "gtx280", "-s", "gpu.tpcs=1", "-o", "some", "--blocks", "7-9,30")
        self.assertEqual({row["cta"] for row in self.table("some/ctas.csv")}, {"7", "8", "9", "30"})
        self.expect(0, "run", "many.asm", "-c", "gtx280", "-o", "functional", "--mode", "functional")
        self.assertFalse((self.here / "functional/ctas.csv").exists())

    def test_rerun_gives_the_same_digest_even_when_the_originals_are_gone(self):
        self.expect(0, "run", "k.asm", "-c", "tiny", "-s", "sm.latency_cycles.alu=30")
        (self.here / "k.asm").unlink()
        (self.here / "k.launch.toml").unlink()
        self.assertIn("same digest", self.expect(0, "rerun", "latest").stdout)
        self.expect(0, "rerun", "1")
        self.assertIn("error[RUN-NOT-FOUND]", self.expect(4, "rerun", "7").stderr)

    def test_rerun_notices_a_difference(self):
        self.expect(0, "run", "k.asm", "-c", "tiny")
        folder = self.here / "runs/001-k-tiny"
        config = (folder / "config.effective.toml").read_text()
        (folder / "config.effective.toml").write_text(config.replace("scheduler = \"loose_round_robin\"", "scheduler = \"oldest\"")
                                                      .replace("writeback = ", "writeback = 1"))
        self.assertIn("DIGEST DIFFERS", self.expect(1, "rerun", "latest").stdout)
        (folder / "inputs/k.asm").write_text(ASM + "\n")
        self.assertIn("error[RERUN-INPUT]", self.expect(4, "rerun", "latest").stderr)

    def test_inline_launch_is_repeated_too(self):
        self.expect(0, "run", "k.asm", "-c", "tiny", "--grid", "1", "--block", "32",
                    "--param", "data=u32[64]:iota", "--param", "n=64")
        self.expect(0, "rerun", "latest")
