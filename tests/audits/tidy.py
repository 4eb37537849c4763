#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy over the sources, many files together: most of its time goes into the headers that they share.

usage: tidy.py BUILD [FOLDER...]   BUILD has compile_commands.json, made by clang without precompiled headers; FOLDER, of the
                                   sources, limits the work

Files that do not compile together, since two of them use one name (cmake/together.py), are checked apart.
"""
import concurrent.futures
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
TOGETHER = 80
COMPILER = "clang++-14"
TIDY = ["clang-tidy-14", "--quiet", f"--config-file={ROOT / '.clang-tidy'}", "--extra-arg=-Wno-unknown-warning-option"]
SETTINGS = (ROOT / ".clang-tidy").read_text(encoding="utf-8")
# The sources that a group includes are headers to clang-tidy.
HEADERS = re.search(r"^HeaderFilterRegex: '(.*)'$", SETTINGS, re.M).group(1) + r"|/(sim|isa|memory|frontend)/.*\.cpp$"
INCLUDE = re.compile(r'^#include "(?:sim|isa|frontend|memory)/.*\.h"$', re.M)


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


def is_addition(word):
    """Whether an option only adds something that files without it do not miss."""
    return word.startswith(("-D", "-I")) or word == "-fPIC"


def groups_of(entries, folders, root=ROOT):
    """Lists of files without names in common, and their options; largest first. Files differ in nothing but additions."""
    files = {str(pathlib.Path(entry["file"]).relative_to(root)): options_of(entry) for entry in entries
             if pathlib.Path(entry["file"]).is_relative_to(root)}
    alike = {}
    for name, options in sorted(files.items()):
        if name.startswith(LAYERS) and name.endswith(".cpp") and (not folders or name.startswith(folders)):
            alike.setdefault(tuple(word for word in options if not is_addition(word)), []).append(name)
    groups = []
    for names in alike.values():
        options = list(dict.fromkeys(word for name in names for word in files[name]))
        for group in groups_without_clashes([str(root / name) for name in names], TOGETHER, may_shadow=True):
            groups.append(([str(pathlib.Path(source.name).relative_to(root)) for source in group], options))
    return sorted(groups, key=lambda group: -len(group[0]))


def tidy(sources, options, *more):
    """The finished run of clang-tidy."""
    return subprocess.run([*TIDY, *more, *sources, "--", *options], cwd=ROOT, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


def in_one_file(names, scratch):
    """A file that includes them all, first what they include themselves, which must not see their names."""
    together = scratch / (re.sub(r"\W", "_", f"{names[0]}_{len(names)}") + ".cpp")
    headers = [line for name in names for line in INCLUDE.findall((ROOT / name).read_text(encoding="utf-8"))]
    lines = [f'#include "{ROOT / name}"  // NOLINT(bugprone-suspicious-include)' for name in names]
    together.write_text("\n".join([*dict.fromkeys(headers), *lines, ""]), encoding="utf-8")
    return str(together)


def refused_of(errors, names):
    """Those of a group that do not compile with the rest, as far as the compiler's errors tell."""
    files = set(re.findall(r"^(\S+?):\d+:\d+: (?:fatal )?error: ", errors, re.M))
    refused = [name for name in names if str(ROOT / name) in files]
    return refused if 0 < len(refused) < len(names) else names[:len(names) // 2]


def complaints_about(names, options, scratch):
    """Of a group of files; empty when clang-tidy finds nothing."""
    if len(names) > 1:
        together, options_together = in_one_file(names, scratch), [*options, f"-I{ROOT}", "-Wno-shadow"]
        reads = subprocess.run([COMPILER, "-fsyntax-only", "-w", "-ferror-limit=0", *options_together, together], text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        if reads.returncode:
            refused = refused_of(reads.stderr, names)
            parts = [name for name in names if name not in refused], refused
            return "".join(complaints_about(part, options, scratch) for part in parts)
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
