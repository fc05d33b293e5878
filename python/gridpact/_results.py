"""Results of runs: a folder of files, read when they are asked for."""

from __future__ import annotations

import array
import base64
import html
import json
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _gridpact
from ._call import call

if TYPE_CHECKING:
    import pandas


class Table:
    """A table with typed columns.

    polars, DuckDB, pyarrow and others take it over without a copy, by Arrow's C stream interface:
    ``polars.DataFrame(table)``, ``duckdb.from_arrow(table)``.

    Attributes
    ----------
    columns : list of str
        Names of the columns, in order.
    types : dict
        Type of each column: ``"int64"``, ``"float64"``, ``"bool"`` or ``"str"``.
    """

    def __init__(self, parts):
        named, self._rows, self._column, self._stream = parts
        self.columns = [name for name, _ in named]
        self.types = dict(named)

    def __len__(self) -> int:
        return self._rows

    def __getitem__(self, name: str) -> list[Any]:
        """The values of a column as a list; a missing value is None."""
        return self._list(name, len(self))

    def _list(self, name, count):
        values, present = self._values(name, count)
        code = {"int64": "q", "float64": "d", "bool": "b"}.get(self.types[name])
        if code:
            values = array.array(code, values).tolist()
        if self.types[name] == "bool":
            values = [bool(one) for one in values]
        if present is None:
            return values
        return [one if is_there else None for one, is_there in zip(values, present)]

    def _values(self, name, count):
        if name not in self.types:
            raise KeyError(f"there is no column {name!r}; the columns are {', '.join(self.columns)}")
        return self._column(self.columns.index(name), count)

    def rows(self, count: int | None = None) -> list[dict[str, Any]]:
        """The rows as dicts.

        Parameters
        ----------
        count : int, optional
            Return only so many of the first rows.

        Returns
        -------
        list of dict
        """
        count = len(self) if count is None else count
        columns = [self._list(name, count) for name in self.columns]
        return [dict(zip(self.columns, row)) for row in zip(*columns)]

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns as lists.

        Returns
        -------
        dict of list
        """
        return {name: self[name] for name in self.columns}

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a pandas DataFrame, which needs no pyarrow.

        Missing numbers are NaN, as ``pandas.read_csv`` has them.

        Returns
        -------
        pandas.DataFrame
        """
        import numpy
        import pandas

        # The default type of texts since pandas 3.
        text = "str" if int(pandas.__version__.split(".")[0]) >= 3 else object
        columns = {}
        for name, kind in self.types.items():
            values, present = self._values(name, len(self))
            if kind == "str" or (kind == "bool" and present is not None):
                columns[name] = pandas.Series(self[name], dtype=text if kind == "str" else object)
                continue
            values = numpy.frombuffer(values, dtype=kind)
            if present is not None:
                present = numpy.frombuffer(present, dtype=bool)
                values = numpy.where(present, values, numpy.nan)
            columns[name] = values
        return pandas.DataFrame(columns, columns=self.columns)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._stream()

    def __repr__(self):
        return f"<gridpact.Table: {len(self)} rows of {', '.join(self.columns)}>"

    def _repr_html_(self):
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.columns)
        cells = (
            "".join(f"<td>{'' if one is None else html.escape(str(one))}</td>" for one in row.values())
            for row in self.rows(10)
        )
        body = "".join(f"<tr>{row}</tr>" for row in cells)
        return f"<table><tr>{head}</tr>{body}</table><p>{len(self)} rows</p>"


class Audit:
    """Verdict of an audit, which is true if every rule was kept.

    Attributes
    ----------
    passed : bool
        True if no rule is broken and no file is changed or missing.
    rules : Table
        A row for each rule, with ``verdict``, ``looked_at``, ``violations`` and ``means``.
    """

    def __init__(self, passed, rules):
        self.passed = passed
        self.rules = rules

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self):
        broken = [rule for rule, said in zip(self.rules["rule"], self.rules["verdict"]) if said == "broken"]
        return f"<gridpact.Audit: {'broken: ' + ', '.join(broken) if broken else 'all rules were kept'}>"


