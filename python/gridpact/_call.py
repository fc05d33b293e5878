"""Commands of gridpact in this process, their errors as exceptions and their progress."""

from __future__ import annotations

import json
import math
import os
import sys
import time
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import _gridpact, _policy


class Error(Exception):
    """An error of gridpact, with what is wrong, where, and what to do about it.

    Printed, it shows the place as the command line does.

    Attributes
    ----------
    message : str
        The first error, in one sentence.
    file : str or None
        File with the error, or ``<scenario>`` for a text or a dict.
    line, column : int or None
        Place of the error in the file, from 1.
    key : str or None
        Key of the scenario that is wrong, such as ``run.replications``.
    remedy : str
        Remedy, empty if none is known.
    code : int
        Exit code of the same command: 2 for a wrong input, 4 for a file that cannot be read or
        written, 3 for a bug of gridpact.
    problems : list of dict
        All errors and warnings, with the same keys.
    """

    def __init__(self, text, code=2, problems=()):
        super().__init__(text)
        self.code = code
        self.problems = list(problems)
        first = next((one for one in self.problems if one["is_error"]), {})
        self.message = first.get("message", text)
        self.file = first.get("file")
        self.line = first.get("line")
        self.column = first.get("column")
        self.key = first.get("key")
        self.remedy = first.get("remedy", "")

    def __reduce__(self):
        return Error, (str(self), self.code, self.problems)


class GridpactWarning(UserWarning):
    """A warning on a scenario, which can be run but may not say what was meant."""


def call(words, texts=(), progress=False, allowed=(0,)):
    """Runs a command; returns its exit code and standard output, as text if it is text.

    Raises `Error` unless the exit code is one of ``allowed``.
    """
    with _Progress(progress) as shown:
        words = [os.fspath(word) for word in words]
        texts = [(name, text.encode()) for name, text in texts]
        code, out, said, problems, interrupted = _gridpact.call(words, texts, shown)
    if isinstance(interrupted, KeyboardInterrupt):
        raise KeyboardInterrupt(said.strip()) from None
    if interrupted is not None:
        raise interrupted
    cause = next(iter(_policy.raised), None)
    _policy.forget_names()
    if code not in allowed:
        raise Error(said.strip(), code, problems) from cause
    for problem in problems:
        if not problem["is_error"]:
            place = f"{problem['file']}:{problem['line']}: " if problem["line"] else ""
            remedy = f"\nhelp: {problem['remedy']}" if problem["remedy"] else ""
            text = f"{place}{problem['message']}{remedy}"
            warnings.warn(text, GridpactWarning, stacklevel=4)
    try:
        return code, out.decode()
    except UnicodeDecodeError:
        return code, out


def command(
    *words: str | os.PathLike[str], scenario: str | Mapping[str, Any] | None = None
) -> str | bytes:
    """Run any command of the command line, and return what it prints.

    Parameters
    ----------
    *words : str or path
        The words of the command line after ``gridpact``, such as ``"list", "measures"``.
    scenario : str, dict or path, optional
        A text or a dict that stands for the word ``<scenario>``.

    Returns
    -------
    str or bytes
        Standard output; bytes if it is no text, as of ``"export", folder, "--to", "parquet"``.

    Raises
    ------
    Error
        If the command does not end with 0.

    Examples
    --------
    >>> print(gridpact.command("new", "queue"))  # doctest: +SKIP
    """
    texts = [("<scenario>", text(scenario))] if scenario is not None else []
    return call(words, texts)[1]


class _Progress:
    """The progress as a callable of a share and a text, or None."""

    def __init__(self, wanted):
        self.bar = None
        self.begun = time.monotonic()
        self.wanted = wanted

    def __enter__(self):
        if callable(self.wanted) or not self.wanted:
            return self.wanted or None
        try:
            with warnings.catch_warnings():
                # In a notebook without ipywidgets it warns of its bar, which is text then.
                warnings.simplefilter("ignore")
                from tqdm.auto import tqdm
        except ImportError:
            return None
        self.tqdm = tqdm
        return self.show

    def show(self, share, status):
        # Runs that end within a moment show no bar.
        if time.monotonic() < self.begun + 0.5:
            return
        if self.bar is None:
            total = None if share is None else 1.0
            form = "{percentage:3.0f}%|{bar:20}| {desc}" if total else "{elapsed} {desc}"
            # Shown on terminals and in notebooks alone.
            self.bar = self.tqdm(total=total, bar_format=form, leave=False, disable=None)
        if share is not None:
            self.bar.n = share
        self.bar.set_description_str(status)

    def __exit__(self, *_):
        if self.bar is not None:
            self.bar.close()


class Scenarios:
    """Scenarios as words of a command, and the texts that some of them name."""

    def __init__(self, scenarios):
        self.texts = []
        self.words = [self._word(one, len(scenarios)) for one in scenarios]

    def _word(self, scenario, count):
        folder = getattr(scenario, "folder", None)
        if folder is not None:
            return folder
        if isinstance(scenario, Mapping) or (isinstance(scenario, str) and "\n" in scenario):
            name = "<scenario>" if count == 1 else f"<scenario {len(self.texts) + 1}>"
            self.texts.append((name, text(scenario)))
            return name
        if isinstance(scenario, (str, os.PathLike)):
            return Path(scenario)
        raise TypeError(
            f"a scenario is a path, a TOML text of several lines or a dict, not {type(scenario).__name__}"
        )


def text(scenario):
    """The TOML text of a scenario."""
    if isinstance(scenario, str):
        return scenario
    plain, tables = [], []
    for name, entry in scenario.items():
        if isinstance(entry, (list, tuple)) and entry and all(isinstance(one, Mapping) for one in entry):
            for one in entry:
                tables.append(f"\n[[{_key(name)}]]")
                tables.extend(f"{_key(key)} = {value(inner)}" for key, inner in one.items())
        elif isinstance(entry, Mapping):
            plain.extend(f"{_key(name)}.{_key(key)} = {value(inner)}" for key, inner in entry.items())
        else:
            plain.append(f"{_key(name)} = {value(entry)}")
    return "\n".join(plain + tables) + "\n"


def value(entry):
    """A value in TOML."""
    if hasattr(entry, "tolist"):
        entry = entry.tolist()
    if isinstance(entry, type) and issubclass(entry, _policy.Policy):
        entry = _policy.table(entry)
    if isinstance(entry, bool):
        return str(entry).lower()
    if isinstance(entry, float) and math.isinf(entry):
        return str(entry)
    if isinstance(entry, (int, float)):
        return repr(entry)
    if isinstance(entry, (str, os.PathLike)):
        return json.dumps(os.fspath(entry), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(entry, Mapping):
        return "{ " + ", ".join(f"{_key(name)} = {value(one)}" for name, one in entry.items()) + " }"
    if isinstance(entry, (list, tuple, range)):
        return "[" + ", ".join(value(one) for one in entry) + "]"
    raise TypeError(f"a value of a scenario is not of type {type(entry).__name__}")


def _key(name):
    """A key in TOML; dots part the keys of tables within each other."""
    bare = all(part and part.replace("_", "a").replace("-", "a").isalnum() and part.isascii()
               for part in str(name).split("."))
    return str(name) if bare else value(str(name))


def program():
    """The command ``gridpact``."""
    import signal

    # The program has handlers of its own, and needs none of Python's.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_gridpact.program(["gridpact", *sys.argv[1:]]))
