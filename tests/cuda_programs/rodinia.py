# SPDX-License-Identifier: Apache-2.0
"""Twelve Rodinia programs as cases. Their makefiles find a toolkit by CUDA_DIR; few of them check themselves, so results are
compared with the same computation in Python, or in C of the suite."""
import array
import re
import subprocess

import rodinia_inputs as inputs
from suite_case import Case, Wrong


def floats_of(text):
    return [float(word) for word in text.split()]


def expect_close(got, expected, relative, absolute=0.0):
    if len(got) != len(expected):
        raise Wrong(f"{len(got)} results instead of {len(expected)}")
    for place, (one, other) in enumerate(zip(got, expected)):
        if not abs(one - other) <= absolute + relative * abs(other):
            raise Wrong(f"result {place} is {one}, expected {other}")
    return f"{len(got)} results as computed in Python"


class RodiniaCase(Case):
    place = None  # below cuda/, when it is not the name

    def __init__(self, root, name):
        super().__init__("Rodinia", name)
        self.root = root

    def prepare(self, scratch, is_timed):
        for folder in ("common", "cuda/util", f"cuda/{self.name}"):
            self.copy_tree(self.root / folder, scratch / folder)
        self.folder = scratch / "cuda" / (self.place or self.name)
        # timing.h lies there, and not every makefile says so.
        self.environment = {"CPATH": str(scratch / "cuda/util")}
        self.set_up(is_timed)

    def set_up(self, is_timed):
        raise NotImplementedError

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def read(self, name):
        path = self.folder / name
        if not path.is_file():
            raise Wrong(f"it wrote no {name}")
        return path.read_text(encoding="utf-8", errors="replace")

    def replace(self, name, old, new):
        text = (self.folder / name).read_text(encoding="utf-8", errors="replace")
        if old not in text:
            raise Wrong(f"{name} has no '{old}'")
        self.write(name, text.replace(old, new))


