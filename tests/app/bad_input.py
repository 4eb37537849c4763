# SPDX-License-Identifier: Apache-2.0
"""Bad input: each mistake has its code, its place and its exit status, and leaves nothing behind."""
import json

from cli import ASM, LAUNCH, STUCK_ASM, Cli


class Bad_input(Cli):
    def test_misspelt_key_and_wrong_value_are_both_told(self):
        self.write("my.toml", 'schema = "teslasim.machine/1"\nextends = "tiny"\n[sm]\nwarp_sise = 32\nshared.banks = 65\n')
        text = self.expect_refusal(3, "CFG-UNKNOWN", "run", "k.asm", "-c", "my.toml")
        self.assertIn("--> my.toml:4:1", text)
        self.assertIn("^^^^^^^^^", text)
        self.assertIn("did you mean 'sm.warp_size'?", text)
        self.assertIn("error[CFG-RANGE]", text)
        self.assertIn("my.toml:5:16", text)
        self.assertTrue(text.endswith("2 errors; nothing was simulated.\n"), text)

    def test_unknown_machine(self):
        self.assertIn("gtx280", self.expect_refusal(3, "CFG-PRESET", "run", "k.asm", "-c", "gtx28"))

    def test_wrong_override(self):
        self.expect_refusal(3, "CFG-RANGE", "run", "k.asm", "-c", "tiny", "-s", "sm.shared.banks=65")

    def test_syntax_error(self):
        self.write("k.asm", ASM.replace("shl.u32 $r1, $r1, 2", "shl.u32 $r1 $r1, 2"))
        text = self.expect_refusal(4, "ASM-SYNTAX", "run", "k.asm", "-c", "tiny")
        self.assertIn("--> k.asm:6:", text)

    def test_unknown_opcode(self):
        self.write("k.asm", ASM.replace("shl.u32", "shll.u32"))
        text = self.expect_refusal(4, "ASM-OPCODE", "run", "k.asm", "-c", "tiny")
        self.assertIn("'shll'", text)
        self.assertIn("k.asm:6:5", text)

    def test_all_errors_of_a_file_at_once(self):
        self.write("k.asm", ASM.replace("shl.u32", "shll.u32").replace("$r2, $r2, 1", "$q2, $r2, 1"))
        text = self.expect_refusal(4, "ASM-OPCODE", "run", "k.asm", "-c", "tiny")
        self.assertIn("2 errors", text)

    def test_missing_files(self):
        self.expect_refusal(4, "INPUT-FILE", "run", "nothing.asm", "-c", "tiny")
        (self.here / "k.launch.toml").unlink()
        self.expect_refusal(3, "LAUNCH-FILE", "run", "k.asm", "-c", "tiny")

    def test_missing_parameter(self):
        self.write("k.launch.toml", LAUNCH.replace('  { name = "n", type = "u32", value = 64 },\n', ""))
        text = self.expect_refusal(3, "LAUNCH-MISSING", "run", "k.asm", "-c", "tiny")
        self.assertIn("'n'", text)

    def test_block_that_does_not_fit(self):
        self.write("k.launch.toml", LAUNCH.replace("block = [64]", "block = [1024]"))
        text = self.expect_refusal(3, "LAUNCH-BLOCK", "run", "k.asm", "-c", "gtx280")
        self.assertIn("512", text)

    def test_a_folder_in_place_of_a_file(self):
        (self.here / "folder").mkdir()
        for command in ("disasm",), ("trace", "info"), ("trace", "verify"), ("asm",), ("run",), ("occupancy",):
            with self.subTest(command=command):
                self.assertIn("it is a directory", self.expect(4, *command, "folder").stderr)

    def test_damaged_records_are_told_in_plain_words(self):
        self.expect(0, "run", "k.asm", "-c", "tiny", "-q", "-o", "one")
        for text, problem in ('{"schema":', "it is not JSON at line 1, column 11"), ("[]", "a value is of another kind"), ("{}", "is missing"):
            with self.subTest(text=text):
                self.write("one/run.json", text)
                told = self.expect(4, "rerun", "one").stderr
                self.assertIn("error[RUN-DAMAGED]: run.json is not what a run writes: ", told)
                self.assertIn(problem, told)
                self.assertNotIn("exception", told)

    def test_access_outside_every_buffer(self):
        self.write("k.launch.toml", LAUNCH.replace("block = [64]", "block = [96]"))
        for mode in "timing", "functional":
            done = self.expect(5, "run", "k.asm", "-c", "tiny", "--mode", mode, "--out", mode)
            self.assertIn("error[MEM-OOB]: global load outside any buffer", done.stderr)
            self.assertIn("k.asm:8", done.stderr)
            self.assertIn("'data' (u32[64])", done.stderr)
            self.assertEqual(self.stats(mode)["status"], "kernel_error")

    def test_barrier_that_some_warps_never_reach(self):
        self.kernel("stuck", STUCK_ASM)
        for mode in "timing", "functional":
            done = self.expect(6, "run", "stuck.asm", "-c", "8800gtx", "--mode", mode, "--out", mode)
            self.assertIn("error[SIM-STUCK]", done.stderr)
            self.assertIn("1 of 4 warps arrived", done.stderr)
            self.assertEqual(self.stats(mode)["status"], "stuck")
            self.expect(0, "run", "stuck.asm", "-c", "gtx280", "--mode", mode, "--no-out")

    def test_command_line(self):
        self.assertIn("did you mean 'teslasim run'", self.expect_refusal(2, "CLI-COMMAND", "rum", "k.asm"))
        self.assertIn("did you mean '--launch'", self.expect_refusal(2, "CLI-OPTION", "run", "k.asm", "--lanch", "x"))
        self.expect_refusal(2, "CLI-OPTION", "run", "k.asm", "--conf", "tiny")
        self.expect_refusal(2, "CLI-INPUT", "run")
        self.expect_refusal(2, "CLI-VALUE", "run", "k.asm", "--mode", "quick")
        self.expect_refusal(2, "CLI-EXPECT", "run", "k.asm", "--expect", "time_m < 1")
        self.expect_refusal(2, "CLI-DUMP", "run", "k.asm", "-c", "tiny", "--dump", "dat=x.npy")
        self.expect(2)

    def test_launch_options(self):
        text = self.expect_refusal(2, "LAUNCH-INLINE", "run", "k.asm", "-c", "tiny", "--grid", "one", "--block", "64")
        self.assertIn("command line", text)

    def test_warnings_as_errors_or_not_at_all(self):
        mixed = "run", "k.asm", "-c", "gtx285", "--set", "coalescing.rules=cc10"
        code = "CFG-CROSS"
        self.assertIn(f"warning[{code}]", self.expect(0, *mixed).stderr)
        self.assertEqual([each["code"] for each in json.loads((self.here / "runs/latest/run.json").read_text())["diagnostics"]], [code])
        for action in code, "all":
            done = self.expect(3, *mixed, "--out", "refused", "-W", f"error={action}")
            self.assertIn(f"error[{code}]", done.stderr)
            self.assertFalse((self.here / "refused").exists())
            self.assertNotIn(code, self.expect(0, *mixed, "--no-out", "-W", f"ignore={action}").stderr)
        self.expect(0, *mixed, "--no-out", "-W", "error=all", "-W", f"ignore={code}")
        self.assertIn("did you mean 'CFG-RANGE'?", self.expect(2, *mixed, "-W", "error=CFG-RANG").stderr)
        self.assertIn("-W takes error=CODE", self.expect(2, *mixed, "-W", "CFG-RANGE").stderr)

    def test_errors_are_coloured_only_when_asked(self):
        self.assertNotIn("\x1b", self.expect(2, "rum").stderr)
        self.assertIn("\x1b[1;31merror", self.expect(2, "run", "--color=always").stderr)
