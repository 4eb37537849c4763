# SPDX-License-Identifier: Apache-2.0
"""The audits must be able to fail: each rule is shown one text that breaks it and one that does not."""
import pathlib
import tempfile
import unittest

import boards
import class_sizes
import docs_commands
import includes
import modelling
import operation_files
import sizes
import text
import type_names

LAYERS = """base sim/base
isa isa base
memory_image memory/image base
memory memory memory_image;base
engine sim/engine base;SYSTEMC
gpu sim/gpu memory;engine;base
model sim/model gpu;base
"""
LIBRARIES = "set(TESLASIM_LIBRARIES_base tomlplusplus::tomlplusplus fmt::fmt)\nset(TESLASIM_LIBRARIES_isa fmt::fmt)"


class Tree:
    """A scratch project: path -> text."""

    def __init__(self, content):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name).resolve()
        for name, body in content.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(body, encoding="utf-8")

    def __enter__(self):
        return self.root

    def __exit__(self, *_):
        self.folder.cleanup()


class ClassSizes(unittest.TestCase):
    HEAD = "namespace n {\nclass Unit {\n  struct Part {\n    int a;\n  };\n  void f();\n  int g() const;\n};\n}\n"

    def complaints(self, lines, namespace="n"):
        body = f"namespace {namespace} {{\nvoid Unit::f() {{\n" + "  g();\n" * lines + "}\n}\n"
        with Tree({"sim/unit.h": self.HEAD, "sim/unit.cpp": body, "sim/more.cpp": "namespace n {\nint Unit::g() const {\n" +
                   "  f();\n" * 100 + "  return 0;\n}\n}\n"}) as root:
            return class_sizes.audit(root)

    def test_members_of_all_files_count(self):
        self.assertEqual(self.complaints(200), [])
        self.assertEqual(len(self.complaints(300)), 1)

    def test_a_class_inside_counts_by_itself(self):
        found = dict((name, length) for name, _, length in class_sizes.lines_of(self.HEAD) if length > 0)
        self.assertEqual(found, {"Unit": 7, "Unit::Part": 3})
        self.assertIn(("Unit", False, -3), class_sizes.lines_of(self.HEAD))

    def test_classes_of_unnamed_namespaces_belong_to_their_files(self):
        large = "namespace n {\nnamespace {\nstruct Reader {\n" + "  int a();\n" * 250 + "};\n}\n}\n"
        with Tree({"sim/a.cpp": large, "sim/b.cpp": large}) as root:
            self.assertEqual(class_sizes.audit(root), [])

    def test_a_folder_that_grew(self):
        with Tree({f"sim/app/{i}.cpp": "// line\n" * 300 for i in range(20)}) as root:
            self.assertEqual(class_sizes.audit(root), ["sim/app has 6000 lines, more than 5000"])


class Boards(unittest.TestCase):
    BOARD = "name = \"x\"\nextends = \"gt200\"\n[clock]\ncore_mhz = 600\n[gpu]\ntpcs = 4\n"

    def complaints(self, more):
        with Tree({"configs/gt200.toml": "[sm]\ndp_units = 1\n", "configs/dram/ddr2.toml": "[dram]\nqueue = 8\n",
                   "configs/x.toml": self.BOARD + more}) as root:
            return boards.audit(root)

    def test_clocks_counts_and_memory_chips_are_of_a_board(self):
        self.assertEqual(self.complaints("[dram.timing]\nranks = 2\n"), [])

    def test_how_the_chip_works_is_not(self):
        found = self.complaints("cta_replacement = \"wave\"\n[sm.latency_cycles]\nalu = 18\n")
        self.assertEqual(len(found), 2)
        self.assertIn("sm.latency_cycles.alu is a matter of the chip", found[1])


