# SPDX-License-Identifier: Apache-2.0
"""run.sqlite: a run's tables for SQL, the same numbers as in its other files."""
import csv
import json
import sqlite3
import unittest

from cli import Cli

TABLES = {"stat": "stats.csv", "pc": "pc.csv", "interval": "intervals.csv", "warp": "warps.csv", "cta": "ctas.csv",
          "profiler_counter": "cuprof_cc1x.csv"}


class Database(Cli):
    def setUp(self):
        super().setUp()
        doctor = self.expect(0, "doctor").stdout
        if "SQLite: left out" in doctor:
            self.skipTest("built without libsqlite3-dev")

    def open(self, run="runs/latest"):
        connection = sqlite3.connect(self.here / run / "run.sqlite")
        self.addCleanup(connection.close)
        return connection

    def rows(self, name):
        with open(self.here / "runs/latest" / name, encoding="utf-8", newline="") as file:
            return list(csv.reader(file))

    def test_tables_are_the_files(self):
        self.expect(0, "run", "k.launch.toml", "--sqlite")
        base = self.open()
        for table, file in TABLES.items():
            header, *lines = self.rows(file)
            found = base.execute(f"SELECT * FROM {table}")
            self.assertEqual([column[0] for column in found.description], header, table)
            cells = found.fetchall()
            self.assertEqual(len(cells), len(lines), table)
            for cell_row, line in zip(cells, lines):
                for cell, text in zip(cell_row, line):
                    if cell is None:
                        self.assertEqual(text, "")
                    elif isinstance(cell, str):
                        self.assertEqual(cell, text)
                    else:
                        self.assertEqual(float(cell), float(text))

    def test_numbers_are_numbers(self):
        self.expect(0, "run", "k.launch.toml", "--sqlite")
        base = self.open()
        launch = self.stats()["launches"][0]
        cycles, ms, status = base.execute("SELECT cycles, ms, status FROM launch").fetchone()
        self.assertEqual((cycles, ms, status), (launch["time"]["cycles"], launch["time"]["ms"], "ok"))
        self.assertEqual(base.execute("SELECT sum(warp_issues) FROM pc").fetchone()[0], launch["instructions"]["warp"])
        self.assertEqual(base.execute("SELECT value FROM stat WHERE stat = 'time.cycles'").fetchone()[0], cycles)
        self.assertEqual(base.execute("SELECT value FROM stat WHERE stat = 'status'").fetchone()[0], "ok")
        run = base.execute("SELECT status, exit, digest, command FROM run").fetchone()
        self.assertEqual(run, ("ok", 0, self.stats()["digest"], "k.launch.toml --sqlite"))

    def test_views_add_up(self):
        self.expect(0, "run", "k.launch.toml", "--sqlite")
        base = self.open()
        slots = self.stats()["launches"][0]["issue_slots"]
        self.assertEqual(dict(base.execute("SELECT reason, slots FROM v_stack")),
                         {name: count for name, count in slots.items() if name != "total" and count})
        issued, lost = base.execute("SELECT sum(slots_issued), sum(slots_lost) FROM v_hot").fetchone()
        self.assertEqual(issued, slots["issued"])
        self.assertLessEqual(issued + lost, slots["total"])
        self.assertGreater(lost, 0)

    def test_models_and_their_terms(self):
        self.expect(0, "run", "k.launch.toml", "--sqlite")
        base = self.open()
        models = {row[0] for row in base.execute("SELECT model FROM model")}
        self.assertIn("zhang-owens", models)
        self.assertLessEqual({row[0] for row in base.execute("SELECT DISTINCT model FROM model_term")}, models)
        self.assertEqual(base.execute("SELECT value FROM model_term WHERE model = 'occupancy' AND term = 'active_warps'")
                         .fetchone()[0], self.stats()["launches"][0]["occupancy"]["warps"])

    def test_of_a_finished_run(self):
        self.expect(0, "run", "k.launch.toml", "--sqlite")
        file = self.here / "runs/latest/run.sqlite"
        first = file.read_bytes()
        file.unlink()
        self.assertIn("run.sqlite", self.expect(0, "report", "latest", "--sqlite").stdout)
        self.assertEqual(file.read_bytes(), first)
        self.expect(2, "report", "latest", "latest", "--compare", "--sqlite")

    def test_of_a_run_by_function_there_are_fewer(self):
        self.expect(0, "run", "k.launch.toml", "--sqlite", "--mode", "functional")
        names = {row[0] for row in self.open().execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        self.assertLessEqual({"run", "launch", "stat"}, names)
        self.assertNotIn("interval", names)
        self.assertNotIn("warp_state", names)

    def test_states_of_warps_are_those_of_the_timeline(self):
        self.expect(0, "run", "k.launch.toml", "-c", "tiny", "--sqlite", "--perfetto", "--window", "cycle:0-100000")
        base = self.open()
        names = [column[0] for column in base.execute("SELECT * FROM warp_state").description]
        self.assertEqual(names, "launch sm warp cycle_begin cycle_end state pc blamed_pc".split())
        cycles = self.stats()["launches"][0]["warp_cycles"]
        found = dict(base.execute("SELECT state, sum(cycle_end - cycle_begin) / 2 FROM warp_state GROUP BY state"))
        self.assertEqual(found, {state: count for state, count in cycles.items() if state != "total" and count})
        overlaps = base.execute("SELECT count(*) FROM warp_state AS a JOIN warp_state AS b ON a.warp = b.warp AND a.rowid < b.rowid "
                                "AND a.cycle_end > b.cycle_begin").fetchone()[0]
        self.assertEqual(overlaps, 0, "a warp is in one state at a time")
        issued = dict(base.execute("SELECT pc, count(*) FROM warp_state WHERE state = 'issuing' GROUP BY pc"))
        self.assertEqual(issued, dict(base.execute("SELECT pc, warp_issues FROM pc")))
        waits = base.execute("SELECT DISTINCT pc, blamed_pc FROM warp_state WHERE state = 'wait.mem.global'").fetchall()
        self.assertEqual(waits, [("0x0020", "0x0018")])
        first = (self.here / "runs/latest/run.sqlite").read_bytes()
        self.expect(0, "report", "latest", "--sqlite")
        self.assertEqual((self.here / "runs/latest/run.sqlite").read_bytes(), first)
        note, = [note for note in json.loads((self.here / "runs/latest/run.json").read_text())["timelines"]
                 if note["file"] == "warp_states.csv.gz"]
        self.assertEqual((note["events"], note["dropped"]), (base.execute("SELECT count(*) FROM warp_state").fetchone()[0], 0))

    def test_not_by_default_and_not_without_a_folder(self):
        self.expect(0, "run", "k.launch.toml")
        self.assertFalse((self.here / "runs/latest/run.sqlite").exists())
        refused = self.expect(2, "run", "k.launch.toml", "--sqlite", "--no-out")
        self.assertIn("--sqlite is for a file of the run's folder", refused.stderr)


if __name__ == "__main__":
    unittest.main()
