# SPDX-License-Identifier: Apache-2.0
"""`--vcd`: the waveform that SystemC's tracer writes, read by a parser that knows the format (IEEE 1364) and nothing of the program."""
import collections
import gzip
import json
import re
import resource
import subprocess

from cli import PROGRAM, STUCK_ASM, Cli

# One block of 64 threads that takes every unit of an SM: MAD, SFU, DP, shared memory, constants, barrier, loads, stores.
ALL_UNITS = """\
.arch sm_13
.const table c0 : u32 3, 4, 5, 6
.entry all_units
{
.param ptr data
.shared words, 4 * 64
    and.b32 $r1, $r0, 0x0000ffff
    movsh.b32 $ofs1, $r1, 2
    shl.u32 $r1, $r1, 2
    add.u32 $r1, s[data], $r1
    mov.u32 $r2, g[$r1]
    mov.b32 s[$ofs1+words], $r2
    bar.sync.u32 0
    mov.b32 $r3, s[$ofs1+words]
    rcp.f32 $r4, $r3
    mad.rn.f64 $r6, $r6, $r6, $r6
    mov.b32 $r5, c0[table]
    mov.b32 $r5, c0[table+4]
    add.u32 $r3, $r3, $r5
    mov.u32 g[$r1], $r3
    return
}
"""
DATA = 'param = [ { name = "data", type = "u32", count = 64, init = "iota" } ]\n'
BAD_ASM = """\
.entry bad
{
    mov.b32 $r1, 0x00000010
    mov.u32 $r2, g[$r1]
    return
}
"""
UNITS = ["block_slots", "front_end", "front_end.fetch", "issue", "warp_scheduler", "scoreboard", "register_file", "mad_unit",
         "mad_unit.collectors", "sfu_unit", "sfu_unit.collectors", "dp_unit", "dp_unit.collectors", "barrier_unit",
         "shared_memory", "shared_memory.banks", "constant_port", "constant_cache", "load_store_unit",
         "load_store_unit.address_generation", "load_store_unit.coalescer", "write_back"]


class Waveform:
    """Signals by hierarchical name, each with its width and its values as (time, number, or None for unknown)."""

    def __init__(self, text):
        head, _, body = text.partition("$enddefinitions  $end\n")
        self.unit = " ".join(re.search(r"\$timescale\s+(\S+ \S+)\s+\$end", head)[1].split())
        self.legend = {name: int(code) for code, name in re.findall(r"^ (\d+) = (\S+)$", head, re.M)}
        self.width, self.values = {}, collections.defaultdict(list)
        names, scope = {}, []
        for words in (line.split() for line in head.splitlines()):
            if words[:1] == ["$scope"]:
                scope.append(words[2])
            elif words[:1] == ["$upscope"]:
                scope.pop()
            elif words[:1] == ["$var"]:
                names[words[3]] = ".".join(scope[1:] + [words[4]])  # the outermost scope is SystemC itself
                self.width[names[words[3]]] = int(words[2])
        assert not scope
        self.times = []
        now = 0
        for line in re.sub(r"\$comment.*?\$end", "", body, flags=re.S).splitlines():
            if line.startswith("#"):
                assert not self.times or int(line[1:]) > self.times[-1]
                now = int(line[1:])
                self.times.append(now)
            elif line and not line.startswith("$"):
                value, code = line.split() if line[0] == "b" else ("b" + line[0], line[1:])
                self.values[names[code]].append((now, None if "x" in value else int(value[1:], 2)))

    def changes(self, name):
        return [b for a, b in zip(self.values[name], self.values[name][1:])]

    def at_edges(self, clock, *signals):
        """The values of the signals after each edge of the clock."""
        events = sorted([(time, 0, i, value) for i, name in enumerate(signals) for time, value in self.values[name]] +
                        [(time, 1, 0, value) for time, value in self.values[clock]], key=lambda event: event[:2])
        now = [None] * len(signals)
        for time, is_edge, i, value in events:
            if is_edge and value is not None:
                yield (time, value, *now)
            elif not is_edge:
                now[i] = value