class Backprop(RodiniaCase):
    """Writes the trained weights before it frees them; bpnn_train of its C half makes those to compare with."""

    SAVE = """{
    FILE* file = fopen("net.out", "wb");
    for (i = 0; i <= net->input_n; ++i) fwrite(net->input_weights[i], sizeof(float), net->hidden_n + 1, file);
    for (i = 0; i <= net->hidden_n; ++i) fwrite(net->hidden_weights[i], sizeof(float), net->output_n + 1, file);
    fclose(file);
  }
  """

    def set_up(self, is_timed):
        self.inputs = 256 if is_timed else 2048
        self.replace("facetrain.c", "bpnn_free(net);", self.SAVE + "bpnn_free(net);")
        self.make = ["backprop"]
        self.command = ["./backprop", str(self.inputs)]

    def after_build(self):
        flags = ["-O2", "-w", "-Dbpnn_train_cuda=bpnn_train"]
        self.write("host_main.c", "int setup(int, char**);\nint main(int argc, char** argv) { return setup(argc, argv); }\n")
        subprocess.run(["gcc", *flags, "host_main.c", "facetrain.c", "backprop.c", "imagenet.c", "-o", "on_host", "-lm"], cwd=self.folder, check=True)
        subprocess.run(["./on_host", str(self.inputs)], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        (self.folder / "net.out").rename(self.folder / "net.host")

    def check(self, output):
        nets = []
        for name in ("net.out", "net.host"):
            path = self.folder / name
            if not path.is_file():
                raise Wrong(f"it wrote no {name}")
            values = array.array("f")
            values.frombytes(path.read_bytes())
            nets.append(values)
        expect_close(nets[0], nets[1], 1e-3, 1e-4)
        return f"{len(nets[0])} weights as trained by its own C code"


class BreadthFirst(RodiniaCase):
    def set_up(self, is_timed):
        text, self.ends = inputs.graph(600 if is_timed else 6000, 6)
        self.write("graph.txt", text)
        self.command = ["./bfs.out", "graph.txt"]

    def check(self, output):
        return expect_close([int(cost) for cost in re.findall(r"cost:(-?\d+)", self.read("result.txt"))], inputs.distances(self.ends), 0)


class Gaussian(RodiniaCase):
    def set_up(self, is_timed):
        # Its own switch, which prints the solution.
        self.replace("gaussian.cu", "int verbose = 0;", "int verbose = 1;")
        text, self.solution = inputs.equations(24 if is_timed else 96)
        self.write("equations.txt", text)
        self.command = ["./gaussian", "-f", "equations.txt"]

    def check(self, output):
        # It prints two decimals.
        return expect_close(floats_of(re.search(r"The final solution is: *\n(.*)", output).group(1)), self.solution, 0.0, 0.0101)


class Hotspot(RodiniaCase):
    def set_up(self, is_timed):
        self.size, self.steps = 64, 2 if is_timed else 20
        self.temperatures = inputs.numbers(self.size ** 2, 320, 345, 4)
        self.powers = inputs.numbers(self.size ** 2, 0, 0.05, 5)
        self.write("temp", inputs.column(self.temperatures))
        self.write("power", inputs.column(self.powers))
        self.command = ["./hotspot", str(self.size), "2", str(self.steps), "temp", "power", "output.out"]

    def check(self, output):
        got = [float(line.split()[1]) for line in self.read("output.out").splitlines()]
        return expect_close(got, inputs.hotspot(self.temperatures, self.powers, self.size, self.steps), 1e-5)


class Hotspot3D(RodiniaCase):
    def set_up(self, is_timed):
        size, layers = 64, 2 if is_timed else 8
        # The makefile includes a file of its author's home.
        self.replace("Makefile", "~/rodinia_3.0/common/make.config", "../../common/make.config")
        self.write("temp", inputs.column(inputs.numbers(size * size * layers, 320, 345, 6)))
        self.write("power", inputs.column(inputs.numbers(size * size * layers, 0, 0.05, 7)))
        self.command = ["./3D", str(size), str(layers), "2" if is_timed else "10", "power", "temp", "output.out"]

    def check(self, output):
        accuracy = float(re.search(r"Accuracy: (\S+)", output).group(1))
        if not accuracy < 1e-3:
            raise Wrong(f"its own accuracy is {accuracy}")
        return f"its own accuracy: {accuracy:.1e}"


class Kmeans(RodiniaCase):
    def set_up(self, is_timed):
        text, self.means = inputs.clusters(500 if is_timed else 4000, 8, 5)
        self.write("points.txt", text)
        self.make = ["kmeans"]
        self.command = ["./kmeans", "-o", "-i", "points.txt"]

    def check(self, output):
        centres = [floats_of(line) for line in re.findall(r"^\d+:((?: -?[\d.]+)+)", output, re.M)]
        return expect_close([value for centre in sorted(centres) for value in centre], [value for mean in sorted(self.means) for value in mean], 1e-4, 0.006)


class Decomposition(RodiniaCase):
    place = "lud/cuda"

    def set_up(self, is_timed):
        self.command = ["./lud_cuda", "-s", "32" if is_timed else "128", "-v"]

    def check(self, output):
        mismatches = re.findall(r"dismatch at.*", output)
        if ">>>Verify<<<<" not in output or mismatches:
            raise Wrong(f"its own check: {mismatches[0] if mismatches else 'printed nothing'}")
        return "its own check found no difference"


class NearestNeighbours(RodiniaCase):
    def set_up(self, is_timed):
        self.records = inputs.hurricanes(500 if is_timed else 6000)
        self.write("hurricanes.db", "\n".join(self.records) + "\n")
        self.write("filelist", "hurricanes.db\n")
        self.make = ["nn"]
        self.command = ["./nn", "filelist", "-r", "5", "-lat", "30", "-lng", "90"]

    def check(self, output):
        return expect_close([float(word) for word in re.findall(r"Distance=([\d.]+)", output)], inputs.nearest(self.records, 30, 90, 5), 1e-5)


class Needleman(RodiniaCase):
    def set_up(self, is_timed):
        self.size = 64 if is_timed else 256
        self.make = ["KERNEL_DIM=-DTRACEBACK"]
        self.command = ["./needle", str(self.size), "10"]

    def check(self, output):
        score = int(self.read("result.txt").split("GPU:")[1].split()[0])
        # The printed element is the last but one of the diagonal.
        return expect_close([score], [inputs.needleman_wunsch(self.read("needle.cu"), self.size, self.size - 1, 10)], 0)


class Pathfinder(RodiniaCase):
    def set_up(self, is_timed):
        self.columns, self.rows = (400, 10) if is_timed else (3000, 40)
        self.make = ["SRC=-DBENCH_PRINT pathfinder.cu"]
        self.command = ["./pathfinder", str(self.columns), str(self.rows), "8"]

    def check(self, output):
        lines = [[int(word) for word in line.split()] for line in output.splitlines() if re.fullmatch(r"(\d+ )+", line)]
        if len(lines) != self.rows + 2:
            raise Wrong(f"{len(lines)} lines of numbers instead of {self.rows + 2}")
        return expect_close(lines[-1], inputs.cheapest_paths(lines[:self.rows]), 0)


class Speckles(RodiniaCase):
    """Its kernels read a row in front of the image and one behind it, and do not use them."""

    place = "srad/srad_v2"

    def __init__(self, root, name):
        super().__init__(root, "srad")

    def set_up(self, is_timed):
        self.size, self.steps = (32, 1) if is_timed else (96, 4)
        self.make = ["KERNEL_DIM=-DOUTPUT"]
        self.environment["TESLASIM_BOUNDS"] = "board"
        self.command = ["./srad", str(self.size), str(self.size), "0", "15", "0", "15", "0.5", str(self.steps)]

    def check(self, output):
        got = floats_of(output.split("Printing Output:")[1].split("Computation Done")[0])
        expected = inputs.speckle_reducing(self.size, self.size, (0, 15, 0, 15), 0.5, self.steps)
        return expect_close(got, [value for row in expected for value in row], 1e-4, 1e-5) + ", with TESLASIM_BOUNDS=board"


class Streamcluster(RodiniaCase):
    """Chooses medians of its own random points; the suite's version for the host chooses from the same."""

    def set_up(self, is_timed):
        points = 256 if is_timed else 1024
        self.arguments = ["3", "6", "16", str(points), str(points), "100", "none"]
        self.command = ["./sc_gpu", *self.arguments, "output.txt", "1"]

    def after_build(self):
        subprocess.run(["g++", "-O2", "-w", "-fpermissive", "-std=gnu++11", "streamcluster_original.cpp", "-o", "on_host", "-lpthread"], cwd=self.folder, check=True)
        subprocess.run(["./on_host", *self.arguments, "host.txt", "1"], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)

    def check(self, output):
        got, expected = floats_of(self.read("output.txt")), floats_of(self.read("host.txt"))
        expect_close(got, expected, 1e-4, 1e-4)
        return f"{len(got)} numbers as its version for the host writes"


CASES = {"backprop": Backprop, "bfs": BreadthFirst, "gaussian": Gaussian, "hotspot": Hotspot, "hotspot3D": Hotspot3D, "kmeans": Kmeans,
         "lud": Decomposition, "nn": NearestNeighbours, "nw": Needleman, "pathfinder": Pathfinder, "srad": Speckles, "streamcluster": Streamcluster}


def cases(root):
    folder = root / "rodinia"
    return [make(folder, name) for name, make in CASES.items()] if folder.is_dir() else []
