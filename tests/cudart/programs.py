# SPDX-License-Identifier: Apache-2.0
"""CUDA programs from source to results: compiled by teslasim-nvcc, run on simulated machines.

usage: programs.py TESLASIM_NVCC TESLASIM SOURCE_FOLDER
"""
import csv
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

NVCC, TESLASIM, ROOT = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
PROGRAMS = ROOT / "tests/cudart/programs"
# name of the hostile act -> name of the error, whether it stays, and words of the message
HOSTILE = {
    "double-free": ("cudaErrorInvalidDevicePointer", False, ["cudaFree", "hostile.cu:"]),
    "free-inside": ("cudaErrorInvalidDevicePointer", False, ["no buffer begins there"]),
    "host-pointer": ("cudaErrorInvalidDevicePointer", False, ["an address of the host", "hostile.cu:"]),
    "past-the-end": ("cudaErrorInvalidValue", False, ["1000000000 bytes", "'cudaMalloc at"]),
    "bad-host": ("cudaErrorInvalidHostPointer", False, ["the host has no 1024 bytes at 0x10"]),
    "wrong-kind": ("cudaErrorInvalidMemcpyDirection", False, ["there is no kind 9"]),
    "too-much": ("cudaErrorMemoryAllocation", False, ["do not fit"]),
    "empty-grid": ("cudaErrorInvalidConfiguration", False, ["LAUNCH-GRID", "hostile.cu:"]),
    "large-block": ("cudaErrorInvalidConfiguration", False, ["LAUNCH-BLOCK"]),
    "much-shared": ("cudaErrorLaunchOutOfResources", False, ["LAUNCH-SHARED"]),
    "outside": ("cudaErrorLaunchFailure", True, ["MEM-OOB", "512 B after the end of 'cudaMalloc at", "hostile.cu:8", "to[index + threadIdx.x] = 1",
                                                 "store<<<(1,1,1), (32,1,1)>>> at"]),
    "misaligned": ("cudaErrorLaunchFailure", True, ["MEM-ALIGN", "hostile.cu:11"]),
    "kernel-host-pointer": ("cudaErrorLaunchFailure", True, ["MEM-OOB", "argument 1 of the kernel is 0x", "an address of the host", "give kernels addresses of cudaMalloc"]),
    "endless": ("cudaErrorLaunchTimeout", True, ["stopped at its limit: TESLASIM_MAX_INSTRUCTIONS = 1000000"]),
    "bad-stream": ("cudaErrorInvalidResourceHandle", False, []),
    "bad-event": ("cudaErrorInvalidResourceHandle", False, []),
    "no-configuration": ("cudaErrorMissingConfiguration", False, ["cudaLaunch: no cudaConfigureCall came before it"]),
    "unknown-kernel": ("cudaErrorInvalidDeviceFunction", False, ["cudaFuncGetAttributes: there is no such kernel"]),
    "free-no-host-memory": ("cudaErrorInvalidHostPointer", False, ["cudaFreeHost: no page-locked memory"]),
    "unrecorded-event": ("cudaErrorInvalidResourceHandle", False, ["cudaEventElapsedTime: an event was never recorded"]),
    "size-of-no-symbol": ("cudaErrorInvalidSymbol", False, ["cudaGetSymbolSize: there is no variable 'nobody'"]),
    "bad-symbol": ("cudaErrorInvalidSymbol", False, ["hostile.cu:42", "there is no variable 'nobody'"]),
}


def compiled(folder, name, *options):
    program = pathlib.Path(folder, name)
    done = subprocess.run([NVCC, PROGRAMS / f"{name}.cu", "-o", program, *options], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stdout + done.stderr)
    return program