class Waveforms(Cli):
    def record(self, *options, name="out", machine="gtx280", grid=12):
        self.kernel("all_units", ALL_UNITS, block=64, grid=grid, param=DATA)
        run = self.expect(0, "run", "all_units.launch.toml", "-c", machine, "-o", name, "-q", "--no-report", *options)
        self.folder = self.here / name
        return run

    def wave(self):
        return Waveform(gzip.decompress((self.folder / "pipeline.vcd.gz").read_bytes()).decode())

    def launch(self):
        return json.loads((self.folder / "stats.json").read_text())["launches"][0]

    def test_names_every_unit_of_an_sm_and_all_of_them_move(self):
        self.record("--vcd")
        wave = self.wave()
        signals = collections.defaultdict(list)
        for name in wave.width:
            unit, _, _ = name.rpartition(".")
            signals[unit].append(name)
        for unit in UNITS:
            self.assertTrue([name for name in signals["gpu.tpc0.sm0." + unit] if wave.changes(name)], unit)
        for unit in ("block_scheduler", "crossbar.request_network", "crossbar.response_network", "mmu", "mmu.tlb", "constant_l3",
                     "tpc0.memory_port", "tpc0.memory_port.tlb", "tpc0.constant_l2", "partition0.controller", "partition0.dram"):
            self.assertTrue([name for name in signals["gpu." + unit] if wave.changes(name)], unit)
        self.assertTrue({"gpu.tpc0.texture", "gpu.partition0.rop", "gpu.partition0.texture_l2"} <= set(signals))
        self.assertFalse([unit for unit in signals if unit.startswith(("gpu.tpc1", "gpu.tpc0.sm1"))])

    def test_time_is_exact(self):
        self.record("--vcd", machine="tiny")
        wave = self.wave()
        self.assertEqual(wave.unit, "1 fs")
        sm_cycle, memory_cycle = 2_000_000, 1_000_000  # 1000 MHz: an SM cycle is two of the shader clock
        for clock, period in ("gpu.sm_clock.cycle", sm_cycle), ("gpu.core_clock.cycle", sm_cycle), ("gpu.memory_clock.cycle", memory_cycle):
            self.assertEqual([time for time, _ in wave.values[clock]], [period * cycle for _, cycle in wave.values[clock]])
        self.assertTrue(0.95 < wave.times[-1] / (self.launch()["time"]["cycles"] * 1_000_000) <= 1)

    def test_instructions_that_issue_are_those_that_were_counted(self):
        self.record("--vcd", machine="tiny")
        wave = self.wave()
        sm = "gpu.tpc0.sm0."
        slots, addresses, choices = collections.Counter(), set(), 0
        for _, _, slot, pc, warp in wave.at_edges("gpu.sm_clock.cycle", sm + "slot", sm + "pc", sm + "warp"):
            slots[slot] += 1
            issues = slot in (wave.legend["issued"], wave.legend["replay.shared_bank"], wave.legend["replay.const"])
            self.assertEqual((pc is not None, warp is not None), (issues, issues))
            addresses.add(pc)
            choices += issues
        launch = self.launch()
        self.assertEqual(slots[wave.legend["issued"]], launch["instructions"]["warp"])
        self.assertGreater(choices, launch["instructions"]["warp"])
        self.assertEqual(addresses - {None}, {int(row["pc"], 16) for row in self.table("out/pc.csv")})
        final = {name: wave.values[name][-1][1] for name in wave.width}
        self.assertEqual(final["gpu.block_scheduler.finished"], 12)
        self.assertEqual(final["gpu.mmu.walks"], launch["tlb"]["walks"])
        partitions = launch["dram"]["partitions"]
        self.assertEqual([final[f"gpu.partition{i}.dram.activates"] for i in range(len(partitions))],
                         [partition["activates"] for partition in partitions])

    def test_states_of_warps_are_those_of_the_accounts(self):
        """Cycle by cycle and warp by warp, summed like the warp cycles of the statistics."""
        self.record("--vcd", machine="tiny")
        wave = self.wave()
        names = [f"gpu.tpc0.sm0.w{warp:02}_state" for warp in range(8)]
        states = collections.Counter(state for row in wave.at_edges("gpu.sm_clock.cycle", *names) for state in row[2:])
        launch = self.launch()
        waits = {name.removeprefix("wait."): cycles for name, cycles in launch["warp_cycles"].items()}
        for reason in "fetch", "dep.reissue", "dep.alu", "mem.global", "mem.const", "mem.shared", "branch":
            self.assertEqual(states[wave.legend[reason]], waits[reason], reason)
        # A ready warp whose unit is busy: the statistics say which unit, that of barriers included.
        ready = sum(waits[name] for name in waits if name.startswith("pipe.")) + waits["mem.queue"] + waits["ready-not-chosen"]
        self.assertGreater(states[wave.legend["sync.barrier"]], 0)
        self.assertEqual(states[wave.legend["ready-not-chosen"]] + states[wave.legend["sync.barrier"]], ready + waits["sync.barrier"])
        # The last warp of a block takes its state along: here every block ends with one.
        self.assertEqual(states[wave.legend["issued"]] + 12, launch["instructions"]["warp"])

    def test_changes_no_result_and_equal_runs_have_equal_bytes(self):
        self.record(name="plain")
        digest = json.loads((self.folder / "stats.json").read_text())["digest"]
        files = []
        for name in "once", "again":
            run = self.record("--vcd", name=name)
            self.assertEqual(json.loads((self.folder / "stats.json").read_text())["digest"], digest)
            self.assertEqual(run.stderr, "")
            files.append((self.folder / "pipeline.vcd.gz").read_bytes())
            self.assertFalse([path.name for path in self.folder.iterdir() if path.name.startswith(".")])
        self.assertEqual(files[0], files[1])
        self.assertNotIn(b"$date", gzip.decompress(files[0]))

    def test_says_where_it_is(self):
        self.kernel("all_units", ALL_UNITS, block=64, grid=1, param=DATA)
        run = self.expect(0, "run", "all_units.launch.toml", "-c", "tiny", "-o", "out", "--no-report", "--vcd")
        self.assertRegex(run.stderr, r"(?m)^wrote \S+/pipeline.vcd.gz \([0-9.]+ MB, \d+ events; open in GTKWave\)$")

    def test_sms_and_window(self):
        self.record("--vcd", "--window", "cycle:400-800", "--sms", "1,4,1", grid=40)
        wave = self.wave()
        sms = {m[1] for m in (re.match(r"gpu\.(tpc\d+\.sm\d+)\.", name) for name in wave.width) if m}
        self.assertEqual(sms, {"tpc0.sm1", "tpc1.sm1"})
        self.assertEqual([cycle for _, cycle in wave.values["gpu.sm_clock.cycle"] if cycle is not None], list(range(200, 400)))
        for name, values in wave.values.items():
            self.assertIsNone(values[0][1], name)
            self.assertIsNone(values[-1][1], name)

    def test_windows_that_begin_when_something_happens(self):
        pc = next(row["pc"] for row in self.recorded_pcs() if "rcp" in row["text"])
        run = self.record("--vcd", "--window", f"pc:{pc}#2,+40")
        self.assertRegex(run.stderr, "window matched at cycle")
        wave = self.wave()
        rows = [row for row in wave.at_edges("gpu.sm_clock.cycle", "gpu.tpc0.sm0.pc")]
        self.assertEqual((len(rows), rows[0][2]), (20, int(pc, 16)))
        self.record("--vcd", "--window", "stall:mem>50%,+60", name="stall")
        self.assertTrue(0 < sum(cycle is not None for _, cycle in self.wave().values["gpu.sm_clock.cycle"]) <= 30)

    def recorded_pcs(self):
        self.record(name="listing")
        return self.table("listing/pc.csv")

    def test_a_window_in_a_later_launch(self):
        """As for all timelines: the first launch that has the window."""
        pc = next(row["pc"] for row in self.recorded_pcs() if "rcp" in row["text"])
        self.kernel("all_units", ALL_UNITS, block=64, grid=1, param=DATA + "[[launch]]\n[[launch]]\ngrid = [12]\n")
        self.expect(0, "run", "all_units.launch.toml", "-c", "tiny", "-o", "out", "-q", "--no-report", "--vcd", "--window",
                    f"pc:{pc}#5,+60")
        self.folder = self.here / "out"
        first, second = json.loads((self.folder / "stats.json").read_text())["launches"]
        wave = self.wave()
        known = [(time, cycle) for time, cycle in wave.values["gpu.sm_clock.cycle"] if cycle is not None]
        self.assertEqual(len(known), 30)
        begins = {time - cycle * 2_000_000 for time, cycle in known}  # of the launch, in femtoseconds
        self.assertEqual(len(begins), 1)
        self.assertTrue(0.9 < begins.pop() / (first["time"]["cycles"] * 1_000_000) < 1.1)
        self.assertLess(known[-1][1], second["time"]["cycles"] // 2)

    def test_the_largest_file(self):
        for megabytes, most in ("1", 1_050_000), ("0", 200_000):
            run = self.record("--vcd", "--timeline-max", megabytes, name="max" + megabytes, grid=3000)
            self.assertRegex(run.stderr, r"note: \d+ later events were dropped")
            self.assertLess(len(gzip.decompress((self.folder / "pipeline.vcd.gz").read_bytes())), most)
            note, = json.loads((self.folder / "run.json").read_text())["timelines"]
            self.assertGreater(note["dropped"], 0)
            self.wave()

    def test_a_look_ahead_that_it_cannot_have(self):
        said = self.expect_refusal(2, "CLI-VALUE", "run", "k.launch.toml", "-c", "tiny", "--vcd", "--look-ahead", "8")
        self.assertIn("--vcd implies exact", said)
        self.expect(0, "run", "k.launch.toml", "-c", "tiny", "--vcd", "--look-ahead", "exact")

    def test_runs_that_end_early_have_theirs(self):
        self.kernel("stuck", STUCK_ASM)
        self.expect(6, "run", "stuck.launch.toml", "-c", "tiny", "-o", "out", "--vcd", "--no-report")
        self.folder = self.here / "out"
        self.assertGreater(len(self.wave().times), 10)
        self.record("--vcd", "--max-cycles", "300", name="cut")
        self.assertLess(max(cycle for _, cycle in self.wave().values["gpu.sm_clock.cycle"]), 150)
        self.kernel("bad", BAD_ASM)
        self.expect(5, "run", "bad.launch.toml", "-c", "tiny", "-o", "bad", "--vcd", "--no-report")
        self.folder = self.here / "bad"
        self.assertTrue(self.wave().width)

    def test_a_full_disk_takes_nothing_else_along(self):
        self.kernel("all_units", ALL_UNITS, block=64, grid=300, param=DATA)
        limit = 300_000  # bytes of a file
        done = subprocess.run([PROGRAM, "run", "all_units.launch.toml", "-c", "tiny", "-o", "full", "-q", "--no-report", "--vcd"],
                              cwd=self.here, capture_output=True, text=True, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertEqual(done.returncode, 8, done.stderr)
        self.assertIn("cannot write 'full/pipeline.vcd.gz': the waveform was cut off: no space left", done.stderr)
        made = {path.name for path in (self.here / "full").iterdir()}
        self.assertTrue({"stats.json", "pc.csv", "run.json"} <= made)
        self.assertFalse([name for name in made if "vcd" in name])
