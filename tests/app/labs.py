# SPDX-License-Identifier: Apache-2.0
"""The labs for courses (docs/labs), as `teslasim new --lab` makes them: every command of their pages, their gates, their answers.

In a student's page, blocks marked `console` are what one looks at, the one marked `sh` is the gate of the task. In a teacher's
page, what stands below a command is what it prints. Another machine or kernel prints other figures; then, in this folder,

    TESLASIM=.../teslasim python3 labs.py --update

writes them anew, for a person to read whether the words beside them still hold.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from cli import PROGRAM, Cli

ROOT = pathlib.Path(__file__).resolve().parents[2]
LABS = {path.name.split("-")[0]: path for path in sorted((ROOT / "docs/labs").glob("[0-9]*"))}
BLOCK = re.compile(r"^```(console|sh)\n(.*?)^```", re.M | re.S)
SECONDS = 600
BARRIER = "    bar.sync.u32    0x00000000                      // all warps"
# what else students hand in: (lab, file, [(in the solution, instead)], grade)
OTHERS = [
    ("2", "collatz.asm", [("add.join.u32    $r3", "nop.join\n    add.u32         $r3")], 0),
    ("4", "transpose.asm", [(".equ row_words, 17", ".equ row_words, 19")], 0),
    ("4", "transpose.asm", [(".equ row_words, 17", ".equ row_words, 18")], 1),
    ("5", "scale.launch.toml", [("[180]", "[60]"), ("[64]", "[192]")], 0),
    ("5", "scale.launch.toml", [("[180]", "[360]")], 1),                     # half of the blocks begin late
    ("6", "sum.asm", [(BARRIER, "    mov.b32 $r9, 64\n    set.gt.u32 $p0|$o127, $r5, $r9\n@$p0.eq bra.label on\n" + BARRIER),
                      ("    shr.u32         $r5, $r5, 1\n", "on:\n    shr.u32         $r5, $r5, 1\n")], 1),   # a race with right results
    ("7", "intensity.asm", [(".equ unroll, 32", ".equ unroll, 64")], 1),     # does not end for 96 iterations
]


def steps(block):
    """[(command, what the page shows below it)] of a block."""
    found, inside = [], False
    for line in block.splitlines(keepends=True):
        if inside:
            found[-1][0] += line
            inside = line != "END\n"
        elif line.startswith("$ "):
            found.append([line[2:], ""])
            inside = line.endswith("<<'END'\n")
        elif found:
            found[-1][1] += line
    return found


def run(command, folder):
    """(exit status, what was printed) of a command in a folder, with the program as `teslasim`."""
    environment = dict(os.environ, PATH=f"{PROGRAM.parent}:{os.environ['PATH']}", NO_COLOR="1", LC_ALL="C.UTF-8",
                       TESLASIM_CACHE=str(folder / "cache"))
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
    return done.returncode, done.stdout.decode()


def answered(page, folder):
    """A teacher's page with what its commands print now."""
    def block(match):
        text = "".join(f"$ {command}{run(command, folder)[1]}" for command, _ in steps(match[2]))
        return f"```{match[1]}\n{text}```"
    return BLOCK.sub(block, page)