class WithFolder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)

    def run_program(self, program, *arguments, status=0, **variables):
        environment = {**os.environ, "TESLASIM_OUT": "none", **variables}
        done = subprocess.run([program, *arguments], capture_output=True, text=True, env=environment, cwd=self.folder.name, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done


class Everything(WithFolder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = compiled(cls.folder.name, "everything")

    def test_every_kind_of_call_without_time(self):
        done = self.run_program(self.program, TESLASIM_MODE="functional")
        self.assertEqual(done.stdout.splitlines()[-1], "ok")

    def test_the_same_in_time_on_another_machine(self):
        done = self.run_program(self.program, TESLASIM_MACHINE="gt220")
        self.assertIn("GeForce GT 220", done.stdout)
        self.assertEqual(done.stdout.splitlines()[-1], "ok")

    def test_a_digest_stays(self):
        first, second = (self.run_program(self.program, TESLASIM_MODE="timing:every=3").stderr for _ in range(2))
        self.assertRegex(first, r"digest [0-9a-f]{16}")
        self.assertEqual(first, second)

    def test_wrong_variables_end_the_program(self):
        done = self.run_program(self.program, status=2, TESLASIM_MODE="fast")
        self.assertIn("CLI-VALUE", done.stderr)
        self.assertIn("CFG-", self.run_program(self.program, status=3, TESLASIM_MACHINE="gtx9999").stderr)


class Hostile(WithFolder):
    def test_each_act_is_answered(self):
        program = compiled(self.folder.name, "hostile")
        for act, (error, sticky, words) in HOSTILE.items():
            with self.subTest(act=act):
                done = self.run_program(program, act, TESLASIM_MODE="functional", TESLASIM_MAX_INSTRUCTIONS="1000000")
                self.assertEqual(done.stdout.splitlines(), [error, f"{'sticky' if sticky else 'not sticky'}, usable"], done.stderr)
                for word in words:
                    self.assertIn(word, done.stderr)


class Times(WithFolder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = compiled(cls.folder.name, "times")

    def times(self, *arguments, **variables):
        lines = self.run_program(self.program, *arguments, **variables).stdout.splitlines()
        return {name: float(value) for name, value in (line.split() for line in lines)}

    def test_an_event_measures_the_simulated_time(self):
        folder = pathlib.Path(self.folder.name, "run")
        measured = self.times(TESLASIM_OUT=str(folder))
        with open(folder / "launches.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 1)
        self.assertAlmostEqual(measured["kernel_ms"], float(rows[0]["ms"]), delta=1e-6 * float(rows[0]["ms"]))
        cycles = json.loads((folder / "stats.json").read_text(encoding="utf-8"))["launches"][0]["time"]["cycles"]
        self.assertEqual(str(cycles), rows[0]["cycles"])
        self.assertEqual(json.loads((folder / "launches.json").read_text(encoding="utf-8"))[0]["kernel"], "square")
        for name in ("kernels.csv", "program.json", "timeline.pftrace.gz", "report.html", "summary.txt"):
            self.assertGreater((folder / name).stat().st_size, 20, name)

    def test_copies_reach_the_rates_of_the_machine(self):
        size = 1 << 23
        measured = self.times(str(size), TESLASIM_MODE="functional")
        gbs = {name: 4 * size / ms / 1e6 for name, ms in measured.items()}
        self.assertAlmostEqual(gbs["to_device_ms"], 5.7, delta=0.57)
        self.assertAlmostEqual(gbs["to_host_ms"], 5.7, delta=0.57)
        self.assertAlmostEqual(2 * gbs["on_device_ms"], 117.5, delta=11)

    def test_copies_can_be_free(self):
        self.assertEqual(self.times(TESLASIM_MODE="functional", TESLASIM_COPIES="free")["to_device_ms"], 0)

    def test_ten_thousand_launches_need_no_more_memory_nor_much_time(self):
        def used(launches):
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            self.times("256", str(launches), TESLASIM_MODE="functional", TESLASIM_OUT=str(pathlib.Path(self.folder.name, f"r{launches}")))
            return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        peak = subprocess.run([sys.executable, "-c", "import resource,subprocess,sys\nsubprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
                               "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"] + [self.program, "256", "10000"],
                              capture_output=True, text=True, check=True, env={**os.environ, "TESLASIM_MODE": "functional", "TESLASIM_OUT": "none"})
        one = subprocess.run([sys.executable, "-c", "import resource,subprocess,sys\nsubprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
                              "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"] + [self.program, "256", "100"],
                             capture_output=True, text=True, check=True, env={**os.environ, "TESLASIM_MODE": "functional", "TESLASIM_OUT": "none"})
        self.assertLess(int(peak.stdout), int(one.stdout) + 8000, "kilobytes")
        self.assertLess(used(2100) - used(100), 2000 * 0.002)


class Compiler(WithFolder):
    def nvcc(self, *words, status=0):
        done = subprocess.run([NVCC, *words], capture_output=True, text=True, cwd=self.folder.name, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def write(self, name, text):
        pathlib.Path(self.folder.name, name).write_text(text, encoding="utf-8")

    def test_several_files_and_languages_by_make(self):
        self.write("kernel.cu", '__global__ void add(int* to) { *to += 1; }\nextern "C" void launch(int* to) { add<<<1, 1>>>(to); }\n')
        self.write("main.cpp", '#include <cuda_runtime.h>\nextern "C" void launch(int*);\nextern "C" int start();\nint main() {\n  int* to;\n'
                               '  int value = start();\n  cudaMalloc(&to, 4);\n  cudaMemcpy(to, &value, 4, cudaMemcpyHostToDevice);\n  launch(to);\n'
                               '  cudaMemcpy(&value, to, 4, cudaMemcpyDeviceToHost);\n  return value == 42 ? 0 : 1;\n}\n')
        self.write("start.c", "int start(void) { return 41; }\n")
        self.write("Makefile", "NVCC = nvcc\nprogram: kernel.o main.o start.o\n\t$(NVCC) -o $@ $^ -lcudart -lm\n%.o: %.cu\n\t$(NVCC) -O3 -arch sm_13 -c $< -o $@\n"
                               "%.o: %.cpp\n\t$(NVCC) -c $< -o $@\n%.o: %.c\n\t$(NVCC) -c $< -o $@\n")
        subprocess.run(["make", f"NVCC={NVCC}"], cwd=self.folder.name, check=True, capture_output=True)
        self.run_program("./program", TESLASIM_MODE="functional")
        done = subprocess.run([TESLASIM, "cuda", "-q", "-c", "gt220", "--mode", "functional", "--no-out", "--", "./program"], cwd=self.folder.name,
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_mistakes_of_the_source_are_told_when_it_is_compiled(self):
        self.write("bad.cu", "__global__ void f(float* to) { atomicAdd(to, 1.0f); }\nint main() { return 0; }\n")
        self.assertIn("bad.cu:1", self.nvcc("bad.cu", "-o", "bad", status=4).stderr)
        self.write("host.cu", "int main() { return nothing; }\n")
        self.assertIn("nothing", self.nvcc("host.cu", "-o", "host", status=4).stderr)

    def test_without_warnings_there_are_none_beside_errors_either(self):
        self.write("both.cu", '__global__ void f(int* to) { to[0] = "x" == "x"; to[1] = nothing; }\nint main() { return 0; }\n')
        self.assertIn("warning[", self.nvcc("both.cu", "-c", status=4).stderr)
        told = self.nvcc("both.cu", "-c", "-w", status=4).stderr
        self.assertIn("error[CUDA-SOURCE]", told)
        self.assertNotIn("warning[", told)

    def test_code_that_the_machine_cannot_run_is_told_once(self):
        self.write("count.cu", "#include <stdio.h>\n__global__ void count(int* to) { atomicAdd(to, 1); }\nint main() {\n"
                               "  for (int i = 0; i < 3; ++i) {\n    count<<<1, 32>>>(NULL);\n"
                               '    printf("%d", cudaGetLastError() != cudaSuccess);\n  }\n  return 0;\n}\n')
        self.nvcc("count.cu", "-arch", "sm_13", "-o", "count")
        done = self.run_program("./count", TESLASIM_MODE="functional", TESLASIM_MACHINE="8800gtx")
        self.assertEqual("111", done.stdout)
        self.assertEqual(1, done.stderr.count("this atomic operation needs sm_11"), done.stderr)
        self.assertIn("run it on a machine of that level: -c 9800gtx", done.stderr)
        self.assertEqual(2, done.stderr.count("error[CUDA-IMAGE]: no code could be made"), done.stderr)

    def test_a_name_that_two_files_have_is_ambiguous(self):
        # One file gives its variable to the host by address, the other by name only.
        self.write("one.cu", "#include <stdio.h>\nstatic __constant__ int c;\nint second(int);\nint main() {\n  int value = 7, got = 0;\n"
                             "  const int by_address = cudaMemcpyToSymbol(c, &value, 4);\n  cudaMemcpyFromSymbol(&got, c, 4);\n"
                             '  printf("%d %d %s %d\\n", by_address, got, cudaGetErrorName(cudaMemcpyToSymbol("c", &value, 4)), second(value));\n  return 0;\n}\n')
        self.write("two.cu", "static __constant__ int c;\nstatic __constant__ int d;\n__global__ void f(int* to) { *to = c + d; }\n"
                             'int second(int value) { return cudaMemcpyToSymbol("d", &value, 4); }\n')
        self.nvcc("one.cu", "two.cu", "-o", "ambiguous")
        done = self.run_program("./ambiguous", TESLASIM_MODE="functional")
        self.assertEqual(done.stdout, "0 7 cudaErrorDuplicateVariableName 0\n")
        self.assertIn("several files of the program have a variable 'c'", done.stderr)

    def test_missing_functions_are_named_when_it_is_linked(self):
        self.write("handle.cu", 'extern "C" int cudaIpcCloseMemHandle(void*);\nint main() { return cudaIpcCloseMemHandle(nullptr); }\n')
        self.assertIn("cudaIpcCloseMemHandle", self.nvcc("handle.cu", "-o", "handle", status=1).stderr)

    def test_headers_of_a_toolkit_do_not_replace_ours(self):
        toolkit = pathlib.Path(self.folder.name, "toolkit")
        toolkit.mkdir()
        for name in ("cuda_runtime.h", "cuda_runtime_api.h", "vector_types.h"):
            (toolkit / name).write_text("#error of a toolkit\n", encoding="utf-8")
        (toolkit / "other.h").write_text("#define OTHER 3\n", encoding="utf-8")
        (toolkit / "string.h").write_text("#error of a toolkit\n", encoding="utf-8")
        self.write("mixed.cu", '#include <cuda_runtime.h>\n#include "other.h"\n__global__ void set(int* to) { *to = OTHER; }\nint main() { return OTHER - 3; }\n')
        self.write("host.cpp", '#include <cuda_runtime.h>\n#include <other.h>\nint host() { return cudaThreadSynchronize() + OTHER; }\n')
        for words in (["-I", "toolkit"], ["-Itoolkit"], ["-Xcompiler", "-Itoolkit"], ["-isystem", "toolkit"]):
            with self.subTest(words=words):
                self.nvcc("mixed.cu", "host.cpp", "-o", "mixed", *words)
        done = subprocess.run([TESLASIM, "cc", "-I", "toolkit", "mixed.cu", "-o", "mixed.cubin"], cwd=self.folder.name, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_programs_in_c_of_1990_may_include_them(self):
        headers = pathlib.Path(__file__).resolve().parents[2] / "frontend/cuda/include"
        source = pathlib.Path(self.folder.name, "old.c")
        for header in "cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "cuComplex.h", "cuda_profiler_api.h", "vector_types.h":
            source.write_text(f'#include "{header}"\nint main(void) {{ return 0; }}\n')
            done = subprocess.run(["cc", "-ansi", "-fsyntax-only", "-I", headers, source], capture_output=True, text=True, check=False)
            self.assertEqual((0, ""), (done.returncode, "".join(line for line in done.stderr.splitlines() if "error" in line)), header)

    def test_our_own_headers_may_be_named(self):
        self.write("own.cu", "#include <cuda_runtime.h>\nint main() { return TESLASIM_CUDA_HEADERS - 1; }\n")
        own = ROOT / "frontend/cuda/include"
        self.assertIn(f"-I{own}", self.nvcc("own.cu", "-o", "own", "-dryrun", "-I", own).stderr)

    def test_what_is_not_here_is_refused(self):
        self.assertIn("CUDA-UNSUPPORTED", self.nvcc("a.cu", "-dc", status=2).stderr)
        self.assertIn("release 4.2", self.nvcc("--version").stdout)


class SampledBlocks(WithFolder):
    """Long launches: the first blocks in time, the others by function."""
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = compiled(cls.folder.name, "many_blocks")

    def totals(self, name, launches, **variables):
        out = pathlib.Path(self.folder.name, name)
        done = self.run_program(self.program, str(launches), TESLASIM_MACHINE="gtx280", TESLASIM_OUT=str(out), **variables)
        self.assertEqual(done.stdout.splitlines()[-1], "ok")
        with open(out / "launches.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        return json.loads((out / "program.json").read_text(encoding="utf-8")), rows, done.stderr

    def test_times_are_near_and_results_right(self):
        whole, whole_rows, _ = self.totals("whole", 1)
        program, rows, told = self.totals("blocks", 1, TESLASIM_SAMPLE="blocks=8")
        self.assertNotIn("sample", whole)
        self.assertEqual((whole_rows[0]["mode"], whole_rows[0]["timed_blocks"]), ("timing", "4001"))
        blocks = program["sample"]["blocks"]
        self.assertEqual((blocks["waves"], blocks["launches"], blocks["timed"] + blocks["function"]), (8, 1, 4001))
        self.assertEqual((rows[0]["mode"], int(rows[0]["timed_blocks"])), ("sampled", blocks["timed"]))
        self.assertAlmostEqual(float(rows[0]["bound_ms"]), program["sample"]["kernel_ms_bound"])
        self.assertLess(float(rows[0]["cycles"]), 0.7 * float(whole_rows[0]["cycles"]))
        self.assertLess(abs(program["kernel_ms"] - whole["kernel_ms"]), max(program["sample"]["kernel_ms_bound"], 0.02 * whole["kernel_ms"]))
        self.assertEqual(program["warp_instructions"], whole["warp_instructions"])
        self.assertEqual(int(rows[0]["warp_instructions"]) + int(rows[0]["function_warp_instructions"]), whole["warp_instructions"])
        self.assertIn(f"(sample: {blocks['timed']} of 4001 blocks of 1 launches in time, +-", told)
        self.assertIn("SAMPLED", pathlib.Path(self.folder.name, "blocks/summary.txt").read_text(encoding="utf-8"))
        self.assertEqual(program["digest"], self.totals("threads", 1, TESLASIM_SAMPLE="blocks=8", TESLASIM_THREADS="3")[0]["digest"])

    def test_blocks_and_launches(self):
        program, rows, _ = self.totals("both", 6, TESLASIM_SAMPLE="2,20,blocks=8")
        self.assertEqual([row["mode"] for row in rows], ["sampled"] * 2 + ["extrapolated"] * 4)
        sample = program["sample"]
        self.assertEqual((sample["timed"], sample["extrapolated"], sample["blocks"]["launches"]), (2, 4, 2))
        self.assertGreaterEqual(sample["kernel_ms_bound"], 2 * float(rows[0]["bound_ms"]))
        times = [float(row["ms"]) for row in rows]
        for time in times:
            self.assertLess(abs(time / times[0] - 1), 0.02)

    def test_the_watchdog_sees_the_extrapolated_time(self):
        whole, _, _ = self.totals("seen", 1, TESLASIM_SAMPLE="blocks=8")
        limit = 0.8 * whole["kernel_ms"] / 1000
        done = self.run_program(self.program, "1", status=1, TESLASIM_MACHINE="gtx280", TESLASIM_SAMPLE="blocks=8",
                                TESLASIM_SET=f"board.kernel_limit_s={limit}")
        self.assertIn("on the board (board.kernel_limit_s)", done.stderr)

    def test_rules_that_are_none(self):
        for variables in ({"TESLASIM_SAMPLE": "blocks=2"}, {"TESLASIM_SAMPLE": "blocks,3"}, {"TESLASIM_SAMPLE": "blocks", "TESLASIM_MODE": "functional"},
                          {"TESLASIM_SAMPLE": "blocks", "TESLASIM_RECORD": "traces"}):
            with self.subTest(variables=variables):
                self.assertIn("error[CLI-VALUE]", self.run_program(self.program, status=2, **variables).stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
