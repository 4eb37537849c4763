# SPDX-License-Identifier: Apache-2.0
"""A program of a public suite: how it is copied, built and checked."""
import os
import shutil


class Wrong(Exception):
    """The program ran, and what it computed is not right."""


class Case:
    """`prepare` copies the sources to a scratch folder and says how to build and run; `check` returns what was right."""

    environment = {}
    needs_timing = ""  # why the functional mode cannot be right

    def __init__(self, suite, name):
        self.suite, self.name = suite, name
        self.folder, self.make, self.command = None, [], []

    @staticmethod
    def copy_tree(source, target):
        """The originals may be read-only; the copies are not."""
        if target.exists():
            return
        shutil.copytree(source, target, copy_function=shutil.copyfile)
        for folder, _, files in os.walk(target):
            os.chmod(folder, 0o755)
            for name in files:
                os.chmod(os.path.join(folder, name), 0o644)

    def prepare(self, scratch, is_timed):
        raise NotImplementedError

    def after_build(self):
        """Further files that the run needs, made once the program is there."""

    def check(self, output):
        raise NotImplementedError
