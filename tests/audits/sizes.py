# SPDX-License-Identifier: Apache-2.0
"""Size audit: no source file over 400 lines, no function over 60, except those listed with a reason.

The C++ reader is no parser: it blanks comments, strings and preprocessor lines, follows the braces, and takes a block
that opens at namespace or class scope after a parameter list for a function. Lambdas count as part of their function.
"""
import ast
import re

import project

FILE_LIMIT = 400
FUNCTION_LIMIT = 60
EXCEPTIONS = "tests/audits/size_exceptions.txt"

TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/                          # comments
      | R"(?P<mark>[^()\s\\]{0,16})\(.*?\)(?P=mark)" # raw strings
      | "(?:\\.|[^"\\\n])*"                          # strings
      | (?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'          # characters, not digit separators
      | ^[ \t]*\#(?:[^\n\\]|\\.)*(?:\\\n(?:[^\n\\]|\\.)*)*   # preprocessor lines
    """,
    re.X | re.S | re.M,
)
TYPE_WORD = re.compile(r"\b(class|struct|union|enum|namespace|extern)\b")
# What may stand between the parameter list of a function and its body.
AFTER_PARAMETERS = re.compile(r"\)\s*(const|noexcept(\s*\([^)]*\))?|override|final|mutable|try|&&?|\s|->\s*[^;{}()]+(\([^()]*\))?[^;{}()]*)*$")
INITIALISER_LIST = re.compile(r"\)\s*(noexcept\s*)?:(?!:)")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def opens_function(head, inner):
    """`head`: blanked text between the last end of a declaration and a '{'. `inner`: the character before the brace."""
    head = head.strip()
    if INITIALISER_LIST.search(head):
        return inner in ")}"
    if TYPE_WORD.search(re.sub(r"<[^<>]*>", "", head)) and not AFTER_PARAMETERS.search(head):
        return False
    return bool(AFTER_PARAMETERS.search(head))


def functions(text):
    """(first line, last line, last words before the body) of every function in C++ source."""
    text = TOKEN.sub(blank, text)
    found, stack = [], []  # stack: [kind, start offset, head]
    head_start = 0
    for offset, character in enumerate(text):
        if character == "{":
            kind = "scope"
            if any(entry[0] != "scope" for entry in stack):
                kind = "inner"
            else:
                head = text[head_start:offset]
                stripped = head.rstrip()
                if opens_function(head, stripped[-1:] or " "):
                    kind = "function"
                elif not TYPE_WORD.search(head):
                    kind = "value"
            stack.append((kind, offset, text[head_start:offset]))
            if kind in ("scope", "function"):
                head_start = offset + 1
        elif character == "}" and stack:
            kind, start, head = stack.pop()
            if kind == "function":
                found.append((text.count("\n", 0, start) + 1, text.count("\n", 0, offset) + 1, name_of(head)))
            if kind in ("scope", "function"):
                head_start = offset + 1
        elif character == ";" and not any(entry[0] != "scope" for entry in stack):
            head_start = offset + 1
    return found


def name_of(head):
    match = re.search(r"([~\w:]+(?:\s*operator\W+)?)\s*\(", head)
    return match.group(1) if match else "function"


def python_functions(text):
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return [(node.lineno, node.end_lineno, node.name) for node in nodes]


def read_exceptions(text):
    """path or path:function -> limit. A line is: name, limit, reason (all three needed)."""
    limits = {}
    for line in text.splitlines():
        words = line.split(None, 2)
        if words and not words[0].startswith("#"):
            if len(words) < 3:
                raise SystemExit(f"{EXCEPTIONS}: '{line}' has no reason")
            limits[words[0]] = int(words[1])
    return limits


def audit_file(path, text, limits):
    complaints = []
    lines = text.count("\n")
    if lines > limits.get(str(path), FILE_LIMIT):
        complaints.append(f"{path}: {lines} lines, more than {limits.get(str(path), FILE_LIMIT)}")
    for first, last, name in python_functions(text) if path.suffix == ".py" else functions(text):
        limit = limits.get(f"{path}:{name}", FUNCTION_LIMIT)
        if last - first + 1 > limit:
            complaints.append(f"{path}:{first}: {name} has {last - first + 1} lines, more than {limit}")
    return complaints


def main():
    root = project.project_root()
    limits = read_exceptions(project.read(root, EXCEPTIONS))
    complaints = []
    for path in project.files(root, project.CPP + (".def", ".py")):
        complaints += audit_file(path, project.read(root, path), limits)
    for name in limits:
        if not (root / name.split(":")[0]).is_file():
            complaints.append(f"{EXCEPTIONS}: {name} does not exist")
    project.finish("size audit", complaints)


if __name__ == "__main__":
    main()
