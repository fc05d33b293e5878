#!/usr/bin/env python3
"""Checks the licences and the sources of all crates that gridpact is built and tested with.

Each must come from crates.io, and its licence must leave a choice that stands in ALLOWED, or that
EXCEPTIONS allow this crate. What is found is counted on one line; what is wrong is named, and the exit
code is 1. It reads `cargo metadata`, so it needs no network where the crates are fetched already.

    tools/licences.py
"""

import collections
import json
import pathlib
import re
import subprocess
import sys

HOME = pathlib.Path(__file__).resolve().parent.parent
SOURCE = "registry+https://github.com/rust-lang/crates.io-index"
ALLOWED = {
    "0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0",
    "CC0-1.0", "ISC", "MIT", "MIT-0", "Unicode-3.0", "Unlicense", "Zlib",
}
# Copyleft by file: what is linked with it stays under its own licence (see the README).
EXCEPTIONS = {"priority-queue": {"MPL-2.0"}}


def choice(licence, allowed):
    """The licences of an SPDX expression that are taken, or None where none of its choices will do."""
    # The old notation for OR.
    words = re.findall(r"[()]|[^\s()]+", licence.replace("/", " OR "))
    place = 0

    def alternatives():
        nonlocal place
        found = [together()]
        while place < len(words) and words[place].upper() == "OR":
            place += 1
            found.append(together())
        return next((one for one in found if one is not None), None)

    def together():
        nonlocal place
        found = [one()]
        while place < len(words) and words[place].upper() == "AND":
            place += 1
            found.append(one())
        return None if None in found else set().union(*found)

    def one():
        nonlocal place
        word = words[place]
        place += 1
        if word == "(":
            found = alternatives()
            assert words[place] == ")", licence
            place += 1
            return found
        if words[place : place + 1] == ["WITH"]:
            word = f"{word} WITH {words[place + 1]}"
            place += 2
        return {word} if word in allowed else None

    found = alternatives()
    assert place == len(words), licence
    return found


def main():
    for licence, expected in [
        ("MIT OR Apache-2.0", {"MIT"}),
        ("LGPL-3.0-or-later OR MPL-2.0", None),
        ("(MIT OR GPL-3.0) AND Unicode-3.0", {"MIT", "Unicode-3.0"}),
        ("GPL-2.0 AND MIT", None),
        ("GPL-2.0 WITH LLVM-exception OR Unlicense/MIT", {"Unlicense"}),
    ]:
        assert choice(licence, ALLOWED) == expected, licence
    words = ["cargo", "metadata", "--format-version", "1", "--locked"]
    packages = json.loads(subprocess.run(words, cwd=HOME, check=True, stdout=subprocess.PIPE).stdout)
    ours = set(packages["workspace_members"])
    taken, wrong = collections.Counter(), []
    for package in packages["packages"]:
        name = f"{package['name']} {package['version']}"
        if package["id"] in ours:
            continue
        if package["source"] != SOURCE:
            wrong.append(f"{name}: it comes from {package['source'] or 'a folder'}, not from crates.io")
        found = choice(package["license"] or "none", ALLOWED | EXCEPTIONS.get(package["name"], set()))
        if found is None:
            wrong.append(f"{name}: {package['license'] or 'no licence'} leaves no choice that is allowed")
        taken.update(found or [])
    for one in wrong:
        print(one, file=sys.stderr)
    crates = len(packages["packages"]) - len(ours)
    print(f"{crates} crates from crates.io: " + ", ".join(f"{count} {one}" for one, count in taken.most_common()))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
