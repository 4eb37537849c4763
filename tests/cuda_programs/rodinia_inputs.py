# SPDX-License-Identifier: Apache-2.0
"""Small inputs for the Rodinia programs, and what they must compute of them.

usage: rodinia_inputs.py FOLDER   writes graph.txt, temp.txt, power.txt, points.txt, hurricanes.db, ... for runs by hand
"""
import collections
import ctypes
import math
import pathlib
import random
import re
import sys


def libc_random(seed):
    """The numbers that the programs draw with srand() and rand()."""
    libc = ctypes.CDLL("libc.so.6")
    libc.srand(seed)
    return libc.rand


RAND_MAX = 2147483647


def graph(nodes, degree, seed=1):
    """Rodinia's text form: nodes, (first edge, edges) of each, source, edges, (end, cost) of each."""
    generator = random.Random(seed)
    ends = [[generator.randrange(nodes) for _ in range(generator.randint(1, 2 * degree - 1))] for _ in range(nodes)]
    lines, first = [str(nodes)], 0
    for node in ends:
        lines.append(f"{first} {len(node)}")
        first += len(node)
    lines += ["", "0", "", str(first)]
    lines += [f"{end} 1" for node in ends for end in node]
    return "\n".join(lines) + "\n", ends


def distances(ends):
    found, waiting = {0: 0}, collections.deque([0])
    while waiting:
        node = waiting.popleft()
        for end in ends[node]:
            if end not in found:
                found[end] = found[node] + 1
                waiting.append(end)
    return [found.get(node, -1) for node in range(len(ends))]


def numbers(count, low, high, seed):
    generator = random.Random(seed)
    return [round(generator.uniform(low, high), 6) for _ in range(count)]


def column(values):
    return "".join(f"{value:.6f}\n" for value in values)


def hotspot(temperatures, powers, size, steps):
    """Explicit steps of the heat equation of a chip, with the constants of hotspot.cu."""
    height = width = 0.016
    thickness, conductivity, ambient = 0.0005, 100.0, 80.0
    cell_height, cell_width = height / size, width / size
    capacity = 0.5 * 1.75e6 * thickness * cell_width * cell_height
    rx = cell_width / (2.0 * conductivity * thickness * cell_height)
    ry = cell_height / (2.0 * conductivity * thickness * cell_width)
    rz = thickness / (conductivity * cell_height * cell_width)
    step = 0.001 / (3.0e6 / (0.5 * thickness * 1.75e6))
    now = list(temperatures)
    for _ in range(steps):
        following = []
        for y in range(size):
            for x in range(size):
                here = now[y * size + x]
                north, south = now[max(y - 1, 0) * size + x], now[min(y + 1, size - 1) * size + x]
                west, east = now[y * size + max(x - 1, 0)], now[y * size + min(x + 1, size - 1)]
                flow = powers[y * size + x] + (south + north - 2 * here) / ry + (east + west - 2 * here) / rx + (ambient - here) / rz
                following.append(here + step / capacity * flow)
        now = following
    return now


def clusters(points, features, centres, seed=2):
    """Points around well-separated centres; the first points are of different ones, because kmeans starts with them."""
    generator = random.Random(seed)
    middles = [[100.0 * (index + 1) + 7.0 * feature for feature in range(features)] for index in range(centres)]
    members = [[] for _ in range(centres)]
    lines = []
    for number in range(points):
        centre = number % centres
        point = [round(value + generator.uniform(-3, 3), 4) for value in middles[centre]]
        members[centre].append(point)
        lines.append(" ".join([str(number), *(f"{value:.4f}" for value in point)]))
    means = [[sum(values) / len(values) for values in zip(*group)] for group in members]
    return "\n".join(lines) + "\n", means


def hurricanes(count, seed=3):
    """Records of 49 characters, as hurricane_gen writes them."""
    generator = random.Random(seed)
    records = []
    for _ in range(count):
        records.append(f"{generator.randint(1950, 2004):4d} {generator.randint(1, 12):2d} {generator.randint(1, 28):2d} {generator.choice([0, 6, 12, 18]):2d} "
                       f"{generator.randint(1, 28):2d} {generator.choice(['ALBERTO', 'BERYL', 'CHRIS', 'DEBBY']):<9s} {generator.uniform(7, 70):5.1f} "
                       f"{generator.uniform(0, 358):5.1f} {generator.randint(10, 164):4d} {generator.randint(0, 899):4d}")
    return records


def nearest(records, latitude, longitude, count):
    found = []
    for record in records:
        found.append(math.hypot(float(record[28:33]) - latitude, float(record[33:39]) - longitude))
    return sorted(found)[:count]


