# SPDX-License-Identifier: Apache-2.0
"""How recipes are read, and what is wrong with one."""
import pathlib
import tempfile
import unittest

from howto import MOST_FILES, complaints_about
from recipe import Recipe, RecipeError, is_shown, read_recipe

NEW = 'A file `a.txt`:\n\n```text new=a.txt\none\n```\n'


def at(place, text, fence="```"):
    return f"In `a.txt`:\n\n   {fence}text in=a.txt {place}\n{text}   {fence}\n"


class Examples(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.file = self.root / "a.txt"

    def apply(self, page):
        for example in read_recipe("page", page).examples:
            example.apply(self.root)
        return self.file.read_text(encoding="utf-8")

    def test_a_new_file(self):
        self.assertEqual(self.apply(NEW), "one\n")
        with self.assertRaisesRegex(RecipeError, "there already"):
            self.apply(NEW)

    def test_lines_after_before_and_instead_of_a_line(self):
        for place, wanted in (('after="b("x")"', "a\nb(\"x\")\n  new\nc\n"), ('before="b("', "a\n  new\nb(\"x\")\nc\n"),
                              ('instead-of="b("', "a\n  new\nc\n")):
            self.file.write_text('a\nb("x")\nc\n', encoding="utf-8")
            self.assertEqual(self.apply(at(place, "     new\n")), wanted, place)

    def test_the_line_must_be_there_once(self):
        for text, count in (("b\nb\n", 2), ("c\n", 0)):
            self.file.write_text(text, encoding="utf-8")
            with self.assertRaisesRegex(RecipeError, f"has {count} lines"):
                self.apply(at('after="b"', "   x\n"))

    def test_an_example_that_is_not_understood_is_an_error(self):
        for page in (at('below="b"', "   x\n"), at("", "   x\n"), at('after="b', "   x\n")):
            with self.assertRaises(RecipeError, msg=page):
                read_recipe("page", page)

    def test_the_text_names_each_file(self):
        with self.assertRaisesRegex(RecipeError, "does not name a.txt"):
            read_recipe("page", NEW.replace("`a.txt`", "a file"))


class Commands(unittest.TestCase):
    def test_commands_files_and_what_is_shown(self):
        page = "```console\n$ cat > f <<'END'\n$ text\nEND\n$ show f\none\n```\n"
        commands = read_recipe("page", page).commands
        self.assertEqual([command.line for command in commands], ["cat > f <<'END'\n$ text\nEND", "show f"])
        self.assertEqual(commands[1].shown, ["one"])

    def test_what_is_shown_is_a_line_of_the_output(self):
        output = ["RESULT      1 712 cycles = 0.001712 ms    output buffers: OK"]
        for line, shown in (("RESULT ... cycles = ... ms ...", True), ("RESULT 1 712 cycles ...", True), ("cycles", False),
                            ("RESULT ... cycles", False), ("... buffers: OK", True), ("... buffers: not OK", False)):
            self.assertEqual(is_shown(line, output), shown, line)


class Files(unittest.TestCase):
    def test_a_recipe_that_touches_too_many_files(self):
        for name, most in MOST_FILES.items():
            for count in (0, 1, most, most + 1):
                page = "".join(NEW.replace("a.txt", f"{n}.txt") for n in range(count)) + "```console\n$ true\n```\n"
                complaints = list(complaints_about(read_recipe(name, page)))
                self.assertEqual(bool(complaints), not 0 < count <= most, (name, count))

    def test_a_recipe_must_show_a_command(self):
        recipe = read_recipe("gpu", NEW)
        self.assertEqual(list(complaints_about(Recipe("gpu", recipe.examples, []))), ["gpu: shows no command"])


if __name__ == "__main__":
    unittest.main()
