# SPDX-License-Identifier: Apache-2.0
"""The installed program: from a prefix, and from the Debian package in a root of its own.

usage: package.py CMAKE BUILD_FOLDER SOURCE_FOLDER PYTHON [unittest arguments]

PYTHON is the one that the module was built for, or empty. The project that embeds a machine is the one that docs/howto shows.
"""
import gzip
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CMAKE, BUILD, SOURCE, PYTHON = sys.argv[1], *map(pathlib.Path, sys.argv[2:4]), sys.argv[4]
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
  return 0;
}
"""
HOST_IN_C = """
#include <cuda_runtime_api.h>
#include <stdio.h>
int doubled(void);
int main(void) {
  int devices = 0;
  cudaGetDeviceCount(&devices);
  printf("%d device\\n", devices);
  fflush(stdout);
  return doubled();
}
"""
ADD_IN_PYTHON = """
import sys, numpy, teslasim
x, y = numpy.full(1000, 2, numpy.float32), numpy.ones(1000, numpy.float32)
run = teslasim.kernel(sys.argv[1])(4, 256, 1000, 1.5, x, y)
assert (y == 4).all()
print("digest", run.digest, teslasim.models.program(), teslasim.__file__)
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
        self.use_as_toolkit(prefix / "share/teslasim/cuda", environment)

    def use_as_toolkit(self, toolkit, environment):
        """A makefile of the SDK: nvcc for the kernel, gcc for C, g++ as linker, with the folders of a toolkit."""
        (self.work / "kernel.cu").write_text(PROGRAM.replace("int main", 'extern "C" int doubled'), encoding="utf-8")
        (self.work / "host.c").write_text(HOST_IN_C, encoding="utf-8")
        user = as_ordinary_user()
        run(*user, toolkit / "bin/nvcc", "-c", "kernel.cu", "-o", "kernel.o", cwd=self.work, env=environment)
        run(*user, "gcc", f"-I{toolkit / 'include'}", "-c", "host.c", "-o", "host.o", cwd=self.work, env=environment)
        run(*user, "g++", "host.o", "kernel.o", f"-L{toolkit / 'lib64'}", "-lcudart", "-o", "host", cwd=self.work, env=environment)
        said = run(*user, self.work / "host", cwd=self.work, env={**environment, "TESLASIM_OUT": "none"})
        self.assertIn("1 device", said)
        self.assertIn("PASSED", said)

    def use_from_python(self, prefix, folder):
        """saxpy by the installed module; returns what it says."""
        if not PYTHON:
            return ""
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.work), "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1",
                       "LD_LIBRARY_PATH": str(prefix / "lib") if prefix.name == "usr" else ""}
        said = run(*as_ordinary_user(), PYTHON, "-c", ADD_IN_PYTHON, prefix / "share/teslasim/traces/saxpy/saxpy.asm", cwd=self.work,
                   env=environment)
        self.assertIn(str(prefix / "bin/teslasim"), said)
        self.assertIn(str(folder / "teslasim/__init__.py"), said)
        return said

    def use_from_cpp(self, prefix):
        """The project of docs/howto/embed-a-machine.md, against the prefix; returns what its program says."""
        page = (SOURCE / "docs/howto/embed-a-machine.md").read_text(encoding="utf-8")
        blocks = dict(re.findall(r"^```(cmake|cpp)\n(.*?)^```", page, re.M | re.S))
        (self.work / "CMakeLists.txt").write_text(blocks["cmake"], encoding="utf-8")
        (self.work / "saxpy.cpp").write_text(blocks["cpp"], encoding="utf-8")
        run(CMAKE, "-S", self.work, "-B", self.work / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
        run(CMAKE, "--build", self.work / "build")
        return run(*as_ordinary_user(), self.work / "build/saxpy", prefix / "share/teslasim/traces/saxpy/saxpy.asm", cwd=self.work)

    def test_a_prefix(self):
        prefix = self.folder / "prefix"
        run(CMAKE, "--install", BUILD, "--prefix", prefix)
        self.use(prefix)
        said = self.use_from_cpp(prefix)
        self.assertIn("101 ns: y[999] = 4,", said)
        digests = re.findall(r"digest (\w+)", said)
        self.assertEqual(2, len(set(digests)), "a slower memory is another machine")
        self.assertIn("mem.global", said)
        folders = list((prefix / "lib").glob("python3*/site-packages"))
        if PYTHON:
            self.assertIn(digests[0], self.use_from_python(prefix, folders[0]))
        headers = [path.read_text(encoding="utf-8") for path in (prefix / "include/teslasim").iterdir()]
        foreign = {name for text in headers for name in re.findall(r"#include <(\S+)>", text) if "." in name and not name.startswith("teslasim/")}
        self.assertEqual(set(), foreign, "headers of others")

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
            run("lintian", "--fail-on", "error,warning", package)
        root = self.folder / "root"
        (root / "var/lib/dpkg/info").mkdir(parents=True)
        (root / "var/lib/dpkg/status").touch()
        before = {path for path in root.rglob("*") if "var" not in path.relative_to(root).parts}
        run("dpkg", f"--root={root}", "--force-depends", "--force-script-chrootless", "--install", package)
        told = [path for path in (root / "usr").rglob("*") if path.is_file() and str(SOURCE).encode() in path.read_bytes()]
        self.assertEqual([], told, "the folder in which it was built shows, so builds elsewhere differ")
        self.use(root / "usr")
        self.use_from_python(root / "usr", root / "usr/lib/python3/dist-packages")
        run("dpkg", f"--root={root}", "--force-depends", "--force-script-chrootless", "--purge", "teslasim")
        after = {path for path in root.rglob("*") if "var" not in path.relative_to(root).parts}
        self.assertEqual(before, after)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[5:]], verbosity=2)
