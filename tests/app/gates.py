# SPDX-License-Identifier: Apache-2.0
"""Gates: what must never pass. compare --fail-on, run --expect, compare --hw."""
import json

from cli import FOREVER_ASM, Cli

HEADING = "workload,metric,value,unit,source\n"


class Gates(Cli):
    def two_runs(self):
        self.expect(0, "run", "k.asm", "-c", "tiny", "-q")
        self.expect(0, "run", "k.asm", "-c", "tiny", "-q")

    def test_a_run_that_did_not_finish_fails(self):
        """Ten thousand cycles of a kernel that never ends, then a short run: not faster."""
        self.kernel("forever", FOREVER_ASM)
        self.expect(0, "run", "forever.asm", "-c", "tiny", "-q", "--max-cycles", "10000")
        self.expect(0, "run", "k.asm", "-c", "tiny", "-q")
        for pair in ("1", "2"), ("2", "1"):
            done = self.expect(1, "compare", *pair, "--fail-on", "time_ms>+1000%")
            self.assertIn("fail-on: time_ms>+1000%   FAIL  (001-forever-tiny did not finish (limit))", done.stdout)
            self.assertNotIn("x faster", done.stdout)
            self.assertNotIn("x slower", done.stdout)
            self.assertIn("limit", done.stdout.splitlines()[1])
        document = json.loads(self.expect(1, "compare", "2", "1", "--json", "--fail-on", "time_ms>+1000%").stdout)
        self.assertEqual([run["status"] for run in document["runs"]], ["ok", "limit"])
        self.assertEqual([run["flaw"] for run in document["runs"]], [None, "did not finish (limit)"])
        self.assertEqual(document["fail_on"], [{"condition": "time_ms>+1000%", "pass": False,
                                                "actual": "001-forever-tiny did not finish (limit)"}])
        self.expect(0, "compare", "1", "2", "--html", "both.html", "-q")
        self.assertIn("001-forever-tiny did not finish (limit).", (self.here / "both.html").read_text())

    def test_wrong_outputs_fail(self):
        self.expect(0, "run", "k.asm", "-c", "tiny", "-q")
        launch = (self.here / "k.launch.toml").read_text()
        self.write("k.launch.toml", launch + '[expect.data]\nfile = "wrong.raw"\n')
        (self.here / "wrong.raw").write_bytes(bytes(256))
        self.expect(1, "run", "k.asm", "-c", "tiny", "-q")
        done = self.expect(1, "compare", "1", "2", "--fail-on", "time_ms>+2%")
        self.assertIn("WRONG (0 of 1)", done.stdout)
        self.assertIn("002-k-tiny has wrong outputs: data (64 of 64 elements)", done.stdout)
        document = json.loads(self.expect(0, "compare", "1", "2", "--json").stdout)
        self.assertEqual([run["outputs"] for run in document["runs"]], [{"checked": 0, "ok": None}, {"checked": 1, "ok": False}])

    def test_a_sample_is_not_held_against_a_whole_grid(self):
        self.kernel("k", (self.here / "k.asm").read_text(), block=64, grid=8,
                    param='param = [{ name = "data", type = "u32", count = 64, init = "iota" }, { name = "n", type = "u32", value = 64 }]\n')
        self.write("k.launch.toml", (self.here / "k.launch.toml").read_text().replace('"k"', '"add_one"'))
        self.expect(0, "run", "k.asm", "-c", "tiny", "-q")
        self.expect(0, "run", "k.asm", "-c", "tiny", "-q", "--blocks", "0-1")
        self.assertIn("ran some blocks of its grid", self.expect(1, "compare", "1", "2", "--fail-on", "time_ms>+2%").stdout)

    def test_conditions_that_bound_nothing_are_mistakes(self):
        self.two_runs()
        for bound in "+nan%", "+inf", "-inf%", "+1e999", "+-5%", "+", "", "+%", "+fast":
            told = self.expect(2, "compare", "1", "2", "--fail-on", f"time_ms>{bound}").stderr
            self.assertIn("error[CLI-FAIL-ON]", told)
            self.assertIn(f"   | --fail-on time_ms>{bound}\n", told)
        self.assertIn("error[CLI-FAIL-ON]", self.expect(2, "compare", "1", "2", "--fail-on", "").stderr)
        self.assertIn("pass", self.expect(0, "compare", "1", "2", "--fail-on", "time_ms>+2%").stdout)

    def test_a_misspelt_name_fails(self):
        self.two_runs()
        self.assertIn("there is no 'tmie_ms' in 001-k-tiny, did you mean 'time_ms'?",
                      self.expect(1, "compare", "1", "2", "--fail-on", "tmie_ms>+2%").stdout)

    def test_a_run_against_itself_is_no_gate(self):
        """A gate against `latest` when the newer run never came to be."""
        self.two_runs()
        told = self.expect(2, "compare", "2", "latest", "--fail-on", "time_ms>+2%").stderr
        self.assertIn("'2' and 'latest' are the same run", told)
        self.expect(0, "compare", "2", "latest")

    def test_each_run_is_held_against_the_first(self):
        """The one in the middle differs, the last one does not."""
        self.expect(0, "run", "k.asm", "-c", "tiny", "-q")
        self.expect(0, "run", "k.asm", "-c", "tiny", "-q", "-s", "sm.latency_cycles.alu=60")
        text = self.expect(0, "compare", "1", "2", "1").stdout
        self.assertIn("002-k-tiny: inputs: identical; config: 1 keys differ\n", text)
        self.assertIn("001-k-tiny: inputs: identical; config: identical\n", text)

    def test_options_without_effect_are_refused(self):
        self.two_runs()
        self.write("hw.csv", HEADING + "add_one,time_ms,20,us,me\n")
        for option in ("--fail-on", "time_ms>+2%"), ("--json",), ("--all",):
            self.assertIn("error[CLI-INPUT]", self.expect(2, "compare", "1", "2", "--hw", "hw.csv", *option).stderr)

    def test_expectations(self):
        self.kernel("forever", FOREVER_ASM)
        done = self.expect(1, "run", "forever.asm", "-c", "tiny", "--max-cycles", "10000", "--expect", "time_ms < 1", "--no-out")
        self.assertIn("expect: time_ms < 1   FAIL  (the run did not finish: limit)", done.stdout)
        for bound in "== nan", "< inf", "!= nan", "<", "< 1 ms":
            told = self.expect(2, "run", "k.asm", "-c", "tiny", "--no-out", "--expect", f"time_ms {bound}").stderr
            self.assertIn("error[CLI-EXPECT]", told)
        self.assertIn("   | --expect time_ms == nan\n   |                     ^^^\n",
                      self.expect(2, "run", "k.asm", "-c", "tiny", "--no-out", "--expect", "time_ms == nan").stderr)

    def test_expectations_of_a_file(self):
        self.write("expect", "# a gate\ninstructions.warp > 0   # any\ntime_ms > 1\n")
        told = self.expect(1, "run", "k.asm", "-c", "tiny", "-o", "one", "--expect", "@expect", "--expect", "cycles > 1").stdout
        self.assertRegex(told, r"instructions.warp > 0 +pass\nexpect: time_ms > 1 +FAIL .*\nexpect: cycles > 1 +pass\n")
        (self.here / "expect").unlink()
        self.expect(0, "rerun", "one")
        self.assertIn("cannot read the conditions in 'expect'", self.expect_refusal(4, "EXPECT-FILE", "run", "k.asm", "-c", "tiny", "--expect", "@expect"))
        self.write("expect", "time_m > 1\n")
        self.assertIn("expect:1:1\n", self.expect_refusal(2, "CLI-EXPECT", "run", "k.asm", "-c", "tiny", "--expect", "@expect"))
        self.expect_refusal(2, "OUT-IS-INPUT", "run", "k.asm", "-c", "tiny", "--expect", "@expect", "--json=expect")

    def test_units_of_measurements(self):
        self.expect(0, "run", "k.asm", "-c", "tiny", "-q")
        ms = self.stats()["launches"][0]["time"]["ms"]
        for unit, factor in ("s", 1e-3), ("ms", 1), ("us", 1e3), ("ns", 1e6):
            self.write("hw.csv", HEADING + f"add_one,time_ms,{ms * factor * 2:.17g},{unit},me\n")
            self.assertIn("-50.0 %", self.expect(0, "compare", "1", "--hw", "hw.csv").stdout)
        self.write("hw.csv", HEADING + "add_one,time_ms,nan,ms,me\nadd_one,time_ms,-1,ms,me\nadd_one,time_ms,1,fortnight,me\n"
                                       "add_one,tmie_ms,1,ms,me\nadd_one,time_ms,soon,ms,me\n")
        told = self.expect(4, "compare", "1", "--hw", "hw.csv").stderr
        self.assertEqual(told.count("error[HW-PROFILE]"), 5)
        self.assertIn("hw.csv:2:17\n   |\n  2| add_one,time_ms,nan,ms,me\n   |                 ^^^\n", told)
        self.assertIn("did you mean 'time_ms'?", told)

    def test_damaged_statistics_are_an_answer(self):
        self.two_runs()
        stats = self.here / "runs/002-k-tiny/stats.json"
        for text in '{"launches": 1}', '{"launches": [{"kernel": 7}], "status": []}', '{"launches": [7]}':
            stats.write_text(text)
            self.assertIn("error[RUN-DAMAGED]", self.expect(4, "compare", "1", "2").stderr)
