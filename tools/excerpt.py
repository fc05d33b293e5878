#!/usr/bin/env python3
"""Cuts some weeks out of a trace of the Parallel Workloads Archive.

    tools/excerpt.py TRACE.swf.gz MONDAY WEEKS OUT.swf.gz

MONDAY (YYYY-MM-DD) begins at midnight by the log's own UnixStartTime and TimeZone (no summer time).
Kept is every line of a job whose submit time (column 2) falls in the weeks, byte for byte, so times
still count from the UnixStartTime of the whole log and job numbers are the log's. The header is
kept too, but for MaxRecords, which becomes the number of lines kept, and notes that say what was
cut. The gzip file holds no name and no time: the same trace gives the same bytes, for one version
of zlib; the digest printed is of what is inside. Needs nothing but Python 3.8 or later.
"""

import datetime
import gzip
import hashlib
import re
import sys
from pathlib import Path

WEEK = 7 * 86400


def field(header, name):
    """The number of a header field."""
    for line in header:
        found = re.match(rb";\s*" + name + rb":\s*(-?\d+)", line)
        if found:
            return int(found.group(1))
    sys.exit(f"the header has no {name.decode()}")


def cut(lines, trace, monday, weeks):
    """The lines of the excerpt, its jobs and its window in seconds of the log."""
    header = [line for line in lines if line.startswith(b";")]
    jobs = [line for line in lines if line.strip() and not line.startswith(b";")]
    midnight = datetime.datetime.combine(monday, datetime.time(), datetime.timezone.utc)
    begin = int(midnight.timestamp()) - field(header, b"TimeZone") - field(header, b"UnixStartTime")
    end = begin + weeks * WEEK
    kept = [line for line in jobs if begin <= int(line.split()[1]) < end]
    if not kept:
        sys.exit("no job was submitted in these weeks")
    header = [re.sub(rb"(MaxRecords:\s*)\d+", rb"\g<1>%d" % len(kept), line) for line in header]
    notes = [
        "Note: THIS IS AN EXCERPT, made for gridpact (tools/excerpt.py)",
        f"      of {trace}: the {len(kept)} of {len(jobs)} jobs submitted",
        f"      from {begin} until before {end} seconds after UnixStartTime:",
        f"      {weeks} weeks from Monday {monday}, 0:00 in TimeZone.",
        "      Lines and times are those of the log; MaxRecords is the excerpt's.",
    ]
    header += [f"; {note}\n".encode() for note in notes] + [b";\n"]
    return header + kept, len(kept), begin, end


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    trace, out = Path(sys.argv[1]), Path(sys.argv[4])
    monday, weeks = datetime.date.fromisoformat(sys.argv[2]), int(sys.argv[3])
    if monday.weekday() != 0 or weeks < 1:
        sys.exit(f"{monday} is no Monday, or {weeks} are no weeks")
    with gzip.open(trace) as file:
        lines = file.readlines()
    lines, jobs, begin, end = cut(lines, re.sub(r"\.swf(\.gz)?$", "", trace.name), monday, weeks)
    text = b"".join(lines)
    with open(out, "wb") as raw:
        with gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed:
            packed.write(text)
    size = out.stat().st_size
    print(f"{out}: {jobs} jobs submitted in [{begin}, {end}), {size} bytes")
    print(f"SHA-256 of what is inside: {hashlib.sha256(text).hexdigest()}")


if __name__ == "__main__":
    main()
