"""The part of the package that is written in Rust."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

VERSION: str

Progress = Callable[[float | None, str], object]
Parts = tuple[list[tuple[str, str]], int, Callable[[int, int], tuple[Any, bytes | None]], Callable[[], object]]

def call(
    words: Sequence[str], texts: Sequence[tuple[str, bytes]], progress: Progress | None, /
) -> tuple[int, bytes, str, list[dict[str, Any]], BaseException | None]:
    """Run a command: exit code, output, errors as text and as values, and what interrupted it."""

def program(words: Sequence[str], /) -> int:
    """Run a command on the terminal, and return its exit code."""

def provide(name: str, connect: Callable[[], Callable[[str], str]], /) -> None:
    """Give a name to policies; a conversation maps a line of JSON to its answer."""

def table(folder: Path, name: str, world: str, /) -> Parts:
    """Read a table: its columns with their types, the rows, and functions for values and for Arrow."""

def parsed(text: bytes, /) -> Parts:
    """Read a table from a CSV text."""
