# SPDX-License-Identifier: Apache-2.0
"""What goes to stdout, to stderr and to files."""
import json

from cli import Cli


class Streams(Cli):
    def test_json_is_alone_on_stdout(self):
        done = self.expect(0, "run", "k.asm", "-c", "tiny", "--json", "-")
        document = json.loads(done.stdout)
        self.assertEqual(document["schema"], "teslasim.stats/1")
        self.assertEqual(document["launches"][0]["kernel"], "add_one")

    def test_json_file(self):
        done = self.expect(0, "run", "k.asm", "-c", "tiny", "--json=x.json", "--no-out")
        self.assertIn("RESULT", done.stdout)
        self.assertEqual(json.loads((self.here / "x.json").read_text())["status"], "ok")

    def test_quiet(self):
        done = self.expect(0, "run", "k.asm", "-c", "tiny", "-q")
        self.assertEqual((done.stdout, done.stderr), ("", ""))

    def test_summary_has_no_bars_and_fits_into_100_columns(self):
        done = self.expect(0, "run", "k.asm", "-c", "tiny")
        self.assertNotIn("█", done.stdout)
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100)
        for word in "RESULT", "OCCUPANCY", "WHERE THE ISSUE SLOTS WENT", "HOT SPOTS", "HOST", "DIGEST":
            self.assertIn(word, done.stdout)
        self.assertEqual((self.here / "runs/latest/summary.txt").read_text(), done.stdout)

    def test_schema_accepts_the_document(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is missing")
        schema = json.loads(self.expect(0, "configs", "schema", "--stats").stdout)
        for mode in "timing", "functional":
            document = self.expect(0, "run", "k.asm", "-c", "tiny", "--mode", mode, "--json", "-", "--no-out").stdout
            jsonschema.validate(json.loads(document), schema)

    def test_same_digest_for_every_look_ahead(self):
        digests = set()
        for option in ["--look-ahead=exact"], ["--look-ahead=4"], ["--look-ahead=8"], ["--no-sleep"]:
            done = self.expect(0, "run", "k.asm", "-c", "tiny", "--json", "-", "--no-out", *option)
            digests.add(json.loads(done.stdout)["digest"])
        self.assertEqual(len(digests), 1)

    def test_dump_writes_numpy(self):
        self.expect(0, "run", "k.asm", "-c", "tiny", "--no-out", "--dump", "data=d.npy")
        content = (self.here / "d.npy").read_bytes()
        self.assertTrue(content.startswith(b"\x93NUMPY"))
        words = [int.from_bytes(content[-256 + 4 * i:][:4], "little") for i in range(64)]
        self.assertEqual(words, list(range(1, 65)))