def needleman_wunsch(source, drawn, size, penalty):
    """The score of the first `size` letters of needle.cu's own random sequences of `drawn`, with the table in its source."""
    table = re.search(r"blosum62\[24\]\[24\]\s*=\s*\{(.*?)\};", source, re.S).group(1)
    rows = [[int(word) for word in re.findall(r"-?\d+", row)] for row in re.findall(r"\{([^{}]*)\}", table)]
    rand = libc_random(7)
    vertical = [0] + [rand() % 10 + 1 for _ in range(drawn)]
    horizontal = [0] + [rand() % 10 + 1 for _ in range(drawn)]
    above = [-penalty * column_number for column_number in range(size + 1)]
    for y in range(1, size + 1):
        row = [-penalty * y]
        for x in range(1, size + 1):
            row.append(max(above[x - 1] + rows[vertical[y]][horizontal[x]], row[x - 1] - penalty, above[x] - penalty))
        above = row
    return above[size]


def cheapest_paths(walls):
    """Row by row, the least sum of numbers on a way down."""
    sums = list(walls[0])
    for row in walls[1:]:
        padded = [math.inf, *sums, math.inf]
        sums = [value + min(padded[x:x + 3]) for x, value in enumerate(row)]
    return sums


def speckle_reducing(rows, columns, region, strength, steps):
    """srad.cu's own random image after some steps of anisotropic diffusion."""
    rand = libc_random(7)
    image = [[math.exp(rand() / RAND_MAX) for _ in range(columns)] for _ in range(rows)]
    top, bottom, left, right = region
    for _ in range(steps):
        sample = [image[y][x] for y in range(top, bottom + 1) for x in range(left, right + 1)]
        mean = sum(sample) / len(sample)
        variance = sum(value * value for value in sample) / len(sample) - mean * mean
        scale = variance / (mean * mean)
        image = diffused(image, scale, strength)
    return image


def diffused(image, scale, strength):
    rows, columns = len(image), len(image[0])
    gradients, coefficients = [], []
    for y in range(rows):
        for x in range(columns):
            here = image[y][x]
            north, south = image[max(y - 1, 0)][x] - here, image[min(y + 1, rows - 1)][x] - here
            west, east = image[y][max(x - 1, 0)] - here, image[y][min(x + 1, columns - 1)] - here
            squares = (north ** 2 + south ** 2 + west ** 2 + east ** 2) / here ** 2
            laplacian = (north + south + west + east) / here
            variation = (0.5 * squares - laplacian ** 2 / 16) / (1 + 0.25 * laplacian) ** 2
            coefficients.append(min(max(1 / (1 + (variation - scale) / (scale * (1 + scale))), 0), 1))
            gradients.append((north, south, west, east))
    result = []
    for y in range(rows):
        row = []
        for x in range(columns):
            north, south, west, east = gradients[y * columns + x]
            here = coefficients[y * columns + x]
            below = coefficients[min(y + 1, rows - 1) * columns + x]
            beside = coefficients[y * columns + min(x + 1, columns - 1)]
            row.append(image[y][x] + 0.25 * strength * (here * north + below * south + here * west + beside * east))
        result.append(row)
    return result


def equations(size, seed=8):
    """A system in the form that gaussian reads, and its solution: the diagonal dominates, so that no pivot is needed."""
    generator = random.Random(seed)
    matrix = [[round(generator.uniform(-1, 1), 4) + (size if x == y else 0) for x in range(size)] for y in range(size)]
    solution = [round(generator.uniform(-10, 10), 2) for _ in range(size)]
    right = [sum(a * x for a, x in zip(row, solution)) for row in matrix]
    lines = [str(size), "", *(" ".join(f"{value:.4f}" for value in row) for row in matrix), "", " ".join(f"{value:.6f}" for value in right)]
    return "\n".join(lines) + "\n", solution


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "graph.txt").write_text(graph(4096, 6)[0], encoding="utf-8")
    for size in (64, 512):
        (folder / f"temp_{size}.txt").write_text(column(numbers(size * size, 320, 345, 4)), encoding="utf-8")
        (folder / f"power_{size}.txt").write_text(column(numbers(size * size, 0, 0.05, 5)), encoding="utf-8")
    (folder / "points.txt").write_text(clusters(3000, 8, 5)[0], encoding="utf-8")
    (folder / "hurricanes.db").write_text("\n".join(hurricanes(3000)) + "\n", encoding="utf-8")
    (folder / "filelist").write_text("hurricanes.db\n", encoding="utf-8")
    (folder / "equations.txt").write_text(equations(64)[0], encoding="utf-8")


if __name__ == "__main__":
    main()
