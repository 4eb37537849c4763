#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy over the sources, many files together: most of its time goes into the headers that they share.

usage: tidy.py BUILD [FOLDER...]   BUILD has compile_commands.json, made by clang without precompiled headers; FOLDER, of the
                                   sources, limits the work

Files that do not compile together, since two of them use one name (cmake/together.py), are checked in smaller groups.
"""
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "cmake"))
from together import groups_of as groups_without_clashes  # noqa: E402: found there

LAYERS = "sim/", "isa/", "frontend/", "memory/"
TOGETHER = 40
COMPILER = "clang++-14"
TIDY = ["clang-tidy-14", "--quiet", f"--config-file={ROOT / '.clang-tidy'}", "--extra-arg=-Wno-unknown-warning-option"]
SETTINGS = (ROOT / ".clang-tidy").read_text(encoding="utf-8")
# The sources that a group includes are headers to clang-tidy.
HEADERS = re.search(r"^HeaderFilterRegex: '(.*)'$", SETTINGS, re.M).group(1) + r"|/(sim|isa|memory|frontend)/.*\.cpp$"


def options_of(entry):
    """What the compiler is told about a file: no output, no input."""
    words = entry["arguments"] if "arguments" in entry else shlex.split(entry["command"])
    start = next(i for i, word in enumerate(words) if re.search(r"clang\+\+(-\d+)?$", word))
    kept, skip = [], False
    for word in words[start + 1:]:
        if skip or word in ("-o", "-c"):
            skip = word == "-o"
        elif word != entry["file"]:
            kept.append(word)
    return kept


def groups_of(entries, folders, root=ROOT):
    """Lists of files with the same options and without names in common, and those options; largest first."""
    files = {str(pathlib.Path(entry["file"]).relative_to(root)): options_of(entry) for entry in entries
             if pathlib.Path(entry["file"]).is_relative_to(root)}
    chosen = [name for name in files
              if name.startswith(LAYERS) and name.endswith(".cpp") and (not folders or name.startswith(folders))]
    groups = []
    for options, names in itertools.groupby(sorted(chosen, key=lambda name: (files[name], name)), files.get):
        for group in groups_without_clashes([str(root / name) for name in names], TOGETHER, may_shadow=True):
            groups.append(([str(pathlib.Path(source.name).relative_to(root)) for source in group], options))
    return sorted(groups, key=lambda group: -len(group[0]))


def tidy(sources, options, *more):
    """The finished run of clang-tidy."""
    return subprocess.run([*TIDY, *more, *sources, "--", *options], cwd=ROOT, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


def in_one_file(names, scratch):
    """A file that includes them all."""
    together = scratch / (re.sub(r"\W", "_", f"{names[0]}_{len(names)}") + ".cpp")
    lines = [f'#include "{ROOT / name}"  // NOLINT(bugprone-suspicious-include)\n' for name in names]
    together.write_text("".join(lines), encoding="utf-8")
    return str(together)


def complaints_about(names, options, scratch):
    """Of a group of files; empty when clang-tidy finds nothing."""
    if len(names) > 1:
        together, options_together = in_one_file(names, scratch), [*options, f"-I{ROOT}"]
        reads = subprocess.run([COMPILER, "-fsyntax-only", "-w", *options_together, together], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if reads.returncode:
            half = len(names) // 2
            return complaints_about(names[:half], options, scratch) + complaints_about(names[half:], options, scratch)
        if tidy([together], options_together, f"--header-filter={HEADERS}").returncode == 0:
            return ""
    return "".join(done.stdout for done in (tidy([name], options) for name in names) if done.returncode)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    entries = json.loads((pathlib.Path(sys.argv[1]) / "compile_commands.json").read_text(encoding="utf-8"))
    groups = list(groups_of(entries, tuple(sys.argv[2:])))
    files = sum(len(names) for names, _ in groups)
    with tempfile.TemporaryDirectory(prefix="teslasim-tidy-") as scratch, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        found = [text for text in pool.map(lambda group: complaints_about(*group, pathlib.Path(scratch)), groups) if text]
    print("".join(found), end="")
    print(f"clang-tidy: {files} files in {len(groups)} groups, {len(found)} with complaints")
    sys.exit(1 if found or not files else 0)


if __name__ == "__main__":
    main()
