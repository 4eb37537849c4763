# SPDX-License-Identifier: Apache-2.0
"""The pictures of README.md: the script still makes them, and those that are checked in are of its kind."""
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

from chromium import BROWSER

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("TESLASIM", "build/release/teslasim")).resolve()
PICTURES = {"report.png": 1100, "timeline.png": 1100}
LARGEST = 200_000


def read_png(path):
    """Width, height and the bytes of the lines, filtered as they are: enough to tell a blank picture."""
    data, at, packed = path.read_bytes(), 8, b""
    assert data.startswith(b"\x89PNG\r\n\x1a\n"), path
    width, height = struct.unpack(">II", data[16:24])
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    return width, height, zlib.decompress(packed)


class Pictures(unittest.TestCase):
    def check(self, folder):
        """Heights by name."""
        heights = {}
        for name, expected in PICTURES.items():
            width, height, lines = read_png(folder / name)
            self.assertEqual(width, expected, name)
            self.assertGreater(height, 400, name)
            self.assertLess((folder / name).stat().st_size, LARGEST, name)
            stride = len(lines) // height
            drawn = sum(any(lines[row * stride + 1:(row + 1) * stride]) for row in range(height))
            self.assertGreater(drawn, height // 4, f"{name}: most lines are alike")
            self.assertGreater(len(set(lines)), 100, f"{name}: few colours")
            heights[name] = height
        return heights

    def test_checked_in_pictures_are_shown(self):
        self.check(ROOT / "docs/images")
        text = (ROOT / "README.md").read_text()
        for name in PICTURES:
            self.assertIn(f"](docs/images/{name})", text)

    @unittest.skipIf(BROWSER is None, "no chromium (package chromium)")
    def test_the_script_makes_them_again(self):
        with tempfile.TemporaryDirectory() as name:
            subprocess.run([sys.executable, "-B", ROOT / "docs/screenshots.py", PROGRAM, name], check=True, timeout=300)
            made, kept = self.check(pathlib.Path(name)), self.check(ROOT / "docs/images")
        for picture, height in made.items():
            self.assertAlmostEqual(height, kept[picture], delta=0.25 * height, msg=f"{picture}: run docs/screenshots.py")


if __name__ == "__main__":
    unittest.main()
