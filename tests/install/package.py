# SPDX-License-Identifier: Apache-2.0
"""The installed program: from a prefix, and from the Debian package in a root of its own.

usage: package.py CMAKE BUILD_FOLDER [unittest arguments]
"""
import gzip
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

CMAKE, BUILD = sys.argv[1], pathlib.Path(sys.argv[2])
PROGRAM = """
#include <cstdio>
__global__ void twice(int* data) { data[threadIdx.x] *= 2; }
int main() {
  int values[32], *device;
  for (int i = 0; i < 32; ++i) values[i] = i;
  cudaMalloc(&device, sizeof values);
  cudaMemcpy(device, values, sizeof values, cudaMemcpyHostToDevice);
  twice<<<1, 32>>>(device);
  cudaMemcpy(values, device, sizeof values, cudaMemcpyDeviceToHost);
  std::puts(values[31] == 62 ? "PASSED" : "FAILED");
}
"""


def as_ordinary_user():
    """Words before a command; nothing for those who are no root."""
    return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}: exit {done.returncode}\n{done.stdout[-4000:]}")
    return done.stdout


class Installed(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="teslasim-install-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.folder.chmod(0o755)
        self.work = self.folder / "work"
        self.work.mkdir()
        self.work.chmod(0o777)

    def use(self, prefix):
        """Runs a shipped kernel, reads a page and compiles a CUDA program, from a folder that knows nothing of the sources."""
        environment = {"PATH": f"{prefix / 'bin'}:/usr/bin:/bin", "HOME": str(self.work), "XDG_CACHE_HOME": str(self.work / "cache")}
        said = run(*as_ordinary_user(), prefix / "bin/teslasim", "run", prefix / "share/teslasim/traces/vecadd/vecadd.launch.toml", "-c", "gtx280",
                   cwd=self.work, env=environment)
        self.assertIn("output buffers: OK", said)
        self.assertTrue((self.work / "runs").is_dir())
        for name in ("teslasim", "teslasim-run", "teslasim-nvcc"):
            page = gzip.decompress((prefix / f"share/man/man1/{name}.1.gz").read_bytes()).decode()
            self.assertIn(".SH NAME", page)
        run("bash", "-n", prefix / "share/bash-completion/completions/teslasim")
        if shutil.which("clang++-14") is None:
            return
        (self.work / "twice.cu").write_text(PROGRAM, encoding="utf-8")
        run(*as_ordinary_user(), prefix / "bin/teslasim-nvcc", "twice.cu", "-o", "twice", cwd=self.work, env=environment)
        self.assertIn("PASSED", run(*as_ordinary_user(), self.work / "twice", cwd=self.work, env={**environment, "TESLASIM_OUT": "none"}))

    def test_a_prefix(self):
        run(CMAKE, "--install", BUILD, "--prefix", self.folder / "prefix")
        self.use(self.folder / "prefix")

    @unittest.skipUnless(shutil.which("dpkg-shlibdeps") and os.geteuid() == 0, "the package is made and installed by root, with dpkg-dev")
    def test_the_debian_package_comes_and_goes(self):
        hashes = set()
        for name in ("one", "two"):
            place = self.folder / name
            run(pathlib.Path(CMAKE).with_name("cpack"), "-B", place, cwd=BUILD, env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})
            package = next(place.glob("*.deb"))
            hashes.add(hashlib.sha256(package.read_bytes()).hexdigest())
        self.assertEqual(1, len(hashes), "two packages of one build differ")
        if shutil.which("lintian"):
            run("lintian", "--fail-on", "error", package)
        root = self.folder / "root"
        (root / "var/lib/dpkg/info").mkdir(parents=True)
        (root / "var/lib/dpkg/status").touch()
        before = {path for path in root.rglob("*") if "var" not in path.relative_to(root).parts}
        run("dpkg", f"--root={root}", "--force-depends", "--install", package)
        self.use(root / "usr")
        run("dpkg", f"--root={root}", "--force-depends", "--purge", "teslasim")
        after = {path for path in root.rglob("*") if "var" not in path.relative_to(root).parts}
        self.assertEqual(before, after)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
