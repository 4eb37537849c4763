# SPDX-License-Identifier: Apache-2.0
"""Timelines and pipeline views, read by parsers that know the formats and nothing of the program."""
import collections
import gzip
import json
import pathlib
import re
import shutil
import struct
import subprocess

from cli import Cli, not_under_sanitizers

KERNELS = pathlib.Path(__file__).resolve().parents[2] / "traces"


def fields(data):
    """A protobuf message as a list of (field, value); nested messages stay bytes."""
    out, i = [], 0

    def varint():
        nonlocal i
        value = shift = 0
        while True:
            byte = data[i]
            i += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while i < len(data):
        key = varint()
        if key & 7 == 0:
            value = varint()
        elif key & 7 == 1:
            value, i = data[i:i + 8], i + 8
        else:
            assert key & 7 == 2, key
            length = varint()
            value, i = data[i:i + length], i + length
        out.append((key >> 3, value))
    return out


class Trace:
    """Tracks by path, with their slices, instants, counter values and flows."""

    def __init__(self, data):
        self.interned = {2: {}, 3: {}, 29: {}}  # names of events, names of notes, texts
        self.path, self.units = {}, {}
        self.slices, self.instants, self.values = (collections.defaultdict(list) for _ in range(3))
        self.flows, self.notes = collections.Counter(), []
        open_slices = collections.defaultdict(list)
        for number, packet in fields(data):
            assert number == 1
            parts = fields(packet)
            one = dict(parts)
            if 60 in one:
                self.describe(dict(fields(one[60])))
            for interned in (value for field, value in parts if field == 12):
                for field, entry in fields(interned):
                    entry = dict(fields(entry))
                    assert entry[1] not in self.interned[field]
                    self.interned[field][entry[1]] = entry[2].decode()
            if 11 in one:
                self.event(one[8], fields(one[11]), open_slices)
        assert not any(open_slices.values())

    def describe(self, track):
        parent = self.path.get(track.get(5), "")
        self.path[track[1]] = f"{parent}/{track[2].decode()}"
        if 8 in track:
            self.units[self.path[track[1]]] = dict(fields(track[8]))[6].decode()

    def event(self, when, parts, open_slices):
        one = dict(parts)
        path = self.path[one[11]]
        names = self.interned[2]
        self.flows.update(value for field, value in parts if field == 47)
        if one[9] == 1:
            notes = dict(self.note(dict(fields(value))) for field, value in parts if field == 4)
            open_slices[path].append((when, names[one[10]], notes))
        elif one[9] == 2:
            begin, name, notes = open_slices[path].pop()
            assert begin < when or name == "", (path, name, begin, when)
            self.slices[path].append((begin, when, name, notes))
        elif one[9] == 3:
            self.instants[path].append((when, names[one[10]]))
        else:
            assert path in self.units
            self.values[path].append((when, struct.unpack("<d", one[44])[0]))

    def note(self, note):
        """Its name, and its value: a text, a number, or as text in hexadecimal digits what is no number to count with."""
        (kind,) = set(note) - {1}
        value = {3: lambda number: number, 7: lambda number: f"0x{number:08x}", 17: self.interned[29].get}[kind](note[kind])
        assert value is not None
        return self.interned[3][note[1]], value


