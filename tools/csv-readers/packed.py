#!/usr/bin/env python3
"""Opens packed and rotated records as other people do, and compares them with plain ones.

    packed.py PLAIN PACKED ROTATED

The folders hold the results of one scenario: PACKED with `output.compress`, ROTATED also with
`output.rotate`. A packed file is many gzip members. Compared are the bytes that Python's gzip
module and gunzip find, the tables of pandas, and counts and sums by DuckDB.
"""

import gzip
import subprocess
import sys
from pathlib import Path

import duckdb
import pandas

plain, packed, rotated = map(Path, sys.argv[1:])
text = (plain / "jobs.csv").read_bytes()
one = packed / "jobs.csv.gz"
many = sorted(rotated.glob("jobs-*.csv.gz"))
assert one.read_bytes().count(b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff") > 9, "few members"
assert len(many) > 2, "few files"

for name, unpack in [
    ("gzip", lambda file: gzip.decompress(file.read_bytes())),
    ("gunzip", lambda file: subprocess.run(
        ["gunzip", "--stdout", file], check=True, capture_output=True).stdout),
]:
    assert unpack(one) == text, f"{name}: the packed file is another"
    header, lines = text.split(b"\n", 1)
    parts = [unpack(file).split(b"\n", 1) for file in many]
    assert all(part[0] == header for part in parts), f"{name}: a file has another header"
    assert b"".join(part[1] for part in parts) == lines, f"{name}: the rotated files are others"

table = pandas.read_csv(plain / "jobs.csv")
pandas.testing.assert_frame_equal(pandas.read_csv(one), table)
parts = pandas.concat([pandas.read_csv(file) for file in many], ignore_index=True)
pandas.testing.assert_frame_equal(parts, table)

QUERY = "select count(*), sum(job_id), sum(waiting_time), max(finish_time) from read_csv(?)"
found = [duckdb.execute(QUERY, [str(files)]).fetchone()
         for files in (plain / "jobs.csv", one, rotated / "jobs-*.csv.gz")]
assert found[0] == found[1] == found[2], found
assert found[0][0] == len(table)
print(f"packed and rotated: {len(table)} jobs read alike by gzip, gunzip, pandas and DuckDB")