class Labs(Cli):
    def make(self, number, *options):
        folder = self.here / f"lab{number}{len(options)}"
        self.expect(0, "new", folder.name, "--lab", number, *options)
        return folder

    def grade(self, teacher, student):
        return run(f"sh {teacher}/teacher/grade.sh {student}", self.here)

    def each(self, check):
        for number, source in LABS.items():
            with self.subTest(lab=source.name):
                check(number, source)

    def test_a_student_gets_no_answers_and_a_teacher_both(self):
        def check(number, source):
            student, teacher = self.make(number), self.make(number, "--teacher")
            names = {path.name for path in source.iterdir() if path.is_file()}
            self.assertEqual({path.name for path in student.iterdir()}, names)
            self.assertEqual({path.name for path in teacher.iterdir()}, names | {"teacher"})
            self.assertLessEqual({"README.md", "expect", "grade.sh"}, {path.name for path in (teacher / "teacher").iterdir()})
            for path in teacher.rglob("*"):
                if path.is_file():
                    self.assertEqual(path.read_bytes(), (source / path.relative_to(teacher)).read_bytes(), path.name)
        self.each(check)

    def test_pages_have_questions_each_with_something_to_run(self):
        def check(number, source):
            page = (source / "README.md").read_text()
            self.assertRegex(page, rf"\A# Lab {number}: ")
            self.assertIn("\n## Your task\n", page)
            questions = re.findall(r"^\*\*(\d)\.\*\*", page, re.M)
            self.assertEqual(questions, [str(i + 1) for i in range(len(questions))])
            self.assertIn(len(questions), range(4, 8))
            answers = re.findall(r"^\*\*(\d)\.\*\*", (source / "teacher/README.md").read_text(), re.M)
            self.assertEqual(answers, questions, "an answer for each question")
        self.each(check)

    def test_every_command_of_a_page_does_what_the_page_says(self):
        def check(number, source):
            folder, before = self.make(number), None
            for kind, block in BLOCK.findall((source / "README.md").read_text()):
                for command, shown in steps(block):
                    if command == "echo $?\n":
                        self.assertEqual(before[0], int(shown), before)
                        before = None
                        continue
                    self.assertTrue(before is None or before[0] == 0, before)
                    before = (*run(command, folder), command)
                    if kind == "sh":
                        self.assertNotEqual(before[0], 0, f"the start meets the gate: {before}")
                        before = None
            self.assertTrue(before is None or before[0] == 0, before)
        self.each(check)

    def test_the_start_fails_and_the_solution_passes(self):
        def check(number, source):
            teacher, student = self.make(number, "--teacher"), self.make(number)
            self.assertEqual(self.grade(teacher, student)[0], 1)
            changed = [path for path in (teacher / "teacher").iterdir()
                       if path.name != "README.md" and (student / path.name).exists() and path.read_bytes() != (student / path.name).read_bytes()]
            self.assertTrue(changed)
            for path in changed:
                (student / path.name).write_bytes(path.read_bytes())
            status, printed = self.grade(teacher, student)
            self.assertEqual(status, 0, printed)
            for kind, block in BLOCK.findall((source / "README.md").read_text()):
                for command, _ in steps(block) if kind == "sh" else []:
                    status, printed = run(command, student)
                    self.assertEqual(status, 0, f"{command}{printed}")
        self.each(check)

    def test_other_right_solutions_pass_and_wrong_ones_do_not(self):
        for number, name, changes, grade in OTHERS:
            with self.subTest(lab=number, changes=changes):
                teacher, student = self.here / f"lab{number}1", self.here / f"other{number}"
                if not teacher.exists():
                    self.make(number, "--teacher")
                text = (teacher / "teacher" / name).read_text()
                for old, new in changes:
                    self.assertEqual(text.count(old), 1, old)
                    text = text.replace(old, new)
                student.mkdir(exist_ok=True)
                (student / name).write_text(text)
                status, printed = self.grade(teacher, student)
                self.assertEqual(status, grade, printed)
                self.assertEqual("FAIL" in printed, grade == 1, printed)

    def test_what_cannot_be_read_does_not_pass(self):
        def check(number, _):
            teacher = self.make(number, "--teacher")
            (self.here / "empty").mkdir(exist_ok=True)
            self.assertEqual(self.grade(teacher, "empty")[0], 1)
        self.each(check)

    def test_answers_are_what_the_program_prints(self):
        def check(number, source):
            page = (source / "teacher/README.md").read_text()
            self.assertEqual(page, answered(page, self.make(number, "--teacher")), "labs.py --update writes the page anew")
        self.each(check)


class Command(Cli):
    def test_help_and_overview_name_all_labs(self):
        listed = self.expect(0, "new", "--help").stdout
        overview = (ROOT / "docs/labs/README.md").read_text()
        for number, source in LABS.items():
            title = (source / "README.md").read_text().splitlines()[0].removeprefix(f"# Lab {number}: ")
            self.assertIn(f"  {number}  {title}\n", listed)
            self.assertIn(f"| {number} | [{title}]({source.name}/README.md) |", overview)
        self.assertNotIn("Lab ", self.expect(0, "new", "--list").stdout)

    def test_mistakes(self):
        first = next(iter(LABS))
        told = self.expect(2, "new", "d", "--lab", "99").stderr
        self.assertIn("error[CLI-VALUE]: there is no lab '99'", told)
        self.assertIn(f"the labs are: {first} (", told)
        self.assertIn("--teacher is for a lab", self.expect(2, "new", "d", "--teacher").stderr)
        self.assertIn("--lab takes a folder and no examples", self.expect(2, "new", "d", "reduce1", "--lab", first).stderr)
        self.assertFalse((self.here / "d").exists())
        self.expect(0, "new", "d", "--lab", first)
        self.assertIn("error[NEW-EXISTS]", self.expect(8, "new", "d", "--lab", first).stderr)
        self.assertIn(f"lab {first}, ", self.expect(0, "new", "e", "--lab", first).stdout)


def update(numbers):
    for number, source in LABS.items():
        if numbers and number not in numbers:
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name) / "lab"
            subprocess.run([PROGRAM, "new", folder, "--lab", number, "--teacher", "-q"], check=True)
            page = source / "teacher/README.md"
            page.write_text(answered(page.read_text(), folder))


if __name__ == "__main__":
    if "--update" in sys.argv:
        update(sys.argv[sys.argv.index("--update") + 1:])
    else:
        unittest.main()
