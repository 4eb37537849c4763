# SPDX-License-Identifier: Apache-2.0
"""The commands beside run."""
import json
import os
import pathlib
import re
import subprocess

from cli import PROGRAM, Cli


class Commands(Cli):
    def test_help_fits_on_a_screen(self):
        for command in [], ["run"], ["configs"], ["occupancy"], ["models"], ["compare"], ["sweep"], ["asm"], ["disasm"], ["explain"], ["rerun"], ["new"], ["doctor"]:
            done = self.expect(0, *command, "--help")
            self.assertLessEqual(done.stdout.count("\n"), 40, command)
            self.expect(0, *command, "--version")
        self.assertGreater(len(self.expect(0, "run", "--help-all").stdout), len(self.expect(0, "run", "--help").stdout))

    def test_configs(self):
        listing = self.expect(0, "configs", "list").stdout
        for name in "gtx280", "8800gtx", "tiny":
            self.assertIn(name, listing)
        self.assertIn("# from: preset", self.expect(0, "configs", "show", "gtx280").stdout)
        self.assertIn("source:", self.expect(0, "configs", "show", "gtx280", "--explain").stdout)
        self.assertIn("gpu.tpcs", self.expect(0, "configs", "diff", "gtx280", "8800gtx").stdout)
        self.assertIn("banks", self.expect(0, "configs", "explain", "sm.shared.banks").stdout)
        json.loads(self.expect(0, "configs", "schema").stdout)
        board = self.expect(0, "configs", "show", "8800gtx", "-s", "board.copy_us=5").stdout
        self.assertRegex(board, r"(?m)^# pinned_to_device_gbs = 3.3 .* from: board pcie1 \| source: .")
        self.assertRegex(board, r"(?m)^# copy_us = 5.0 .* from: --set$")
        self.assertIn("board.kernel_limit_s", self.expect(0, "configs", "diff", "gtx280", "c1060").stdout)
        self.assertIn("board.copy_us [us]", self.expect(0, "explain", "board.copy_us").stdout)
        self.write("bad.toml", "x = \n")
        self.assertIn("error[CFG-", self.expect(3, "configs", "check", "bad.toml").stderr)

    def test_occupancy(self):
        text = self.expect(0, "occupancy", "k.asm", "-c", "gtx280").stdout
        self.assertIn("limited by", text)
        self.assertIn("next step: 9 blocks (18 warps) per SM, out of reach", text)
        text = self.expect(0, "occupancy", "k.asm", "-c", "gtx280", "--block", "256").stdout
        self.assertIn("next step: none: 5 smaller blocks would hold no more warps", text)

    def test_assemble_and_disassemble(self):
        listing = self.expect(0, "asm", "k.asm").stdout
        self.assertIn("and.b32 $r1, $r0, 0x0000ffff", listing)
        self.expect(0, "asm", "k.asm", "-o", "k.cubin")
        back = self.expect(0, "disasm", "k.cubin").stdout
        words = [line.split("  ")[0] for line in listing.splitlines() if ": " in line and not line.startswith("//")]
        self.assertEqual(words, [line.split("  ")[0] for line in back.splitlines() if ": " in line and not line.startswith("//")])
        self.assertIn(".entry", self.expect(0, "disasm", "k.cubin", "--format", "asm").stdout)

    def test_a_cubin_runs_like_its_assembly(self):
        self.expect(0, "asm", "k.asm", "-o", "c.cubin")
        self.expect(0, "run", "c.cubin", "--launch", "k.launch.toml", "-c", "tiny", "--dump", "data=c.npy")
        self.expect(0, "run", "k.asm", "-c", "tiny", "--dump", "data=k.npy")
        self.assertEqual((self.here / "c.npy").read_bytes(), (self.here / "k.npy").read_bytes())

    def test_explain(self):
        self.assertIn("16 banks", self.expect(0, "explain", "bank-conflict").stdout)
        self.assertIn("did you mean", self.expect(2, "explain", "bank-conflct").stderr)
        self.assertIn("coalescing", self.expect(0, "explain", "--list").stdout)

    def test_explain_knows_the_files_that_a_run_left(self):
        self.expect(0, "run", "k.asm", "-c", "tiny", "--sqlite", "--konata", "--window", "cycle:0-100", "-o", "r")
        files = [path.name for path in (self.here / "r").iterdir()]
        self.assertIn("run.sqlite", files)
        self.expect(0, "explain", *files)

    def test_explain_knows_every_name_of_a_run(self):
        """Paths of stats.json as they stand there, with positions, and the short names of conditions."""
        for name, row in {"dram.bus_pct.idle": "dram.bus_pct.*", "shared.degree_hist.4": "shared.degree_hist.*",
                          "launches.0.global.efficiency": "global.efficiency", "dram.partitions.7.row_hits": "dram.partitions.row_hits",
                          "per_sm.29.issue_slots.mem.global": "per_sm.issue_slots.*", "latency.stages_ns.noc_req": "latency.stages_ns.*", "noc_req": "latency.stages_ns.*",
                          "models.hong-kim.error_pct": "models.*.error_pct", "time_ms": "time.ms", "stall.sync.barrier_pct": "issue_slots.*"}.items():
            self.assertIn(f"statistic {row}", self.expect(0, "explain", name).stdout, name)
        self.assertIn("30 SMs at", self.expect(0, "explain", "gtx280").stdout)
        self.assertIn("1 SM at", self.expect(0, "explain", "tiny").stdout)
        group = self.expect(0, "explain", "dram").stdout
        self.assertIn("statistic dram.row_hit_pct", group)
        self.assertIn("config key dram.partitions", group)
        self.assertNotIn("statistic", self.expect(0, "configs", "explain", "sm.shared").stdout)
        self.assertIn("did you mean 'teslasim explain gtx280'", self.expect(2, "explain", "gtx208").stderr)

    def test_new(self):
        self.expect(0, "new", "hello")
        self.assertEqual({path.name for path in (self.here / "hello").iterdir()},
                         {"README.md", "reduce1.asm", "reduce1.launch.toml", "reduce2.asm", "reduce2.launch.toml"})
        self.assertIn("error[NEW-EXISTS]", self.expect(8, "new", "hello").stderr)
        self.expect(0, "new", "other", "saxpy")
        self.expect(2, "new", "third", "saxpi")
        self.assertFalse((self.here / "third").exists())

    def test_doctor(self):
        done = self.expect(0, "doctor")
        self.assertIn("systemc 2.", done.stdout)
        self.assertIn("self-test: ", done.stdout)

    def completions(self, *words):
        """What bash would offer for the last of `words`."""
        script = 'source completion; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _teslasim; printf "%s\\n" "${COMPREPLY[@]}"'
        places = {"PATH": f"{pathlib.Path(PROGRAM).parent}:{os.environ['PATH']}"}
        done = subprocess.run(["bash", "-c", script, "bash", "teslasim", *words], cwd=self.here, text=True, check=True,
                              capture_output=True, env=dict(os.environ, **places))
        return done.stdout.split()

    def test_completion_in_bash(self):
        self.write("completion", self.expect(0, "completion", "bash").stdout)
        self.assertEqual(self.completions("r"), ["run", "report", "rerun"])
        self.assertEqual(self.completions("run", "--max-"), ["--max-cycles", "--max-seconds", "--max-rss"])
        self.assertIn("-c", self.completions("occupancy", "-"))
        self.assertEqual(self.completions("run", "k.asm", "-c", "gtx28"), ["gtx280", "gtx285"])
        self.assertIn("sm.shared.banks=", self.completions("run", "k.asm", "-s", "sm.shared.b"))
        self.assertIn("CFG-RANGE", self.completions("explain", "CFG-R"))
        self.assertEqual(sorted(self.completions("run", "k.")), ["k.asm", "k.launch.toml"])
        self.assertTrue(self.expect(0, "completion", "zsh").stdout.startswith("#compdef teslasim\n"))
        self.assertIn("error[CLI-INPUT]", self.expect(2, "completion", "fish").stderr)

    def test_manual_pages(self):
        requests = ".TH", ".SH", ".TP", ".B"
        commands = self.expect(0, "completion", "bash").stdout.split('compgen -W "')[1].split('"')[0].split()
        for command in commands:
            page = self.expect(0, "man", command).stdout
            options = re.findall(r"--([a-z-]+)", self.expect(0, command, "--help-all").stdout.split("\n\n")[1])
            for option in options:
                self.assertIn("\\-\\-" + option.replace("-", "\\-"), page)
            for line in page.splitlines():
                self.assertTrue(not line.startswith((".", "'")) or line.split()[0] in requests, line)
            self.assertIn(f".TP\n\\fB{command}\\fR\n", self.expect(0, "man").stdout)
        self.assertIn("did you mean 'teslasim run'?", self.expect(2, "man", "rum").stderr)
