"""Every notebook runs from its first cell to its last, and each cell's value can be shown."""

import ast
import json
import os
import unittest
from pathlib import Path

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


def shown(cell, names):
    """Runs a cell; returns its value as a notebook shows it."""
    tree = ast.parse(cell)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None
    return value._repr_html_() if hasattr(value, "_repr_html_") else repr(value)


class Notebooks(unittest.TestCase):
    def test_all_cells_run(self):
        self.assertTrue(NOTEBOOKS)
        here = Path.cwd()
        for notebook in NOTEBOOKS:
            cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
            names = {"__name__": "__main__"}
            os.chdir(notebook.parent)
            try:
                for cell in cells:
                    if cell["cell_type"] == "code":
                        with self.subTest(notebook.name, cell="".join(cell["source"])):
                            self.assertTrue(shown("".join(cell["source"]), names))
            finally:
                os.chdir(here)


if __name__ == "__main__":
    unittest.main()