class Results:
    """Results of a run, a comparison, a sweep or a game.

    A notebook shows the answer and the pictures. Tables are attributes; which there are depends on
    the run (`tables`).

    Attributes
    ----------
    folder : pathlib.Path
        Folder with the files. A temporary one is removed with this object; `save` keeps it.
    """

    def __init__(self, folder):
        self.folder = Path(folder)
        self._read = {}

    def _once(self, name, read):
        if name not in self._read:
            self._read[name] = read()
        return self._read[name]

    def _json(self, name):
        return self._once(name, lambda: json.loads((self.folder / name).read_text(encoding="utf-8")))

    @property
    def manifest(self) -> dict[str, Any]:
        """``manifest.json`` as a dict: versions, seed, digests."""
        return self._json("manifest.json")

    @property
    def summary(self) -> dict[str, Any]:
        """``summary.json`` as a dict: figures, statements and warnings. Exact sums are texts."""
        return self._json("summary.json")

    @property
    def tables(self) -> list[str]:
        """Names of the tables: those of the CSV files, without their endings."""
        names = (name.removesuffix(".gz") for name in self.manifest["files"])
        # Records in many files are called `jobs-r0000-000001.csv`.
        stems = (name.removesuffix(".csv").split("-r0")[0] for name in names if name.endswith(".csv"))
        return list(dict.fromkeys(stems))

    def table(self, name: str) -> Table:
        """The table of a CSV file, or of all files of its kind, packed or not.

        Parameters
        ----------
        name : str
            Name of the file without ``.csv``.

        Returns
        -------
        Table

        Raises
        ------
        AttributeError
            If the run has left no such file.
        """
        if name not in self.tables:
            raise AttributeError(f"there is no table {name!r}; the tables are {', '.join(self.tables)}")
        return self._once(name + ".csv", lambda: Table(_gridpact.table(self.folder, name, self.manifest["world"])))

    @property
    def figures(self) -> Table:
        """Figures of every unit, with intervals; of a sweep, the parameters are the first columns."""
        return self.table("figures")

    @property
    def replications(self) -> Table:
        """Figures of every replication, with the weights by which `figures` has their mean."""
        return self.table("replications")

    @property
    def organizations(self) -> Table:
        """A row for each organization, and one for all, ``*``."""
        return self.table("organizations")

    @property
    def jobs(self) -> Table:
        """A row for each job."""
        return self.table("jobs")

    @property
    def rounds(self) -> Table:
        """A row for each organization or player in every round."""
        return self.table("rounds")

    @property
    def comparison(self) -> Table:
        """Differences of the runs of a comparison or a sweep, with verdicts."""
        return self.table("comparison")

    @property
    def points(self) -> Table:
        """The points of a sweep."""
        return self.table("points")

    @property
    def answer(self) -> list[str]:
        """The sentences that the page begins with."""
        page = self.folder / "report.json"
        return self._json("report.json")["answer"] if page.exists() else self.summary["statements"]

    @property
    def warnings(self) -> list[str]:
        """Warnings on the results, such as a sample that is too small."""
        return self.summary["warnings"]

    @property
    def pictures(self) -> list[Path]:
        """The SVG files of the pictures."""
        return sorted(self.folder.glob("*.svg"))

    @property
    def page(self) -> Path:
        """The page of the run, an HTML file."""
        return self.folder / "report.html"

    def audit(self) -> Audit:
        """Replay the run and check every rule, as ``gridpact audit`` does.

        Returns
        -------
        Audit
        """
        code, out = call(["audit", self.folder, "--format", "csv"], allowed=(0, 1))
        return Audit(code == 0, Table(_gridpact.parsed(out.encode())))

    def explain(self, job: int | str | None = None, **options: Any) -> str:
        """Explain why a job waited, or the state at a time, as ``gridpact explain`` does.

        Parameters
        ----------
        job : int or str, optional
            Number or label of the job.
        **options
            Options of the command: ``at``, ``organization``, ``cluster``, ``replication`` and others.

        Returns
        -------
        str
        """
        return call(["explain", self.folder, *option_words(job=job, **options)])[1]

    def save(self, folder: str | Path) -> Results:
        """Copy the files to a folder that does not exist yet.

        Parameters
        ----------
        folder : str or path

        Returns
        -------
        Results
            The results in the new folder.
        """
        return Results(shutil.copytree(self.folder, folder))

    def __repr__(self):
        return f"<gridpact.Results: {self.summary['name']}, in {self.folder}>"

    def __str__(self):
        warned = [f"warning: {warning}" for warning in self.warnings]
        return "\n".join([self.summary["name"], *self.answer, *warned])

    def _repr_html_(self):
        def told(lines):
            return "".join(f"<p>{html.escape(line)}</p>" for line in lines)

        def picture(file):
            data = base64.b64encode(file.read_bytes()).decode()
            return f'<img alt="{html.escape(file.stem)}" src="data:image/svg+xml;base64,{data}">'

        return (
            f"<h3>{html.escape(self.summary['name'])}</h3>{told(self.answer)}"
            f"{told('warning: ' + warning for warning in self.warnings)}"
            + "".join(map(picture, self.pictures))
        )


def option_words(**options):
    """Options as words of the command line; those that are None or False are left out."""
    words = []
    for name, given in options.items():
        flag = "--" + name.replace("_", "-")
        if given is True:
            words.append(flag)
        elif given is not None and given is not False:
            every = given if isinstance(given, (list, tuple)) else [given]
            words.extend(f"{flag}={one}" for one in every)
    return words


def into_folder(words, texts, out, progress):
    """Runs a command that writes results into a folder, or else into a temporary one."""
    if out is not None:
        call([*words, "--out", out], texts, progress)
        return Results(out)
    out = tempfile.mkdtemp(prefix="gridpact-")
    try:
        call([*words, "--out", out], texts, progress)
    except BaseException as error:
        shutil.rmtree(out, ignore_errors=True)
        if isinstance(error, KeyboardInterrupt):
            text = "stopped; `out=FOLDER` would keep its state for `gridpact.resume`"
            raise KeyboardInterrupt(text) from None
        raise
    results = Results(out)
    weakref.finalize(results, shutil.rmtree, out, ignore_errors=True)
    return results
