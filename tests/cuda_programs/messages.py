# SPDX-License-Identifier: Apache-2.0
"""What nvcc says, and tells the two halves of a program.

usage: messages.py NVCC SOURCE_FOLDER [unittest arguments]
"""
import sys
import unittest

from programs import HERE, NVCC, SHIPPED, Programs, build, run


class Messages(Programs):
    def test_parts_of_the_library_that_the_runtime_has_too(self):
        source = self.folder / "host.cpp"
        source.write_text("#include <cuda_runtime.h>\n#include <cstdio>\n#include <memory>\n#include <string>\nint main() {\n"
                          "  const auto text = std::make_shared<std::string>(std::to_string(12u) + std::to_string(34ull));\n"
                          "  int count = 0;\n  cudaGetDeviceCount(&count);\n  std::puts(*text == \"1234\" && count == 1 ? \"PASSED\" : \"FAILED\");\n}\n",
                          encoding="utf-8")
        for standard in ("-std=c++11", "-std=c++17"):
            self.assertIsNone(build(source, self.folder, standard))
            self.passes(self.folder / "host")

    def test_both_halves_are_told_what_a_level_has_not(self):
        for level in ("10", "13"):
            words = [NVCC, f"-arch=sm_{level}", f"-I{SHIPPED / 'common'}", HERE / "features/levels.cu", "-o", "levels"]
            self.assertEqual(0, run(words, self.folder)[0])
            self.passes(self.folder / "levels", level)

    def test_what_both_halves_say_is_said_once(self):
        source = self.folder / "k.cu"
        source.write_text("__global__ void k(int* p) { p[0] = p == p; }\nint main(int count, char**) {\n  if (count = 3) return 1;\n  return 0;\n}\n", encoding="utf-8")
        code, out, err = run([NVCC, "-o", "k", source], self.folder)
        self.assertEqual((0, ""), (code, out), err)
        for place, words in ((f"--> {source}:1:", "self-comparison"), (f"--> {source}:3:", "an assignment as a condition")):
            self.assertEqual((1, 1), (err.count(place), err.count(words)), err)
        self.assertEqual(2, err.count("warning[CUDA-WARNING]"), err)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
