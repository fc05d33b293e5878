"""gridpact simulates grids whose clusters belong to different, selfish organizations.

Functions run scenarios in this process and return `Results`, whose tables pandas, polars and DuckDB
read.

>>> import gridpact
>>> results = gridpact.run("scenario.toml")  # doctest: +SKIP
>>> results.figures.to_pandas()  # doctest: +SKIP
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Union

from . import _gridpact
from ._call import Error, GridpactWarning, Scenarios, call, command, value
from ._policy import GridScheduler, Learner, Scheduler
from ._results import Audit, Results, Table, into_folder, option_words

__version__ = _gridpact.VERSION
__all__ = [
    "Audit", "Error", "GridScheduler", "GridpactWarning", "Learner", "Results", "Scheduler", "Table",
    "command", "compare", "game", "read", "resume", "run", "solve", "sweep",
]


Scenario = Union[str, "os.PathLike[str]", Mapping[str, Any]]
Progress = Union[bool, Callable[[Union[float, None], str], object]]


def _settings(settings):
    return [f"{key}={value(one)}" for key, one in (settings or {}).items()]


def run(
    scenario: Scenario,
    *,
    seed: int | None = None,
    replications: int | None = None,
    set: Mapping[str, Any] | None = None,
    out: str | os.PathLike[str] | None = None,
    progress: Progress = True,
    **options: Any,
) -> Results:
    """Run a scenario.

    Parameters
    ----------
    scenario : str, path or dict
        A file, a TOML text of several lines, or a dict of the same keys. Paths in a text or a dict are
        relative to the working directory.
    seed : int, optional
        Master seed, instead of the scenario's.
    replications : int, optional
        Number of replications, instead of the scenario's.
    set : dict, optional
        Values of keys, such as ``{"scheduler": "fcfs", "import.load.factor": 1.1}``. The end of a key
        is enough, as for ``--set``. A subclass of `Scheduler`, `GridScheduler` or `Learner` is a policy.
    out : str or path, optional
        Folder for the results; by default a temporary one.
    progress : bool or callable, default True
        True shows a bar if tqdm is there. A callable gets the share that is done, or None, and a text.
    **options
        Options of ``gridpact run``, such as ``threads=2``, ``force=True`` or ``wall_clock="2h"``.

    Returns
    -------
    Results

    Raises
    ------
    Error
        If the scenario is wrong or a file cannot be read or written.
    KeyboardInterrupt
        After Ctrl-C. With ``out``, the state is saved and `resume` continues.

    Examples
    --------
    >>> gridpact.run("scenarios/ten-jobs.toml").organizations["wait_mean"]  # doctest: +SKIP
    """
    return _run("run", scenario, seed, replications, set, out, progress, options)


def game(
    game: Scenario,
    *,
    seed: int | None = None,
    replications: int | None = None,
    set: Mapping[str, Any] | None = None,
    out: str | os.PathLike[str] | None = None,
    progress: Progress = True,
    **options: Any,
) -> Results:
    """Let learners play a game, or dynamics run on it.

    Parameters and return value are those of `run`; `game` is a file, a text or a dict with ``[game]``.
    """
    return _run("game", game, seed, replications, set, out, progress, options)


def _run(kind, scenario, seed, replications, set, out, progress, options):
    every = dict(set or {})
    if replications is not None:
        every["run.replications"] = replications
    told = Scenarios([scenario])
    words = [kind, *told.words, *option_words(seed=seed, set=_settings(every), **options)]
    return into_folder(words, told.texts, out, progress)


def compare(
    *scenarios: Scenario | Results,
    vary: Mapping[str, Sequence[Any]] | None = None,
    set: Mapping[str, Any] | None = None,
    seed: int | None = None,
    replications: int | None = None,
    until: str | None = None,
    measures: Sequence[str] = (),
    out: str | os.PathLike[str] | None = None,
    progress: Progress = True,
    **options: Any,
) -> Results | Table:
    """Compare scenarios, values of keys, or finished results, on the same random draws.

    Parameters
    ----------
    *scenarios : str, path, dict or Results
        Scenarios or games, the base first; or finished results.
    vary : dict, optional
        Lists of values by key, such as ``{"scheduler": ["fcfs", "easy"]}``, for all combinations.
    set, seed, replications, out, progress, **options
        As for `run`; each holds for every run.
    until : str, optional
        Precision of the differences, such as ``"relative=0.02"``.
    measures : list of str, optional
        Measures to judge.

    Returns
    -------
    Results
        `comparison` has the differences; `figures` and `replications` begin with a column ``run``.
        Of finished results, a Table with the differences.
    """
    told = Scenarios(scenarios)
    if all(isinstance(one, Results) for one in scenarios):
        words = option_words(vary=vary, set=set, measure=list(measures), format="csv", **options)
        return Table(_gridpact.parsed(call(["compare", *told.words, *words])[1].encode()))
    varied = [f"{key}={','.join(map(value, values))}" for key, values in (vary or {}).items()]
    words = option_words(vary=varied, set=_settings(set), seed=seed, replications=replications,
                         until=until, measure=list(measures), **options)
    return into_folder(["compare", *told.words, *words], told.texts, out, progress)


def sweep(
    scenario: Scenario,
    grid: Mapping[str, Sequence[Any]] | None = None,
    *,
    set: Mapping[str, Any] | None = None,
    seed: int | None = None,
    replications: int | None = None,
    out: str | os.PathLike[str] | None = None,
    progress: Progress = True,
    **options: Any,
) -> Results:
    """Run a scenario at all points of a parameter study.

    Parameters
    ----------
    scenario : str, path or dict
        A scenario, or one with ``[sweep]``.
    grid : dict, optional
        Lists of values by key, such as ``{"import.load.factor": [0.8, 1.0, 1.2]}``.
    set, seed, replications, out, progress, **options
        As for `run`; each holds for every point.

    Returns
    -------
    Results
        `points`, `figures` and `replications` begin with a column for each parameter.
    """
    told = Scenarios([scenario])
    points = {f"sweep.grid.{key}": list(values) for key, values in (grid or {}).items()}
    words = option_words(set=_settings({**(set or {}), **points}), seed=seed,
                         replications=replications, **options)
    return into_folder(["sweep", *told.words, *words], told.texts, out, progress)


def solve(
    game: Scenario,
    solver: str | None = None,
    *,
    set: Mapping[str, Any] | None = None,
    **options: Any,
) -> Table:
    """Find equilibria, long-run play and fair shares of a game, as ``gridpact game solve`` does.

    Parameters
    ----------
    game : str, path or dict
        A file, a TOML text of several lines or a dict with ``[game]``.
    solver : str, optional
        Return only what this solver found.
    set : dict, optional
        Values of keys, as for `run`.
    **options
        Options of the command, such as ``alpha=10`` or ``population=100``.

    Returns
    -------
    Table
    """
    told = Scenarios([game])
    words = option_words(set=_settings(set), table=solver, format="csv", **options)
    out = call(["game", "solve", *told.words, *words], told.texts)[1]
    return Table(_gridpact.parsed(out.encode()))


def read(folder: str | os.PathLike[str]) -> Results:
    """Read the results in a folder.

    Parameters
    ----------
    folder : str or path
        Folder that a run, a comparison, a sweep or a game has written.

    Returns
    -------
    Results

    Raises
    ------
    FileNotFoundError
        If there is no finished run in the folder.
    """
    results = Results(folder)
    if not (results.folder / "manifest.json").is_file():
        raise FileNotFoundError(f"{Path(folder)}: there is no `manifest.json`, so no finished run is here")
    return results


def resume(
    folder: str | os.PathLike[str], *, progress: Progress = True, **options: Any
) -> Results:
    """Resume an interrupted run, or extend a finished one.

    Parameters
    ----------
    folder : str or path
        Folder of the run.
    progress, **options
        As for `run`; options are those of ``gridpact resume``, such as ``replications=50``.

    Returns
    -------
    Results
    """
    call(["resume", folder, *option_words(**options)], (), progress)
    return Results(folder)
