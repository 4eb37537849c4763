# SPDX-License-Identifier: Apache-2.0
"""The instruction log, read by a parser that knows its format and nothing of the program."""
import collections
import gzip
import json
import pathlib
import re
import shutil
import subprocess

from cli import Cli, not_under_sanitizers

KERNELS = pathlib.Path(__file__).resolve().parents[2] / "traces"
LINE = re.compile(r" *(?P<cycle>\d+) +(?P<sm>\d+) +(?P<cta>\d+|-) +(?P<warp>\d+|-) +(?P<pc>0x[0-9a-f]{4}|-) (?P<text>.*?) +"
                  r"(?P<mask>[0-9a-f]{8}|-) \| (?P<category>\w+)(?: (?P<what>.*))?")
CATEGORIES = ["isa", "issue", "mem", "sched", "barrier"]
WORD = 0xFFFFFFFF


class Line:
    def __init__(self, text):
        parts = LINE.fullmatch(text).groupdict()
        self.cycle, self.sm, self.category = int(parts["cycle"]), int(parts["sm"]), parts["category"]
        self.cta, self.warp = (None if parts[name] == "-" else int(parts[name]) for name in ("cta", "warp"))
        self.pc, self.text = parts["pc"], parts["text"]
        self.lanes = [] if parts["mask"] == "-" else [i for i in range(32) if int(parts["mask"], 16) >> i & 1]
        self.words = (parts["what"] or "").split()
        self.values = dict(word.split("=", 1) for word in self.words if "=" in word)

    @property
    def thread(self):
        return self.sm, self.cta, self.warp


def by_lane(lanes, text):
    """The values of the lanes: one for all, FIRST+STEP*lane, or a list."""
    if text.startswith("["):
        listed = [int(word, 16) for word in text[1:-1].split(",")]
        assert len(listed) == len(lanes)
        return dict(zip(lanes, listed))
    first, sign, step = re.fullmatch(r"(0x[0-9a-f]+)(?:([+-])(0x[0-9a-f]+)\*lane)?", text).groups()
    step = int(step or "0", 16) * (-1 if sign == "-" else 1)
    return {lane: (int(first, 16) + step * lane) & WORD for lane in lanes}


def stores(lines):
    """(space, block or thread, {lane: address}, {lane: word}) of each store of words."""
    for line in lines:
        for target, values in line.values.items():
            found = re.fullmatch(r"([gs])\[(.*)\]", target)
            if found:
                yield found[1], line, by_lane(line.lanes, found[2]), by_lane(line.lanes, values)