class PagesOfUnits(unittest.TestCase):
    PAGE = ("# Unit\n\n```text\nbox\n```\n\n## Keys\n\n| key | sets |\n|---|---|\n| `sm.banks` | `anything` |\n\n## Statistics\n\n"
            "| statistic | shows |\n|---|---|\n| `shared.replays`, `issue_slots.mem.const` | passes |\n\n## Sources\n\nA 2010\n\n"
            "## Left out\n\nTime.\n\nCode: `sim/unit.h`.\n")
    TREE = {"docs/config-reference.md": "| `sm.banks` | `16` |\n", "sim/unit.h": "",
            "docs/statistics-reference.md": "| `shared.replays` | passes |\n\n## Reasons\n\n"
                                            "| mem.const | `mem.const` | `wait.mem.const` | a |\n| ready |  | `ready` | a |\n"}

    def complaints(self, page):
        with Tree({**self.TREE, "docs/modelling/unit.md": page, "docs/modelling/README.md": "the index"}) as root:
            return modelling.audit(root)

    def test_a_true_page(self):
        self.assertEqual([], self.complaints(self.PAGE))
        self.assertEqual([], self.complaints(self.PAGE.replace("`issue_slots.mem.const`", "`warp_cycles.mem.const`, `warp_cycles.ready`")))

    def test_what_does_not_exist_is_named(self):
        for old, new in (("sm.banks", "sm.bank"), ("shared.replays", "shared.passes"), ("mem.const", "mem.constant"),
                         ("issue_slots.mem.const", "issue_slots.ready"), ("sim/unit.h", "sim/box.h")):
            name = new if new != "mem.constant" else "issue_slots.mem.constant"
            found = self.complaints(self.PAGE.replace(old, new))
            self.assertEqual(1, len(found), new)
            self.assertIn(name + ("" if "/" in name else ", which") + " ", found[0] + " ")

    def test_what_a_page_must_have(self):
        for part in ("```text", "## Keys", "## Statistics", "## Sources", "## Left out", "`sm.banks`", "A 2010"):
            self.assertNotEqual([], self.complaints(self.PAGE.replace(part, "")), part)
        self.assertEqual(1, len(self.complaints(self.PAGE + "line\n" * modelling.MOST_LINES)))


class TypeNames(unittest.TestCase):
    def complaints(self, **content):
        with Tree({f"{name.replace('__', '/')}.h": body for name, body in content.items()}) as root:
            return type_names.audit(root)

    def test_a_name_is_taken_once(self):
        twice = self.complaints(sim__a="namespace n {\nstruct X {};\n}", sim__b="namespace n {\nclass X final : public y::Z<int> {\n};\n}")
        self.assertEqual(["n::X is defined more than once: sim/a.h, sim/b.h"], twice)
        self.assertEqual(1, len(self.complaints(sim__a="struct alignas(64) X {};", tests__sim__b="enum class X { a };")))

    def test_declarations_and_what_other_files_cannot_see_are_no_definitions(self):
        self.assertEqual([], self.complaints(
            sim__a="namespace n {\nstruct X {};\nstruct Y { struct Z {}; };\n}",
            sim__b="namespace n {\nstruct X;\nnamespace {\nstruct X {};\n}\n// struct Y {}\nauto a = \"struct Y {\";\n}",
            sim__c="namespace m {\nstruct X { struct Z {}; };\n}"))

    def test_test_programs_may_agree_with_each_other(self):
        self.assertEqual([], self.complaints(tests__a__x="struct X {};", tests__b__x="struct X {};"))
        self.assertEqual(1, len(self.complaints(tests__a__x="struct X {};", tests__a__y="struct X {};")))


class OperationFiles(unittest.TestCase):
    def complaints(self, count, **more):
        uses = {f"isa/use{n}.cpp": "x = Opcode::min;" for n in range(count)}
        with Tree({"isa/opcodes.def": 'OPCODE(min, "min",\n', "tests/isa/a.cpp": "Opcode::min", **uses, **more}) as root:
            return operation_files.audit(root, ("min",))

    def test_four_files_and_no_more(self):
        self.assertEqual([], self.complaints(3))
        self.assertIn("5 files", self.complaints(4)[0])

    def test_patterns_of_bits_count_too(self):
        self.assertEqual(1, len(self.complaints(3, **{"isa/encoding/rows_long.def": "LONG(min, 10)\n"})))

    def test_an_operation_that_is_gone_is_said(self):
        with Tree({"isa/opcodes.def": 'OPCODE(max, "max",\n'}) as root:
            self.assertEqual(["isa/opcodes.def: there is no operation 'min'"], operation_files.audit(root, ("min",)))


