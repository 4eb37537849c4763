# SPDX-License-Identifier: Apache-2.0
"""CUDA programs with their host code: those that ship, one for each feature of the runtime, and what hostile ones get.

usage: programs.py NVCC SOURCE_FOLDER [unittest arguments]

TESLASIM_LONG_TESTS in the environment: every program instead of some, and with timing.
"""
import concurrent.futures
import csv
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

NVCC, ROOT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
LONG = "TESLASIM_LONG_TESTS" in os.environ
SHIPPED = ROOT / "traces/cuda"
HERE = ROOT / "tests/cuda_programs"
SECONDS = 300
QUICK_SHIPPED = ("histogram", "scan", "stencil")
QUICK_FEATURES = ("address_tables", "hashes_numbers", "symbols", "errors", "textures_array", "locks", "chosen_pointers", "array_copies",
                  "warp_steps", "math_of_cuda", "local_arrays")
QUICK_WITH_TIMING = ("local_arrays",)


def run(command, folder, **variables):
    environment = {**os.environ, "TESLASIM_OUT": "none", "TESLASIM_MODE": "functional", "NO_COLOR": "1", **variables}
    done = subprocess.run([str(word) for word in command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=SECONDS, check=False)
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def build(source, folder, *flags):
    """Compiles one source; returns what was said when that failed."""
    program = folder / source.stem
    code, out, err = run([NVCC, "-O2", "-arch=sm_13", f"-I{SHIPPED / 'common'}", *flags, "-o", program, source], folder)
    return None if code == 0 else f"{source.name} does not build:\n{out}{err}"


def build_all(sources, folder):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip([source.stem for source in sources], pool.map(lambda source: build(source, folder), sources)))