class Timelines(Cli):
    def record(self, *options, kernel="reduce2", machine="gtx280", name="out"):
        run = self.expect(0, "run", str(KERNELS / kernel / f"{kernel}.launch.toml"), "-c", machine, "-o", name, "-q",
                          "--no-report", *options)
        self.folder = self.here / name
        return run

    def unpacked(self, name):
        return gzip.decompress((self.folder / name).read_bytes())

    def test_perfetto_holds_the_tree_of_tracks(self):
        run = self.record("--perfetto", "--window", "pc:0x0000#2,+6000", "--timeline-sms", "0-1")
        self.assertRegex(run.stderr, r"window matched at cycle \d+ \(SM 0, warp \d+\); 6000 cycles recorded, 0 events")
        trace = Trace(self.unpacked("timeline.pftrace.gz"))
        gpu = "/GPU  GeForce GTX 280 - 1 ns = 1 SP cycle"
        stats = json.loads((self.folder / "stats.json").read_text())["launches"][0]
        self.assertEqual([s[:3] for s in trace.slices[gpu + "/Kernels"]], [(0, stats["time"]["cycles"], "reduce2")])
        for track in ("DRAM/partition 7/partition 7 traffic", "DRAM/partition 0/partition 0 queue",
                      "NoC/requests waiting in the crossbar", "NoC/replies waiting in the crossbar", "TPC 0/SM 1/active warps", "TPC 0/SM 0/eligible warps"):
            self.assertGreater(len(trace.values[f"{gpu}/{track}"]), 10, track)
        for track in ("TPC 0/SM 0/issue", "TPC 0/SM 0/units/SP", "TPC 0/SM 0/units/LSU", "TPC 0/SM 1/warps/w00",
                      "TPC 0/SM 0/block slots/slot 0"):
            self.assertTrue(trace.slices[f"{gpu}/{track}"], track)
        warp = trace.slices[gpu + "/TPC 0/SM 0/warps/w00"]
        kinds = {name.split(".")[0] for _, _, name, _ in warp if name.startswith("wait.")}
        self.assertIn("wait", kinds)
        notes = [n for _, _, _, n in warp if "pc" in n]
        self.assertTrue(all({"pc", "text", "mask", "lanes", "cta"} <= set(n) for n in notes) and notes)
        listing = {f"0x{int(row['pc'], 16):08x}": row["text"] for row in self.table("out/pc.csv")}
        blamed = 0
        for _, _, name, one in warp:
            if "pc" in one:
                self.assertEqual((one["text"], name), (listing[one["pc"]], f"0x{int(one['pc'], 16):04x}: {one['text']}"))
                self.assertEqual(one["lanes"], bin(int(one["mask"], 16)).count("1"))
            elif "blamed" in one:
                pc, _, text = one["blamed"].partition(": ")
                self.assertEqual(text, listing[f"0x{int(pc, 16):08x}"])
                blamed += 1
        self.assertGreater(blamed, 0)
        self.assertTrue(all(count >= 2 for count in trace.flows.values()) and trace.flows)

    def test_phases_between_barriers_lie_in_their_block(self):
        self.record("--perfetto")
        trace = Trace(self.unpacked("timeline.pftrace.gz"))
        barriers = json.loads((self.folder / "stats.json").read_text())["launches"][0]["instructions"]["barriers"]
        self.assertGreater(barriers, 0)
        slots = {path: slices for path, slices in trace.slices.items() if "/block slots/" in path}
        self.assertGreater(len(slots), 1)
        for slices in slots.values():
            blocks = [s for s in slices if s[2].startswith("block ")]
            phases = [s for s in slices if s[2].startswith("phase ")]
            self.assertEqual(len(blocks) + len(phases), len(slices))
            for begin, end, _, _ in blocks:
                inside = sorted(p for p in phases if begin <= p[0] and p[1] <= end)
                self.assertEqual([name for _, _, name, _ in inside], [f"phase {i}" for i in range(len(inside))])
                self.assertGreater(len(inside), 2)
                self.assertEqual((inside[0][0], inside[-1][1]), (begin, end))
                self.assertTrue(all(a[1] == b[0] for a, b in zip(inside, inside[1:])))
                phases = [p for p in phases if p not in inside]
            self.assertEqual(phases, [])

    def test_commands_to_the_chips(self):
        self.record("--perfetto", "--window", "cycle:200-8000", "--dram-events")
        trace = Trace(self.unpacked("timeline.pftrace.gz"))
        banks = {path: sorted(slices) for path, slices in trace.slices.items() if re.search(r"/partition \d/bank \d$", path)}
        self.assertGreater(len(banks), 8)
        counts, rows = collections.Counter(), {}
        for path, slices in banks.items():
            self.assertTrue(all(a[1] <= b[0] for a, b in zip(slices, slices[1:])), path)
            for begin, end, name, notes in slices:
                counts[name] += 1
                self.assertLess(begin, 8000)
                self.assertGreater(end, 200)
                if name == "ACT":
                    rows[path] = notes["row"]
                elif name in ("RD", "WR") and path in rows:  # only to the row that is open
                    self.assertEqual(notes["row"], rows[path])
                    self.assertIn(notes["bytes"], (32, 64, 128))
                elif name == "PRE":
                    rows.pop(path, None)
        self.assertTrue(counts["ACT"] and counts["RD"])
        self.assertLessEqual(set(counts), {"ACT", "RD", "WR", "PRE", "REF"})
        self.record("--perfetto", "--window", "cycle:200-8000", name="without")
        self.assertFalse([path for path in Trace(self.unpacked("timeline.pftrace.gz")).slices if "/bank " in path])
        for options in (["--dram-events"], ["--perfetto", "--dram-events"], ["--dram-events", "--window", "cycle:0-9"]):
            self.assertIn("--dram-events needs --perfetto and --window",
                          self.expect(2, "run", "k.asm", "-c", "tiny", *options).stderr)

    def test_what_goes_into_the_folder_of_a_run_needs_one(self):
        for options in (["--perfetto"], ["--konata"], ["--vcd"], ["--lanes", "0x10"]):
            done = self.expect(2, "run", "k.asm", "-c", "tiny", "--no-out", *options)
            self.assertIn(f"{options[0]} writes into the folder of the run, and --no-out makes none", done.stderr)
        self.expect(0, "run", "k.asm", "-c", "tiny", "--no-out", "--lanes", "0x10", "--lanes-text")

    @not_under_sanitizers
    def test_commands_of_a_whole_run_are_those_that_were_counted(self):
        self.record("--perfetto", "--window", "cycle:0,+100000000", "--dram-events", kernel="vecadd")
        slices = Trace(self.unpacked("timeline.pftrace.gz")).slices
        counts = collections.Counter(name for path in slices if "/bank " in path for _, _, name, _ in slices[path])
        partitions = json.loads((self.folder / "stats.json").read_text())["launches"][0]["dram"]["partitions"]
        def total(name):
            return sum(p[name] for p in partitions)
        self.assertEqual(counts["ACT"], total("activates"))
        self.assertEqual(counts["RD"] + counts["WR"], total("row_hits") + total("row_misses"))

    @not_under_sanitizers
    def test_the_sms_that_were_asked_for(self):
        for option in "--sms", "--timeline-sms":
            self.record("--perfetto", "--konata", "--window", "cycle:2000-4000", option, "1,4-5", name="out" + option)
            tracks = {m[1] for m in (re.search(r"/SM (\d+)/warps/", path) for path in
                                     Trace(self.unpacked("timeline.pftrace.gz")).slices) if m}
            self.assertEqual(tracks, {"1", "4", "5"})
            threads = {int(line.split("\t")[3]) // 64 for line in
                       self.unpacked("pipeline.kanata.gz").decode().splitlines() if line.startswith("I\t")}
            self.assertEqual(threads, {1, 4, 5})
        # Nothing is recorded: no SMs to choose from.
        self.assertIn("--sms", self.expect(2, "run", "k.asm", "-c", "tiny", "--sms", "0").stderr)
        for wrong in "x", "3-1", "0-", "5000":
            self.assertIn("CLI-VALUE", self.expect(2, "run", "k.asm", "-c", "tiny", "--perfetto", "--timeline-sms", wrong).stderr)

    def test_the_sms_of_a_replay_are_those_of_the_recording(self):
        """There --sms chooses blocks, --timeline-sms what is drawn; the report says that the run is sampled."""
        self.expect(0, "trace", "record", str(KERNELS / "reduce2/reduce2.launch.toml"), "-c", "gtx280", "--mode", "timing",
                    "-o", "r.wtrace")
        self.expect(0, "run", "r.wtrace", "-c", "gtx280", "-q", "-o", "part", "--sms", "0-1", "--perfetto",
                    "--window", "cycle:2000-4000", "--timeline-sms", "3")
        self.folder = self.here / "part"
        tracks = {m[1] for m in (re.search(r"/SM (\d+)/", path) for path in
                                 Trace(self.unpacked("timeline.pftrace.gz")).slices) if m}
        self.assertEqual(tracks, {"3"})
        self.assertIn("Sampled", (self.folder / "report.html").read_text())

    def test_quiet_runs_do_not_name_their_files(self):
        done = self.expect(0, "run", "k.asm", "-c", "tiny", "-o", "quiet", "-q", "--konata", "--perfetto")
        self.assertEqual("", done.stderr)

    @not_under_sanitizers
    def test_the_largest_timeline(self):
        sizes = {}
        for megabytes in "1", "1M", "1MB", "200":
            self.record("--perfetto", "--konata", "--window", "cycle:0-200000", "--timeline-max", megabytes,
                        name="max" + megabytes)
            sizes[megabytes] = len(self.unpacked("timeline.pftrace.gz")), len(self.unpacked("pipeline.kanata.gz"))
            notes = {note["file"]: note for note in json.loads((self.folder / "run.json").read_text())["timelines"]}
            self.assertEqual(bool(notes["timeline.pftrace.gz"]["dropped"]), megabytes != "200")
        self.assertEqual(sizes["1"], sizes["1M"])
        self.assertEqual(sizes["1"], sizes["1MB"])
        for small, whole in zip(sizes["1"], sizes["200"]):
            self.assertLess(small, 1_050_000)
            self.assertGreater(whole, 1_200_000)
        for wrong in "5000", "-1", "many", "1G", "":
            self.assertIn("--timeline-max", self.expect(2, "run", "k.asm", "-c", "tiny", "--perfetto",
                                                        f"--timeline-max={wrong}").stderr)

    def test_slots_of_the_issue_track_follow_each_other(self):
        self.record("--perfetto", "--window", "cycle:2000-6000")
        trace = Trace(self.unpacked("timeline.pftrace.gz"))
        path = next(p for p in trace.slices if p.endswith("SM 0/issue"))
        slots = sorted(trace.slices[path])
        self.assertTrue(all(a[1] == b[0] for a, b in zip(slots, slots[1:])))
        self.assertLessEqual(slots[0][0], 2000)
        self.assertGreaterEqual(slots[-1][1], 6000)

    def test_whole_runs_hold_no_instructions(self):
        self.record("--perfetto")
        trace = Trace(self.unpacked("timeline.pftrace.gz"))
        self.assertFalse([p for p in trace.slices if "/warps/" in p])
        self.assertTrue([p for p in trace.slices if "/block slots/" in p])

    def test_perfetto_follows_the_public_schema(self):
        if not shutil.which("protoc"):
            self.skipTest("protoc (package protobuf-compiler) is not installed")
        self.record("--perfetto", "--window", "cycle:2000-4000")
        here = pathlib.Path(__file__).parent
        text = subprocess.run(["protoc", "--decode=Trace", f"-I{here}", "track_event.proto"], check=True, cwd=here,
                              input=self.unpacked("timeline.pftrace.gz"), capture_output=True).stdout.decode()
        self.assertNotRegex(text, r"(?m)^\s*\d+[:{ ]")  # a field that the schema does not name
        for said in 'name: "SM 0"', 'str: "', "string_value_iid: ", "pointer_value: ", "uint_value: ":
            self.assertIn(said, text)

    def test_what_does_not_fit_is_counted(self):
        run = self.record("--perfetto", "--window", "cycle:0-8000", "--timeline-max", "0")
        self.assertRegex(run.stderr, r"note: \d+ later events were dropped")
        trace = Trace(self.unpacked("timeline.pftrace.gz"))
        (_, said), = [i for instants in trace.instants.values() for i in instants]
        count = int(re.fullmatch(r"recording stopped: (\d+) later events dropped", said)[1])
        note, = json.loads((self.folder / "run.json").read_text())["timelines"]
        self.assertEqual((note["file"], note["dropped"]), ("timeline.pftrace.gz", count))

    def test_konata_follows_the_format(self):
        self.record("--konata", "--window", "cycle:2000-5000")
        lines = self.unpacked("pipeline.kanata.gz").decode().splitlines()
        self.assertEqual((lines[0], lines[1].split("\t")[0]), ("Kanata\t0004", "C="))
        known, retired, stages, labels, arrows = set(), set(), collections.Counter(), {}, 0
        for command, *rest in (line.split("\t") for line in lines[2:]):
            if command == "C":
                self.assertGreater(int(rest[0]), 0)
            elif command == "I":
                self.assertNotIn(rest[0], known)
                known.add(rest[0])
            elif command == "W":
                self.assertTrue({rest[0], rest[1]} <= known)
                arrows += 1
            else:
                self.assertIn(rest[0], known)
                self.assertNotIn(rest[0], retired)
                if command == "S":
                    stages[rest[1] + rest[2]] += 1
                elif command == "L" and rest[1] == "0":
                    labels[rest[0]] = rest[2]
                elif command == "R":
                    retired.add(rest[0])
                else:
                    self.assertIn(command, "EL")
        self.assertEqual(known, retired)
        self.assertEqual(stages["0I"], len(known))
        self.assertLessEqual(set(stages) - {s for s in stages if s[0] == "1" or s[1] == "R"},
                             {"0F", "0D", "0I", "0OC", "0X1", "0X2", "0Mg", "0Ms", "0Mc", "0Mt", "0W"})
        self.assertTrue(stages["0D"] and stages["0OC"] and stages["0X1"] and stages["0X2"])
        self.assertTrue(arrows and stages["0F"] and stages["0R1"] and stages["0W"] and stages["1dep.alu"])
        self.assertTrue(all(re.match(r"0x[0-9a-f]{4}: ", text) for text in labels.values()))

    @not_under_sanitizers
    def test_recording_changes_nothing_and_does_not_depend_on_the_look_ahead(self):
        self.record(name="plain")
        digest = json.loads((self.folder / "stats.json").read_text())["digest"]
        files = []
        for ahead in "exact", "8":
            self.record("--konata", "--perfetto", "--window", "stall:mem>50%,+1500", "--timeline-sms", "1,0",
                        "--look-ahead", ahead, name="n" + ahead)
            self.assertEqual(json.loads((self.folder / "stats.json").read_text())["digest"], digest)
            files.append((self.unpacked("timeline.pftrace.gz"), self.unpacked("pipeline.kanata.gz")))
        self.assertEqual(files[0], files[1])
        self.assertGreater(len(files[0][1]), 1000)

    def test_lanes_as_text_and_in_the_report(self):
        self.record(name="plain")
        rows = self.table("plain/pc.csv")
        bank = next(row["pc"] for row in rows if int(row["conflict_deg_16"]))
        load = next(row["pc"] for row in rows if int(row["tx64"]))
        run = self.expect(0, "run", str(KERNELS / "reduce2/reduce2.launch.toml"), "-c", "gtx280", "-o", "lanes",
                          "--lanes", bank, "--lanes-text", "--lanes", load)
        self.assertRegex(run.stdout, r"lane +0 +1")
        rows = json.loads((self.here / "lanes/lanes.json").read_text())
        self.assertEqual(rows["schema"], "teslasim.lanes/1")
        self.assertTrue(rows["executions"])
        self.assertTrue(any(max(row["passes"], default=0) == 16 for row in rows["executions"]))
        self.assertTrue(any(row["segments"] for row in rows["executions"]))
        page = (self.here / "lanes/report.html").read_text()
        for pc in bank, load:
            self.assertIn(f"Lanes of <code>{pc}", page)

    def test_the_pipeline_as_text(self):
        run = self.expect(0, "run", str(KERNELS / "vecadd/vecadd.launch.toml"), "-c", "tiny", "--no-out", "--ascii")
        lines = [line for line in run.stdout.splitlines() if re.match(r"SM0 w\d\d 0x", line)]
        self.assertGreater(len(lines), 10)
        self.assertTrue(all("I" in line for line in lines) and any("MMMW" in line for line in lines))

    def test_windows_that_cannot_be_read(self):
        for window in "pc:zz", "cycle:5-5", "stall:nothing>5%", "stall:mem>x%", "later", "pc:0x10#0", "cycle:9,+0":
            said = self.expect(2, "run", "k.asm", "-c", "tiny", "--window", window).stderr
            self.assertIn("CLI-WINDOW", said)