class Includes(unittest.TestCase):
    def complaints(self, **content):
        content = {name.replace("__", "/").replace("_h", ".h").replace("_cpp", ".cpp"): body for name, body in content.items()}
        with Tree(content) as root:
            return includes.audit(root, includes.Layers(LAYERS), includes.libraries_of_layers(LIBRARIES))

    def test_a_layer_may_include_itself_and_what_it_depends_on(self):
        self.assertEqual([], self.complaints(isa__a_h='#include "sim/base/t.h"\n#include "isa/b.h"', isa__b_h="", sim__base__t_h=""))

    def test_a_layer_may_not_include_a_layer_above(self):
        found = self.complaints(sim__base__t_h='#include "isa/b.h"', isa__b_h="")
        self.assertEqual(1, len(found))
        self.assertIn("'base' must not include layer 'isa'", found[0])

    def test_dependencies_are_not_inherited(self):
        self.assertEqual(1, len(self.complaints(sim__model__m_h='#include "memory/x.h"', memory__x_h="")))

    def test_the_longest_folder_decides(self):
        self.assertEqual(1, len(self.complaints(memory__image__x_h='#include "memory/y.h"', memory__y_h="")))

    def test_a_missing_header_is_found(self):
        self.assertIn("does not exist", self.complaints(isa__a_h='#include "b.h"', isa__b_h="")[0])

    def test_systemc_stays_in_engine_and_gpu(self):
        self.assertEqual([], self.complaints(sim__gpu__g_h="#include <systemc>", sim__engine__e_h="#include <systemc>"))
        self.assertEqual(1, len(self.complaints(sim__model__m_cpp="#include <systemc>")))

    def test_libraries_only_where_linked_and_only_in_cpp_files(self):
        self.assertEqual([], self.complaints(isa__a_cpp="#include <fmt/format.h>\n#include <vector>"))
        self.assertIn("only in .cpp", self.complaints(isa__a_h="#include <fmt/format.h>")[0])
        self.assertIn("does not link", self.complaints(isa__a_cpp="#include <toml++/toml.h>")[0])

    def test_circles_are_found(self):
        self.assertEqual(1, len(includes.Layers("a x b\nb y\n").problems()))


class Sizes(unittest.TestCase):
    def lengths(self, source):
        return [(name, last - first + 1) for first, last, name in sizes.functions(source)]

    def test_functions_are_found_and_measured(self):
        self.assertEqual([("f", 3), ("C::g", 1)], self.lengths("namespace n {\nint f(int a) {\n  return a;\n}\nint C::g() const { return 1; }\n}\n"))

    def test_nested_blocks_lambdas_and_initialisers_belong_to_their_function(self):
        source = "void f() {\n  if (a) {\n    auto g = [](int x) { return x; };\n  }\n  T t{1, {2}};\n}\n"
        self.assertEqual([("f", 6)], self.lengths(source))

    def test_braces_in_strings_comments_and_characters_do_not_count(self):
        source = "void f() {\n  g(\"}}\", '}', R\"x(}})x\");  // }\n  /* } */ int i = 1'000;\n}\n"
        self.assertEqual([("f", 4)], self.lengths(source))

    def test_constructor_with_initialisers(self):
        self.assertEqual([("C::C", 2)], self.lengths("C::C(int a) : a_{a}, b_(a), c_{} {\n}\n"))

    def test_tables_and_types_are_no_functions(self):
        self.assertEqual([], self.lengths("struct S {\n int a = 3;\n};\nconst T table[] = {\n{1, f(2)},\n};\nenum class E : int { a, b };\n"))

    def test_members_in_classes_and_macros_of_tests(self):
        self.assertEqual([("g", 1), ("TEST", 2)], self.lengths("class C {\n int g() noexcept { return 1; }\n};\nTEST(A, b) {\n}\n"))

    def test_a_long_function_is_reported_unless_listed(self):
        source = "void f() {\n" + "  g();\n" * 60 + "}\n"
        self.assertEqual(1, len(sizes.audit_file(pathlib.Path("a.cpp"), source, {})))
        self.assertEqual([], sizes.audit_file(pathlib.Path("a.cpp"), source, {"a.cpp:f": 70}))

    def test_a_long_file_is_reported(self):
        self.assertEqual(1, len(sizes.audit_file(pathlib.Path("a.h"), "\n" * 401, {})))

    def test_an_exception_needs_a_reason(self):
        with self.assertRaises(SystemExit):
            sizes.read_exceptions("a.cpp 500")


