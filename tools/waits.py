#!/usr/bin/env python3
"""Draws how long jobs waited: the distribution of waits of one or more runs, as an SVG.

    tools/waits.py OUT.svg FOLDER [FOLDER ...]

Each FOLDER holds the results of `gridpact run` (manifest.json and jobs.csv). Every run is a line:
for each wait, the share of the jobs that started and waited no longer. The axis of waits is
logarithmic; what waited less than a second stands at its left end. Needs nothing but Python 3.8
or later.
"""

import bisect
import csv
import json
import math
import sys
from pathlib import Path
from xml.sax.saxutils import escape

WIDTH, PLOT = 800, 320
LEFT, RIGHT, TOP, BOTTOM = 68, 28, 66, 58
ROW = 22
# A palette for colour-blind readers too (Okabe and Ito 2008).
COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]
INK, SOFT, GRID = "#1f2328", "#59636e", "#d8dee4"
# Natural steps of the time axis, in seconds.
STEPS = [
    (1, "1 s"), (10, "10 s"), (60, "1 min"), (600, "10 min"), (3600, "1 h"), (21600, "6 h"),
    (86400, "1 d"), (604800, "1 week"), (2592000, "30 d"), (31536000, "1 year"),
]
# Maximum number of points in a line; a step is then less than a pixel.
POINTS = 240


def read(folder):
    """The name of a run and the waits of its jobs, sorted."""
    name = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["name"]
    with open(folder / "jobs.csv", newline="", encoding="utf-8") as file:
        waits = sorted(float(row["waiting_time"]) for row in csv.DictReader(file)
                       if row["waiting_time"])
    if not waits:
        sys.exit(f"{folder}: no job started")
    return name, waits


def duration(seconds):
    """A span in the largest unit that it fills."""
    for size, unit in [(86400, "d"), (3600, "h"), (60, "min")]:
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s"


def draw(runs):
    longest = max(60, 1.2 * max(waits[-1] for _, waits in runs))
    top = TOP + ROW * len(runs)
    right, bottom = WIDTH - RIGHT, top + PLOT
    height = bottom + BOTTOM
    scale = (right - LEFT) / math.log(longest)

    def x(wait):
        return LEFT + scale * math.log(max(wait, 1))

    def y(share):
        return bottom - PLOT * share

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" font-family="Helvetica, Arial, sans-serif">',
        "<title>How long jobs waited</title>",
        f'<rect width="{WIDTH}" height="{height}" rx="6" fill="#ffffff"/>',
    ]

    def text(at, down, words, size=13, anchor="middle", fill=SOFT, more=""):
        out.append(f'<text x="{at:.1f}" y="{down:.1f}" font-size="{size}" text-anchor="{anchor}" '
                   f'fill="{fill}"{more}>{escape(words)}</text>')

    def line(x1, y1, x2, y2, stroke=GRID):
        out.append(f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{stroke}"/>')

    text(LEFT, 28, "How long jobs waited", 18, "start", INK, ' font-weight="bold"')
    text(LEFT, 47, "Share of the jobs that waited no longer than a time", 13, "start")
    for percent in range(0, 101, 25):
        line(LEFT, y(percent / 100), right, y(percent / 100), SOFT if percent == 0 else GRID)
        text(LEFT - 9, y(percent / 100) + 4.5, f"{percent}%", anchor="end")
    for at, words in (step for step in STEPS if step[0] <= longest):
        line(x(at), top, x(at), bottom + 5)
        text(x(at), bottom + 21, words if at > 1 else "≤ 1 s")
    text((LEFT + right) / 2, height - 12, "wait (logarithmic)")
    middle = (top + bottom) / 2
    text(18, middle, "share of the jobs", more=f' transform="rotate(-90 18 {middle:.1f})"')

    for (_, waits), color in zip(runs, COLORS):
        points = []
        for step in range(POINTS + 1):
            wait = math.exp(math.log(longest) * step / POINTS)
            share = bisect.bisect_right(waits, wait) / len(waits)
            points.append((f"{x(wait):.1f}", f"{y(share):.1f}"))
        # For a run of points at one height the two ends suffice.
        kept = [p for i, p in enumerate(points) if i in (0, len(points) - 1)
                or not points[i - 1][1] == p[1] == points[i + 1][1]]
        path = "L".join(" ".join(point) for point in kept)
        out.append(f'<path d="M{path}" fill="none" stroke="{color}" stroke-width="2.25" '
                   f'stroke-linejoin="round"/>')

    for index, ((name, waits), color) in enumerate(zip(runs, COLORS)):
        down = TOP + 4 + ROW * index
        mean, median = sum(waits) / len(waits), waits[(len(waits) - 1) // 2]
        figures = f"mean wait {duration(mean)}, median {duration(median)}"
        out.append(f'<path d="M{LEFT} {down - 4.5}h24" stroke="{color}" stroke-width="3"/>')
        out.append(f'<text x="{LEFT + 34}" y="{down}" font-size="13" fill="{INK}">{escape(name)}'
                   f'<tspan fill="{SOFT}">: {figures}</tspan></text>')
    out.append("</svg>")
    return "\n".join(out) + "\n"


def main():
    arguments = sys.argv[1:]
    if len(arguments) < 2 or arguments[0] in ("-h", "--help"):
        sys.exit(__doc__)
    if len(arguments) - 1 > len(COLORS):
        sys.exit(f"at most {len(COLORS)} runs can be told apart")
    try:
        runs = [read(Path(folder)) for folder in arguments[1:]]
    except (OSError, KeyError, ValueError) as error:
        sys.exit(f"not the results of a run: {error}")
    Path(arguments[0]).write_text(draw(runs), encoding="utf-8")


if __name__ == "__main__":
    main()
