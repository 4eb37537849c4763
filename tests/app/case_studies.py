# SPDX-License-Identifier: Apache-2.0
"""The published case studies at small sizes: what does not depend on the size. docs/case-studies has the sizes of the papers.

TESLASIM_LONG_TESTS in the environment: those of Zhang & Owens 2011 that have a published figure, at their sizes.
"""
import json
import os
import pathlib
import struct
import unittest

from cli import Cli

TRACES = pathlib.Path(__file__).resolve().parents[2] / "traces"
LONG = "TESLASIM_LONG_TESTS" in os.environ
ONE_SM = ("-s", "gpu.tpcs=1", "-s", "gpu.sms_per_tpc=1")


class Case_studies(Cli):
    def run_kernel(self, name, *extra, machine="gtx285"):
        folder = name.split(".")[0]
        done = self.expect(0, "run", str(TRACES / folder / f"{name}.launch.toml"), "-c", machine, "--no-out", "-q", "--json", "-", *extra)
        stats = json.loads(done.stdout)
        self.assertTrue(stats["launches"][-1]["outputs"]["ok"])
        return {launch["kernel"]: launch for launch in stats["launches"]}

    def predict(self, name, *extra, machine="gtx285", file=""):
        done = self.expect(0, "models", str(TRACES / name / f"{file or name}.launch.toml"), "-c", machine, "--json", "-", *extra)
        return {launch["kernel"]: {row["model"]: row for row in launch["predictions"]} for launch in json.loads(done.stdout)["launches"]}

    def test_matrix_multiply(self):
        """Zhang & Owens 2011, Table 2 and section 5.1."""
        launches = self.run_kernel("matmul_volkov", *ONE_SM)
        self.assertEqual([launch["occupancy"]["ctas_per_sm"] for launch in launches.values()], [8, 8, 3])
        self.assertEqual([launch["occupancy"]["warps"] for launch in launches.values()], [16, 16, 6])
        self.expect(0, "calibrate", "-c", "gtx285", *ONE_SM, "-q")
        bounds = {kernel: rows["zhang-owens"]["bound"] for kernel, rows in self.predict("matmul_volkov", *ONE_SM).items()}
        self.assertEqual(bounds, {"volkov8": "instruction pipeline", "volkov16": "instruction pipeline", "volkov32": "shared memory"})
        more = self.run_kernel("matmul_volkov", *ONE_SM, "-s", "gpu.max_ctas_per_sm=16")
        self.assertEqual(more["volkov8"]["occupancy"]["ctas_per_sm"], 16)

    @unittest.skipUnless(LONG, "takes minutes")
    def test_matrix_multiply_of_the_paper(self):
        """Section 5.1: 16x16 is the fastest and has 56 % of the peak; traffic falls by 45 and 40 %; what bounds 16x16 and 32x32."""
        launches = self.run_kernel("matmul_volkov.paper")
        peak_gflops, operations = 708.48, 2 * 1024 ** 3
        share = {kernel: 1e-4 * operations / launch["time"]["ms"] / peak_gflops for kernel, launch in launches.items()}
        self.assertEqual(max(share, key=share.get), "volkov16", share)
        self.assertAlmostEqual(share["volkov16"], 56, delta=5.6)
        traffic = [launch["global"]["bytes"] for launch in launches.values()]
        self.assertAlmostEqual(100 - 100 * traffic[1] / traffic[0], 45, delta=2)
        self.assertAlmostEqual(100 - 100 * traffic[2] / traffic[1], 40, delta=2)
        self.expect(0, "calibrate", "-c", "gtx285", "-q")
        bounds = {kernel: rows["zhang-owens"]["bound"] for kernel, rows in self.predict("matmul_volkov", file="matmul_volkov.paper").items()}
        self.assertEqual((bounds["volkov16"], bounds["volkov32"]), ("instruction pipeline", "shared memory"))

    @unittest.skipUnless(LONG, "takes minutes")
    def test_cyclic_reduction_of_the_paper(self):
        """Section 5.2: 1.6 times as fast without conflicts."""
        launches = self.run_kernel("cyclic_reduction.paper")
        self.assertAlmostEqual(launches["cr"]["time"]["ms"] / launches["cr_nbc"]["time"]["ms"], 1.6, delta=0.16)

    def test_multiply_adds_are_those_of_the_formula(self):
        """n^3 / 32 of them, whatever the size of the sub-matrices (section 5.1)."""
        self.expect(0, "run", str(TRACES / "matmul_volkov/matmul_volkov.launch.toml"), "-c", "gtx285", "--mode", "functional", "-q", "-o", "mm")
        count = {}
        for row in self.table("mm/pc.csv"):
            if row["text"].startswith(("mad.", "mac.")) and ".f32" in row["text"]:
                count[row["kernel"]] = count.get(row["kernel"], 0) + int(row["warp_issues"])
        self.assertEqual(count, {name: 128 ** 3 // 32 for name in ("volkov8", "volkov16", "volkov32")})

    def test_cyclic_reduction(self):
        """Section 5.2: one block per SM, conflicts double while threads halve, so that transactions stay the same."""
        inputs = {row["name"]: row["value"] for row in self.predict("cyclic_reduction")["cr"]["zhang-owens"]["inputs"]}
        systems, accesses, half_warps = 4, 16, 32
        for step in (1, 2, 3, 4):
            self.assertAlmostEqual(inputs[f"stage.{step}.shared_passes"], systems * accesses * half_warps, delta=systems * accesses)
        launches = self.run_kernel("cyclic_reduction")
        self.assertEqual([launch["occupancy"]["ctas_per_sm"] for launch in launches.values()], [1, 1])
        degrees = {degree for degree, count in launches["cr"]["shared"]["degree_hist"].items() if count}
        self.assertLessEqual({"1", "2", "4", "8", "16"}, degrees)
        self.assertLess(launches["cr_nbc"]["shared"]["replays"], launches["cr"]["shared"]["replays"] / 10)
        self.assertGreater(launches["cr"]["time"]["cycles"], 1.2 * launches["cr_nbc"]["time"]["cycles"])
        prime = self.run_kernel("cyclic_reduction", "-s", "sm.shared.banks=17")
        self.assertLess(prime["cr"]["shared"]["replays"], launches["cr"]["shared"]["replays"] / 50)

    def test_bottlenecks_of_cyclic_reduction(self):
        """Figure 6: the model with the transactions as the paper counts them, whole warps times the degree of the distance."""
        done = self.expect(0, "models", str(TRACES / "cyclic_reduction/cyclic_reduction.paper.launch.toml"), "-c", "gtx285",
                           "--model", "zhang-owens", "--json", "-")
        instruction, shared = "instruction pipeline", "shared memory"
        published = {"cr": ["global memory", instruction] + 8 * [shared], "cr_nbc": ["global memory"] + 9 * [instruction]}
        for launch in json.loads(done.stdout)["launches"]:
            inputs = {row["name"]: row["value"] for row in launch["predictions"][0]["inputs"]}
            for step in range(1, 10):
                degree = min(16, 2 ** step) if launch["kernel"] == "cr" else 1
                inputs[f"stage.{step}.shared_passes"] = 512 * 16 * 2 * max(1, 16 >> step) * degree
            self.write("given.toml", 'schema = "teslasim.model_inputs/1"\nmodel = "zhang-owens"\n[inputs]\n' +
                       "".join(f"{name} = {value}\n" for name, value in inputs.items()))
            given = json.loads(self.expect(0, "models", "--given", "given.toml", "--json", "-").stdout)["launches"][0]["predictions"][0]
            times = {row["name"]: row["value"] for row in given["terms"]}
            parts = {instruction: "instruction", shared: "shared", "global memory": "global"}
            found = [max(parts, key=lambda part, step=step: times[f"stage.{step}_{parts[part]}_ms"]) for step in range(10)]
            self.assertEqual(found, published[launch["kernel"]], launch["kernel"])

    def test_early_release(self):
        """Section 5.2: a block most of whose warps have finished makes room for the next one."""
        self.kernel("tail", """\
.entry tail
{
.param ptr out
    and.b32 $r1, $r0, 0x0000ffff
    mov.b32 $r2, 32
    set.ge.u32 $p0|$o127, $r1, $r2
@$p0.ne return
    mov.b32 $r3, 400
    mov.b32 $r4, 1
again:
    sub.u32 $p1|$r3, $r3, $r4
@$p1.ne bra.label again
    mov.u32.u16 $r2, %ctaid.x
    shl.u32 $r2, $r2, 5
    add.u32 $r2, $r2, $r1
    shl.u32 $r2, $r2, 2
    add.u32 $r2, s[out], $r2
    mov.u32 g[$r2], $r4
    return
}
""", grid=8, param='dynamic_shared_bytes = 9000\nparam = [{ name = "out", type = "u32", count = 256, init = "zero" }]\n')
        cycles = {}
        for policy in ("wave", "in_order", "per_cta", "early"):
            stats = json.loads(self.expect(0, "run", "tail.asm", "-c", "tiny", "-s", f"gpu.cta_replacement={policy}", "--no-out", "-q",
                                           "--json", "-", "--dump", f"out={policy}.npy").stdout)
            self.assertEqual(stats["launches"][0]["occupancy"]["ctas_per_sm"], 1)
            cycles[policy] = stats["launches"][0]["time"]["cycles"]
            self.assertEqual((self.here / f"{policy}.npy").read_bytes()[-1024:], b"\x01\x00\x00\x00" * 256)
        self.assertEqual(cycles["in_order"], cycles["per_cta"])
        self.assertLess(cycles["early"], 0.7 * cycles["per_cta"])
        self.assertLessEqual(cycles["per_cta"], cycles["wave"] * 1.05)

    def test_blocks_of_different_lengths(self):
        """Aila & Laine 2009 lost time in the distribution of rays of different lengths. Any free slot loses none, waves most."""
        self.kernel("rays", """\
.entry rays
{
.param ptr out
    mov.u32.u16 $r2, %ctaid.x
    mov.b32 $r3, 40503
    mul24.lo.u32 $r3, $r2, $r3
    shr.u32 $r3, $r3, 6
    and.b32 $r3, $r3, 0x0000001f
    add.u32 $r3, $r3, 1
    mov.b32 $r5, 40
    mul24.lo.u32 $r3, $r3, $r5      // 1 to 32 times 40 trips
    mov.b32 $r4, 1
again:
    mad.rn.f32 $r6, $r6, $r6, $r6
    mad.rn.f32 $r6, $r6, $r6, $r6
    mad.rn.f32 $r6, $r6, $r6, $r6
    mad.rn.f32 $r6, $r6, $r6, $r6
    sub.u32 $p1|$r3, $r3, $r4
@$p1.ne bra.label again
    return
}
""", grid=1200, param='param = [{ name = "out", type = "u32", count = 1, init = "zero" }]\n')
        cycles = {}
        for policy in ("wave", "in_order", "per_cta"):
            done = self.expect(0, "run", "rays.asm", "-c", "gtx285", "-s", f"gpu.cta_replacement={policy}", "--no-out", "-q", "--json", "-")
            cycles[policy] = json.loads(done.stdout)["launches"][0]["time"]["cycles"]
        self.assertLess(1.05 * cycles["per_cta"], cycles["in_order"], cycles)
        self.assertLess(1.05 * cycles["in_order"], cycles["wave"], cycles)

    def test_sparse_matrix(self):
        """Section 5.3: the vector is read from memory or as a texture; transactions of 16 bytes move less."""
        launches = self.run_kernel("spmv")
        smaller = self.run_kernel("spmv", "-s", "coalescing.rules=cc12_16")
        for kernel, launch in launches.items():
            self.assertEqual(launch["global"]["transactions"]["16"], 0)
            self.assertLessEqual(smaller[kernel]["global"]["bytes"], launch["global"]["bytes"])
        self.assertGreater(smaller["ell"]["global"]["transactions"]["16"], 0)
        self.assertLess(smaller["ell"]["global"]["bytes"], launches["ell"]["global"]["bytes"])
        self.assertLess(launches["belliv"]["global"]["bytes"], launches["bell"]["global"]["bytes"])
        self.assertLess(launches["bell"]["global"]["bytes"], launches["ell"]["global"]["bytes"])
        self.assertEqual(len(self.run_kernel("spmv.texture")), 3)
        done = self.expect(0, "models", str(TRACES / "spmv/spmv.texture.launch.toml"), "-c", "gtx285", "--json", "-")
        for launch in json.loads(done.stdout)["launches"]:
            self.assertGreater({row["model"]: row for row in launch["predictions"]}["roofline"]["ms"], 0.0)

    def test_the_example_of_a_factorisation(self):
        """Ye 2009, appendix B: R, but for the signs of its rows."""
        matrix = (1, 3, 2, 1, 1, 1, 4, 1, 1, 3, 4, 1, 1, 1, 2, -3)
        (self.here / "a.raw").write_bytes(struct.pack("<16f", *matrix))
        self.expect(0, "run", str(TRACES / "givens_qr/givens_qr.asm"), "-c", "gtx285", "--grid", "1", "--block", "4", "--no-out", "-q",
                    "--param", "a=f32[16]:./a.raw", "--param", "n=4", "--dump", "a=r.npy")
        r = struct.unpack("<16f", (self.here / "r.npy").read_bytes()[-64:])
        published = ((-2, -4, -6, 0), (0, 2, 0, 2), (0, 0, -2, -2), (0, 0, 0, -2))
        for row, wanted in enumerate(published):
            sign = 1 if r[5 * row] * wanted[row] > 0 else -1
            for column in range(4):
                self.assertAlmostEqual(sign * r[4 * row + column], wanted[column], places=4)
