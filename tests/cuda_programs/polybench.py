# SPDX-License-Identifier: Apache-2.0
"""PolyBench-GPU as cases: sizes are macros, and every program compares the device's results with the host's."""
import re

from suite_case import Case, Wrong

# Sizes for the functional mode and for timing. What is not here has 128 and 48 for every macro of its header.
SIZES = {
    "ADI": ({"N": 128, "TSTEPS": 1}, {"N": 48, "TSTEPS": 1}),
    "FDTD-2D": ({"NX": 128, "NY": 128, "TMAX": 8}, {"NX": 64, "NY": 64, "TMAX": 2}),
    "JACOBI1D": ({"N": 4096, "TSTEPS": 20}, {"N": 1024, "TSTEPS": 2}),
    "JACOBI2D": ({"N": 128, "TSTEPS": 10}, {"N": 64, "TSTEPS": 2}),
    "3DCONV": ({"NI": 48, "NJ": 48, "NK": 48}, {"NI": 24, "NJ": 24, "NK": 24}),
    "CORR": ({"M": 256, "N": 256},) * 2,   # grids are rounded down: less than 256 makes them empty
    "COVAR": ({"M": 256, "N": 256},) * 2,
    "LU": ({"N": 128},) * 2,  # at 48, 15 results differ for the products that are cut
    "GEMVER": ({"N": 512}, {"N": 256}),
    "GESUMMV": ({"N": 256}, {"N": 64}),
}
RACES = {"MVT": "eight warps add to the same words"}
MACRO = re.compile(r"^\s*#\s*define\s+([A-Z][A-Z]?|TSTEPS|TMAX)\s+\d+", re.M)
PROGRAM = re.compile(r"\w+\.exe")
MISMATCHES = re.compile(r"(?:Non-Matching CPU-GPU Outputs[^:]*|Number of misses): (\d+)")


def macros(folder):
    return sorted({name for header in folder.glob("*.cuh") for name in MACRO.findall(header.read_text(encoding="utf-8", errors="replace"))})


class PolybenchCase(Case):
    def __init__(self, source):
        super().__init__("PolyBench", source.name)
        self.source = source
        self.needs_timing = RACES.get(self.name, "")

    def prepare(self, scratch, is_timed):
        self.copy_tree(self.source.parent.parent / "common", scratch / "common")
        self.folder = scratch / "CUDA" / self.name
        self.copy_tree(self.source, self.folder)
        (scratch / "CUDA/common.mk").write_bytes((self.source.parent / "common.mk").read_bytes())
        names = macros(self.source)
        sizes = SIZES.get(self.name, (dict.fromkeys(names, 128), dict.fromkeys(names, 48)))[1 if is_timed else 0]
        # With N defined, the headers define no size themselves.
        sizes = {"N": 1, **sizes}
        code = next(self.source.glob("*.cu")).name
        self.replace_sizes(self.folder / code, sizes)
        # The makefiles write `nvcc -O3 ${CUFILES}`: that is where sizes go in.
        self.make = [f"CUFILES={' '.join(f'-D{name}={value}' for name, value in sizes.items())} {code}"]
        self.command = ["./" + PROGRAM.search((self.folder / "Makefile").read_text(encoding="utf-8")).group()]

    @staticmethod
    def replace_sizes(path, sizes):
        """One program defines its sizes itself."""
        text = path.read_text(encoding="utf-8", errors="replace")
        for name, value in sizes.items():
            text = re.sub(rf"^#define {name} \d+", f"#define {name} {value}", text, flags=re.M)
        path.write_text(text, encoding="utf-8")

    def check(self, output):
        found = MISMATCHES.findall(output)
        if not found:
            raise Wrong("its checker printed nothing")
        if any(number != "0" for number in found):
            raise Wrong(f"its checker found {', '.join(found)} mismatches")
        return f"0 mismatches in {len(found)} array{'s' if len(found) > 1 else ''}"


def cases(root):
    folder = root / "polybench/CUDA"
    return [PolybenchCase(source) for source in sorted(folder.iterdir()) if source.is_dir()] if folder.is_dir() else []
