# SPDX-License-Identifier: Apache-2.0
"""Every cell of the notebooks runs: in Jupyter where nbclient and a kernel are, and always one after the other in a process."""
import contextlib
import io
import json
import os
import pathlib
import unittest

FOLDER = pathlib.Path(os.environ["TESLASIM_SOURCE"]) / "docs/notebooks"


def notebook(name):
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def run_cells(name):
    """The texts that the cells print, in order."""
    names, said = {"__name__": "__main__"}, []
    for cell in notebook(name)["cells"]:
        if cell["cell_type"] != "code":
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.chdir(FOLDER):
            exec(compile("".join(cell["source"]), f"{name} {cell['id']}", "exec"), names)  # pylint: disable=exec-used
        said.append(printed.getvalue())
    return names, said


class Notebooks(unittest.TestCase):
    def test_they_are_kept_without_outputs(self):
        found = sorted(path.name for path in FOLDER.glob("*.ipynb"))
        self.assertEqual(["calibrate_models.ipynb", "first_kernel.ipynb", "roofline_study.ipynb"], found)
        for name in found:
            for cell in notebook(name)["cells"]:
                self.assertEqual([], cell.get("outputs", []), name)
                self.assertIsNone(cell.get("execution_count"), name)

    def test_first_kernel(self):
        names, said = run_cells("first_kernel.ipynb")
        self.assertEqual("ok", names["run"].status)
        self.assertIn("error[LAUNCH-TYPE]", said[-1])

    def test_roofline_study(self):
        names, _ = run_cells("roofline_study.ipynb")
        speeds = [gflops for _, gflops, _, _ in names["points"]]
        self.assertEqual(sorted(speeds), speeds, "more operations per byte are more operations per second")

    def test_calibrate_models(self):
        names, _ = run_cells("calibrate_models.ipynb")
        levels = {one.level for one in names["runs"][names["calibrated"]][0].predictions}
        self.assertIn("P1", levels)

    def test_jupyter_runs_them(self):
        try:
            import nbclient
            import nbformat
            from jupyter_client.kernelspec import find_kernel_specs
        except ImportError:
            self.skipTest("nbclient is not there")
        if "python3" not in find_kernel_specs():
            self.skipTest("there is no kernel of Jupyter for Python")
        for path in FOLDER.glob("*.ipynb"):
            nbclient.NotebookClient(nbformat.read(path, as_version=4), timeout=120, kernel_name="python3",
                                    resources={"metadata": {"path": str(FOLDER)}}).execute()


if __name__ == "__main__":
    unittest.main()
