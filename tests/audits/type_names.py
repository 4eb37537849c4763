# SPDX-License-Identifier: Apache-2.0
"""No type has the name of another: two of one name in one namespace are one symbol to the linker.

What is in an unnamed namespace, or inside a class or function, may be called what it likes. One test program may name a
type as another one does (a folder is a program), but not as the product does.
"""
import collections
import re

import project

TOKEN = re.compile(
    r"""(?P<skip>//[^\n]*|/\*.*?\*/|R"(?P<fence>[^(\s"]*)\(.*?\)(?P=fence)"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+')"""
    r"""|(?P<namespace>\bnamespace(?P<path>\s+[\w:]+)?\s*\{)"""
    r"""|(?P<type>\b(?:struct|class|union|enum(?:\s+(?:class|struct))?)\s+(?:alignas\([^)]*\)\s*|\[\[[^\]]*\]\]\s*)*"""
    r"""(?P<name>\w+)(?P<arguments>\s*<)?(?:\s+final)?(?=\s*(?:\{|:(?!:)[^;{}()]*\{)))"""
    r"""|(?P<open>\{)|(?P<close>\})""", re.S)


def types_of(source):
    """Names, with their namespaces, of the types that a file defines for the whole program."""
    scopes, found = [], []
    for token in TOKEN.finditer(source):
        if token["namespace"]:
            path = (token["path"] or "").strip()
            scopes.append(path.split("::") if path else None)
        elif token["type"]:
            if all(scopes) and not token["arguments"]:
                found.append("::".join([part for scope in scopes for part in scope] + [token["name"]]))
        elif token["open"]:
            scopes.append(None)
        elif token["close"] and scopes:
            scopes.pop()
    return found


def audit(root):
    places = collections.defaultdict(list)
    for path in project.files(root, project.CPP):
        if path.parts[0] != "benches":
            for name in types_of(project.read(root, path)):
                places[name].append(path)
    complaints = []
    for name, paths in sorted(places.items()):
        programs = [path.parent if path.parts[0] == "tests" else None for path in paths]
        if None in programs and len(paths) > 1 or len(set(programs)) < len(paths):
            complaints.append(f"{name} is defined more than once: " + ", ".join(map(str, paths)))
    return complaints


if __name__ == "__main__":
    project.finish("audit of type names", audit(project.project_root()))
