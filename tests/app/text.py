# SPDX-License-Identifier: Apache-2.0
"""Text from anywhere: bytes that are not UTF-8, byte order marks, endless nesting, endless lines, many kernels."""
import json
import os

from cli import ASM, LAUNCH, Cli, not_under_sanitizers

BOM = b"\xef\xbb\xbf"
NOT_UTF8 = os.fsdecode(b"f\xff")


class Encoding(Cli):
    def bytes(self, name, content):
        (self.here / name).write_bytes(content)

    def test_a_kernel_name_in_assembly(self):
        self.bytes("k.asm", ASM.encode().replace(b".entry add_one", b'.entry "add\xff"'))
        for command in ["run"], ["models", "--json=-"], ["trace", "record", "-ok.wtrace"], ["asm"], ["occupancy"]:
            with self.subTest(command=command):
                text = self.expect_refusal(4, "INPUT-ENCODING", *command[:2 if command[0] == "trace" else 1], "k.asm",
                                           *command[2 if command[0] == "trace" else 1:])
                self.assertIn("k.asm:1:12", text)
                self.assertEqual(text.count("error["), 1, text)

    def test_a_kernel_name_is_a_word_of_text_cubins_and_traces(self):
        for name in "a b", "a{b", "a}b", "a=b":
            self.write("n.asm", f'.entry "{name}"\n{{\n  return\n}}\n')
            self.assertIn("n.asm:1:8", self.expect(4, "asm", "n.asm").stderr)
        self.write("n.asm", '.entry "k<int>"\n{\n  return\n}\n')
        self.expect(0, "trace", "record", "n.asm", "-c", "tiny", "--grid", "1", "--block", "32", "-o", "n.wtrace")
        self.expect(0, "run", "n.wtrace", "-c", "tiny", "--no-out")

    def test_names_of_a_binary_may_be_any_bytes(self):
        self.write("n.asm", '.entry "k??"\n{\n  return\n}\n')
        launch = ["-c", "tiny", "--grid", "1", "--block", "32"]
        for form in "elf", "elf64":
            self.expect(0, "asm", "n.asm", "-o", "n.cubin", "--format", form)
            self.bytes("n.cubin", (self.here / "n.cubin").read_bytes().replace(b"k??", b"k\xff "))
            done = self.expect(0, "run", "n.cubin", *launch, "--no-out", "--json=-")
            self.assertEqual(json.loads(done.stdout)["launches"][0]["kernel"], "k\\xff\\x20")
            self.expect(0, "occupancy", "n.cubin", *launch, "--kernel", "k\\xff\\x20")
            self.expect(0, "trace", "record", "n.cubin", *launch, "-o", f"{form}.wtrace")
            self.expect(0, "run", f"{form}.wtrace", "-c", "tiny", "--no-out")
            (self.here / "n.cubin").unlink()

    def test_comments_of_assembly_may_be_of_another_time(self):
        self.bytes("k.asm", b"// gr\xfc\xdfe\n" + ASM.encode())
        self.expect(0, "run", "k.asm", "-c", "tiny", "-o", "out")
        json.loads((self.here / "out/run.json").read_text(encoding="utf-8"))

    def test_names_in_machine_and_launch_files(self):
        self.bytes("m.toml", b'schema = "teslasim.machine/1"\nextends = "tiny"\nname = "m\xff"\n')
        self.assertIn("m.toml:3:", self.expect_refusal(3, "CFG-SYNTAX", "run", "k.asm", "-c", "m.toml"))
        self.bytes("k.launch.toml", LAUNCH.encode().replace(b'"data"', b'"d\xff"'))
        self.assertIn("k.launch.toml:6:", self.expect_refusal(3, "LAUNCH-SYNTAX", "run", "k.asm", "-c", "tiny"))

    def test_an_override(self):
        self.expect_refusal(3, "CFG-SYNTAX", "run", "k.asm", "-c", "tiny", "-s", os.fsdecode(b"name=m\xff"))

    def test_a_foreign_trace(self):
        self.bytes("k.traceg", b"-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n#\nthread block = 0,0,0\n"
                               b"warp = 0\ninsts = 1\n0010 ffffffff 0 EX\xff\xff 0 0\n")
        self.assertIn("k.traceg:8:19", self.expect_refusal(4, "TRACE-FOREIGN", "trace", "convert", "k.traceg", "-o", "k.wtrace"))

    def test_file_names_may_be_any_bytes(self):
        self.write(f"{NOT_UTF8}.asm", ASM)
        self.write(f"{NOT_UTF8}.launch.toml", LAUNCH)
        self.write(f"{NOT_UTF8}.toml", 'schema = "teslasim.machine/1"\nextends = "tiny"\n')
        name = f"{NOT_UTF8}.asm"
        self.assertEqual(json.loads(self.expect(0, "run", name, "-c", f"./{NOT_UTF8}.toml", "-o", "out", "--json=-").stdout)["status"], "ok")
        for file in "run.json", "stats.json", "status.json":
            json.loads((self.here / "out" / file).read_text(encoding="utf-8"))
        (self.here / "out/report.html").read_text(encoding="utf-8")
        json.loads(self.expect(0, "models", name, "-c", "tiny", "--json=-").stdout)
        self.expect(0, "trace", "record", name, "-c", "tiny", "-o", "k.wtrace")
        self.expect(0, "run", "k.wtrace", "-c", "tiny", "--no-out")
        self.expect(0, "trace", "convert", "k.wtrace", "-o", "k.txt")
        self.expect(0, "compare", "out", "out")

    def test_a_byte_order_mark_is_no_text(self):
        self.bytes("k.asm", BOM + ASM.encode())
        self.bytes("k.launch.toml", BOM + LAUNCH.encode())
        self.bytes("m.toml", BOM + b'schema = "teslasim.machine/1"\nextends = "tiny"\n')
        self.expect(0, "run", "k.asm", "-c", "m.toml", "-o", "out")
        self.expect(0, "rerun", "out")
        self.bytes("m.toml", BOM + b'bad = 1\nschema = "teslasim.machine/1"\nextends = "tiny"\n')
        self.assertIn("m.toml:1:1\n", self.expect_refusal(3, "CFG-UNKNOWN", "run", "k.asm", "-c", "m.toml", "--no-out"))
        self.bytes("bad.asm", BOM + b"}")
        self.assertIn("bad.asm:1:1\n", self.expect(4, "asm", "bad.asm").stderr)

    def test_other_byte_order_marks_are_named(self):
        for codec in "utf-16-le", "utf-16-be":
            mark = "\ufeff".encode(codec)
            self.bytes("k.asm", mark + ASM.encode(codec))
            self.assertIn("UTF-16", self.expect_refusal(4, "INPUT-FILE", "run", "k.asm", "-c", "tiny"))
            self.bytes("m.toml", mark + b"a")
            self.assertIn("UTF-16", self.expect(3, "configs", "check", "m.toml").stderr)

    def test_line_ends_of_other_systems_and_none_at_the_end(self):
        self.bytes("k.asm", ASM.rstrip().replace("\n", "\r\n").encode())
        self.bytes("k.launch.toml", LAUNCH.rstrip().replace("\n", "\r\n").encode())
        self.expect(0, "run", "k.asm", "-c", "tiny", "--no-out")

    def test_zero_bytes(self):
        self.bytes("k.asm", ASM.encode().replace(b"64", b"6\x004"))
        self.assertNotEqual(self.teslasim("asm", "k.asm").returncode, 70)
        self.bytes("k.asm", ASM.encode().replace(b"return", b"ret\0urn"))
        self.expect_refusal(4, "INPUT-FORMAT", "run", "k.asm", "-c", "tiny")
        self.write("k.asm", ASM)
        self.bytes("k.launch.toml", LAUNCH.encode().replace(b"64", b"6\x004"))
        self.expect_refusal(3, "LAUNCH-SYNTAX", "run", "k.asm", "-c", "tiny")