class Text(unittest.TestCase):
    def test_licence_line(self):
        with Tree({"a.cpp": "int a;\n", "b.h": "// " + text.LICENCE + "\n", "run": "#!/bin/sh\necho\n"}) as root:
            self.assertEqual(["a.cpp", "run"], [line.split(":")[0] for line in text.check_licences(root)])

    def test_every_folder_is_described(self):
        with Tree({"README.md": "", "a/b.cpp": "", "tests/README.md": "`x/`", "tests/x/t.cpp": "", "tests/y/t.cpp": ""}) as root:
            self.assertEqual(["a: no README.md", "tests/README.md does not describe `y/`"], text.check_readmes(root))

    def test_notes_to_oneself(self):
        with Tree({"a.cpp": "// TO" + "DO later\n// to do: nothing\n"}) as root:
            self.assertEqual(1, len(text.check_notes(root)))

    def test_single_places(self):
        with Tree({"sim/a.cpp": "json.dump(1)", "sim/b.cpp": "toml::parse(x)", "sim/c.cpp": "too_deep_toml(x); toml::parse(x)",
                   "sim/base/json_text.h": "json.dump(1)", "tests/d.cpp": "json.dump(1)"}) as root:
            self.assertEqual(["sim/a.cpp", "sim/b.cpp"], [line.split(":")[0] for line in text.check_single_places(root)])

    def test_links(self):
        good = "[a](b/c.md#the-heading-two) [x](https://example.org) `[no](link)`\n```\n[no](link)\n```\n[self](#here)\n# Here\n"
        with Tree({"a.md": good, "b/c.md": "# The `heading` two\n[up](../a.md)"}) as root:
            self.assertEqual([], text.check_links(root))
        with Tree({"a.md": "[a](b.md) [c](c.md#none) [d](/etc/passwd)", "c.md": "# Some\n"}) as root:
            self.assertEqual(3, len(text.check_links(root)))

    def test_indexes_are_complete(self):
        with Tree({"docs/README.md": "[a](a.md)", "docs/a.md": "", "docs/b.md": ""}) as root:
            self.assertEqual(["docs/README.md does not link b.md"], text.check_index(root, "docs"))


class DocsCommands(unittest.TestCase):
    def test_commands_and_expected_statuses(self):
        document = (
            "```console\n$ teslasim run a \\\n    -c b\noutput\nRESULT  3\n$ echo $?\n3\n$ ls\n$ cd x\n```\n"
            "```text\n$ teslasim no\n```\n```sh\n$ ./build/release/teslasim doctor\n```\n"
        )
        self.assertEqual([("teslasim run a      -c b", 3, ["RESULT  3"]), ("cd x", 0, []), ("./build/release/teslasim doctor", 0, [])],
                         docs_commands.commands(document))

    def test_files_that_are_written_in_between(self):
        document = "```console\n$ cat > a.asm <<'END'\nfirst\n$ second\nEND\n$ teslasim run a.asm\n```\n"
        self.assertEqual([("cat > a.asm <<'END'\nfirst\n$ second\nEND", 0, []), ("teslasim run a.asm", 0, [])],
                         docs_commands.commands(document))


if __name__ == "__main__":
    unittest.main()
