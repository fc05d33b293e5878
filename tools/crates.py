#!/usr/bin/env python3
"""Draws our crates and their sizes as the table in ARCHITECTURE.md.

A crate stands below those that it builds on, with its lines of code (without blank lines, comments and
tests) and what it builds on directly.

    tools/crates.py            prints the table
    tools/crates.py --write    puts it into ARCHITECTURE.md
    tools/crates.py --check    fails if ARCHITECTURE.md has another; sizes may differ by a tenth

All end with what the program has, and what stands above the simulation, without studies and games.
"""

import json
import pathlib
import re
import subprocess
import sys

# Told apart from the program's own lines, and the crates above the simulation.
APART = {"gridpact-studies", "gridpact-game"}
ABOVE = {f"gridpact-{name}" for name in ("records", "report", "scenario", "run", "review", "cli")}
HOME = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- crates -->\n", "<!-- end of crates -->"


def lines(folder):
    """Lines of code in a folder, without tests; those of crates inside it are theirs."""
    count = 0
    for path in folder.rglob("*.rs"):
        inside = path.relative_to(folder).parts
        if "tests" in inside or path.name == "tests.rs":
            continue
        if any((folder / pathlib.Path(*inside[:n]) / "Cargo.toml").exists() for n in range(1, len(inside))):
            continue
        text = re.split(r"(?m)^#\[cfg\(test\)\]\nmod tests \{", path.read_text())[0]
        count += sum(1 for line in text.splitlines() if line.strip() and not line.strip().startswith("//"))
    return count


def table():
    command = ["cargo", "metadata", "--format-version", "1", "--no-deps", "--locked", "--offline"]
    found = json.loads(subprocess.run(command, cwd=HOME, check=True, capture_output=True).stdout)
    ours = {package["name"]: package for package in found["packages"]}
    below = {
        name: sorted(one["name"] for one in package["dependencies"] if one["name"] in ours and one["kind"] is None)
        for name, package in ours.items()
        if name != "gridpact-benches"
    }
    heights = {}

    def height(name):
        if name not in heights:
            heights[name] = 1 + max((height(one) for one in below[name]), default=-1)
        return heights[name]

    rows = ["| floor | crate | lines | what it is | builds on |", "|---|---|---|---|---|"]
    for name in sorted(below, key=lambda name: (height(name), name)):
        folder = pathlib.Path(ours[name]["manifest_path"]).parent
        size = round(lines(folder / "src" if name == "gridpact" else folder), -2)
        # What others bring already is not named.
        reached = {other for one in below[name] for other in reach(one, below)}
        direct = [one for one in below[name] if one not in reached]
        short = [one.removeprefix("gridpact-") for one in direct]
        rows.append(
            f"| {height(name)} | `{name}` | {size} | {ours[name]['description']} | {', '.join(short)} |"
        )
    return "\n".join(rows) + "\n"


def totals(table):
    rows = [row.split("|")[2:4] for row in table.splitlines()[2:]]
    sizes = {name.strip(" `"): int(size) for name, size in rows}
    program = sum(size for name, size in sizes.items() if name not in APART)
    above = sum(sizes[name] for name in ABOVE)
    return f"{program} lines of code, {above} of them in {', '.join(sorted(ABOVE))}"


def reach(name, below):
    return set(below[name]).union(*(reach(one, below) for one in below[name]))


def main():
    page = HOME / "ARCHITECTURE.md"
    text = page.read_text()
    before, rest = text.split(BEGIN)
    shown, after = rest.split(END)
    now = table()
    if "--write" in sys.argv:
        page.write_text(before + BEGIN + now + END + after)
    elif "--check" in sys.argv:
        sizes = [[int(row.split("|")[3]) for row in one.splitlines()[2:]] for one in (shown, now)]
        without = [re.sub(r"\| \d+ \|", "| |", one.replace("| 0 |", "|")) for one in (shown, now)]
        is_near = all(abs(one - other) <= 100 + other / 10 for one, other in zip(*sizes))
        if without[0] != without[1] or not is_near:
            sys.exit("ARCHITECTURE.md shows other crates: tools/crates.py --write")
        print(f"{len(sizes[0])} crates as ARCHITECTURE.md shows them")
    else:
        print(now, end="")
    print(totals(now))


main()
