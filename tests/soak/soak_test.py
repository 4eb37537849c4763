# SPDX-License-Identifier: Apache-2.0
"""The soak finds what it is there for: programs that do each thing that must not happen, in the place of teslasim."""
import pathlib
import random
import tempfile
import unittest

import checks
import mutation
import sandbox
import stress
from scene import Command

ARGUMENTS = ["run", "k.asm"]


class StandIn:
    """What `execute` and the checks need of a scene."""

    def __init__(self, folder):
        self.folder, self.fifos = folder, []


class Findings(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        self.folder = self.root / "here"
        for name in ("home", "tmp", "runs"):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "k.asm").write_text("an input")

    def found(self, script, adversity=None, **command):
        program = self.root / "program"
        program.write_text("#!/bin/sh\n" + script + "\n")
        program.chmod(0o755)
        call, adversity = Command("run", ARGUMENTS, **command), adversity or stress.Adversity()
        scene = StandIn(self.folder)
        before = sandbox.snapshot(self.folder)
        outcome = stress.execute(str(program), call, scene, adversity, 20)
        return " ".join(checks.findings(scene, call, adversity, outcome, before, sandbox.snapshot(self.folder)))

    def test_a_good_command_has_none(self):
        self.assertEqual(self.found("echo done"), "")
        self.assertEqual(self.found("echo 'error[CLI-WORD]: no' >&2; exit 2"), "")
        self.assertEqual(self.found("echo x > out.json", outputs={"out.json"}), "")

    def test_codes_and_signals_that_nobody_asked_for(self):
        self.assertIn("exit 70 is not documented", self.found("echo 'error[INTERNAL]: bug' >&2; exit 70"))
        self.assertIn("SIGSEGV", self.found("kill -SEGV $$"))
        self.assertIn("SIGTERM, which nobody sent", self.found("kill -TERM $$"))
        self.assertIn("without that signal", self.found("exit 143"))
        self.assertIn("without a message", self.found("exit 4"))

    def test_signals_of_ours_are_none(self):
        stop = stress.Adversity("signal", [(0.3, stress.signal.SIGTERM, False)])
        self.assertEqual(self.found("exec sleep 20", stop), "")
        self.assertEqual(self.found("trap 'exit 143' TERM; while :; do sleep 0.05; done", stop), "")

    def test_inputs_that_change_and_files_that_nobody_asked_for(self):
        self.assertIn("input 'k.asm' was changed", self.found("echo more >> k.asm"))
        self.assertIn("input 'k.asm' was removed", self.found("rm k.asm"))
        self.assertIn("'extra' was made", self.found("echo x > extra"))
        self.assertIn("left 'runs/a.part12' behind", self.found("echo x > runs/a.part12"))

    def test_nodes_that_are_replaced(self):
        (self.folder / "target").write_text("x")
        (self.folder / "link").symlink_to("target")
        self.assertIn("output 'link' was a link, now file", self.found("echo x > new; mv new link", outputs={"link", "target", "new"}))

    def test_results_that_are_not_there(self):
        self.assertIn("without runs/latest/run.json", self.found("true", run_folder="runs/latest"))
        written = "mkdir -p runs/1; echo '{\"status\": \"ok\"}' > runs/1/run.json; echo '{' > runs/1/stats.json"
        self.assertIn("stats.json cannot be read", self.found(written, run_folder="runs/1"))
        self.assertIn("--fail-on passed", self.found("true", unfinished=True))
        self.assertIn("its output was lost", self.found("echo x || true", stress.Adversity("full_out", stdout="full_out"), prints=True))

    def test_surroundings_are_looked_at(self):
        before = sandbox.stamps(self.root)
        (self.root / "outside").write_text("x")
        self.assertNotEqual(sandbox.stamps(self.root), before)


class Mutation(unittest.TestCase):
    def test_the_same_seed_bends_alike_and_another_differently(self):
        data = b"kernel = 12\nblock = [64]\n" * 8
        bent = [mutation.mutated(random.Random(seed), data, b"grid = 3") for seed in (1, 1, 2, 3, 4)]
        self.assertEqual(bent[0], bent[1])
        self.assertGreater(len(set(bent)), 2)

    def test_any_bytes_can_be_bent(self):
        for data in (b"", b"\n", b"\xff\x00", b"1"):
            for seed in range(200):
                self.assertIsInstance(mutation.mutated(random.Random(seed), data, b""), bytes)


if __name__ == "__main__":
    unittest.main()
