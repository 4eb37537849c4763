# SPDX-License-Identifier: Apache-2.0
"""Include audit: a layer includes only the layers it depends on, and only the libraries it is linked with.

usage: includes.py LAYERS_TXT     (the file that cmake/Layer.cmake writes into the build folder)

Rules: `#include "..."` is relative to the project's root, exists, and belongs to the same layer or to a layer named in
its DEPENDS; third-party headers stand in .cpp files of layers that link them; SystemC is seen by the layers that say
SYSTEMC, by sim/gpu and by main.cpp (which starts it), and by no others.
"""
import pathlib
import re
import sys

import project

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
# Header prefix -> the word in TESLASIM_LIBRARIES_<layer> (cmake/Layer.cmake) that permits it.
LIBRARY_OF_HEADER = {
    "toml++/": "tomlplusplus",
    "nlohmann/": "nlohmann_json",
    "spdlog/": "spdlog",
    "fmt/": "fmt",
    "boost/": "Boost",
    "xxhash": "XXHASH",
    "protozero/": "protozero",
    "zlib.h": "ZLIB",
    "httplib.h": "httplib",
}
CUDA_HEADERS = "frontend/cuda/"
SYSTEMC = re.compile(r"^(systemc|sysc/|tlm)")
TEST_LIBRARIES = re.compile(r"^(gtest|gmock|rapidcheck|benchmark)(/|\.h)")


class Layers:
    def __init__(self, text):
        self.folder, self.depends = {}, {}
        for line in text.splitlines():
            words = line.replace(";", " ").split()
            if words:
                self.folder[words[0]] = words[1]
                self.depends[words[0]] = set(words[2:])

    def layer_of(self, path):
        """The layer with the longest folder that holds `path`, or None."""
        inside = [name for name, folder in self.folder.items() if str(path).startswith(folder + "/")]
        return max(inside, key=lambda name: len(self.folder[name]), default=None)

    def may_include(self, layer, other):
        return other == layer or other in self.depends[layer]

    def sees_systemc(self, layer):
        """The time engine, and the floor plan that is built with it; nothing above needs SystemC itself."""
        return layer == "gpu" or "SYSTEMC" in self.depends[layer]

    def problems(self):
        """A layer may depend only on layers declared before it: so there are no circles."""
        seen, complaints = {"SYSTEMC"}, []
        for name, depends in self.depends.items():
            complaints += [f"layers: {name} depends on {other}, which is not below it" for other in sorted(depends - seen)]
            seen.add(name)
        return complaints


def libraries_of_layers(layer_cmake):
    pattern = re.compile(r"set\(TESLASIM_(?:OWN_)?LIBRARIES_(\w+)\s+([^)]*)\)")
    libraries = {}
    for name, words in pattern.findall(layer_cmake):
        libraries[name] = f"{libraries.get(name, '')} {words}"
    return libraries


def check_own(root, layers, path, header):
    layer, other = layers.layer_of(path), layers.layer_of(header)
    # Tests may include what lies beside them; headers of CUDA C must, as users have one include folder of them.
    if (layer is None or str(path).startswith(CUDA_HEADERS)) and (root / path.parent / header).is_file():
        return None
    if not (root / header).is_file():
        return f"{path}: \"{header}\" does not exist (includes are relative to the project's root)"
    if layer is None:  # tests and benches may include any layer
        return None
    if other is None:
        return f"{path}: layer '{layer}' includes \"{header}\", which belongs to no layer"
    if not layers.may_include(layer, other):
        return f"{path}: layer '{layer}' must not include layer '{other}' (\"{header}\")"
    return None


def check_foreign(layers, libraries, path, header):
    layer = layers.layer_of(path)
    if layer is None:
        return None
    if TEST_LIBRARIES.match(header):
        return f"{path}: <{header}> belongs into tests/ and benches/"
    if SYSTEMC.match(header):
        if layers.sees_systemc(layer) or str(path) == "sim/app/main.cpp":
            return None
        return f"{path}: layer '{layer}' must not see SystemC (<{header}>)"
    for prefix, library in LIBRARY_OF_HEADER.items():
        if header.startswith(prefix):
            if path.suffix != ".cpp":
                return f"{path}: <{header}> only in .cpp files"
            if library not in libraries.get(layer, ""):
                return f"{path}: layer '{layer}' does not link {library} (<{header}>)"
    return None


def audit(root, layers, libraries):
    complaints = layers.problems()
    for path in project.files(root, project.CPP + (".def",)):
        for bracket, header in INCLUDE.findall(project.read(root, path)):
            if bracket == '"':
                complaints.append(check_own(root, layers, path, header))
            else:
                complaints.append(check_foreign(layers, libraries, path, header))
    return [complaint for complaint in complaints if complaint]


def main():
    root = project.project_root()
    layers = Layers(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    libraries = libraries_of_layers(project.read(root, "cmake/Layer.cmake"))
    project.finish("include audit", audit(root, layers, libraries))


if __name__ == "__main__":
    main()