class Depth(Cli):
    """Tables in tables without end."""

    def forms(self):
        deep = 60000
        return {"parts": "a." * deep + "a = 1\n", "header": "[" + "a." * deep + "a]\n", "arrays": "a = " + "[" * deep + "\n",
                "tables": "a = " + "{a = " * deep + "\n", "headers": "[[" + "a." * deep + "a]]\n",
                "mixed": "a = [" + "{a.a.a = [" * deep + "\n"}

    def test_machine_launch_and_plan_files_and_given_inputs(self):
        for name, text in self.forms().items():
            self.write("deep.toml", text)
            for code, command in (("CFG-SYNTAX", ["run", "k.asm", "-c", "deep.toml"]), ("CFG-SYNTAX", ["sweep", "deep.toml"]),
                                  ("LAUNCH-SYNTAX", ["run", "k.asm", "-c", "tiny", "--launch", "deep.toml"]),
                                  ("CFG-SYNTAX", ["models", "--given", "deep.toml"])):
                with self.subTest(form=name, command=command[0]):
                    done = self.teslasim(*command)
                    self.assertIn(done.returncode, (2, 3), done.stderr[:300])
                    self.assertIn(f"error[{code}]", done.stderr)
                    self.assertIn("nested more than 100 deep", done.stderr)
                    self.assertIn("deep.toml:1:", done.stderr)
                    self.assertLess(len(done.stderr), 1500)

    def test_an_override(self):
        for value in "a." * 60000 + "a=1", "sm.registers=" + "[" * 100000, "sm.registers=" + "{a.a=" * 20000:
            self.assertLess(len(self.expect_refusal(3, "CFG-", "run", "k.asm", "-c", "tiny", "-s", value)), 1500)

    def expect_refusal(self, status, code, *arguments):
        done = self.expect(status, *arguments)
        self.assertIn(f"error[{code}", done.stderr)
        return done.stderr

    def test_a_hundred_levels_are_enough_for_everybody(self):
        self.write("m.toml", "sm." + "a." * 60 + "a = 1\n")
        self.assertIn("CFG-UNKNOWN", self.expect(3, "configs", "check", "m.toml").stderr)
        self.write("m.toml", 'schema = "teslasim.machine/1"\nextends = "tiny"\n' + "# " + "[" * 1000 + "\nname = \"" + "[." * 1000 + '"\n')
        self.expect(0, "configs", "check", "m.toml")


