# SPDX-License-Identifier: Apache-2.0
"""Which files clang-tidy sees together, and that it finds in a group what it finds alone."""
import pathlib
import shutil
import tempfile
import unittest

import tidy

OPTIONS = ["-std=c++20"]


class Groups(unittest.TestCase):
    def groups(self, *files, folders=()):
        """Of (name, options, text)."""
        with tempfile.TemporaryDirectory() as name:
            root, entries = pathlib.Path(name), []
            for file, options, text in files:
                path = root / file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
                entries.append({"file": str(path), "command": f"ccache /usr/bin/clang++-14 {options} -o a.o -c {path}"})
            return tidy.groups_of(entries, folders, root)

    def test_hold_files_with_the_same_options(self):
        self.assertEqual([(["isa/a.cpp", "sim/sm/a.cpp", "sim/sm/b.cpp"], ["-O2"]), (["sim/sm/c.cpp"], ["-O3"])],
                         self.groups(("sim/sm/b.cpp", "-O2", ""), ("sim/sm/a.cpp", "-O2", ""), ("sim/sm/c.cpp", "-O3", ""),
                                     ("isa/a.cpp", "-O2", ""), ("tests/a.cpp", "-O2", "")))

    def test_hold_files_that_differ_in_what_is_added(self):
        self.assertEqual([(["isa/a.cpp", "isa/b.cpp"], ["-O2", "-DA", "-fPIC", "-DB"])],
                         self.groups(("isa/b.cpp", "-DA -O2 -DB", ""), ("isa/a.cpp", "-O2 -DA -fPIC", "")))

    def test_hold_no_name_twice(self):
        self.assertEqual([["isa/a.cpp", "isa/c.cpp"], ["isa/b.cpp"]],
                         [names for names, _ in self.groups(("isa/a.cpp", "", "static int same = 1;\n"),
                                                            ("isa/b.cpp", "", "static int same = 2;\n"),
                                                            ("isa/c.cpp", "", ""))])

    def test_are_small(self):
        files = [(f"isa/f{i:02}.cpp", "", "") for i in range(tidy.TOGETHER + 1)]
        self.assertEqual([tidy.TOGETHER, 1], [len(names) for names, _ in self.groups(*files)])

    def test_of_chosen_folders_only(self):
        self.assertEqual([["isa/a.cpp"]],
                         [names for names, _ in self.groups(("sim/sm/a.cpp", "", ""), ("isa/a.cpp", "", ""), folders=("isa",))])


@unittest.skipUnless(shutil.which("clang-tidy-14"), "clang-tidy-14 is not installed")
class Complaints(unittest.TestCase):
    def complaints(self, *texts):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name) / "sim"
            folder.mkdir()
            files = [folder / f"{i}.cpp" for i in range(len(texts))]
            for file, text in zip(files, texts):
                file.write_text(text, encoding="utf-8")
            return tidy.complaints_about([str(file) for file in files], OPTIONS, pathlib.Path(name))

    def test_are_those_of_each_file(self):
        found = self.complaints("int first() { return 1; }\n", "int* second() { return 0; }\n")
        self.assertIn("sim/1.cpp:1:24: error: use nullptr", found)
        self.assertNotIn("0.cpp", found)

    def test_are_none_without_a_defect(self):
        self.assertEqual("", self.complaints("int first() { return 1; }\n", "int second() { return 2; }\n"))

    def test_do_not_come_from_a_name_that_two_files_use(self):
        self.assertEqual("", self.complaints("static int same = 1;\nint first() { return same; }\n",
                                             "static int same = 2;\nint second() { return same; }\n"))


if __name__ == "__main__":
    unittest.main()