class InstructionLog(Cli):
    def small(self, kernel, blocks=32):
        """Its first blocks, which do what they do in the whole launch; the sums of the others are not checked."""
        for file in f"{kernel}.asm", f"{kernel}.launch.toml":
            text = (KERNELS / kernel / file).read_text().split("[expect.")[0]
            self.write(file, re.sub(r"(?m)^grid .*", f"grid = [{blocks}]", text))
        return f"{kernel}.launch.toml"

    def log(self, *options, kernel=None, machine="tiny", name="out", what=",".join(CATEGORIES)):
        source = "k.launch.toml" if kernel is None else self.small(kernel)
        self.run = self.expect(0, "run", source, "-c", machine, "-o", name, "-q", "--no-report", "--log", what,
                               "--log-file", f"{name}.log", *options)
        self.statistics = self.stats(name)
        return self.read(f"{name}.log")

    def read(self, name):
        return self.parsed((self.here / name).read_text())

    def parsed(self, text):
        self.comments = [line for line in text.splitlines() if line.startswith("#")]
        return [Line(line) for line in text.splitlines() if not line.startswith("#")]

    def of(self, lines, category):
        return [line for line in lines if line.category == category]

    def test_each_warp_instruction_has_its_line(self):
        lines = self.log("--log-sms", "0-1,29", kernel="reduce2", machine="gtx280", what="isa,issue")
        executed = {sm["sm"]: sm["instructions"]["warp"] for sm in self.statistics["launches"][0]["per_sm"]}
        for category in "isa", "issue":
            counts = collections.Counter(line.sm for line in self.of(lines, category))
            self.assertEqual(counts, {sm: executed[sm] for sm in (0, 1, 29)})
        self.assertTrue(self.comments[0].startswith("# cycle (SP cycles"))
        self.assertEqual(self.comments[1].split(", ")[0], "# launch 0: reduce2")
        order = [(line.cycle, line.sm, -1 if line.warp is None else line.warp) for line in lines]
        self.assertEqual(order, sorted(order))
        listing = {f"0x{int(row['pc'], 16):04x}": row["text"] for row in self.table("out/pc.csv")}
        self.assertTrue(all(line.text == listing[line.pc] for line in lines))
        lines = self.log(kernel="reduce1", what="isa", name="one")
        counts = self.statistics["launches"][0]["instructions"]
        self.assertGreater(counts["null"], 0)
        self.assertEqual((len(lines), len([line for line in lines if "dropped" in line.words])), (counts["warp"], counts["null"]))

    def test_registers_are_what_the_instructions_make_of_them(self):
        """An interpreter of its own for the five operations of the kernel; memory is what the run leaves there."""
        lines = self.log("--dump", "data=timing.npy", what="isa")
        self.expect(0, "run", "k.launch.toml", "-c", "tiny", "--no-out", "--mode", "functional", "--dump", "data=function.npy")
        registers = collections.defaultdict(dict)
        parameters, checked = None, 0
        for line in lines:
            file = registers[line.thread]
            operation, _, operands = line.text.partition(" ")
            operands = [part.strip() for part in operands.split(",")]
            for lane in line.lanes:
                written = by_lane(line.lanes, line.values[operands[0]])[lane] if operands[0].startswith("$r") else None

                def value(operand, lane=lane):
                    if operand == "$r0":
                        return lane + 32 * line.warp
                    return file[operand, lane] if operand.startswith("$r") else int(operand, 16)

                expected = None
                if operation == "and.b32":
                    expected = value(operands[1]) & value(operands[2])
                elif operation == "shl.u32":
                    expected = value(operands[1]) << value(operands[2]) & WORD
                elif operation == "add.u32" and "s[" in line.text:
                    base = (written - value(operands[2])) & WORD
                    parameters = base if parameters is None else parameters
                    expected = parameters + value(operands[2])
                elif operation == "add.b32":
                    expected = value(operands[1]) + value(operands[2])
                elif operation == "mov.u32" and operands[0].startswith("$r"):
                    expected = (file["$r1", lane] - parameters) // 4  # what the launch file put there
                if expected is not None:
                    self.assertEqual(written, expected, (line.text, lane))
                    file[operands[0], lane] = written
                    checked += 1
        self.assertEqual(checked, 5 * 64)
        memory = {address[lane]: word[lane] for _, _, address, word in stores(lines) for lane in address}
        data = b"".join(memory[address].to_bytes(4, "little") for address in sorted(memory))
        self.assertEqual(len(data), 4 * 64)
        for file in "timing.npy", "function.npy":
            self.assertEqual((self.here / file).read_bytes()[-len(data):], data, file)

    @not_under_sanitizers
    def test_stores_rebuild_what_a_functional_run_leaves(self):
        """Loads from global memory and from shared memory see what was stored, too."""
        lines = self.log(kernel="reduce1", what="isa", machine="tiny")
        self.expect(0, "run", "reduce1.launch.toml", "-c", "tiny", "--no-out", "--mode", "functional",
                    "--dump", "out=out.npy")
        shared, device, address_registers, loaded = {}, {}, {}, 0
        for line in lines:
            load = re.fullmatch(r"mov\.b32 (\$r\d+), s\[(\$ofs\d+)\+(0x[0-9a-f]+)\]", line.text)
            for lane, word in by_lane(line.lanes, line.values[load[1]]).items() if load else []:
                place = line.cta, address_registers[line.thread, load[2], lane] + int(load[3], 16)
                self.assertEqual(word, shared[place])
                loaded += 1
            for name in (name for name in line.values if name.startswith("$ofs")):
                for lane, word in by_lane(line.lanes, line.values[name]).items():
                    address_registers[line.thread, name, lane] = word
            for space, _, address, word in stores([line]):
                for lane in line.lanes:
                    memory, place = (device, address[lane]) if space == "g" else (shared, (line.cta, address[lane]))
                    memory[place] = word[lane]
        self.assertGreater(loaded, 1000)
        data = b"".join(device[address].to_bytes(4, "little") for address in sorted(device))
        self.assertEqual(len(data), 4 * 32)
        self.assertEqual((self.here / "out.npy").read_bytes()[-4 * 256:][:len(data)], data)  # the first blocks

    def test_accesses_are_those_of_the_table_of_instructions(self):
        for kernel in "reduce1", "transpose_naive":
            lines = self.of(self.log(kernel=kernel, name=kernel, what="mem"), "mem")
            transactions, degrees = collections.Counter(), collections.Counter()
            for line in lines:
                for one in line.values.get("transactions", "").split(","):
                    if one:
                        transactions[line.pc, one.split("@")[0]] += 1
                for passes in line.values.get("passes", "").split(",") if line.words[0] == "shared" else []:
                    degrees[line.pc, passes] += passes != "0"
            self.assertTrue(transactions)
            for row in self.table(f"{kernel}/pc.csv"):
                pc = f"0x{int(row['pc'], 16):04x}"
                for size in "32", "64", "128":
                    self.assertEqual(transactions[pc, size], int(row[f"tx{size}"]), (kernel, pc, size))
                for degree in range(1, 17):
                    self.assertEqual(degrees[pc, str(degree)], int(row[f"conflict_deg_{degree}"]), (kernel, pc, degree))

    @not_under_sanitizers
    def test_slots_follow_each_other_and_sum_to_the_statistics(self):
        lines = self.of(self.log(kernel="reduce1", what="sched"), "sched")
        sums, last = collections.Counter(), 0
        for line in lines:
            reason, span = line.words
            begin, end = map(int, span.split("-"))
            self.assertEqual((line.cycle, begin), (last, last))
            sums[reason] += (end - begin) // 2
            last = end
        slots = self.statistics["launches"][0]["issue_slots"]
        self.assertEqual({reason: count for reason, count in slots.items() if reason in sums}, sums)
        self.assertEqual(sum(sums.values()), slots["total"])

    @not_under_sanitizers
    def test_what_a_window_holds_is_a_part_of_the_whole(self):
        whole = self.log(kernel="reduce1", what="isa,issue,mem,barrier", name="whole")
        part = self.log("--log-from", "2000", "--log-to", "5000", kernel="reduce1", what="isa,issue,mem,barrier", name="part")
        def keys(lines):
            return [(line.cycle, line.warp, line.pc, line.category, line.words) for line in lines]
        self.assertEqual(keys(part), [key for key in keys(whole) if 2000 <= key[0] < 5000])
        self.assertTrue(part)
        slots = self.of(self.log("--log-from", "2000", "--log-to", "5000", kernel="reduce1", what="sched", name="slots"), "sched")
        self.assertEqual((slots[0].cycle, slots[-1].words[1].split("-")[1]), (2000, "5000"))

    def test_barriers_open_when_all_have_arrived(self):
        lines = self.of(self.log(kernel="reduce1", what="barrier"), "barrier")
        launch = self.statistics["launches"][0]
        kinds = collections.Counter(line.words[0] for line in lines)
        self.assertEqual(kinds["arrives"], launch["instructions"]["barriers"])
        waiting = collections.Counter()
        for line in lines:
            if line.words == ["arrives"]:
                waiting[line.cta] += 1
            else:
                self.assertEqual(waiting.pop(line.cta), 8, "warps of a block")
        self.assertFalse(waiting)

    def test_results_are_written_after_their_instruction_issued(self):
        lines = self.log(kernel="vecadd", what="issue,mem")
        loads = [line for line in self.of(lines, "mem") if line.words[:2] == ["global", "load"]]
        self.assertTrue(loads)
        self.assertTrue(all(int(line.values["written"]) > line.cycle + 40 for line in loads))
        units = collections.Counter(line.values["unit"] for line in self.of(lines, "issue"))
        self.assertTrue(units["SP"] and units["LSU"])
        for line in self.of(lines, "issue"):
            self.assertGreater(int(line.values.get("written", line.cycle + 1)), line.cycle)

    @not_under_sanitizers
    def test_the_way_of_simulating_does_not_matter_and_nothing_changes(self):
        self.expect(0, "run", self.small("reduce2"), "-c", "gtx280", "-q", "--no-report", "-o", "plain")
        digest = self.stats("plain")["digest"]
        logs = []
        for number, way in enumerate((["--look-ahead", "exact"], ["--look-ahead", "8"], ["--no-sleep"], ["--threads", "2"])):
            self.log("--log-sms", "3,0", "--log-to", "9000", *way, kernel="reduce2", machine="gtx280", name=f"way{number}")
            self.assertEqual(self.statistics["digest"], digest)
            logs.append((self.here / f"way{number}.log").read_bytes())
        self.assertEqual(logs, [logs[0]] * len(logs))
        self.assertGreater(len(logs[0]), 10_000)

    def test_a_log_stands_beside_other_timelines(self):
        self.log("--perfetto", "--konata", "--window", "cycle:3000-5000", "--timeline-sms", "1", "--log-sms", "0-1", "--log-to", "2000",
                 kernel="reduce2", machine="gtx280", name="both")
        self.expect(0, "run", self.small("reduce2"), "-c", "gtx280", "-q", "--no-report", "-o", "alone",
                    "--perfetto", "--konata", "--window", "cycle:3000-5000", "--timeline-sms", "1")
        for file in "timeline.pftrace.gz", "pipeline.kanata.gz":
            self.assertEqual(*(gzip.decompress((self.here / run / file).read_bytes()) for run in ("both", "alone")))
        self.log("--log-sms", "0-1", "--log-to", "2000", kernel="reduce2", machine="gtx280", name="log")
        self.assertEqual((self.here / "both.log").read_bytes(), (self.here / "log.log").read_bytes())

    def test_every_launch_is_logged(self):
        self.write("k.launch.toml", (self.here / "k.launch.toml").read_text() + '[[launch]]\nkernel = "add_one"\n' * 3)
        lines = self.log("--log-from", "80", what="isa")
        self.assertEqual([line.split(",")[0] for line in self.comments[1:]], [f"# launch {i}: add_one" for i in range(3)])
        sums = [line for line in lines if line.text.startswith("add.b32")]
        self.assertEqual([line.values["$r2"] for line in sums if line.warp == 0], [f"0x{i}+0x1*lane" for i in (1, 2, 3)])
        self.assertTrue(all(line.cycle >= 80 for line in lines))

    def test_where_the_log_goes(self):
        run = ["run", "k.asm", "-c", "tiny", "-q", "--log", "isa,issue"]
        self.expect(0, *run, "-o", "usual")
        note, = json.loads((self.here / "usual/run.json").read_text())["timelines"]
        self.assertEqual((note["file"], note["dropped"]), ("instructions.log.zst", 0))
        self.assertIn("instructions.log.zst", json.loads((self.here / "usual/run.json").read_text())["files"])
        packed = (self.here / "usual/instructions.log.zst").read_bytes()
        self.assertEqual(packed[:4], b"\x28\xb5\x2f\xfd")
        self.assertEqual(len(packed), note["bytes"])
        self.expect(0, *run, "--no-out", "--log-file", "plain.log")
        text = (self.here / "plain.log").read_text()
        self.assertEqual(len(self.parsed(text)), note["events"])
        self.expect(0, *run, "-o", "other", "--log-file", "packed.log.gz")
        self.assertEqual(gzip.decompress((self.here / "packed.log.gz").read_bytes()).decode(), text)
        self.assertNotIn("packed.log.gz", json.loads((self.here / "other/run.json").read_text())["files"])
        self.assertEqual(self.expect(0, *run, "--no-out", "--log-file", "-").stdout, text)
        if shutil.which("zstd"):
            self.assertEqual(subprocess.run(["zstd", "-dc"], input=packed, capture_output=True, check=True).stdout.decode(), text)

    def test_nothing_is_written_over(self):
        self.write("old.log", "mine")
        said = self.expect_refusal(8, "OUT-EXISTS", "run", "k.asm", "-c", "tiny", "--log", "isa", "--log-file", "old.log")
        self.assertIn("'old.log' exists", said)
        self.assertEqual((self.here / "old.log").read_text(), "mine")

    def test_what_does_not_fit_is_counted(self):
        self.log("--timeline-max", "0", kernel="reduce1")
        count = int(re.fullmatch(r"# (\d+) later events were dropped \(--timeline-max\)", self.comments[-1])[1])
        note, = json.loads((self.here / "out/run.json").read_text())["timelines"]
        self.assertEqual((note["file"], note["dropped"]), ("out.log", count))
        self.assertRegex(self.run.stderr, rf"note: {count} later events of the log were dropped")
        lines = self.log("--timeline-max", "1", kernel="reduce1", name="one", what="isa")
        self.assertLess((self.here / "one.log").stat().st_size, 1_000_100)
        self.assertTrue(lines)

    def test_a_run_that_fails_leaves_its_log(self):
        self.kernel("wild", ".entry wild\n{\nmov.b32 $r1, 0x00000004\nmov.u32 $r2, g[$r1]\nreturn\n}\n", block=32)
        self.expect(5, "run", "wild.asm", "-c", "tiny", "-q", "--no-out", "--log", "isa", "--log-file", "wild.log")
        line, = self.read("wild.log")
        self.assertEqual((line.words, line.lanes), (["$r1=0x4"], list(range(32))))

    def test_a_replay_knows_no_values(self):
        self.expect(0, "trace", "record", "k.launch.toml", "-c", "tiny", "-o", "k.wtrace")
        self.expect(0, "run", "k.wtrace", "-c", "tiny", "-q", "--no-out", "--log", "isa,mem", "--log-file", "replay.log")
        lines = self.read("replay.log")
        self.assertTrue(all("unknown" in line.words for line in self.of(lines, "isa")))
        kinds = {(line.text, *line.words[:2]) for line in self.of(lines, "mem")}
        self.assertEqual(kinds, {("mov.u32 $r2, g[$r1]", "global", "load"), ("mov.u32 g[$r1], $r2", "global", "store"),
                                 ("add.u32 $r1, s[0x0010], $r1", "shared", "load")})
        self.assertTrue(all("transactions" in line.values for line in self.of(lines, "mem") if line.words[0] == "global"))

    def test_what_is_refused(self):
        for options, said in ((["--log", "isaa"], "did you mean 'isa'?"),
                              (["--log", "isa,,mem"], "a category is missing"),
                              (["--log", "pipeline"], "some of isa, issue, mem, sched, barrier"),
                              (["--log-sms", "0"], "add for example --log isa,mem"),
                              (["--log-file", "x"], "--log-file is about a log, and none is written"),
                              (["--log", "isa", "--log-from", "later"], "--log-from takes a cycle, got 'later'"),
                              (["--log", "isa", "--log-from", "9", "--log-to", "9"], "--log-to 9 is not behind --log-from 9"),
                              (["--log", "isa", "--log-sms", "1"], "there is no SM 1: tiny has 1"),
                              (["--log", "isa", "--log-sms", "x"], "--log-sms takes numbers and ranges"),
                              (["--log", "isa", "--window", "cycle:0-9"], "--window says what to record"),
                              (["--log", "isa", "--no-out"], "--log writes into the folder of the run"),
                              (["--log", "isa", "--json", "--log-file", "-"], "would both go to stdout"),
                              (["--log", "isa", "--mode", "functional"], "--log records what happens over time")):
            self.assertIn(said, self.expect(2, "run", "k.asm", "-c", "tiny", *options).stderr, options)
        self.assertFalse((self.here / "runs").exists())
        late = self.expect(0, "run", "k.asm", "-c", "tiny", "-q", "-o", "late", "--log", "isa", "--log-from", "99999999")
        self.assertRegex(late.stderr, r"--log-from 99999998 is after the last cycle of every launch \(\d+\); nothing was logged")
