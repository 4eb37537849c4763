# SPDX-License-Identifier: Apache-2.0
"""The live view of a run (`run --serve`), asked as a program asks it: who is refused, what grows, what actions leave behind."""
import gzip
import http.client
import json
import re
import signal
import socket
import subprocess
import time
import unittest

from cli import PROGRAM, Cli
from timelines import Trace

# About a second on a small machine, with every kind of work: loads, arithmetic, stores.
WORK_ASM = """\
.entry %s
{
.param u32 data
    and.b32 $r1, $r0, 0x0000ffff
    shl.u32 $r1, $r1, 2
    add.u32 $r1, s[data], $r1
    mov.b32 $r4, %s
    mov.b32 $r5, 0x00000000
again:
    mov.u32 $r2, g[$r1]
    add.u32 $r2, $r2, 1
    mov.u32 g[$r1], $r2
    add.b32 $r4, $r4, 0xffffffff
    set.gt.s32 $p0|$o127, $r4, $r5
@$p0.ne bra.label again
    return
}
"""
PARAM = 'param = [{ name = "data", type = "u32", count = 128 }]\n'


class Live(Cli):
    def setUp(self):
        super().setUp()
        self.kernel("long", WORK_ASM % ("long", "0x00100000"), param=PARAM, grid=2)
        self.kernel("short", WORK_ASM % ("short", "0x00002000"), param=PARAM, grid=2)

    def start(self, *arguments, kernel="long"):
        """A run with a live view; its port and token from what it prints."""
        self.process = subprocess.Popen([PROGRAM, "run", f"{kernel}.asm", "-c", "tiny", "--serve", *arguments], cwd=self.here,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.process.stdout.close)
        self.addCleanup(self.process.stderr.close)
        self.addCleanup(self.process.wait)
        self.addCleanup(self.process.kill)
        line = self.process.stderr.readline()
        if "ENV-LIBRARY" in line:
            self.skipTest("built without libcpp-httplib-dev")
        found = re.fullmatch(r"live view: http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32})\n", line)
        self.assertTrue(found, line)
        self.port, self.token = int(found[1]), found[2]

    def ask(self, path, method="GET", port=None, token="", **headers):
        """Status, headers and body. Underscores in names of headers are dashes."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        sent = {"X-Teslasim-Token": token or self.token}
        sent.update({name.replace("_", "-"): value for name, value in headers.items()})
        try:
            connection.request(method, path, headers={name: value for name, value in sent.items() if value is not None})
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def state(self):
        status, _, body = self.ask("/api/state")
        self.assertEqual(status, 200)
        return json.loads(body)

    def wait_for(self, what, condition):
        until = time.monotonic() + 60
        while time.monotonic() < until:
            state = self.state()
            if condition(state):
                return state
            time.sleep(0.05)
        self.fail(f"{what}: {state}")

    def act(self, path, status=202):
        got, _, body = self.ask(path, "POST")
        self.assertEqual(got, status, body)
        return body.decode()

    def product(self, name):
        state = self.wait_for(name, lambda s: any(p["name"] == name and p["state"] != "writing" for p in s["products"]))
        found = next(p for p in state["products"] if p["name"] == name)
        self.assertEqual(found["state"], "written", found)
        return found

    def ends(self, status):
        out, err = self.process.communicate(timeout=120)
        self.assertEqual(self.process.returncode, status, err)
        return out, err

    def load(self, path):
        return json.loads((self.here / path).read_text())


class Access(Live):
    def test_who_is_refused(self):
        self.start("--no-out")
        own = f"127.0.0.1:{self.port}"
        state = "/api/state"
        self.assertEqual(self.ask(state)[0], 200)
        self.assertEqual(self.ask(f"{state}?token={self.token}", X_Teslasim_Token=None)[0], 200)
        self.assertEqual(self.ask(state, Origin=f"http://{own}", Sec_Fetch_Site="same-origin")[0], 200)
        for path in "/", state, "/api/history", "/files/snapshot-1/stats.json":
            self.assertEqual(self.ask(path, X_Teslasim_Token=None)[0], 403, path)
            self.assertEqual(self.ask(path, token="0" * 32)[0], 403, path)
            self.assertEqual(self.ask(path, Origin="http://evil.example")[0], 403, path)
            self.assertEqual(self.ask(path, Host=f"evil.example:{self.port}")[0], 403, path)
            self.assertEqual(self.ask(path, Sec_Fetch_Site="cross-site")[0], 403, path)
        for path in "/api/stop", "/api/snapshot", "/api/timeline/start":
            self.assertEqual(self.ask(path, "POST", X_Teslasim_Token=None)[0], 403)
            self.assertEqual(self.ask(path, "POST", Origin="null")[0], 403)
            self.assertEqual(self.ask(path, "POST", Origin=f"http://127.0.0.1:{self.port + 1}")[0], 403)
            self.assertEqual(self.ask(path)[0], 405)
            status, headers, _ = self.ask(path, "OPTIONS", Origin="http://evil.example", X_Teslasim_Token=None)
            self.assertEqual(status, 403)
            self.assertNotIn("Access-Control-Allow-Origin", headers)
        self.assertEqual(self.state()["phase"], "running")
        self.act("/api/stop")
        self.ends(130)

    def test_it_listens_on_this_host_alone_and_shares_its_port_with_nobody(self):
        self.start("--no-out")
        with open(f"/proc/{self.process.pid}/net/tcp", encoding="ascii") as table:
            own = [line.split()[1] for line in table if line.split()[1].endswith(f":{self.port:04X}") and line.split()[3] == "0A"]
        self.assertEqual(own, [f"0100007F:{self.port:04X}"])
        done = self.teslasim("run", "short.asm", "-c", "tiny", "--serve", str(self.port))
        self.assertEqual(done.returncode, 8)
        self.assertIn(f"error[ENV-PORT]: --serve: cannot listen on port {self.port} of 127.0.0.1: Address already in use", done.stderr)
        self.assertFalse((self.here / "runs").exists())
        self.act("/api/stop")
        self.ends(130)

    def test_ports_that_are_none(self):
        for port in "65536", "99999999999999999999":
            self.expect_refusal(2, "CLI-VALUE", "run", "short.asm", "-c", "tiny", "--serve", port)
        self.expect_refusal(2, "CLI-VALUE", "run", "short.asm", "-c", "tiny", "--serve=http")

    def test_a_given_port(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.start(str(port), "--no-out")
        self.assertEqual(self.port, port)
        self.act("/api/stop")
        self.ends(130)


class Watching(Live):
    def test_progress_slots_and_traffic_grow(self):
        self.start("-o", "out")
        first = self.wait_for("a first look", lambda s: s["traffic"]["dram_read_bytes"] > 0)
        self.assertEqual((first["name"], first["directory"], first["progress"]["kernel"]), ("long", "out", "long"))
        later = self.wait_for("growth", lambda s: s["progress"]["cycle"] > first["progress"]["cycle"])
        total = [sum(row["slots"] for row in state["slots"]) for state in (first, later)]
        self.assertLess(total[0], total[1])
        self.assertLess(first["traffic"]["transactions"], later["traffic"]["transactions"])
        self.assertLess(first["progress"]["seconds"], later["progress"]["seconds"])
        self.assertIn("issued", [row["reason"] for row in later["slots"]])
        self.wait_for("a history", lambda s: s["history_points"] > 1)
        history = json.loads(self.ask("/api/history")[2])
        self.assertEqual(history["dram_read_bytes"], sorted(history["dram_read_bytes"]))
        self.act("/api/stop")
        out, err = self.ends(130)
        self.assertIn("interrupted at cycle", err)
        self.assertIn("DIGEST", out)
        self.assertEqual(self.load("out/run.json")["status"], "interrupted")
        self.assertEqual(self.stats("out")["status"], "interrupted")

    def test_the_digest_is_that_of_a_run_alone(self):
        self.expect(0, "run", "short.asm", "-c", "tiny", "-o", "alone")
        digest = self.load("alone/stats.json")["digest"]
        for threads in "1", "2":
            self.start("-o", "watched" + threads, "--threads", threads, "--timeline-max", "1", kernel="short")
            try:
                for action in "snapshot", "timeline/start", "timeline/stop", "snapshot":
                    self.ask(f"/api/{action}", "POST")
                    time.sleep(0.1)
                while self.process.poll() is None:
                    self.ask("/api/state")
            except OSError:
                pass  # it has ended
            self.ends(0)
            self.assertEqual(self.load(f"watched{threads}/stats.json")["digest"], digest)

    def test_a_run_with_a_waveform_has_no_copies(self):
        self.start("-o", "out", "--vcd")
        self.wait_for("a first look", lambda s: s["progress"]["cycle"] > 0)
        self.assertIn("writes a waveform", self.act("/api/snapshot", 409))
        self.act("/api/stop")
        self.ends(130)

    def test_a_functional_run_has_progress(self):
        self.start("--no-out", "--mode", "functional")
        state = self.wait_for("progress", lambda s: s["progress"]["warp_instructions"] > 0)
        self.assertIsNone(state["slots"])
        self.assertIn("has no time", self.act("/api/timeline/start", 409))
        self.act("/api/snapshot")
        self.product("snapshot-1")
        self.act("/api/stop")
        self.ends(130)
        self.start("--no-out", "--mode", "functional", "--threads", "2")
        self.assertIn("--threads", self.act("/api/snapshot", 409))
        self.act("/api/stop")
        self.ends(130)


class Products(Live):
    def test_a_snapshot_is_a_run_that_ended_there(self):
        self.start("-o", "out", "--perfetto", "--threads", "1", "--json=all.json")
        self.wait_for("work", lambda s: s["progress"]["cycle"] > 0)
        self.act("/api/snapshot")
        folder = self.product("snapshot-1")["path"]
        self.assertEqual(folder, "out/live/snapshot-1")
        run, stats = self.load(folder + "/run.json"), self.load(folder + "/stats.json")
        self.assertEqual((run["status"], stats["status"], run["exit"]), ("interrupted", "interrupted", 130))
        self.assertNotIn("writing", run)
        self.assertNotIn("missing", run)
        status, headers, body = self.ask("/files/snapshot-1/stats.json")
        self.assertEqual((status, headers["Content-Disposition"]), (200, 'attachment; filename="snapshot-1-stats.json"'))
        self.assertEqual(json.loads(body), stats)
        self.assertIn(b"</html>", self.ask("/files/snapshot-1/report.html")[2])
        self.assertFalse((self.here / "out/stats.json").exists(), "the run itself has written nothing")
        self.assertFalse((self.here / "all.json").exists())
        self.assertEqual(self.load("out/status.json")["phase"], "running")
        cycle = stats["launches"][0]["time"]["cycles"]
        state = self.wait_for("progress behind it", lambda s: s["progress"]["cycle"] > cycle)
        self.assertEqual(state["phase"], "running")
        self.assertIn("timeline of its own", self.act("/api/timeline/start", 409))
        self.act("/api/snapshot")
        self.product("snapshot-2")
        self.act("/api/stop")
        err = self.ends(130)[1]
        self.assertIn("wrote out/live/snapshot-2\n", err)
        self.expect(1, "compare", folder, "out/live/snapshot-2", "--fail-on", "time_ms>+0%")
        self.expect(0, "report", folder)

    def test_a_snapshot_has_the_numbers_of_a_run_that_is_stopped_at_its_cycle(self):
        self.start("--no-out", "--threads", "2")
        self.wait_for("work", lambda s: s["progress"]["cycle"] > 0)
        self.act("/api/snapshot")
        self.product("snapshot-1")
        stats = json.loads(self.ask("/files/snapshot-1/stats.json")[2])
        self.act("/api/stop")
        self.ends(130)
        cycles = stats["launches"][0]["time"]["cycles"]
        self.expect(0, "run", "long.asm", "-c", "tiny", "-o", "cut", "--max-cycles", str(cycles))
        cut = self.stats("cut")
        for part in cut["launches"][0].keys() - {"status"}:
            self.assertEqual(cut["launches"][0][part], stats["launches"][0][part], part)

    def test_timelines(self):
        self.start("-o", "out", "--timeline-max", "1")
        self.wait_for("work", lambda s: s["progress"]["cycle"] > 0)
        self.assertIn("there is no SM", self.act("/api/timeline/start?sm=500", 409))
        self.act("/api/timeline/start?sm=0")
        recording = self.wait_for("a recording", lambda s: s["recording"])["recording"]
        self.assertEqual(recording["sm"], 0)
        self.assertIn("one at a time", self.act("/api/timeline/start", 409))
        self.wait_for("some time", lambda s: s["progress"]["cycle"] > recording["since"] + 2000)
        self.act("/api/timeline/stop")
        saved = self.product("timeline-1")
        self.assertEqual(saved["path"], "out/live/timeline-1.pftrace.gz")
        data = gzip.decompress((self.here / saved["path"]).read_bytes())
        trace = Trace(data)
        issued = [one for path, slices in trace.slices.items() if "/warps/" in path for one in slices if "mov.u32" in one[2]]
        self.assertGreater(len(issued), 10)
        self.assertGreaterEqual(min(begin for begin, *_ in issued), recording["since"])
        self.assertEqual({path.split("/SM ")[1][0] for path in trace.slices if "/SM " in path}, {"0"})
        self.assertEqual(gzip.decompress(self.ask("/files/timeline-1.pftrace.gz")[2]), data)
        self.act("/api/timeline/start")
        self.wait_for("another recording", lambda s: s["recording"])
        self.act("/api/stop")
        err = self.ends(130)[1]
        self.assertIn("wrote out/live/timeline-2.pftrace.gz\n", err)
        noted = {note["file"]: note for note in self.load("out/run.json")["timelines"]}
        self.assertEqual(set(noted), {"live/timeline-1.pftrace.gz", "live/timeline-2.pftrace.gz"})
        self.assertGreater(noted["live/timeline-1.pftrace.gz"]["events"], 100)

    def test_of_many_launches(self):
        """A recording ends with its launch; tables of the run have nothing of what copies of it wrote."""
        count = 70
        self.kernel("brief", WORK_ASM % ("brief", "0x00000400"))
        launches = ["[[launch]]\ngrid = [2]\nblock = [128]\n" + PARAM.replace('"data",', f'"data", buffer = "b{i}",') for i in range(count)]
        self.write("many.launch.toml", 'schema = "teslasim.launch/1"\ncode = "brief.asm"\n' + "".join(launches))
        self.start("-o", "out", "--timeline-max", "1", "--launch", "many.launch.toml", kernel="brief")
        self.wait_for("a launch", lambda s: s["progress"]["launches"] == count)
        self.act("/api/snapshot")
        self.act("/api/timeline/start")
        err = self.ends(0)[1]
        for name in "snapshot-1", "timeline-1.pftrace.gz":
            self.assertIn(f"wrote out/live/{name}\n", err)
        self.assertEqual([note["file"] for note in self.load("out/run.json")["timelines"]], ["live/timeline-1.pftrace.gz"])
        kernels = Trace(gzip.decompress((self.here / "out/live/timeline-1.pftrace.gz").read_bytes())).slices
        self.assertEqual([len(slices) for path, slices in kernels.items() if path.endswith("/Kernels")], [1])
        self.assertEqual([int(row["launch"]) for row in self.table("out/launches.csv")], list(range(count)))
        stats = self.stats("out/live/snapshot-1")
        self.assertEqual(stats["status"], "interrupted")
        self.assertLess(sum(one.get("merged", {"launches": 1})["launches"] for one in stats["launches"]), count)

    def test_a_folder_that_cannot_be_written(self):
        self.start("-o", "out")
        (self.here / "out/live").write_text("in the way")
        self.act("/api/snapshot")
        state = self.wait_for("a failure", lambda s: s["products"] and s["products"][0]["state"] == "failed")
        self.assertIn("out/live", state["products"][0]["problem"])
        self.assertEqual(state["phase"], "running")
        self.process.send_signal(signal.SIGINT)
        self.assertIn("note: snapshot-1 of the live view was not written", self.ends(130)[1])


if __name__ == "__main__":
    unittest.main()
