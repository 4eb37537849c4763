# SPDX-License-Identifier: Apache-2.0
"""Machines: settings, several in one process, thousands of launches, Ctrl-C, threads."""
import gc
import os
import pathlib
import signal
import threading
import time
import unittest

import numpy
import teslasim

TRACES = pathlib.Path(os.environ["TESLASIM_SOURCE"]) / "traces"
CONFLICTS = """
.entry conflicts
{
  .param ptr out
  .shared data, 4 * 1024

    and.b32 $r1, $r0, 0x0000ffff
    movsh.b32 $ofs1, $r1, 6
    mov.b32 s[$ofs1+data], $r1
    shl.u32 $r2, $r1, 2
    add.u32 $r2, s[out], $r2
    mov.u32 g[$r2], $r1
    return
}
"""


def resident_mb():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


class Machines(unittest.TestCase):
    def test_settings_change_what_they_should(self):
        out = numpy.zeros(32, numpy.uint32)
        k = teslasim.source(CONFLICTS, "conflicts.asm")
        # 16 words apart: all lanes of a half-warp in one of 16 banks, or in two of 32.
        replays = {banks: k(1, 32, out, machine=teslasim.machine("gtx280", **{"sm.shared.banks": banks})).stats["shared.replays"]
                   for banks in (16, 32)}
        self.assertEqual({16: 30, 32: 14}, replays)

    def test_what_a_machine_says_of_itself(self):
        m = teslasim.machine("8800gtx", **{"sm.shared.banks": 32})
        self.assertEqual("32", m.configuration["sm.shared.banks"])
        self.assertEqual("sm_10", m.info.arch)
        self.assertIn("gtx280", [one.name for one in teslasim.machines()])
        self.assertIn("banks", m.toml())

    def test_settings_that_are_wrong(self):
        with self.assertRaises(teslasim.Error) as caught:
            teslasim.machine("gtx280", **{"sm.shared.bank": 32, "gpu.tpcs": -1})
        self.assertEqual("CFG-UNKNOWN", caught.exception.code)
        self.assertIn("sm.shared.banks", str(caught.exception))
        self.assertEqual(2, len(caught.exception.messages))
        with self.assertRaises(teslasim.Error):
            teslasim.machine("gtx2800")

    def test_machines_take_turns(self):
        k = teslasim.source(CONFLICTS)
        out = numpy.zeros(32, numpy.uint32)
        several = [teslasim.machine(name) for name in ("8800gtx", "gtx280", "gtx285")]
        first = [k(1, 32, out, machine=m).digest for m in several]
        self.assertEqual(3, len(set(first)))
        self.assertEqual(first, [k(1, 32, out, machine=m).digest for m in several])
        self.assertEqual(first[::-1], [k(1, 32, out, machine=m).digest for m in several[::-1]])

    def test_threads_of_the_host_change_no_result(self):
        k = teslasim.source(CONFLICTS)
        out = numpy.zeros(32, numpy.uint32)
        self.assertEqual(k(8, 32, out).digest, k(8, 32, out, machine=teslasim.machine("gtx280", threads=2)).digest)

    def test_a_thousand_launches_need_no_more_memory_than_a_hundred(self):
        k = teslasim.source(CONFLICTS)
        out = numpy.zeros(32, numpy.uint32)
        digests = set()

        def launch(times):
            for _ in range(times):
                digests.add(k(1, 32, out).digest)
            gc.collect()
            return resident_mb()

        early = launch(100)
        late = launch(900)
        self.assertEqual(1, len(digests))
        self.assertLess(late - early, 4.0, "MB")

    def test_machines_that_are_gone_give_their_memory_back(self):
        k = teslasim.source(CONFLICTS)
        out = numpy.zeros(32, numpy.uint32)

        def machines(times):
            for _ in range(times):
                k(1, 32, out, machine=teslasim.machine("8800gtx"))
            gc.collect()
            return resident_mb()

        early = machines(5)
        self.assertLess(machines(25) - early, 25.0, "MB: less than one per machine")

    def test_ctrl_c_ends_a_launch_and_the_next_one_is_as_new(self):
        m = teslasim.machine("gtx280")
        k = teslasim.source(".entry forever\n{\n  .param ptr out\nagain:\n    bra.label again\n    return\n}\n")
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        begin = time.monotonic()
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            k(1, 32, numpy.zeros(1, numpy.uint32), machine=m)
        self.assertLess(time.monotonic() - begin, 30.0)
        out = numpy.zeros(32, numpy.uint32)
        conflicts = teslasim.source(CONFLICTS)
        self.assertEqual(conflicts(1, 32, out).digest, conflicts(1, 32, out, machine=m).digest)

    def test_other_threads_go_on_and_progress_may_end_a_launch(self):
        k = teslasim.source(".entry forever\n{\n  .param ptr out\nagain:\n    bra.label again\n    return\n}\n")
        seen = []

        def progress(now):
            seen.append(now.cycles)
            return len(seen) < 2

        run = k(1, 32, numpy.zeros(1, numpy.uint32), progress=progress)
        self.assertEqual("interrupted", run.status)
        self.assertLess(0, seen[-1])
        runs = []
        worker = threading.Thread(target=lambda: runs.append(k(1, 32, numpy.zeros(1, numpy.uint32), max_cycles=300000)))
        worker.start()
        counted = 0
        while worker.is_alive():
            counted += 1
        worker.join()
        self.assertEqual("limit", runs[0].status)
        self.assertGreater(counted, 1000)

    def test_an_error_in_progress_comes_out(self):
        def progress(now):
            raise ZeroDivisionError(now.blocks)

        k = teslasim.source(".entry forever\n{\n  .param ptr out\nagain:\n    bra.label again\n    return\n}\n")
        with self.assertRaises(ZeroDivisionError):
            k(1, 32, numpy.zeros(1, numpy.uint32), progress=progress)


if __name__ == "__main__":
    unittest.main()
