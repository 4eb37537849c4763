# SPDX-License-Identifier: Apache-2.0
"""No class over 400 lines over all its files, and the command line under 5,000.

A class has the lines of its definition and of its member functions defined elsewhere; a class inside it counts by
itself. What is in an unnamed namespace belongs to its file.
"""
import collections
import re

import project
import sizes

CLASS_LIMIT = 400
FOLDER_LIMITS = {"sim/app": 5000}
FOLDERS = {"sim", "isa", "frontend", "memory"}
CLASS = re.compile(r"\b(?:class|struct|union)\s+(?:alignas\([^)]*\)\s*|\[\[[^\]]*\]\]\s*)*(?P<name>\w+(?:::\w+)*)(?:<[^{}]*>)?"
                   r"(?:\s+final)?\s*(?::(?!:).*)?$", re.S)
MEMBER = re.compile(r"(?P<owner>\w+(?:<[^<>()]*>)?(?:::\w+(?:<[^<>()]*>)?)*)::(?:~?\w+|operator[^(]*)\s*\(")
NAMESPACE = re.compile(r"\bnamespace(?P<name>\s+[\w:]+)?\s*$")


def lines_of(source):
    """(path of the class, whether it is in an unnamed namespace, lines) of each piece of a class in a file."""
    text = sizes.TOKEN.sub(sizes.blank, source)
    found, stack, start = [], [], 0
    for offset, character in enumerate(text):
        if character == "{":
            head = text[start:offset].strip()
            line = text.count("\n", 0, start + len(text[start:offset]) - len(text[start:offset].lstrip())) + 1
            stack.append(scope_of(head, stack) + (line,))
        elif character == "}" and stack:
            kind, name, line = stack.pop()
            if kind in ("class", "member"):
                length = text.count("\n", 0, offset) + 2 - line
                if kind == "class" and any(outer[0] == "class" for outer in stack):
                    found.append((class_path(stack, ""), unnamed(stack), -length))
                found.append((class_path(stack, name), unnamed(stack), length))
        if character in ";{}":
            start = offset + 1
    return found


def scope_of(head, stack):
    if any(kind in ("member", "other") for kind, _, _ in stack):
        return ("other", "")
    namespace = NAMESPACE.search(head)
    if namespace:
        return ("namespace", (namespace["name"] or "").strip())
    declared = CLASS.search(head)
    if declared and not re.search(r"\benum\b", head) and not head.endswith(")"):
        return ("class", declared["name"])
    owner = MEMBER.search(head)
    if owner and all(kind == "namespace" for kind, _, _ in stack):
        return ("member", re.sub(r"<[^<>]*>", "", owner["owner"]))
    return ("other", "")


def class_path(stack, name):
    return "::".join([entry[1] for entry in stack if entry[0] == "class"] + ([name] if name else []))


def unnamed(stack):
    return any(kind == "namespace" and not name for kind, name, _ in stack)


def audit(root):
    lengths, folders, unnamed_in = collections.Counter(), collections.Counter(), collections.defaultdict(set)
    for path in project.files(root, project.CPP):
        if path.parts[0] not in FOLDERS:
            continue
        source = project.read(root, path)
        for folder in FOLDER_LIMITS:
            if str(path).startswith(folder + "/"):
                folders[folder] += source.count("\n")
        for name, is_unnamed, length in lines_of(source):
            if is_unnamed:
                unnamed_in[path].add(name)
            lengths[(path if name in unnamed_in[path] else None, name)] += length
    complaints = [f"{name} has {length} lines over all its files, more than {CLASS_LIMIT}"
                  for (_, name), length in sorted(lengths.items(), key=str) if length > CLASS_LIMIT]
    return complaints + [f"{folder} has {length} lines, more than {FOLDER_LIMITS[folder]}"
                         for folder, length in sorted(folders.items()) if length >= FOLDER_LIMITS[folder]]


if __name__ == "__main__":
    project.finish("audit of class sizes", audit(project.project_root()))
