# SPDX-License-Identifier: Apache-2.0
"""Options that would have no effect are refused: a launch for a trace, a machine for a finished run, a recording without time."""
from cli import Cli

HEAD = """\
-kernel name = vecadd
-grid dim = (2,1,1)
-block dim = (32,1,1)
-nregs = 8
-accelsim tracer version = 4

#traces format = ...
"""


def block(number, count=1, warp=0):
    return (f"#BEGIN_TB\n\nthread block = {number},0,0\n\nwarp = {warp}\ninsts = {count}\n"
            "0010 ffffffff 0 EXIT 0 0\n\n#END_TB\n\n")


class Replay_options(Cli):
    def record(self):
        self.expect(0, "trace", "record", "k.asm", "-c", "tiny", "-o", "k.wtrace")

    def test_a_trace_has_its_own_launch(self):
        self.record()
        options = {"--grid": "8", "--block": "32", "--param": "n=1", "--launch": "k.launch.toml", "--check": "data=data.npy",
                   "--kernel": "add_one", "--tol": "1", "--dynamic-shared": "16"}
        for command in ["run"], ["occupancy"], ["models"]:
            for option, value in options.items():
                with self.subTest(command=command, option=option):
                    text = self.expect_refusal(2, "CLI-TRACE", *command, "k.wtrace", "-c", "tiny", option, value)
                    self.assertIn(f"{option} has no meaning for a trace", text)
                    self.assertIn("teslasim trace record", text)
        text = self.expect_refusal(2, "CLI-TRACE", "trace", "record", "k.wtrace", "-c", "tiny", "-o", "again.wtrace", "--grid", "8")
        self.assertFalse((self.here / "again.wtrace").exists(), text)

    def test_a_replay_has_no_values_to_dump(self):
        self.record()
        self.assertIn("--dump", self.expect_refusal(2, "CLI-TRACE", "run", "k.wtrace", "-c", "tiny", "--dump", "data=data.npy"))

    def test_what_is_called_a_trace_is_read_as_one(self):
        for contents in (b"", b"garbage", bytes(100)):
            (self.here / "g.wtrace").write_bytes(contents)
            text = self.expect_refusal(4, "TRACE-DAMAGE", "run", "g.wtrace", "-c", "tiny")
            self.assertIn("g.wtrace", text)
            self.assertNotIn("launch.toml", text)

    def test_a_replay_without_them_runs(self):
        self.record()
        self.expect(0, "run", "k.wtrace", "-c", "tiny", "--no-out")

    def test_actions_of_trace_take_their_own_options_only(self):
        self.record()
        for action, option in ("info", "--grid=1"), ("verify", "--blocks=0"), ("cat", "-otext"), ("cut", "--kernel=k"), ("convert", "--warps=0"):
            with self.subTest(action=action):
                self.expect_refusal(2, "CLI-TRACE", "trace", action, "k.wtrace", option)

    def test_a_finished_run_has_its_launch_and_its_machine(self):
        self.expect(0, "run", "k.asm", "-c", "tiny", "-o", "done")
        for option, value in ("--grid", "8"), ("--config", "gtx280"), ("--set", "sm.registers=8192"):
            text = self.expect(2, "models", "done", option, value).stderr
            self.assertIn(f"{option} has no meaning for 'done', which is a finished run", text)

    def test_there_is_no_time_in_the_functional_model(self):
        for option in ["--perfetto"], ["--konata"], ["--ascii"], ["--lanes", "0"], ["--window", "cycle:0-10"]:
            with self.subTest(option=option):
                self.expect_refusal(2, "CLI-VALUE", "run", "k.asm", "-c", "tiny", "--mode", "functional", *option)

    def test_a_window_of_no_recording(self):
        for option in ["--window", "cycle:0-10"], ["--timeline-sms", "0"], ["--timeline-max", "10"]:
            with self.subTest(option=option):
                self.expect_refusal(2, "CLI-VALUE", "run", "k.asm", "-c", "tiny", *option)

    def test_retarget_reaches_the_models(self):
        self.write("d.asm", ".arch sm_13\n.entry d\n{\n  add.f64 $r0, $r0, $r0\n  return\n}\n")
        self.expect_refusal(3, "ISA-LEVEL", "models", "d.asm", "-c", "8800gtx", "--grid", "1", "--block", "32")
        self.expect(0, "models", "d.asm", "-c", "8800gtx", "--retarget", "sm_13", "--grid", "1", "--block", "32")

    def test_a_machine_without_units_for_doubles_runs_none(self):
        launch = ("--launch", "none", "--grid", "1", "--block", "32", "--no-out")
        self.write("d.asm", ".arch sm_13\n.entry d\n{\n  add.f64 $r0, $r0, $r0\n  return\n}\n")
        self.write("f.asm", ".arch sm_13\n.entry f\n{\n  add.f32 $r0, $r0, $r0\n  return\n}\n")
        self.expect(0, "run", "d.asm", "-c", "gtx280", *launch)
        text = self.expect_refusal(3, "ISA-LEVEL", "run", "d.asm", "-c", "gtx280", "-s", "sm.dp_units=0", *launch)
        self.assertIn("has f64 instructions", text)
        self.expect(0, "run", "f.asm", "-c", "gtx280", "-s", "sm.dp_units=0", *launch)


class Foreign_traces(Cli):
    def refused(self, text):
        self.write("k.traceg", text)
        return self.expect_refusal(4, "TRACE-FOREIGN", "trace", "convert", "k.traceg", "-o", "k.wtrace")

    def test_a_whole_one_is_converted_and_replayed(self):
        self.write("k.traceg", HEAD + block(0) + block(1))
        self.expect(0, "trace", "convert", "k.traceg", "-o", "k.wtrace")
        self.expect(0, "run", "k.wtrace", "-c", "tiny", "--no-out")

    def test_a_wrong_count_of_instructions(self):
        self.assertIn("k.traceg:16:1", self.refused(HEAD + block(0, 99999999999) + block(1)))
        self.assertIn("says more", self.refused(HEAD + block(0, 2) + block(1)))
        self.assertIn("has more instructions", self.refused(HEAD + block(0, 0) + block(1)))

    def test_blocks_and_warps_come_once(self):
        self.assertIn("k.traceg:20:1", self.refused(HEAD + block(0) + block(0)))
        self.assertIn("1 of the 2 blocks", self.refused(HEAD + block(0)))
        self.assertIn("has no warp 0", self.refused(HEAD + block(0, warp=1) + block(1)))
        self.assertFalse((self.here / "k.wtrace").exists())
