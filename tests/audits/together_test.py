# SPDX-License-Identifier: Apache-2.0
"""Which sources may be compiled as one file."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "cmake"))
import together


class Together(unittest.TestCase):
    def groups(self, most, **texts):
        with tempfile.TemporaryDirectory() as name:
            for file, text in texts.items():
                (pathlib.Path(name) / file).write_text(text, encoding="utf-8")
            groups = together.groups_of([str(pathlib.Path(name) / file) for file in texts], most)
        return [[pathlib.Path(source.name).name for source in group] for group in groups]

    def own(self, text):
        return f"namespace teslasim {{\nnamespace {{\n\n{text}\n\n}}  // namespace\n\nvoid shown();\n}}  // namespace teslasim\n"

    def test_files_without_names_of_their_own_go_together(self):
        self.assertEqual(self.groups(10, a="int f();\n", b="int g();\n"), [["a", "b"]])

    def test_a_group_has_a_largest_size(self):
        self.assertEqual(self.groups(2, a="", b="", c=""), [["a", "b"], ["c"]])

    def test_functions_types_constants_and_macros_of_one_name_are_kept_apart(self):
        for text in ("int rows() {\n}", "struct rows {\n};", "constexpr int rows = 3;", "using rows = int;",
                     "constexpr std::array<std::pair<int, int>, 3> rows{};", "template <typename T>\nT rows(T x) {\n}",
                     "constexpr int lines = 1, rows = 2;"):
            self.assertEqual(self.groups(10, a=self.own(text), b=self.own("bool rows() {\n}")), [["a"], ["b"]], text)
        self.assertEqual(self.groups(10, a="#define ROW 1\n", b="int ROW;\n"), [["a"], ["b"]])

    def test_a_constant_keeps_apart_from_those_that_have_its_name_from_elsewhere(self):
        for use in ("void f(int rows) {", "int rows = 2;", "const auto& [a, rows] = g();", "g([rows = 2] {});", "return rows;",
                    "using rows = int;", "struct rows {", "enum class A { rows, b };", "f(a ->* rows);"):
            self.assertEqual(self.groups(10, a=self.own("constexpr int rows = 3;"), b=f"{use}\n"), [["a"], ["b"]], use)

    def test_a_type_keeps_apart_from_those_that_have_its_name_from_a_header(self):
        self.assertEqual(self.groups(10, a=self.own("struct Rows {\n};"), b="void f(const Rows& x) {\n}\n"), [["a"], ["b"]])

    def test_names_of_members_and_in_scopes_are_others(self):
        for use in ("x.rows = 2;", "x->rows(2);", "f(x::rows);", "g({.rows = 2});", "x.rows();"):
            for text in ("constexpr int rows = 3;", "int rows() {\n}"):
                self.assertEqual(self.groups(10, a=self.own(text), b=f"{use}\n"), [["a", "b"]], use)

    def test_files_that_write_an_alias_alike_go_together(self):
        for alias in ("using Kind = Operand::Kind;", "using testing::SizeIs;", "namespace files = std::filesystem;",
                      "using namespace std::literals;"):
            self.assertEqual(self.groups(10, a=self.own(alias), b=self.own(alias)), [["a", "b"]], alias)
        self.assertEqual(self.groups(10, a=self.own("using Kind = A;"), b=self.own("using Kind = B;")), [["a"], ["b"]])
        self.assertEqual(self.groups(10, a=self.own("using namespace a;"), b="namespace b {}\n"), [["a"], ["b"]])
        self.assertEqual(self.groups(10, a=self.own("using a::Kind;"), b=self.own("using b::Kind;")), [["a"], ["b"]])
        self.assertEqual(self.groups(10, a=self.own("using a::Kind;"), b=self.own("using a::Size;")), [["a", "b"]])

    def test_a_function_may_have_the_name_of_a_local_elsewhere(self):
        self.assertEqual(self.groups(10, a=self.own("int rows() {\n}"), b="void f(int rows) {\n}\n"), [["a", "b"]])

    def test_a_function_keeps_apart_from_those_that_call_another(self):
        self.assertEqual(self.groups(10, a=self.own("int rows() {\n}"), b="int f() { return rows(2); }\n"), [["a"], ["b"]])

    def test_comments_and_text_declare_nothing(self):
        self.assertEqual(self.groups(10, a=self.own("constexpr int rows = 3;"), b='// rows\nauto x = "rows";\n'), [["a", "b"]])

    def test_what_comes_after_the_unnamed_namespace_is_not_the_files_own(self):
        self.assertEqual(self.groups(10, a=self.own("int f();"), b=self.own("int g();")), [["a", "b"]])


if __name__ == "__main__":
    unittest.main()
