# SPDX-License-Identifier: Apache-2.0
"""--grid, --block and single --params in the place of values of a launch file, and that a run directory repeats them."""
import json

from cli import LAUNCH, Cli


class Overrides(Cli):
    def instructions(self, *arguments):
        done = self.expect(0, "run", *arguments, "-c", "tiny", "--no-out", "--json=-")
        return json.loads(done.stdout)["launches"][0]["instructions"]["warp"]

    def test_with_the_launch_file_beside_named_or_as_input(self):
        whole = self.instructions("k.asm")
        for arguments in (["k.asm"], ["k.asm", "--launch", "k.launch.toml"], ["k.launch.toml"]):
            self.assertEqual(2 * self.instructions(*arguments, "--block", "32"), whole)

    def test_a_run_is_repeated_from_its_directory(self):
        self.expect(0, "run", "k.asm", "-c", "tiny", "--block", "32", "--param", "data=u32[32]:const:7", "-o", "out",
                    "--dump", "data=data.npy")
        self.assertEqual((self.here / "data.npy").read_bytes()[-128:], bytes([8, 0, 0, 0]) * 32)
        request = json.loads((self.here / "out/run.json").read_text())["request"]
        self.assertEqual((request["block"], request["param"]), ("32", ["data=u32[32]:const:7"]))
        self.write("k.launch.toml", "changed since")
        self.write("k.asm", "changed since")
        self.expect(0, "rerun", "out")

    def test_a_launch_by_options_alone_is_repeated_too(self):
        self.write("k.launch.toml", "not TOML")
        options = ["--grid", "1", "--block", "32", "--param", "data=u32[32]:iota", "--param", "n=32"]
        self.expect(3, "run", "k.asm", "-c", "tiny", *options)
        self.expect(0, "run", "k.asm", "-c", "tiny", "--launch", "none", *options, "-o", "out")
        self.expect(0, "rerun", "out")

    def test_a_run_of_before_that_used_the_options_alone(self):
        """Recorded without --launch none, when options left the launch file beside the code out."""
        (self.here / "k.launch.toml").rename(self.here / "other")
        self.expect(0, "run", "k.asm", "-c", "tiny", "--grid", "1", "--block", "32", "--param", "data=u32[32]:iota", "--param", "n=32",
                    "-o", "out")
        (self.here / "other").rename(self.here / "k.launch.toml")
        self.expect(0, "rerun", "out")

    def test_mistakes_are_of_the_command_line(self):
        text = self.expect_refusal(2, "LAUNCH-OVERRIDE", "run", "k.asm", "-c", "tiny", "--param", "m=1")
        self.assertIn("did you mean 'n'?", text)
        self.assertIn("| --param m=1\n", text)
        self.assertIn("'k.launch.toml' with --param m=1", text)
        self.expect_refusal(2, "LAUNCH-INLINE", "run", "k.asm", "-c", "tiny", "--grid", "x")

    def test_a_buffer_that_became_too_small(self):
        self.expect(5, "run", "k.asm", "-c", "tiny", "--param", "data=u32[8]:iota", "--no-out")

    def test_a_check_that_no_longer_fits(self):
        self.expect(0, "run", "k.asm", "-c", "tiny", "--dump", "data=data.npy", "--no-out")
        self.write("k.launch.toml", LAUNCH + '[expect.data]\nfile = "data.npy"\n')
        self.expect(0, "run", "k.asm", "-c", "tiny", "--no-out")
        text = self.expect_refusal(3, "LAUNCH-FILE", "run", "k.asm", "-c", "tiny", "--param", "data=u32[128]:iota")
        self.assertIn("has 64 elements, buffer 'data' has 128", text)
        self.assertIn("--param data=u32[128]:iota", text)
        self.expect(1, "run", "k.asm", "-c", "tiny", "--block", "32", "--no-out")

    def test_files_of_options_are_named_from_the_current_folder(self):
        self.expect(0, "run", "k.asm", "-c", "tiny", "--dump", "data=data.npy", "--no-out")
        (self.here / "kernels").mkdir()
        for name in "k.asm", "k.launch.toml":
            (self.here / name).rename(self.here / "kernels" / name)
        self.expect(0, "run", "kernels/k.asm", "-c", "tiny", "--param", "data=u32[64]:./data.npy", "-o", "out")
        self.expect(0, "rerun", "out")
        self.expect(0, "run", "kernels/k.asm", "-c", "tiny", "--check", "data=data.npy", "-o", "checked")
        self.expect(0, "rerun", "checked")

    def test_several_kernels(self):
        asm = (self.here / "k.asm").read_text()
        self.write("two.asm", asm + asm.replace("add_one", "other"))
        self.write("two.launch.toml", LAUNCH.replace('kernel = "add_one"\n', "") +
                   '[[launch]]\nkernel = "add_one"\n[[launch]]\nkernel = "other"\n')
        self.assertIn("--kernel", self.expect_refusal(2, "LAUNCH-OVERRIDE", "run", "two.asm", "-c", "tiny", "--block", "32"))
        done = self.expect(0, "run", "two.asm", "-c", "tiny", "--block", "32", "--kernel", "other", "--no-out", "--json=-")
        launches = json.loads(done.stdout)["launches"]
        self.assertEqual(launches[0]["instructions"]["warp"], 2 * launches[1]["instructions"]["warp"])
        done = self.expect(0, "run", "two.launch.toml", "-c", "tiny", "--kernel", "other", "-o", "alone", "--json=-")
        self.assertEqual(["other"], [launch["kernel"] for launch in json.loads(done.stdout)["launches"]])
        self.expect(0, "rerun", "alone")
