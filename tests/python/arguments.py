# SPDX-License-Identifier: Apache-2.0
"""What a call of a kernel takes, and what it says of everything else."""
import os
import pathlib
import unittest

import numpy
import teslasim

TRACES = pathlib.Path(os.environ["TESLASIM_SOURCE"]) / "traces"
POINTERS = """
.entry add
{
  .param ptr a
  .param ptr b
  .param ptr sum

    and.b32 $r1, $r0, 0x0000ffff
    shl.u32 $r1, $r1, 2
    add.u32 $r2, s[a], $r1
    mov.u32 $r2, g[$r2]
    add.u32 $r3, s[b], $r1
    mov.u32 $r3, g[$r3]
    add.u32 $r2, $r2, $r3
    add.u32 $r3, s[sum], $r1
    mov.u32 g[$r3], $r2
    return
}
"""


def saxpy():
    return teslasim.kernel(TRACES / "saxpy/saxpy.asm")


class Arguments(unittest.TestCase):
    def refused(self, code, *parts):
        """A context in which teslasim.Error is expected, with words of its text."""
        test = self

        class Expected:
            def __enter__(self):
                return self

            def __exit__(self, kind, error, trace):
                test.assertIsInstance(error, teslasim.Error)
                test.assertEqual(code, error.code, error)
                for part in parts:
                    test.assertIn(part, str(error))
                return True

        return Expected()

    def test_saxpy_has_the_bits_of_the_chip(self):
        random = numpy.random.default_rng(1)
        x, y = random.random((2, 1000), dtype=numpy.float32)
        # The chip truncates the product within a multiply-add, and rounds the sum.
        product = (x.astype(numpy.float64) * 1.5).astype(numpy.float32)
        exact = x.astype(numpy.float64) * 1.5
        product = numpy.where(product.astype(numpy.float64) > exact, numpy.nextafter(product, numpy.float32(0)), product)
        expected = product + y
        saxpy()(4, 256, 1000, 1.5, x, y, timed=False)
        numpy.testing.assert_array_equal(expected.view(numpy.uint32), y.view(numpy.uint32))

    def test_results_are_written_back_and_inputs_stay(self):
        a, b, total = numpy.arange(32, dtype=numpy.uint32), numpy.full(32, 5, numpy.int32), numpy.zeros(32, numpy.uint32)
        teslasim.source(POINTERS)(1, 32, a, b, total)
        numpy.testing.assert_array_equal(numpy.arange(5, 37), total)
        numpy.testing.assert_array_equal(numpy.arange(32), a)

    def test_an_array_that_is_given_twice_is_one_buffer(self):
        a = numpy.arange(32, dtype=numpy.uint32)
        teslasim.source(POINTERS)(1, 32, a, a, a)
        numpy.testing.assert_array_equal(2 * numpy.arange(32), a)

    def test_read_only_arrays_are_only_read(self):
        a = numpy.arange(32, dtype=numpy.uint32)
        total = numpy.zeros(32, numpy.uint32)
        total.flags.writeable = False
        teslasim.source(POINTERS)(1, 32, a, a, total)
        self.assertEqual(0, total.sum())

    def test_arrays_of_several_dimensions_lie_by_rows(self):
        a = numpy.arange(32, dtype=numpy.uint32).reshape(4, 8)
        total = numpy.zeros((8, 4), numpy.uint32)
        teslasim.source(POINTERS)(1, (8, 4), a, a, total)
        # Threads of this kernel know their place in x only: the first row was added.
        numpy.testing.assert_array_equal([0, 2, 4, 6, 8, 10, 12, 14], total.ravel()[:8])

    def test_numbers_become_what_the_kernel_declares(self):
        x, y = numpy.ones((2, 8), numpy.float32)
        saxpy()(1, 8, 8, 3, x, y)  # 3 for an f32
        numpy.testing.assert_array_equal(numpy.full(8, 4.0), y)

    def test_counts_and_types_that_are_wrong(self):
        x, y = numpy.ones((2, 8), numpy.float32)
        with self.refused("LAUNCH-MISSING", "'y'", "n, a, x, y"):
            saxpy()(1, 8, 8, 1.5, x)
        with self.refused("LAUNCH-UNKNOWN", "argument 5"):
            saxpy()(1, 8, 8, 1.5, x, y, 7)
        with self.refused("LAUNCH-TYPE", "n = 8.5", "whole number", "call of saxpy:3"):
            saxpy()(1, 8, 8.5, 1.5, x, y)
        with self.refused("LAUNCH-TYPE", "'x'", "f32"):
            saxpy()(1, 8, 8, 1.5, numpy.float32(2), y)
        with self.refused("LAUNCH-TYPE", "'a'", "a buffer"):
            saxpy()(1, 8, 8, x, x, y)
        with self.refused("LAUNCH-RANGE", "n = 4294967296", "4294967295"):
            saxpy()(1, 8, 2**32, 1.5, x, y)
        with self.refused("LAUNCH-TYPE", "argument 3 ('x')", "complex64"):
            saxpy()(1, 8, 8, 1.5, x.astype(numpy.complex64), y)
        with self.refused("LAUNCH-TYPE", "argument 3 ('x')", "one after the other"):
            saxpy()(1, 8, 8, 1.5, numpy.ones(16, numpy.float32)[::2], y)
        with self.refused("LAUNCH-TYPE", "is a list", "numpy.asarray"):
            saxpy()(1, 8, 8, 1.5, [1.0] * 8, y)
        with self.refused("LAUNCH-TYPE", ">f4"):
            saxpy()(1, 8, 8, 1.5, x.astype(">f4"), y)

    def test_grids_and_blocks_that_cannot_be(self):
        x, y = numpy.ones((2, 8), numpy.float32)
        with self.refused("LAUNCH-RANGE", "grid", "three"):
            saxpy()("many", 8, 8, 1.5, x, y)
        with self.refused("LAUNCH-RANGE", "'grid'", "65535"):
            saxpy()(70000, 8, 8, 1.5, x, y)
        with self.refused("LAUNCH-BLOCK", "512"):
            saxpy()(1, 1024, 8, 1.5, x, y)

    def test_buffers_that_overlap(self):
        both = numpy.ones(40, numpy.float32)
        with self.refused("LAUNCH-DUPLICATE", "'x' and 'y' overlap", "copy"):
            saxpy()(1, 8, 8, 1.5, both[:32], both[8:])

    def test_an_access_outside_of_a_buffer_names_the_buffer(self):
        x, y = numpy.ones((2, 8), numpy.float32)
        before = y.copy()
        with self.refused("MEM-OOB", "saxpy.asm"):
            saxpy()(1, 256, 256, 1.5, x, y)
        numpy.testing.assert_array_equal(before, y)

    def test_code_that_is_wrong_has_its_place(self):
        with self.refused("ASM-OPCODE", "bad.asm:3", "frobnicate"):
            teslasim.source(".entry bad\n{\n    frobnicate $r1\n    return\n}\n", "bad.asm")
        with self.refused("INPUT-FILE", "nowhere.asm"):
            teslasim.kernel("nowhere.asm")
        with self.refused("LAUNCH-KERNEL", "latency_"):
            teslasim.kernel(TRACES / "micro/shared.asm", "latenzy")

    def test_constants_by_place(self):
        k = teslasim.source(""".entry constants
{
  .param ptr out
    and.b32 $r1, $r0, 0x0000ffff
    shl.u32 $r1, $r1, 2
    mov.b32 $r2, c0[0x0004]
    add.u32 $r1, s[out], $r1
    mov.u32 g[$r1], $r2
    return
}
""")
        out = numpy.zeros(32, numpy.uint32)
        k(1, 32, out, constants={0: numpy.array([7, 11], numpy.uint32)})
        self.assertEqual([11] * 32, list(out))


if __name__ == "__main__":
    unittest.main()
