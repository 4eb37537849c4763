# SPDX-License-Identifier: Apache-2.0
"""Binaries as input: text and ELF cubins, programs with GPU code inside, listings; and damaged ones."""
import struct

from cli import Cli

LAUNCH = ["--grid", "1", "--block", "64", "--param", "data=u32[64]:iota", "--param", "n=64"]


class Cubins(Cli):
    def words(self, *arguments):
        rows = self.expect(0, "disasm", *arguments, "--format", "tsv").stdout.splitlines()[1:]
        return [row.split("\t")[1:4] for row in rows]

    def test_every_container_holds_the_same_program(self):
        for form in "text", "elf", "elf64":
            self.expect(0, "asm", "k.asm", "--format", form, "-o", f"{form}.cubin")
        host = b"\x7fELF" + bytes(60) + b"junk" + (self.here / "elf.cubin").read_bytes() + bytes(9)
        (self.here / "a.out").write_bytes(host)
        wanted = self.words("k.asm")
        for name in "text.cubin", "elf.cubin", "elf64.cubin", "a.out":
            self.assertEqual(self.words(name), wanted, name)
            self.expect(0, "run", name, "--kernel", "add_one", *LAUNCH, "-c", "tiny", "--no-out")

    def test_what_disasm_prints_can_be_read_back(self):
        self.expect(0, "asm", "k.asm", "-o", "k.cubin")
        wanted = self.words("k.cubin")
        for form in "decuda", "annotated", "asm":
            self.write(f"k.{form}.txt", self.expect(0, "disasm", "k.cubin", "--format", form).stdout)
            self.assertEqual(self.words(f"k.{form}.txt"), wanted, form)
            self.expect(0, "run", f"k.{form}.txt", *LAUNCH, "-c", "tiny", "--no-out", "-q")

    def test_parameters_of_elf_cubins_are_matched_by_place(self):
        self.expect(0, "asm", "k.asm", "--format", "elf64", "-o", "k2.cubin")
        refused = self.expect_refusal(2, "LAUNCH-TYPE", "run", "k2.cubin", "--grid", "1", "--block", "64", "--param",
                                      "data=u64:5", "--param", "n=u32:1")
        self.assertIn("p0 of 4 bytes at s[0x10]", refused)

    def test_an_opcode_newer_than_the_machine(self):
        self.write("d.asm", ".arch sm_13\n.entry d\n{\nadd.rn.f64 $r0, $r2, $r4\nreturn\n}\n")
        self.expect(0, "asm", "d.asm", "-o", "d.cubin")
        error = self.expect_refusal(4, "ISA-UNKNOWN-OP", "run", "d.cubin", "--grid", "1", "--block", "32", "-c", "8800gtx")
        self.assertIn("pc 0x0000: e0000401 60010780", error)
        self.assertIn("first appears in sm_13; the configuration is sm_10 (8800gtx)", error)
        self.expect(0, "run", "d.cubin", "--grid", "1", "--block", "32", "-c", "gtx280", "--no-out")

    def test_another_level_for_code_that_is_newer(self):
        self.write("f.asm", ".arch sm_13\n.entry f\n{\n.param ptr data\nshl.u32 $r1, $r0, 3\nadd.u32 $r1, s[data], $r1\n"
                   "mov.b64 $r2, g[$r1]\nadd.rn.f64 $r2, $r2, $r2\nmov.b64 g[$r1], $r2\nreturn\n}\n")
        self.expect(0, "asm", "f.asm", "-o", "f.cubin")
        (self.here / "want.bin").write_bytes(struct.pack("<32d", *(2.0 * i for i in range(32))))
        self.write("f.launch.toml", 'schema = "teslasim.launch/1"\ngrid = [1]\nblock = [32]\n'
                   'param = [{ name = "data", type = "f64", count = 32, init = "iota" }]\n'
                   '[expect.data]\nfile = "want.bin"\n')
        launch = ["--launch", "f.launch.toml", "-c", "8800gtx", "--no-out"]
        self.expect_refusal(4, "ISA-UNKNOWN-OP", "run", "f.cubin", *launch)
        done = self.expect(0, "run", "f.cubin", *launch, "--retarget", "sm_13")
        self.assertIn("(sm_13)", done.stdout)
        self.expect_refusal(4, "ISA-UNKNOWN-OP", "run", "f.cubin", *launch, "--retarget", "sm_12")
        self.assertIn("sm_13", self.expect(2, "run", "f.cubin", *launch, "--retarget", "sm_20").stderr)

    def test_textures_of_cubins_are_bound_by_name(self):
        self.write("t.asm", ".entry t\n{\n.param ptr out\nmov.b32 $r1, $r0\ncvt.rn.f32.u32 $r2, $r0\n"
                   "tex.1d.b32.f32 {$r2,_,_,_}, $tex3, {$r2}\nshl.u32 $r1, $r1, 2\nadd.u32 $r1, s[out], $r1\n"
                   "mov.u32 g[$r1], $r2\nreturn\n}\n")
        self.expect(0, "asm", "t.asm", "-o", "plain.cubin")
        text = (self.here / "plain.cubin").read_text() + "sampler { name = image texunit = 3 }\n"
        self.write("text.cubin", text)
        self.expect(0, "asm", "text.cubin", "--format", "elf", "-o", "elf.cubin")
        self.expect(0, "asm", "elf.cubin", "--format", "elf64", "-o", "elf64.cubin")
        self.write("t.launch.toml", 'schema = "teslasim.launch/1"\ngrid = [1]\nblock = [8]\n'
                   'param = [{ name = "OUT", type = "f32", count = 8 }]\n'
                   '[[texture]]\nname = "image"\ntype = "f32"\nsize = [8]\ninit = "iota"\n'
                   '[expect.OUT]\nfile = "texels.bin"\n')
        (self.here / "texels.bin").write_bytes(struct.pack("<8f", *range(8)))
        for form in "text", "elf", "elf64":
            name = "out" if form == "text" else "p0"
            launch = (self.here / "t.launch.toml").read_text().replace("OUT", name)
            self.write(f"{form}.launch.toml", launch)
            self.expect(0, "run", f"{form}.cubin", "--launch", f"{form}.launch.toml", "-c", "tiny", "--no-out")

    def damaged(self, code, data, name="bad.cubin"):
        (self.here / name).write_bytes(data)
        return self.expect_refusal(4, code, "run", name, *LAUNCH)

    def test_damaged_files(self):
        self.expect(0, "asm", "k.asm", "--format", "elf64", "-o", "good.cubin")
        good = (self.here / "good.cubin").read_bytes()
        self.damaged("CUBIN-ELF", good[:len(good) // 2])
        table = struct.unpack_from("<Q", good, 40)[0]
        overlap = bytearray(good)
        overlap[table + 2 * 64 + 24:table + 2 * 64 + 32] = overlap[table + 64 + 24:table + 64 + 32]
        self.assertIn("overlaps", self.damaged("CUBIN-ELF", bytes(overlap)))
        text = b"architecture {sm_10} code { name = k reg = 2 bincode { %s } }"
        branch = self.damaged("CUBIN-TARGET", text % b"0x10010003 0x00000780 0x30000003 0x00000780")
        self.assertIn("pc 0x0000: bra to 0x0080", branch)
        odd = self.damaged("CUBIN-ALIGN", text % b"0x10008004 0x30000003 0x00000780")
        self.assertIn("pc 0x0004", odd)
        self.expect(0, "disasm", "bad.cubin", "--allow-unaligned")
        self.damaged("CUBIN-CODE", text % b"0x30000003")
        self.damaged("CUBIN-SYNTAX", b"architecture {sm_10} " + b"code { " * 40)
        self.assertIn("ELF file", self.damaged("INPUT-FORMAT", b"\x7fELF\x02\x01\x01" + bytes(80)))
