# SPDX-License-Identifier: Apache-2.0
"""What somebody meets who uses the program for the first time."""
import json
import os
import pathlib
import re
import struct
import subprocess

from cli import LAUNCH, PROGRAM, Cli

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Partitions of boards that have no power of two of them.
PARTITIONS = {"gtx260": 7, "8800ultra": 6, "8800gts_640": 5}


class FirstFolder(Cli):
    """`teslasim new`: a folder that is complete in itself."""

    def commands_of(self, folder):
        """The commands that README.md shows, as one script."""
        blocks = re.findall(r"^```sh\n(.*?)^```", (folder / "README.md").read_text(), re.M | re.S)
        self.assertGreaterEqual(len(blocks), 4)
        return "".join(blocks)

    def run_readme(self, folder):
        """Every command of README.md, in a shell that finds no teslasim but by what README.md says."""
        bare = ":".join(place for place in os.environ["PATH"].split(":") if not (pathlib.Path(place) / "teslasim").exists())
        environment = dict(os.environ, PATH=bare, TESLASIM_CACHE=str(self.here / "cache"))
        done = subprocess.run(["bash", "-e", "-u", "-c", self.commands_of(folder)], cwd=folder, env=environment, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_every_command_of_the_readme_works_after_the_folder_has_moved(self):
        self.expect(0, "new", "hello")
        elsewhere = self.here / "some where" / "else"
        elsewhere.parent.mkdir()
        (self.here / "hello").rename(elsewhere)
        printed = self.run_readme(elsewhere)
        self.assertEqual(printed.count("OK (1 of 1 checked)"), 3, "both examples, and one of them on another machine")
        self.assertIn("RESULT", printed)
        values = (elsewhere / "data.npy").read_bytes()[-4 * 64:]
        self.assertEqual(struct.unpack("<64f", values), tuple(2.0 * i for i in range(64)))
        self.assertTrue((elsewhere / "both.html").exists())

    def test_one_example_of_several_launches(self):
        self.expect(0, "new", "alone", "spmv")
        self.assertNotIn("compare 1 2", self.commands_of(self.here / "alone"))
        self.run_readme(self.here / "alone")

    def test_links_lead_to_something_that_is_there(self):
        names = self.expect(0, "new", "--list").stdout.split()
        for folder, examples in ("all", names), ("two", ["reduce2", "givens_qr"]):
            self.expect(0, "new", folder, *examples)
            text = (self.here / folder / "README.md").read_text()
            headings = set(re.findall(r"^## (\S+)$", text, re.M))
            self.assertGreaterEqual(headings, set(examples))
            for target in re.findall(r"\]\(([^)]+)\)", text):
                self.assertIn(target.lstrip("#"), headings)

    def test_what_new_says_to_do_next_can_be_done(self):
        said = self.expect(0, "new", "next").stdout
        command = re.search(r"Next: (.*), then", said)[1]
        done = subprocess.run(["bash", "-c", command], cwd=self.here, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        program = self.here / "bin dir" / "teslasim"
        program.parent.mkdir()
        program.symlink_to(PROGRAM)
        environment = dict(os.environ, PATH=f"{program.parent}:{os.environ['PATH']}")
        done = subprocess.run(["teslasim", "new", "found"], cwd=self.here, env=environment, capture_output=True, text=True,
                              check=True)
        self.assertIn("&& teslasim run", done.stdout)


class Summary(Cli):
    def test_efficiency_counts_active_lanes_over_those_of_the_warps(self):
        # Three warps of one block, of which the last has eight threads: 72 of 96 lanes.
        self.write("k.launch.toml", (self.here / "k.launch.toml").read_text().replace("[64]", "[72]").replace("64", "72"))
        for mode in "timing", "functional":
            printed = self.expect(0, "run", "k.asm", "-c", "tiny", "--mode", mode, "--no-out").stdout
            self.assertIn("EXECUTED    21 warp instructions, SIMD efficiency 75.0 % (24.0 of 32 lanes active)", printed)

    def test_times_of_one_thing_have_one_unit_and_its_models_one_name(self):
        self.expect(0, "run", "k.asm", "-c", "gtx280", "-o", "one", "-q")
        self.expect(0, "run", "k.asm", "-c", "8800gtx", "-o", "two", "-q")
        names = [line.split()[0] for line in self.expect(0, "models", "--list").stdout.splitlines() if line.startswith("  ") and line[2] != " "]
        self.assertIn("hong-kim", names)
        for command in ["run", "k.asm", "-c", "gtx280", "--no-out"], ["compare", "one", "two"], ["compare", "one"], ["models", "k.asm"]:
            printed = self.expect(0, *command).stdout
            self.assertRegex(printed, r"\d ms\b")
            self.assertNotRegex(printed, r"\d (us|ns|s) ")
            self.assertIn("roofline", printed)
            self.assertNotRegex(printed, "Hong-Kim|Zhang-Owens|Volkov|Konstantinidis")
        rows = {line.split()[0] for line in self.expect(0, "models", "k.asm").stdout.splitlines() if line.startswith("  ")}
        self.assertLessEqual(rows, set(names))
        for name in sorted(rows):
            self.expect(0, "models", "k.asm", "--model", name)
            self.assertIn(f"model {name}", self.expect(0, "explain", name).stdout)


class FrontPage(Cli):
    """What README.md and CITATION.cff say, held against the program and the other documents."""

    def setUp(self):
        super().setUp()
        self.text = (ROOT / "README.md").read_text()

    def test_the_table_of_machines_is_that_of_the_program(self):
        rows = []
        for line in self.expect(0, "configs", "list").stdout.splitlines()[1:]:
            name, rest = line.split(None, 1)
            title, arch, *numbers = rest.rsplit(None, 5)
            rows.append(" | ".join([f"| `{name}`", title, f"{arch[3]}.{arch[4]}", *numbers]) + " |")
        shown = re.findall(r"^\| `\w+` \|.*\|$", self.text, re.M)
        self.assertEqual(shown, rows, "write these rows:\n" + "\n".join(rows))

    def test_accuracy_is_that_of_the_validation(self):
        page = (ROOT / "docs/validation.md").read_text()
        for family, what in ("all micro-benchmarks", "figures that were read in their sources"), ("whole kernels", "figures of whole kernels"):
            counted, within, mean = re.search(rf"^\| \*\*{family}\*\*.* \| \d+ \| (\d+) \| (\d+) \| ([\d.]+ %)", page, re.M).groups()
            said = f"of {counted} {what}, {within} are within tolerance, the mean error is {mean}"
            self.assertIn(said, " ".join(self.text.split()))

    def test_citation(self):
        text = (ROOT / "CITATION.cff").read_text()
        values = dict(re.findall(r"^([\w-]+):[ \t]*(.*)$", text, re.M))
        self.assertLessEqual({"cff-version", "message", "title", "authors"}, set(values), "what CFF 1.2 requires")
        known = {"cff-version", "message", "type", "title", "abstract", "authors", "version", "license", "keywords", "url",
                 "repository-code", "date-released", "doi"}
        self.assertLessEqual(set(values), known)
        self.assertEqual(values["cff-version"], "1.2.0")
        self.assertEqual(values["type"], "software")
        self.assertEqual(values["license"], "Apache-2.0")
        self.assertIn(f"teslasim {values['version']} ", self.expect(0, "--version").stdout)


class WhatDocumentsSay(Cli):
    """Statements that two documents made differently, each held against the program."""

    def machine(self, name, text):
        self.write(f"{name}.toml", f'schema = "teslasim.machine/1"\n{text}')

    def test_a_list_of_parents_is_loaded_from_left_to_right(self):
        """docs/config-reference.md, configs/README.md, the JSON schema."""
        self.machine("a", "[sm]\nregisters = 4096\n[sm.shared]\nbytes = 8192\n")
        self.machine("b", "[sm]\nregisters = 2048\nlimited_calls = 7\n")
        self.machine("c", 'extends = ["gtx280", "a.toml", "b.toml"]\n[sm]\nlimited_calls = 8\n')
        shown = self.expect(0, "configs", "show", "c.toml").stdout
        for line in "registers = 2048 .*b.toml", "bytes = 8192 .*a.toml", "limited_calls = 8 .*c.toml", "tpcs = 10 .*gt200":
            self.assertRegex(shown, f"(?m)^{line}")
        for wrong in "[]", "3", '["gtx280", 3]':
            self.machine("d", f"extends = {wrong}\n")
            self.assertIn("a string or a list of at least one string", self.expect(3, "configs", "check", "d.toml").stderr)
        kinds = json.loads(self.expect(0, "configs", "schema").stdout)["properties"]["extends"]["anyOf"]
        self.assertEqual([kind["type"] for kind in kinds], ["string", "array"])

    def test_a_gpu_is_added_as_the_recipe_says(self):
        """docs/howto/add-a-gpu.md."""
        board = ('extends = "gt200"\nname = "half a GTX 280"\n[clock]\ncore_mhz = 602\nshader_mhz = 1296\nmemory_mhz = 1107\n'
                 "[gpu]\ntpcs = 5\n[derived]\npeak_gflops_mad = ")
        self.machine("half", board + "622.08\n")
        self.assertIn("peak_gflops_mad", self.expect(3, "configs", "check", "half.toml").stderr)
        self.machine("half", board + "311.04\n")
        self.expect(0, "configs", "check", "half.toml")
        self.assertIn("gpu.tpcs", self.expect(0, "configs", "diff", "gtx280", "half.toml").stdout)
        self.expect(0, "run", "k.asm", "-c", "half.toml", "--no-out")
        text = (ROOT / "docs/howto/add-a-gpu.md").read_text()
        self.assertIn("`configs/order.txt`", text)
        self.assertIn("gtx260_216", (ROOT / "configs/order.txt").read_text(), "where the recipe sends its reader")

    def test_large_inputs_are_linked_and_small_ones_copied(self):
        """docs/cli.md, docs/file-formats.md: above 16 MB a link, with path and hash in run.json."""
        words = (16 << 20) // 4
        for count, name, linked in (words, "data0", False), (words + 1, "data1", True):
            with open(self.here / f"{name}.bin", "wb") as file:
                file.truncate(4 * count)
            self.write("k.launch.toml", LAUNCH.replace('count = 64, init = "iota"', f'count = {count}, init = "file", file = "{name}.bin"'))
            self.expect(0, "run", "k.asm", "-c", "tiny", "-q", "-o", name)
            self.assertEqual((self.here / name / f"inputs/{name}.bin").is_symlink(), linked)
            record = {pathlib.Path(row["path"]).name: row for row in json.loads((self.here / name / "run.json").read_text())["inputs"]}
            self.assertEqual(record[f"{name}.bin"]["copy"] is None, linked)
            self.expect(0, "rerun", name, "-q")
        with open(self.here / "data1.bin", "r+b") as file:
            file.write(b"changed")
        self.assertIn("error[RERUN-INPUT]", self.expect(4, "rerun", "data1").stderr)


class Machines(Cli):
    def presets(self):
        lines = self.expect(0, "configs", "list").stdout.splitlines()[1:]
        self.assertGreater(len(lines), 25)
        return [line.split()[0] for line in lines]

    def test_every_preset_checks_and_runs_a_shipped_kernel(self):
        for preset in self.presets():
            self.expect(0, "configs", "check", str(ROOT / "configs" / f"{preset}.toml"))
            self.expect(0, "run", str(ROOT / "traces/vector_multiply/vector_multiply.launch.toml"), "-c", preset, "-o", preset, "-q",
                        "--expect", "outputs_ok")

    def test_addresses_spread_evenly_over_any_number_of_partitions(self):
        for preset, partitions in PARTITIONS.items():
            self.expect(0, "run", str(ROOT / "traces/vecadd/vecadd.launch.toml"), "-c", preset, "-o", preset, "-q")
            dram = self.stats(preset)["launches"][0]["dram"]
            read = [row["read_bytes"] for row in dram["partitions"]]
            self.assertEqual(len(read), partitions, preset)
            self.assertLess(max(read), 1.02 * min(read), preset)
