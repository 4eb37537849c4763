# SPDX-License-Identifier: Apache-2.0
"""The comparison of golden statistics: any statistic that moves, comes or goes is named, with what it was and is."""
import copy
import pathlib
import tempfile
import unittest

from recipes import without_recipes
from statistics_table import GoldenStatistics, columns, differences

STATS = {"launches": [{"index": 0, "kernel": "k", "time": {"cycles": 100, "ms": 0.1 + 0.2, "clock": "shader"},
                       "slots": {"issued": 7, "fetch": 0}, "rate": None, "per_sm": [{"sm": 0, "issued": 7, "share": 1 / 3}]}]}


def changed(**parts):
    stats = copy.deepcopy(STATS)
    stats["launches"][0].update(parts)
    return columns("k", stats)


class Statistics(unittest.TestCase):
    def setUp(self):
        self.expected = columns("k", STATS)

    def test_the_same_run_has_no_differences(self):
        self.assertEqual(differences(self.expected, changed()), [])

    def test_a_moved_statistic_is_named_with_both_values(self):
        self.assertEqual(differences(self.expected, changed(slots={"issued": 7, "fetch": 3})),
                         ["launch k.0: slots.fetch: 0 expected, 3 found"])

    def test_a_statistic_that_came_or_went_is_named(self):
        self.assertEqual(differences(self.expected, changed(slots={"issued": 7, "branch": 0})),
                         ["launch k.0: slots.fetch: 0 expected, - found", "launch k.0: slots.branch: - expected, 0 found"])

    def test_a_value_of_one_sm_shows(self):
        moved = differences(self.expected, changed(per_sm=[{"sm": 0, "issued": 8, "share": 1 / 3}]))
        self.assertRegex(moved[0], r"^launch k\.0: per_sm: #[0-9a-f]{8} expected, #[0-9a-f]{8} found$")

    def test_the_last_bits_of_a_quotient_do_not_show(self):
        self.assertEqual(differences(self.expected, changed(time={"cycles": 100, "ms": 0.3, "clock": "shader"})), [])

    def test_a_launch_without_golden_statistics_is_a_difference(self):
        self.assertEqual(differences({}, self.expected), ["launch k.0: not in the golden statistics"])

    def test_what_was_written_is_read(self):
        with tempfile.TemporaryDirectory() as folder:
            golden = GoldenStatistics("small", pathlib.Path(folder))
            golden.replace("k", self.expected)
            golden.replace("k2", columns("k2", {"launches": [{"index": 0, "other": 0}]}))
            golden.write()
            read = GoldenStatistics("small", pathlib.Path(folder))
        self.assertEqual(differences(self.expected, read.of_kernel("k")), [])
        self.assertEqual(read.of_kernel("k2"), {"k2.0": {"index": "", "other": ""}})

    def test_what_recipes_count_is_taken_out_at_every_level_and_nothing_else(self):
        counted = {"a": {"issued_alone": 5, "wait.fetch": 2, "wait.fetch.first": 3}, "per_sm": [{"fetch": 1, "fetch.first": 1, "issued": 4}]}
        self.assertEqual(without_recipes(counted), {"a": {"wait.fetch": 5}, "per_sm": [{"fetch": 2, "issued": 4}]})
        self.assertEqual(without_recipes({"stall_fetch": "7", "stall_first_fetch": "8", "text": "x"}), {"stall_fetch": "15", "text": "x"})


if __name__ == "__main__":
    unittest.main()
