# SPDX-License-Identifier: Apache-2.0
"""Tables: pandas DataFrames where pandas is installed, else a plain table with the same columns."""
import html
import pathlib

import numpy

SHOWN = 30


def _numbers(cells):
    """The cells of a column as numbers, if all of them are; empty cells are gaps."""
    filled = [cell for cell in cells if cell != ""]
    try:
        whole = [int(cell) for cell in filled]
        if len(filled) == len(cells) and all(-2**63 <= number < 2**63 for number in whole):
            return numpy.array(whole, dtype=numpy.int64)
    except ValueError:
        pass
    try:
        return numpy.array([float(cell) if cell != "" else numpy.nan for cell in cells], dtype=numpy.float64)
    except ValueError:
        return numpy.array(cells, dtype=object)


class Table:
    """Rows under named columns. `table["bytes"]` is a numpy array, `table.rows()` yields dictionaries."""

    def __init__(self, columns, rows):
        self.columns = list(columns)
        self._data = {name: _numbers([row[place] for row in rows]) for place, name in enumerate(self.columns)}
        self._length = len(rows)

    def __len__(self):
        return self._length

    def __getitem__(self, column):
        return self._data[column]

    def __contains__(self, column):
        return column in self._data

    def __iter__(self):
        return iter(self.columns)

    def rows(self):
        """Each row as a dictionary."""
        for place in range(self._length):
            yield {name: self._data[name][place] for name in self.columns}

    def to_pandas(self):
        """The same as a pandas DataFrame."""
        import pandas

        return pandas.DataFrame(self._data, columns=self.columns)

    def __repr__(self):
        return f"<teslasim.Table: {self._length} rows of {', '.join(self.columns)}>"

    def _repr_html_(self):
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.columns)
        body = ""
        for place, row in enumerate(self.rows()):
            if place == SHOWN:
                body += f"<tr><td colspan={len(self.columns)}>... {self._length - SHOWN} more rows</td></tr>"
                break
            body += "<tr>" + "".join(f"<td>{html.escape(str(row[name]))}</td>" for name in self.columns) + "</tr>"
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def table_of(columns, rows):
    """A DataFrame, or a Table without pandas."""
    table = Table(columns, rows)
    try:
        return table.to_pandas()
    except ImportError:
        return table


def table_of_csv(path):
    """The table in a CSV file of this program."""
    import csv

    with open(pathlib.Path(path), encoding="utf-8", newline="") as stream:
        lines = list(csv.reader(stream))
    columns = lines[0] if lines else []
    return table_of(columns, [line + [""] * (len(columns) - len(line)) for line in lines[1:]])
