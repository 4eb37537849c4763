# SPDX-License-Identifier: Apache-2.0
"""What docs/python.md and the front page show works, and the names of the stubs are those of the module."""
import ast
import contextlib
import importlib
import io
import os
import pathlib
import re
import unittest

import teslasim

SOURCE = pathlib.Path(os.environ["TESLASIM_SOURCE"])
BLOCK = re.compile(r"^```python\n(.*?)^```", re.M | re.S)


def run_blocks(document):
    """Runs the blocks of a document one after the other; returns what they print."""
    names, printed = {}, io.StringIO()
    with contextlib.chdir(SOURCE), contextlib.redirect_stdout(printed):
        for block in BLOCK.findall((SOURCE / document).read_text(encoding="utf-8")):
            exec(compile(block, document, "exec"), names)  # pylint: disable=exec-used
    return printed.getvalue()


class Page(unittest.TestCase):
    def test_the_page_about_the_module(self):
        self.assertIn("CFG-UNKNOWN", run_blocks("docs/python.md"))

    def test_the_front_page(self):
        self.assertIn("issued", run_blocks("README.md"))

    def test_stubs_have_the_names_of_the_module(self):
        for name, module in (("__init__", teslasim), ("models", importlib.import_module("teslasim.models"))):
            tree = ast.parse((SOURCE / f"python/teslasim/{name}.pyi").read_text(encoding="utf-8"))
            for node in tree.body:
                if isinstance(node, ast.FunctionDef):
                    self.assertTrue(callable(getattr(module, node.name)), node.name)
                if isinstance(node, ast.ClassDef) and hasattr(module, node.name):
                    self.check_class(node, getattr(module, node.name))

    def check_class(self, node, of_module):
        for member in node.body:
            if isinstance(member, ast.FunctionDef):
                self.assertTrue(hasattr(of_module, member.name), f"{node.name}.{member.name}")

    def test_everything_has_a_docstring(self):
        for name in teslasim.__all__:
            thing = getattr(teslasim, name)
            if not getattr(thing, "__module__", "").endswith("_teslasim"):
                self.assertTrue(thing.__doc__, name)


if __name__ == "__main__":
    unittest.main()