@unittest.skipUnless(shutil.which("clang++-14") and shutil.which("llc-14"), "clang-14 and llvm-14 are not installed")
class Programs(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="teslasim-programs-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def passes(self, program, *arguments, **variables):
        code, out, err = run([program, *arguments], self.folder, **variables)
        self.assertEqual((0, "PASSED"), (code, (out.strip().splitlines() or [""])[-1]), f"{program} {arguments}:\n{out}{err}")
        return out


class Shipped(Programs):
    def sources(self):
        found = {path.parent.name: path for path in SHIPPED.glob("*/*.cu")}
        self.assertEqual(set(found), {path.parent.name for path in SHIPPED.glob("*/Makefile")})
        self.assertGreaterEqual(len(found), 13)
        return [path for name, path in sorted(found.items()) if LONG or name in QUICK_SHIPPED]

    def test_each_passes_its_own_check(self):
        sources = self.sources()
        for name, problem in build_all(sources, self.folder).items():
            with self.subTest(program=name):
                self.assertIsNone(problem)
                self.passes(self.folder / name)
                if LONG:
                    self.passes(self.folder / name, TESLASIM_MODE="timing")

    def test_sizes_that_fill_no_block(self):
        sizes = {"histogram": ["--size", "1001", "--blocks", "3"], "scan": ["--size", "257"], "stencil": ["--width", "33", "--height", "3", "--steps", "3"]}
        if LONG:
            sizes.update({"vector_add": ["--size", "1"], "matrix_multiply": ["--size", "20"], "reduction": ["--size", "77"], "sort": ["--size", "300"],
                          "transpose": ["--width", "17", "--height", "50"], "nbody": ["--size", "65", "--steps", "1"], "monte_carlo": ["--blocks", "1", "--pairs", "3"],
                          "black_scholes": ["--size", "3", "--blocks", "1"], "breadth_first_search": ["--size", "1"], "bandwidth": ["--size", "1000"]})
        for name, problem in build_all([SHIPPED / name / f"{name}.cu" for name in sizes], self.folder).items():
            with self.subTest(program=name):
                self.assertIsNone(problem)
                self.passes(self.folder / name, *sizes[name])

    def test_makefiles_build_where_they_are_copied_to(self):
        shutil.copytree(SHIPPED, self.folder / "cuda")
        folder = self.folder / "cuda/scan"
        code, out, err = run(["make", f"NVCC={NVCC}", "run"], folder)
        self.assertEqual((0, "PASSED"), (code, (out.strip().splitlines() or [""])[-1]), out + err)

    def test_words_that_are_no_options(self):
        self.assertIsNone(build(SHIPPED / "scan/scan.cu", self.folder))
        for words in (["--sizes", "3"], ["size", "3"], ["--size"], ["--size", "0"], ["--size", "many"], ["--"]):
            code, _, err = run([self.folder / "scan", *words], self.folder)
            self.assertEqual(2, code, words)
            self.assertIn("size", err)


class Features(Programs):
    def test_each_passes_its_own_check(self):
        sources = sorted((HERE / "features").glob("*.cu"))
        self.assertGreater(len(sources), 12)
        sources = [source for source in sources if LONG or source.stem in QUICK_FEATURES]
        for name, problem in build_all(sources, self.folder).items():
            with self.subTest(program=name):
                self.assertIsNone(problem)
                self.passes(self.folder / name)
                if (LONG and name != "many_launches") or name in QUICK_WITH_TIMING:
                    self.passes(self.folder / name, TESLASIM_MODE="timing")

    def test_doubles_that_the_machine_has_not_are_told(self):
        self.assertIsNone(build(HERE / "features/doubles.cu", self.folder))
        for machine, told in (("gtx280", 0), ("gt220", 1)):
            _, _, err = run([self.folder / "doubles"], self.folder, TESLASIM_MACHINE=machine)
            self.assertEqual(told, min(1, err.count("CUDA-DOUBLE")), err)

    def test_wide_integers_and_halves_on_chips_without_and_with_them(self):
        self.assertIsNone(build(HERE / "features/wide_conversions.cu", self.folder))
        for machine in ("8800gtx", "gtx280"):
            with self.subTest(machine=machine):
                self.passes(self.folder / "wide_conversions", TESLASIM_MACHINE=machine)


class Parts(Programs):
    def test_objects_of_several_compilers_are_linked_by_either(self):
        for name in ("tests/cuda_programs/parts", "traces/cuda/common"):
            shutil.copytree(ROOT / name, self.folder / name)
        toolkit = NVCC.parent / "cuda"
        folder = self.folder / "tests/cuda_programs/parts"
        code, out, err = run(["make", f"NVCC={toolkit / 'bin/nvcc'}", f"CUDA_DIR={toolkit}"], folder)
        self.assertEqual(0, code, out + err)
        for program in ("by_nvcc", "by_host"):
            self.passes(folder / program)


class Shared(Programs):
    """Kernels in shared libraries, which use the runtime of the program that links or opens them."""

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def test_a_library_is_linked_or_opened(self):
        self.write("library.cu", '__global__ void set(int* to) { *to = 42; }\nextern "C" int answer() {\n  int *to, value = 0;\n  cudaMalloc((void**)&to, 4);\n'
                                 "  set<<<1, 1>>>(to);\n  cudaMemcpy(&value, to, 4, cudaMemcpyDeviceToHost);\n  return value;\n}\n")
        self.write("linked.c", '#include <stdio.h>\nint answer(void);\nint main(void) { printf(answer() == 42 ? "PASSED\\n" : "FAILED\\n"); return 0; }\n')
        self.write("opened.c", '#include <dlfcn.h>\n#include <stdio.h>\nint main(void) {\n  void* library = dlopen("./libanswer.so", RTLD_NOW);\n'
                               '  int (*answer)(void) = library ? (int (*)(void))dlsym(library, "answer") : 0;\n'
                               '  printf(answer && answer() == 42 ? "PASSED\\n" : "FAILED\\n");\n  return 0;\n}\n')
        for words in (["-shared", "library.cu", "-o", "libanswer.so"], ["linked.c", "-L.", "-lanswer", "-Xlinker", "-rpath,.", "-o", "linked"],
                      ["opened.c", "-ldl", "-o", "opened"]):
            code, out, err = run([NVCC, *words], self.folder)
            self.assertEqual(0, code, out + err)
        self.passes(self.folder / "linked")
        self.passes(self.folder / "opened")


class Runs(Programs):
    """What users do with the folder of a program."""

    def digest(self, program, name, **variables):
        code, out, err = run([self.folder / program], self.folder, TESLASIM_OUT=str(self.folder / name), **variables)
        self.assertEqual(0, code, out + err)
        return json.loads((self.folder / name / "program.json").read_text(encoding="utf-8"))["digest"]

    def test_a_digest_is_that_of_every_run_and_of_any_number_of_threads(self):
        self.assertIsNone(build(SHIPPED / "scan/scan.cu", self.folder))
        digests = {name: self.digest("scan", name, TESLASIM_MODE="timing", TESLASIM_THREADS=threads)
                   for name, threads in (("first", "1"), ("again", "1"), ("two", "2"), ("four", "4"))}
        self.assertEqual(1, len(set(digests.values())), digests)
        self.assertNotEqual(digests["first"], self.digest("scan", "functional"), "what is counted is part of it")

    def test_recorded_launches_replay_without_the_program(self):
        self.assertIsNone(build(SHIPPED / "scan/scan.cu", self.folder))
        self.digest("scan", "run", TESLASIM_MODE="timing", TESLASIM_RECORD=str(self.folder / "traces"))
        with open(self.folder / "run/launches.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        traces = sorted((self.folder / "traces").iterdir())
        self.assertEqual(len(rows), len(traces))
        (self.folder / "scan").unlink()
        code, out, err = run([NVCC.parent / "teslasim", "run", traces[0], "--out", "replayed"], self.folder)
        self.assertEqual(0, code, out + err)
        replayed = json.loads((self.folder / "replayed/stats.json").read_text(encoding="utf-8"))["launches"][0]
        self.assertEqual(rows[0]["cycles"], str(replayed["time"]["cycles"]))

    def test_other_commands_say_what_the_folder_is(self):
        self.assertIsNone(build(SHIPPED / "scan/scan.cu", self.folder))
        self.digest("scan", "runs/001-scan-gtx280")
        for words in (["rerun", "1"], ["rerun", "runs/001-scan-gtx280"], ["report", "1"], ["compare", "1", "1"]):
            code, _, err = run([NVCC.parent / "teslasim", *words], self.folder)
            self.assertEqual(4, code, err)
            self.assertIn("error[RUN-PROGRAM]: 'runs/001-scan-gtx280' is of a CUDA program", err)


class Driver(Programs):
    def test_modules_of_both_kinds_are_loaded_and_launched_from_c(self):
        folder = HERE / "driver"
        for kind in ("cubin", "ptx"):
            code, out, err = run([NVCC, f"-{kind}", folder / "kernels.cu", "-o", f"kernels.{kind}"], self.folder)
            self.assertEqual(0, code, out + err)
        for program in ("main", "textures"):
            code, out, err = run([NVCC, "-Xcompiler", "-Wall,-Wextra,-Werror", folder / f"{program}.c", "-o", program, "-lcuda", "-lm"], self.folder)
            self.assertEqual(0, code, out + err)
        for kind in ("cubin", "ptx"):
            with self.subTest(module=kind):
                self.passes(self.folder / "main", f"kernels.{kind}", folder / "main.c")
                self.passes(self.folder / "textures", f"kernels.{kind}")


@unittest.skipUnless(shutil.which("cmake"), "CMake is not installed")
class Cmake(Programs):
    def built(self, lists, *definitions):
        (self.folder / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.10)\n" + lists, encoding="utf-8")
        for words in (["cmake", "-S", ".", "-B", "built", "-G", "Unix Makefiles", *definitions], ["cmake", "--build", "built"]):
            code, out, err = run(words, self.folder)
            self.assertEqual(0, code, out + err)

    def test_the_module_of_teslasim_builds_sources_of_three_languages(self):
        for name in ("tests/cuda_programs/parts", "traces/cuda/common"):
            shutil.copytree(ROOT / name, self.folder / pathlib.Path(name).name)
        self.built(f"""project(parts LANGUAGES NONE)
list(APPEND CMAKE_MODULE_PATH "{ROOT}/cmake")
include(TeslasimCuda)
teslasim_cuda_executable(program parts/main.cpp parts/plain.c parts/host.c parts/first.cu parts/second.cu
                         OPTIONS -O2 "-I${{CMAKE_SOURCE_DIR}}/common")
""", f"-DTESLASIM_NVCC={NVCC}")
        self.passes(self.folder / "built/program")

    def test_projects_of_the_time_find_a_toolkit(self):
        """CMake's module FindCUDA, which it had until 3.27."""
        if not list(pathlib.Path("/usr/share").glob("cmake-*/Modules/FindCUDA.cmake")):
            self.skipTest("this CMake has no FindCUDA")
        shutil.copy(HERE / "features/by_example.cu", self.folder)
        self.built("project(old C CXX)\nfind_package(CUDA REQUIRED)\nset(CUDA_NVCC_FLAGS -O2 -arch sm_13)\ncuda_add_executable(by_example by_example.cu)\n",
                   f"-DCUDA_TOOLKIT_ROOT_DIR={NVCC.parent / 'cuda'}")
        self.passes(self.folder / "built/by_example")


# Case -> (code, what stderr says of it). Codes are those of CUDA 4.
HOSTILE = {
    "double_free": (17, ""), "free_of_the_middle": (17, ""), "free_of_the_host": (17, ""),
    "pointer_of_the_host": (4, "fill"), "null_pointer": (4, "fill"), "use_after_free": (4, "fill"),
    "store_behind_the_end": (4, "store_at"), "store_before_the_start": (4, "store_at"), "misaligned_store": (4, "store_at"),
    "shared_behind_the_end": (4, "shared_too_far"), "kernel_without_end": (6, "never_ends"), "loop_without_end": (6, "counts_for_ever"), "barrier_without_end": (6, "parts_at_barrier"),
    "copy_past_the_end_of_the_device": (11, ""), "copy_from_past_the_end": (11, ""), "copy_of_host_as_device": (17, ""), "copy_to_null": (16, ""),
    "no_threads": (9, ""), "no_blocks": (9, ""), "too_many_threads": (9, ""), "too_deep_a_block": (9, ""), "too_much_shared_memory": (7, ""),
    "no_kernel": (8, ""), "destroyed_stream": (33, ""), "invented_event": (33, ""), "null_results": (11, ""), "everything_at_once": (2, ""),
}


class Hostile(Programs):
    def test_each_ends_with_the_code_of_cuda_and_a_message(self):
        self.assertIsNone(build(HERE / "hostile/hostile.cu", self.folder, "-g"))
        code, out, err = run([self.folder / "hostile"], self.folder)
        self.assertEqual(0, code, err)
        cases = dict(reversed(line.split()) for line in out.strip().splitlines())
        self.assertEqual(set(HOSTILE), set(cases))
        for name, (expected, told) in HOSTILE.items():
            with self.subTest(case=name):
                code, out, err = run([self.folder / "hostile", cases[name]], self.folder, TESLASIM_MAX_INSTRUCTIONS="200000")
                self.assertEqual(0, code, err)
                self.assertRegex(out.strip().splitlines()[-1], rf"^{name}: {expected} \w.*$")
                self.assertRegex(err, r"error\[[A-Z-]+\]: ")
                self.assertIn(told, err)
        # The low words of a pointer of the host change from run to run: a board without bounds may find memory there.
        for name, expected in {"store_behind_the_end": 0, "store_before_the_start": 0, "null_pointer": 4}.items():
            with self.subTest(case=name, bounds="board"):
                code, out, err = run([self.folder / "hostile", cases[name]], self.folder, TESLASIM_BOUNDS="board")
                self.assertEqual(0, code, err)
                self.assertRegex(out, rf"^{name}: {expected} ")

    def test_the_watchdog_of_a_board_ends_what_never_ends(self):
        self.assertIsNone(build(HERE / "hostile/hostile.cu", self.folder, "-g"))
        cases = dict(reversed(line.split()) for line in run([self.folder / "hostile"], self.folder)[1].strip().splitlines())
        for mode in ("functional", "timing"):
            with self.subTest(mode=mode):
                outcomes = [run([self.folder / "hostile", cases["kernel_without_end"]], self.folder, TESLASIM_MODE=mode, TESLASIM_SET="board.kernel_limit_s=0.001")
                            for _ in range(2)]
                code, out, err = outcomes[0]
                self.assertEqual(0, code, err)
                self.assertRegex(out, r"^kernel_without_end: 6 ")
                self.assertIn("CUDA-STOPPED", err)
                self.assertIn("longer than 0.001 s on the board (board.kernel_limit_s)", err)
                self.assertEqual(mode == "functional", "waits for a later one needs TESLASIM_MODE=timing" in err, err)
                self.assertEqual(outcomes[0], outcomes[1])


class Sampled(Programs):
    """Launches again and again: some in time, the others extrapolated, and every output says so."""

    def test_a_sample_is_near_the_whole(self):
        self.assertIsNone(build(SHIPPED / "stencil/stencil.cu", self.folder))
        totals = {}
        for name, rule in (("whole", ""), ("sample", "3,5")):
            out = self.folder / name
            code, said, err = run([self.folder / "stencil", "--width", "64", "--height", "48", "--steps", "24"], self.folder,
                                  TESLASIM_MODE="timing", TESLASIM_SAMPLE=rule, TESLASIM_OUT=str(out))
            self.assertEqual((0, "PASSED"), (code, said.strip().splitlines()[-1]), err)
            totals[name] = json.loads((out / "program.json").read_text(encoding="utf-8"))
        whole, sample = totals["whole"], totals["sample"]
        self.assertNotIn("sample", whole)
        self.assertEqual(whole["launches"], sample["launches"])
        told = sample["sample"]
        self.assertEqual((3, 5), (told["first"], told["every"]))
        self.assertEqual(sample["launches"], told["timed"] + told["extrapolated"])
        self.assertGreater(told["extrapolated"], told["timed"])
        self.assertLessEqual(abs(sample["kernel_ms"] - whole["kernel_ms"]), told["kernel_ms_bound"] + 1e-9)
        self.assertLess(told["kernel_ms_bound"], 0.05 * sample["kernel_ms"])
        with open(self.folder / "sample/launches.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(told["extrapolated"], sum(row["mode"] == "extrapolated" for row in rows))
        self.assertEqual([row["mode"] == "extrapolated" for row in rows], [row["bound_ms"] != "" for row in rows])
        with open(self.folder / "sample/kernels.csv", encoding="utf-8") as file:
            self.assertEqual(told["extrapolated"], sum(int(row["extrapolated"]) for row in csv.DictReader(file)))
        self.assertIn(f"sample: {told['timed']} launches in time, {told['extrapolated']} extrapolated", err)
        self.assertIn("(sample: ", (self.folder / "sample/summary.txt").read_text(encoding="utf-8"))
        self.assertTrue("launches was simulated in time" in (self.folder / "sample/report.html").read_text(encoding="utf-8"))
        self.assertFalse("launches was simulated in time" in (self.folder / "whole/report.html").read_text(encoding="utf-8"))

    def test_rules_that_are_none(self):
        self.assertIsNone(build(SHIPPED / "scan/scan.cu", self.folder))
        for variables in ({"TESLASIM_SAMPLE": "1"}, {"TESLASIM_SAMPLE": "3,x"}, {"TESLASIM_SAMPLE": "3", "TESLASIM_MODE": "timing:every=2"}):
            code, _, err = run([self.folder / "scan"], self.folder, **{"TESLASIM_MODE": "timing", **variables})
            self.assertEqual(2, code, err)
            self.assertIn("error[CLI-VALUE]", err)

    def test_a_kernel_that_no_launch_has_is_told(self):
        self.assertIsNone(build(SHIPPED / "scan/scan.cu", self.folder))
        for names, told in (("scan_parts,no_such_kernel", "no launch is of 'no_such_kernel', which the mode names"), ("scan_parts", "")):
            code, _, err = run([self.folder / "scan"], self.folder, TESLASIM_MODE=f"timing:kernels={names}")
            self.assertEqual(0, code, err)
            self.assertIn(told, err)
            self.assertEqual(bool(told), "no launch is of" in err)


class Interrupted(Programs):
    """Ctrl-C and SIGTERM, wherever the program is: it ends soon, by the signal, and the folder says what ran so far."""

    def interrupted(self, what, number, **variables):
        environment = {**os.environ, "TESLASIM_OUT": str(self.folder / f"{what}-{number.name}"), "TESLASIM_MODE": "functional", "NO_COLOR": "1", **variables}
        with subprocess.Popen([self.folder / "interrupted", what], cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
            self.assertEqual("ready\n", program.stdout.readline())
            time.sleep(0.3)
            program.send_signal(number)
            started = time.monotonic()
            out, err = program.communicate(timeout=60)
        self.assertLess(time.monotonic() - started, 20)
        return program.returncode, out, err, pathlib.Path(environment["TESLASIM_OUT"])

    def test_tables_of_what_ran_are_left(self):
        self.assertIsNone(build(HERE / "hostile/interrupted.cu", self.folder))
        cases = [("kernel", signal.SIGINT, "functional"), ("kernel", signal.SIGTERM, "timing"), ("host", signal.SIGINT, "functional"), ("launches", signal.SIGTERM, "functional")]
        for what, number, mode in cases:
            with self.subTest(what=what, signal=number.name):
                code, out, err, folder = self.interrupted(what, number, TESLASIM_MODE=mode)
                self.assertEqual((-number, ""), (code, out), err)
                self.assertIn("teslasim: interrupted; ", err)
                self.assertEqual(what == "kernel", "launch 3: never_ends<<<(4,1,1), (64,1,1)>>> at " in err, err)
                with open(folder / "launches.csv", encoding="utf-8") as file:
                    rows = list(csv.DictReader(file))
                self.assertEqual(["ok", "ok", "ok"] + (["interrupted"] if what == "kernel" else []), [row["status"] for row in rows][:4 if what == "kernel" else 3])
                totals = json.loads((folder / "program.json").read_text(encoding="utf-8"))
                self.assertEqual(("interrupted", len(rows)), (totals["status"], totals["launches"]))
                for name in ("kernels.csv", "launches.json", "stats.json", "summary.txt", "report.html", "timeline.pftrace.gz"):
                    self.assertGreater((folder / name).stat().st_size, 0, name)
                host = json.loads((folder / "stats.json").read_text(encoding="utf-8"))["host"]
                self.assertGreater(min(host["seconds"], host["warp_instr_per_s"], host["rss_mb"]), 0)

    def test_a_handler_of_the_program_stays(self):
        self.assertIsNone(build(HERE / "hostile/interrupted.cu", self.folder))
        self.assertEqual(3, self.interrupted("handler", signal.SIGINT)[0])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
