#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Groups of sources that may be compiled as one file, since none declares for itself a name that another one uses.

usage: together.py MOST FILE...   prints lines "GROUP;FILE"; MOST files in a group at the most

Headers take most of a compiler's time; a group reads them once. A name is a file's own when it is declared in an unnamed
namespace, static, or a macro. Two files with one such name are kept apart, and a constant or alias also from every file that
has its name as a word: a local name there would shadow it. What this simple reading misses, the compiler refuses.
"""
import pathlib
import re
import sys

NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"\(.*?\)"|"(?:\\.|[^"\\\n])*"', re.S)
TYPE = re.compile(r"(?:template.*?>\s*)?(?:struct|class|enum(?: class)?|union|(using))\s+(\w+)")
NO_NAME = ("TEST", "RC_GTEST_PROP", "INSTANTIATE_TEST", "namespace ")
END = re.compile(r"^\}\s*// namespace$", re.M)


def declared(line):
    """(name, whether a constant or an alias) of the declarations in a line that starts one."""
    for _ in range(3):
        line = re.sub(r"<[^<>]*>", "", line)
    if line.startswith(NO_NAME):
        return
    if found := TYPE.match(line):
        yield found.group(2), bool(found.group(1))
        return
    head = re.split(r"[={;]", line)[0]
    is_function = "(" in head
    words = re.findall(r"\w+", head.split("(")[0])
    if words and words[-1] != "template":
        yield words[-1], not is_function
    if not is_function:
        yield from ((word, True) for word in re.findall(r",\s*(\w+)\s*=", line))


class Source:
    """A file, its own names (with what an alias stands for) and all its words."""

    def __init__(self, name):
        text = NOT_CODE.sub(" ", END.sub("@end", pathlib.Path(name).read_text(encoding="utf-8")))
        self.name, self.words, self.own, self.constants = name, set(re.findall(r"\w+", text)), {}, set()
        inside = False
        for line in text.splitlines():
            inside = (inside or line == "namespace {") and line != "@end"
            if macro := re.match(r"#define\s+(\w+)", line):
                self.add(macro.group(1), True)
            elif re.match(r"[A-Za-z]", line) and (inside or line.startswith("static ")):
                for word, is_constant in declared(line):
                    self.add(word, is_constant, line if line.startswith("using ") else "")

    def add(self, word, is_constant, definition=""):
        self.own[word] = definition
        if is_constant:
            self.constants.add(word)

    def goes_with(self, other, may_shadow):
        if may_shadow:
            return all(self.own[word] == other.own[word] != "" for word in self.own.keys() & other.own.keys())
        return not (self.own.keys() & other.own.keys() or self.constants & other.words or other.constants & self.words)


def groups_of(names, most, may_shadow=False):
    """Each file goes to the first group that takes it: the same files give the same groups. `may_shadow`: where a warning about
    a local name that hides one of another file does not matter."""
    groups = []
    for source in map(Source, sorted(names)):
        for group in groups:
            if len(group) < most and all(source.goes_with(other, may_shadow) for other in group):
                group.append(source)
                break
        else:
            groups.append([source])
    return groups


def main():
    for number, group in enumerate(groups_of(sys.argv[2:], int(sys.argv[1]))):
        for source in group:
            print(f"{number};{source.name}")


if __name__ == "__main__":
    main()
