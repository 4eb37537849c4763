# SPDX-License-Identifier: Apache-2.0
"""Text audit: licence lines, folder descriptions, links, no notes to oneself, no lines that only one machine understands."""
import re

import project

LICENCE = "SPDX-License-Identifier: Apache-2.0"
LICENSED_SUFFIXES = {".cpp", ".h", ".def", ".cmake", ".py", ".sh"}
NOTE_TO_ONESELF = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" * 3, "HA" + "CK"]) + r")\b")
TEXT_SUFFIXES = LICENSED_SUFFIXES | {".md", ".toml", ".txt", ".asm", ".json"}
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^(```|~~~).*?^\1", re.M | re.S)
HEADING = re.compile(r"^#+\s+(.*)$", re.M)


def is_script(root, path):
    if path.suffix:
        return False
    with open(root / path, "rb") as stream:
        return stream.read(2) == b"#!"


def check_licences(root):
    complaints = []
    for path in project.files(root):
        if path.suffix in LICENSED_SUFFIXES or path.name == "CMakeLists.txt" or is_script(root, path):
            if LICENCE not in "\n".join(project.read(root, path).splitlines()[:3]):
                complaints.append(f"{path}: the first lines lack '{LICENCE}'")
    return complaints


def check_readmes(root):
    """Every folder with files has a README.md; the folders of tests/ are described in tests/README.md instead."""
    complaints = []
    test_readme = project.read(root, "tests/README.md") if (root / "tests/README.md").is_file() else ""
    for folder in sorted({path.parent for path in project.files(root)}):
        if str(folder).startswith("tests/"):
            top = folder.parts[1]
            if f"`{top}/`" not in test_readme:
                complaints.append(f"tests/README.md does not describe `{top}/`")
        elif not (root / folder / "README.md").is_file():
            complaints.append(f"{folder}: no README.md")
    return sorted(set(complaints))


def check_notes(root):
    complaints = []
    for path in project.files(root, TEXT_SUFFIXES):
        for number, line in enumerate(project.read(root, path).splitlines(), 1):
            if NOTE_TO_ONESELF.search(line):
                complaints.append(f"{path}:{number}: {line.strip()}")
    return complaints


def slug(heading):
    """The anchor that forges give a heading."""
    heading = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip().lower())
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


def anchors(text):
    return {slug(heading) for heading in HEADING.findall(FENCE.sub("", text))}


def check_link(root, path, target):
    if re.match(r"[a-z]+:", target):
        return None
    name, _, anchor = target.partition("#")
    place = (root / path.parent / name).resolve() if name else (root / path)
    if not place.exists():
        return f"{path}: link to {target}, which does not exist"
    if root not in place.parents and place != root:
        return f"{path}: link to {target} leaves the project"
    if anchor and place.suffix == ".md" and anchor not in anchors(place.read_text(encoding="utf-8")):
        return f"{path}: link to {target}: no such heading"
    return None


def check_links(root):
    complaints = []
    for path in project.files(root, {".md"}):
        text = re.sub(r"`[^`\n]*`", "", FENCE.sub("", project.read(root, path)))
        for targets in LINK.findall(text):
            complaints.append(check_link(root, path, targets[0] or targets[1]))
    return [complaint for complaint in complaints if complaint]


def check_index(root, folder):
    """Every page of a folder is linked from its README.md."""
    if not (root / folder / "README.md").is_file():
        return []
    text = project.read(root, f"{folder}/README.md")
    pages = [path.name for path in sorted((root / folder).glob("*.md")) if path.name != "README.md"]
    return [f"{folder}/README.md does not link {page}" for page in pages if f"({page})" not in text]


def check_single_places(root):
    """JSON becomes text in one place, which replaces what is not UTF-8; TOML is asked how deep it nests before it is parsed."""
    complaints = []
    for path in project.files(root, {".cpp", ".h"}):
        if path.parts[0] == "tests" or path.name == "json_text.h":
            continue
        source = project.read(root, path)
        if ".dump(" in source:
            complaints.append(f"{path}: JSON is written with json_text() (sim/base/json_text.h)")
        if "toml::parse(" in source and "too_deep_toml(" not in source:
            complaints.append(f"{path}: toml::parse without too_deep_toml() (sim/base/toml_nesting.h)")
    return complaints


def main():
    root = project.project_root()
    complaints = check_licences(root) + check_readmes(root) + check_notes(root) + check_links(root) + check_single_places(root)
    for folder in ("docs", "docs/decisions", "docs/howto", "docs/modelling"):
        complaints += check_index(root, folder)
    project.finish("text audit", complaints)


if __name__ == "__main__":
    main()
