# SPDX-License-Identifier: Apache-2.0
"""Which files clang-tidy sees together, and that it finds in a group what it finds alone."""
import pathlib
import shutil
import tempfile
import unittest

import tidy

OPTIONS = ["-std=c++20"]


def entry(name, *options):
    path = str(tidy.ROOT / name)
    return {"file": path, "command": f"ccache /usr/bin/clang++-14 {' '.join(options)} -o a.o -c {path}"}


class Groups(unittest.TestCase):
    def test_hold_files_of_a_folder_with_the_same_options(self):
        entries = [entry("sim/sm/b.cpp", "-O2"), entry("sim/sm/a.cpp", "-O2"), entry("sim/sm/c.cpp", "-O3"),
                   entry("isa/a.cpp", "-O2"), entry("tests/a.cpp", "-O2")]
        self.assertEqual([(["isa/a.cpp"], ["-O2"]), (["sim/sm/a.cpp", "sim/sm/b.cpp"], ["-O2"]), (["sim/sm/c.cpp"], ["-O3"])],
                         list(tidy.groups_of(entries, ())))

    def test_are_not_parted_by_a_folder_within(self):
        entries = [entry("isa/a.cpp"), entry("isa/deep/b.cpp"), entry("isa/z.cpp")]
        self.assertEqual([["isa/a.cpp", "isa/z.cpp"], ["isa/deep/b.cpp"]], [names for names, _ in tidy.groups_of(entries, ())])

    def test_are_small(self):
        entries = [entry(f"isa/f{i:02}.cpp") for i in range(tidy.TOGETHER + 1)]
        self.assertEqual([tidy.TOGETHER, 1], [len(names) for names, _ in tidy.groups_of(entries, ())])

    def test_of_chosen_folders_only(self):
        entries = [entry("sim/sm/a.cpp"), entry("isa/a.cpp")]
        self.assertEqual([["isa/a.cpp"]], [names for names, _ in tidy.groups_of(entries, ("isa",))])


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
