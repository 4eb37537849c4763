# SPDX-License-Identifier: Apache-2.0
"""Results of plans: what `teslasim sweep`, `dse` and `validate` leave in a folder."""
import pathlib

from ._errors import Error
from ._table import table_of_csv


def load_sweep(folder):
    """The table of a sweep or an exploration: one row for each point, with its settings and its results."""
    path = pathlib.Path(folder)
    file = path / "table.csv" if path.is_dir() else path
    if not file.is_file():
        raise Error(f"error[RUN-NOT-FOUND]: there is no table of a sweep in '{folder}'\n"
                    "  = help: name the folder that teslasim sweep wrote (runs/sweep-NAME); an interrupted one has no table yet",
                    "RUN-NOT-FOUND", exit_code=4)
    return table_of_csv(file)