class Size(Cli):
    def test_a_message_shows_what_a_screen_holds(self):
        self.write("k.asm", ASM.replace("return", "return " + "x" * 3000 + "\n  " + "é" * 1500 + "\n// " + "y" * 5000000))
        text = self.expect(4, "asm", "k.asm").stderr
        for line in text.splitlines():
            self.assertLess(len(line), 400, line[:120])
        self.assertIn("x…\n", text)
        excerpt, carets = [line for line in text.splitlines() if "xxx" in line and "|" in line][0], text.splitlines()[4]
        self.assertEqual(carets.index("^"), excerpt.index("x"), text[:600])

    def test_a_line_of_five_megabytes(self):
        self.write("k.launch.toml", LAUNCH.replace('"add_one"', '"' + "ü" * 1500000 + '" oops'))
        text = self.expect_refusal(3, "LAUNCH-SYNTAX", "run", "k.asm", "-c", "tiny")
        self.assertLess(len(text), 1000)
        self.assertIn("…üüü", text)
        self.write("long.asm", ".entry k\n{\n " + "q" * 5000000 + "\n return\n}\n")
        self.assertLess(len(self.expect(4, "asm", "long.asm").stderr), 1000)

    def test_nothing_of_an_input_is_obeyed_by_the_terminal(self):
        self.write("k.asm", ASM.replace("return", "\x1b[31m\x07\u202e\u009b return"))
        text = self.expect(4, "asm", "k.asm").stderr
        for bad in "\x1b", "\x07", "\u202e", "\u009b":
            self.assertNotIn(bad, text)
        self.write("k.asm", ASM)
        self.write("k.launch.toml", LAUNCH.replace('kernel = "add_one"', 'kernel = "\\u001b[31m\\u0007"'))
        self.assertNotIn("\x1b", self.expect(3, "run", "k.asm", "-c", "tiny").stderr)

    def test_the_caret_stands_below_its_text(self):
        self.write("k.launch.toml", LAUNCH.replace('kernel = "add_one"', 'kernel = "日本" x'))
        lines = self.expect(3, "run", "k.asm", "-c", "tiny").stderr.splitlines()
        excerpt = next(line for line in lines if "日本" in line)
        self.assertEqual(lines[lines.index(excerpt) + 1].index("^"), excerpt.index("x") + 2)
        self.assertIn("k.launch.toml:2:15", lines[1])
        self.assertIn("command line:1:11", self.expect(2, "run", "k.asm", "-c", "tiny", "--param", "日=").stderr)

    @not_under_sanitizers
    def test_many_kernels_labels_and_parameters(self):
        """Each would take minutes if its work grew with the square."""
        many = 50000
        self.write("many.asm", "".join(f".entry k{i}\n{{\nreturn\n}}\n" for i in range(many)))
        self.expect(0, "run", "many.asm", "-c", "tiny", "--kernel", f"k{many - 1}", "--grid", "1", "--block", "32", "--no-out")
        self.expect(0, "asm", "many.asm", "-o", "many.cubin", "-q")
        self.expect(0, "occupancy", "many.cubin", "-c", "tiny", "--kernel", "k7", "--grid", "1", "--block", "32")
        self.write("labels.asm", ".entry k\n{\n" + "".join(f"l{i}:\n" for i in range(100000)) + "return\n}\n")
        self.expect(0, "asm", "labels.asm")
        self.write("params.asm", ".entry k\n{\n" + "".join(f".param u32 p{i}\n" for i in range(100000)) + "return\n}\n")
        self.assertIn("and 180 more", self.expect(4, "asm", "params.asm").stderr)
        launch = ",\n".join(f'{{ name = "p{i}", type = "u32", value = 1 }}' for i in range(20000))
        self.write("k.launch.toml", LAUNCH[:LAUNCH.index("param")] + "param = [" + launch + "]\n")
        self.assertIn("more", self.expect(3, "run", "k.asm", "-c", "tiny").stderr)

    def test_long_numbers_and_words(self):
        for text in "1" * 100000, "1e" + "9" * 1000, "0x" + "f" * 100000, "x" * 100000, "1," * 50000 + "1":
            self.assertLess(len(self.expect(2, "run", "k.asm", "-c", "tiny", "--grid", text).stderr), 6000)
            self.write("n.asm", ".entry k\n{\n mov.b32 $r1, " + text[:3000] + "\n return\n}\n")
            self.assertLess(len(self.expect(4, "asm", "n.asm").stderr), 2500)
