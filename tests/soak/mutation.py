# SPDX-License-Identifier: Apache-2.0
"""Bends files: bytes, lines, words and numbers, reproducibly by the random numbers that are handed in."""
import re

NUMBER = re.compile(rb"(?<![A-Za-z_$%.])-?\d[\w.]*")
WORD = re.compile(rb"[A-Za-z_$%][\w.]*|[^\sA-Za-z_]")
EXTREMES = [b"0", b"-1", b"1", b"7", b"31", b"255", b"65535", b"65536", b"2147483647", b"2147483648", b"4294967295",
            b"4294967296", b"9223372036854775807", b"9223372036854775808", b"18446744073709551616", b"1e308", b"-1e308", b"5e-324",
            b"nan", b"inf", b"-inf", b"0x", b"0xffffffff", b"1_000", b"1.5", b"", b"99999999999999999999999999", b'"1"', b"true"]
FOREIGN = [b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r\n", b"\r", b"\t", b"\x1b[2J", b"\xe2\x80\xae", b"\xc3\xa9", b'"', b"'", b"[",
           b"]]", b"{", b"}", b"#", b"\\", b"=", b",", b";", b"\n\n", b"../", b"/*", b"%s%n"]


def bytes_changed(random, data, _other):
    data = bytearray(data)
    for _ in range(random.randint(1, 8)):
        if data:
            data[random.randrange(len(data))] = random.randrange(256)
    return bytes(data)


def truncated(random, data, _other):
    return data[:random.randrange(len(data) + 1)]


def line_moved(random, data, _other):
    lines = data.split(b"\n")
    line = lines.pop(random.randrange(len(lines)))
    if random.random() < 0.6:
        lines.insert(random.randrange(len(lines) + 1), line)
    return b"\n".join(lines)


def lines_repeated(random, data, _other):
    lines = data.split(b"\n")
    place = random.randrange(len(lines))
    times = random.choice([1, 2, 20, 2000])
    return b"\n".join(lines[:place] + lines[place:place + random.randint(1, 4)] * times + lines[place:])


def word_swapped(random, data, other):
    here, there = list(WORD.finditer(data)), WORD.findall(other)
    if not here or not there:
        return data
    spot = random.choice(here)
    return data[:spot.start()] + random.choice(there) + data[spot.end():]


def number_changed(random, data, _other):
    here = list(NUMBER.finditer(data))
    if not here:
        return data
    spot = random.choice(here)
    return data[:spot.start()] + random.choice(EXTREMES) + data[spot.end():]


def foreign_inserted(random, data, _other):
    place = random.choice([0, random.randrange(len(data) + 1)])
    times = random.choice([1, 1, 1, 40, 4000])
    return data[:place] + random.choice(FOREIGN) * times + data[place:]


def spliced(random, data, other):
    return data[:random.randrange(len(data) + 1)] + other[random.randrange(len(other) + 1):]


# Numbers and words come oftener: such files get past the first reader.
WAYS = [bytes_changed, truncated, line_moved, lines_repeated, foreign_inserted, spliced] + 3 * [word_swapped, number_changed]


def mutated(random, data, other):
    """`data` after one to three changes; words and tails come from `other`, a file of the same kind."""
    for _ in range(random.randint(1, 3)):
        data = random.choice(WAYS)(random, data, other)
    return data[:1 << 20]
