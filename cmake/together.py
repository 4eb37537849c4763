#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Groups of sources that may be compiled as one file, since none declares for itself a name that another one uses.

usage: together.py MOST FILE...   prints lines "GROUP;FILE"; MOST files in a group at the most

Headers take most of a compiler's time; a group reads them once. A name is a file's own when it is declared in an unnamed
namespace, static, or a macro. Two files with one such name are kept apart, unless it is an alias that both write alike. A file is
also kept apart from those that have its name from elsewhere, a header or a local variable, which it would hide; of a function
only from those that call what they have. What this simple reading misses, the compiler refuses.
"""
import pathlib
import re
import sys

NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"\(.*?\)"|"(?:\\.|[^"\\\n])*"', re.S)
TYPE = re.compile(r"(?:template.*?>\s*)?(?:struct|class|enum(?: class)?|union|using)\s+(\w+)")
NO_NAME = ("TEST", "RC_GTEST_PROP", "INSTANTIATE_TEST", "namespace ")
END = re.compile(r"^\}\s*// namespace$", re.M)
# A name from another namespace. One who takes all of them, by `using namespace`, goes with others who do.
USED = re.compile(r"using (?:[\w:]*:)?(\w+);")
ALIAS = re.compile("using ")
# What is not behind a dot, an arrow or a scope, and whether it is called.
WORD = re.compile(r"(?<![\w.:])(?<!->)(\w+)\b(\s*\()?")


def declared(line):
    """(name, whether a function) of the declarations in a line that starts one."""
    for _ in range(3):
        line = re.sub(r"<[^<>]*>", "", line)
    if line.startswith(NO_NAME):
        return
    if found := USED.match(line):
        yield found.group(1), False
        return
    if found := TYPE.match(line):
        yield found.group(1), False
        return
    head = re.split(r"[={;]", line)[0]
    is_function = "(" in head
    words = re.findall(r"\w+", head.split("(")[0])
    if words and words[-1] != "template":
        yield words[-1], is_function
    if not is_function:
        yield from ((word, False) for word in re.findall(r",\s*(\w+)\s*=", line))


class Source:
    """A file, its own names (with what an alias stands for), all its words, and those that it calls."""

    def __init__(self, name):
        text = NOT_CODE.sub(" ", END.sub("@end", pathlib.Path(name).read_text(encoding="utf-8")))
        self.name, self.own, self.functions = name, {}, set()
        words = WORD.findall(text)
        self.words, self.called = {word for word, _ in words}, {word for word, call in words if call}
        inside = False
        for line in text.splitlines():
            inside = (inside or line == "namespace {") and line != "@end"
            if macro := re.match(r"#define\s+(\w+)", line):
                self.own[macro.group(1)] = ""
            elif re.match(r"[A-Za-z]", line) and (inside or line.startswith("static ")):
                for word, is_function in declared(line):
                    self.own[word] = line if ALIAS.match(line) else ""
                    if is_function:
                        self.functions.add(word)

    def hides_from(self, other):
        """Whether a name of this file would be taken for one that the other has from elsewhere."""
        return any(word in (other.called if word in self.functions else other.words) for word in self.own.keys() - other.own.keys())

    def goes_with(self, other, may_shadow):
        both = self.own.keys() & other.own.keys()
        if any(self.own[word] != other.own[word] or not self.own[word] for word in both):
            return False
        return may_shadow or not (self.hides_from(other) or other.hides_from(self))


def groups_of(names, most, may_shadow=False):
    """Each file goes to the first group that takes it: the same files give the same groups. `may_shadow`: where a name that is
    hidden does not matter, or shows."""
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
