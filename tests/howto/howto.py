# SPDX-License-Identifier: Apache-2.0
"""Executes the recipes of docs/howto that add something, all in one copy of the sources.

usage: howto.py check BUILD     applies them, counts the files they touch, and lets the compiler read the .cpp files concerned,
                                with the commands of BUILD, a folder with compile_commands.json
       howto.py run FOLDER      applies them, builds the program in FOLDER/build, and compares what its commands print with what
                                the recipes show; a second run compiles only what changed

Each recipe stands for itself: none may need what another one adds.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

from recipe import RecipeError, is_shown, read_recipe

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The most files that a recipe may touch, its tests left out.
MOST_FILES = {"statistic": 2, "stall-reason": 2, "scheduler": 2, "gpu": 1, "model": 2, "instruction": 4}
SOURCES = ("CMakeLists.txt", "cmake", "configs", "docs/explain", "frontend", "isa", "memory", "python", "sim",
           "tests/golden/keys_without_effect.csv", "traces")
SECONDS = 600
JOBS = os.cpu_count() or 1


def page_of(name):
    article = "an" if name[0] in "aeiou" else "a"
    return ROOT / "docs/howto" / f"add-{article}-{name}.md"


def complaints_about(recipe):
    files = recipe.files()
    print(f"{recipe.name}: {len(files)} file(s): {', '.join(files)}")
    if not recipe.commands:
        yield f"{recipe.name}: shows no command"
    if not 0 < len(files) <= MOST_FILES[recipe.name]:
        yield f"{recipe.name}: touches {len(files)} files; it may touch 1 to {MOST_FILES[recipe.name]}"


def copy_sources(tree):
    for name in SOURCES:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tree / name)
        else:
            shutil.copy2(ROOT / name, tree / name)


def apply_recipes(tree):
    """Puts all recipes into a copy of the sources in `tree`; returns them and what is wrong with them."""
    copy_sources(tree)
    recipes, complaints = [], []
    for name in MOST_FILES:
        try:
            recipe = read_recipe(name, page_of(name).read_text(encoding="utf-8"))
            complaints += complaints_about(recipe)
            for example in recipe.examples:
                example.apply(tree)
            recipes.append(recipe)
        except RecipeError as error:
            complaints.append(f"{name}: {error}")
    return recipes, complaints


def syntax_command(entry, tree, file):
    """The command that compiled `entry`, for reading `file` of `tree` only; precompiled headers are those of other sources."""
    words = shlex.split(entry["command"])
    del words[words.index("-o"):words.index("-o") + 2]
    command = []
    for word in words:
        if word.endswith("cmake_pch.hxx") or word == "-Winvalid-pch":
            if command[-1] == "-include":
                command.pop()
            continue
        if word == entry["file"]:
            word = str(tree / file)
        command.append(f"-I{tree}" if word == f"-I{ROOT}" else word)
    return [word for word in command if word != "-c"] + ["-fsyntax-only"]


def read_by_compiler(entry, tree, file):
    done = subprocess.run(syntax_command(entry, tree, file), cwd=entry["directory"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    return f"{file} does not compile:\n{done.stdout[-3000:]}" if done.returncode else None


def files_to_read(tree, recipes):
    """The .cpp files that recipes touch, and those that include a table that they touch."""
    touched = {file for recipe in recipes for file in recipe.files()}
    found = {file for file in touched if file.endswith(".cpp")}
    lines = [f'#include "{file}"' for file in touched if file.endswith(".def")]
    for path in tree.rglob("*.cpp"):
        text = path.read_text(encoding="utf-8")
        if any(line in text for line in lines):
            found.add(str(path.relative_to(tree)))
    return sorted(found)


def sources_of(entry):
    """What one command compiles: a file, or those that a file of the build folder includes (TESLASIM_TOGETHER)."""
    path = pathlib.Path(entry["file"])
    if path.parent.name != "Unity":
        return [path]
    return [pathlib.Path(name) for name in re.findall(r'^#include "(.*)"$', path.read_text(encoding="utf-8"), re.M)]


def check(build):
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    entries = {str(path.relative_to(ROOT)): entry for entry in entries for path in sources_of(entry)
               if path.is_relative_to(ROOT)}
    with tempfile.TemporaryDirectory(prefix="teslasim-howto-") as name:
        tree = pathlib.Path(name)
        recipes, complaints = apply_recipes(tree)
        work = []
        for file in files_to_read(tree, recipes):
            folder = str(pathlib.Path(file).parent) + "/"
            neighbour = next(known for known in entries if known.startswith(folder))  # of a new file
            work.append((entries.get(file, entries[neighbour]), tree, file))
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            complaints += [complaint for complaint in pool.map(lambda item: read_by_compiler(*item), work) if complaint]
    return complaints


def renew(tree, fresh):
    """Makes `tree` equal to `fresh`; files that are equal keep their times, so that they are not compiled again."""
    wanted = {path.relative_to(fresh) for path in fresh.rglob("*") if path.is_file()}
    for path in [path for path in tree.rglob("*") if path.is_file() and path.relative_to(tree) not in wanted]:
        path.unlink()
    for path in wanted:
        target = tree / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.is_file() or target.read_bytes() != (fresh / path).read_bytes():
            shutil.copyfile(fresh / path, target)


def build_program(tree, build):
    """Not optimised, since compiling takes longer than the short runs, and by another compiler than the release program, with
    which tests/golden/recipes.py compares it."""
    options = ["-DTESLASIM_TOGETHER=ON", "-DTESLASIM_TESTS=OFF", "-DTESLASIM_BENCHES=OFF",
               "-DCMAKE_CXX_COMPILER=clang++-14", "-DCMAKE_BUILD_TYPE=", "-DCMAKE_CXX_FLAGS=-O0"]
    for command in (["cmake", "-S", str(tree), "-B", str(build), "-G", "Ninja", *options],
                    ["cmake", "--build", str(build), "--parallel", str(JOBS), "--target", "teslasim"]):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            raise RecipeError(f"the sources with all recipes do not build:\n{done.stdout[-6000:]}")
    return build / "teslasim"


def complaint_of_command(command, folder, environment):
    done = subprocess.run(["bash", "-c", command.line], cwd=folder, env=environment, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
    print(f"$ {command.line.splitlines()[0]}   (exit {done.returncode})")
    output = done.stdout.splitlines()
    missing = [line for line in command.shown if not is_shown(line, output)]
    if done.returncode == 0 and not missing:
        return None
    return "\n  ".join([f"`{command.line}` ended with {done.returncode}; not printed: {missing}", *output[:40]])


def run_commands(recipe, tree, program):
    """The commands of one recipe, in a folder that looks like the project's root."""
    with tempfile.TemporaryDirectory(prefix="teslasim-howto-") as name:
        folder = pathlib.Path(name)
        for part in ("configs", "traces"):
            (folder / part).symlink_to(tree / part)
        environment = dict(os.environ, PATH=f"{program.parent}:{os.environ['PATH']}", NO_COLOR="1",
                           TESLASIM_CACHE=str(folder / "cache"))
        complaints = [complaint_of_command(command, folder, environment) for command in recipe.commands]
    return [f"{recipe.name}: {complaint}" for complaint in complaints if complaint]


def run(folder):
    tree, build = folder / "tree", folder / "build"
    with tempfile.TemporaryDirectory(prefix="teslasim-howto-") as name:
        recipes, complaints = apply_recipes(pathlib.Path(name))
        renew(tree, pathlib.Path(name))
    if complaints:
        return complaints
    try:
        program = build_program(tree, build)
    except RecipeError as error:
        return [str(error)]
    return [complaint for recipe in recipes for complaint in run_commands(recipe, tree, program)]


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("check", "run"):
        sys.exit(__doc__)
    complaints = (check if sys.argv[1] == "check" else run)(pathlib.Path(sys.argv[2]).resolve())
    for complaint in complaints:
        print(complaint)
    print(f"recipes of docs/howto: {len(complaints)} complaint(s)")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
