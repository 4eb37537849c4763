# SPDX-License-Identifier: Apache-2.0
"""Reads a recipe: which files its examples touch, and what the commands it shows must print.

Examples are fenced blocks, marked as docs/howto/README.md says. The text names every file that an example touches.
"""
import dataclasses
import re
import textwrap

BLOCK = re.compile(r'^(?P<indent> *)```\w+ (?P<action>new|in)=(?P<file>\S+)(?: (?P<side>after|before|instead-of)="(?P<anchor>[^\n]*)")?\n'
                   r"(?P<text>.*?)^(?P=indent)```$", re.M | re.S)
MARKED = re.compile(r"^ *```.*\b(?:new|in)=", re.M)
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
FENCE = re.compile(r"^ *```.*?^ *```$", re.M | re.S)
WRITES = re.compile(r"^cat > \S+ <<'END'$")


class RecipeError(Exception):
    """What a recipe says cannot be done."""


@dataclasses.dataclass
class Example:
    """Lines for one file: all of it, or lines beside the one line that contains `anchor`."""
    file: str
    text: str
    side: str
    anchor: str

    def apply(self, root):
        path = root / self.file
        if not self.anchor:
            if path.exists():
                raise RecipeError(f"{self.file} is there already")
            path.write_text(self.text, encoding="utf-8")
            return
        if not path.is_file():
            raise RecipeError(f"there is no file {self.file}")
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        places = [n for n, line in enumerate(lines) if self.anchor in line]
        if len(places) != 1:
            raise RecipeError(f"{self.file} has {len(places)} lines with '{self.anchor}'; it must be one")
        begin = places[0] + (1 if self.side == "after" else 0)
        end = begin + (1 if self.side == "instead-of" else 0)
        lines[begin:end] = [self.text]
        path.write_text("".join(lines), encoding="utf-8")


@dataclasses.dataclass
class Command:
    """One command, and lines that must be among what it prints."""
    line: str
    shown: list


@dataclasses.dataclass
class Recipe:
    name: str
    examples: list
    commands: list

    def files(self):
        return sorted({example.file for example in self.examples})


def example_of(match):
    if (match["action"] == "in") != bool(match["anchor"]):
        raise RecipeError(f"the example for {match['file']} must be new, or at a line of a file")
    lines = match["text"].splitlines(keepends=True)
    width = len(match["indent"])
    text = "".join(line[width:] if line[:width].isspace() else line for line in lines) if width else match["text"]
    return Example(match["file"], text, match["side"], match["anchor"])


def commands_of(block):
    found = []
    lines = iter(textwrap.dedent(block).splitlines())
    for line in lines:
        if not line.startswith("$ "):
            if not found:
                raise RecipeError(f"'{line}' is printed by no command")
            found[-1].shown.append(line)
            continue
        command = [line[2:]]
        if WRITES.match(command[0]):
            for inner in lines:
                command.append(inner)
                if inner == "END":
                    break
        found.append(Command("\n".join(command), []))
    return found


def read_recipe(name, text):
    recipe = Recipe(name, [example_of(match) for match in BLOCK.finditer(text)],
                    [command for block in CONSOLE.findall(text) for command in commands_of(block)])
    if len(recipe.examples) != len(MARKED.findall(text)):
        raise RecipeError("has an example whose first line is not one of those of docs/howto/README.md")
    prose = FENCE.sub("", text)
    for file in recipe.files():
        if f"`{file}`" not in prose:
            raise RecipeError(f"the text does not name {file}")
    return recipe


def is_shown(line, output):
    """`line` is among the lines of `output`: words apart by any spaces, `...` for anything."""
    parts = [r"\s+".join(map(re.escape, part.split())) for part in line.split("...")]
    pattern = re.compile(r"\s*" + r".*".join(parts) + r"\s*")
    return any(pattern.fullmatch(printed) for printed in output)
