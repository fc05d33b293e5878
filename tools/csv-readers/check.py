#!/usr/bin/env python3
"""Opens the CSV files of results folders as other people do, and compares what they then compute.

    check.py GRIDPACT FOLDER [FOLDER ...]

Read are `jobs.csv` and `organizations.csv`: by pandas and by DuckDB with their defaults, by
evalys's `JobSet.from_csv`, and by Python's csv module with exact decimals. Compared are the types
of the columns, and counts, waits, turnarounds, makespans and utilization with `summary.json`: sums
exactly, means to 1e-9 of their size. All jobs of the runs must count (no warm-up, no cool-down).
GRIDPACT is asked whether it refuses the names that pandas takes for a missing value.
"""

import csv
import json
import math
import re
import subprocess
import sys
import tempfile
import warnings
from decimal import Decimal
from pathlib import Path

import duckdb
import matplotlib
import pandas

matplotlib.use("Agg")
from evalys.jobset import JobSet  # noqa: E402
from hdrh.histogram import HdrHistogram  # noqa: E402
from hdrh.log import HistogramLogReader  # noqa: E402
from matplotlib import pyplot  # noqa: E402
from pandas._libs.parsers import STR_NA_VALUES  # noqa: E402

NAMES = ["workload_name", "profile", "final_state", "organization", "cluster"]
# Columns that are empty unless a job started or ended; a job of length 0 has no stretch.
STARTED = ["starting_time", "waiting_time", "allocated_resources", "start_order"]
ENDED = ["execution_time", "finish_time", "turnaround_time"]
UNUSED = ["consumed_energy"]
# evalys draws one rectangle for each job; a Gantt chart of thousands takes minutes.
DRAWN = 1000


def close(found, expected, what):
    """Means are sums in another order, so they differ in their last digits."""
    if expected is None:
        assert found is None or math.isnan(found), f"{what}: {found}, but there is none"
    else:
        assert math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-9), \
            f"{what}: {found} instead of {expected}"


def owners(summary):
    """The figures of each organization and of the grid, by name."""
    return {one["organization"]: one for one in summary["organizations"]}


def exact(folder, summary):
    """Python's csv module, with decimals: sums are equal to the last digit."""
    with open(folder / "jobs.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, strict=True))
    assert all(None not in row and None not in row.values() for row in rows), "ragged lines"
    for name, figures in owners(summary).items():
        own = [row for row in rows if name in ("*", row["organization"])]
        ended = [row for row in own if row["finish_time"]]
        assert len(own) == figures["submitted"] and len(ended) == figures["finished"], name
        flow = sum((Decimal(row["turnaround_time"]) for row in ended), Decimal(0))
        assert flow == Decimal(figures["flow_sum"]), f"{name}: flow {flow}"
        wait = sum((Decimal(row["waiting_time"]) for row in ended), Decimal(0))
        assert wait == Decimal(figures["wait_sum"]), f"{name}: wait {wait}"


def types(jobs):
    """Numbers are numbers, names are texts, and only what did not happen is missing."""
    for column in jobs.columns:
        assert not column.startswith("Unnamed"), column
        number = pandas.api.types.is_numeric_dtype(jobs[column])
        text = pandas.api.types.is_string_dtype(jobs[column])
        # A column without any value is read as numbers.
        tagged = column == "metadata" and jobs[column].notna().any()
        named = column in NAMES or column == "allocated_resources" or tagged
        assert text if named else number, f"{column} is read as {jobs[column].dtype}"
    started = jobs.start_order.notna()
    ended = jobs.final_state.isin(["COMPLETED_SUCCESSFULLY", "COMPLETED_WALLTIME_REACHED"])
    rejected = jobs.final_state == "REJECTED"
    for column in jobs.columns:
        missing = jobs[column].isna()
        if column == "metadata":
            # Where a file tells accounts, partitions or labels, not every job need have one.
            continue
        if column in UNUSED:
            assert missing.all(), column
        elif column in STARTED:
            assert (missing == ~started).all(), column
        elif column in ENDED:
            assert (missing == ~ended).all(), column
        elif column == "stretch":
            assert (missing == ~(ended & (jobs.execution_time > 0))).all(), column
        elif column in ("cluster", "expected_time"):
            assert (missing == rejected).all(), column
        else:
            assert not missing.any(), column


def with_pandas(folder, summary):
    jobs = pandas.read_csv(folder / "jobs.csv")
    types(jobs)
    table = pandas.read_csv(folder / "organizations.csv")
    table = table.set_index("organization")
    for name, figures in owners(summary).items():
        own = jobs if name == "*" else jobs[jobs.organization == name]
        ended = own[own.finish_time.notna()]
        assert len(own) == figures["submitted"] == table.submitted[name], name
        assert len(ended) == figures["finished"] == table.finished[name], name
        close(ended.turnaround_time.mean(), figures["flow_mean"], f"{name}: flow")
        close(ended.waiting_time.mean(), figures["wait_mean"], f"{name}: wait")
        spans = [by.finish_time.max() - by.submission_time.min()
                 for _, by in own.groupby("replication") if by.finish_time.notna().any()]
        makespan = sum(spans) / len(spans) if spans else None
        close(makespan, figures["makespan_mean"], f"{name}: makespan")
        assert set(figures) - {"organization"} == set(table.columns), name
        for column in table.columns:
            value = figures[column]
            found = table[column][name]
            value = float(value) if isinstance(value, str) else value
            close(None if pandas.isna(found) else found, value, f"{name}: {column}")
    return jobs


def parquet(folder, file, gridpact):
    """Every replication as Parquet has the rows of jobs.csv, as text and as numbers."""
    for replication in range(duckdb.execute("select max(replication) + 1 from read_csv(?)",
                                            [file]).fetchone()[0]):
        out = str(folder / "jobs.parquet")
        subprocess.run([gridpact, "export", str(folder), "--to", "parquet", "--out", out,
                        "--replication", str(replication)], check=True, capture_output=True)
        rows = "select * from read_csv(?) where replication = ?"
        for one, other in ("from read_parquet(?)", rows), (rows, "from read_parquet(?)"):
            values = [out, file, replication] if one != rows else [file, replication, out]
            count = f"select count(*) from ({one} except all {other})"
            assert duckdb.execute(count, values).fetchone() == (0,), f"{folder}: {replication}"


def with_duckdb(folder, summary, gridpact):
    file = str(folder / "jobs.csv")
    found = duckdb.execute(
        "select organization, count(*), count(finish_time), avg(turnaround_time), "
        "avg(waiting_time) filter (finish_time is not null) "
        "from read_csv(?) group by organization", [file]).fetchall()
    figures = owners(summary)
    assert len(found) == sum(one["submitted"] > 0 for one in figures.values()) - 1
    for name, submitted, finished, flow, wait in found:
        one = figures[name]
        assert (submitted, finished) == (one["submitted"], one["finished"]), name
        close(flow, one["flow_mean"], f"{name}: flow")
        close(wait, one["wait_mean"], f"{name}: wait")
    parquet(folder, file, gridpact)
    named = duckdb.execute("select organization from read_csv(?)",
                           [str(folder / "organizations.csv")]).fetchall()
    assert [name for name, in named] == list(figures), named


def with_evalys(folder, summary, manifest):
    """A `JobSet` knows one machine and one run, so every cluster and replication gets its own.

    evalys takes a job that has not ended for one of unknown length: it is left out.
    """
    everything = JobSet.from_csv(str(folder / "jobs.csv"))
    processors = {one["name"]: one["processors"] for one in manifest["clusters"]}
    jobs = everything.df[everything.df.finish_time.notna()]
    # evalys renames this column, and reads it as text.
    jobs = jobs.rename(columns={"jobID": "job_id"})
    area, drawn = 0, 0
    for (cluster, _), own in jobs.groupby(["cluster", "replication"]):
        bounds = (0, processors[cluster] - 1)
        part = JobSet(own.drop(columns="proc_alloc"), resource_bounds=bounds)
        assert (part.df.proc_alloc == part.df.requested_number_of_resources).all(), cluster
        used = part.utilisation
        # It adds waits and lengths to submissions anew, in floats: an end may come a hair too late.
        loads = used.load[used.area > 1e-6]
        assert loads.min() > 0 and loads.max() <= part.MaxProcs, cluster
        area += used.area.sum()
        if len(own) <= DRAWN:
            part.gantt()
            part.plot(with_details=True)
            pyplot.close("all")
            drawn += 1
    close(area, float((jobs.proc_alloc * jobs.execution_time).sum()), "area")
    grid = owners(summary)["*"]
    if len(jobs) == grid["submitted"]:
        close(area, float(grid["area"]), "area")
    if len(processors) == 1 and len(jobs) == grid["finished"]:
        one = JobSet.from_csv(str(folder / "jobs.csv"))
        share = one.mean_utilisation() / next(iter(processors.values()))
        close(share, grid["utilization"], "utilization")
    return drawn


def refuses(gridpact):
    """Names that pandas takes for a missing value cannot be given."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted(STR_NA_VALUES):
            scenario = Path(folder) / "name.toml"
            scenario.write_text(
                f'name = "x"\n[[organization]]\nname = "{name}"\ncluster.time_shared = {{}}\n'
                f'[[job]]\norganization = "{name}"\nsubmit = 0\nruntime = 1\n', encoding="utf-8")
            ran = subprocess.run([gridpact, "check", scenario], capture_output=True, check=False)
            if ran.returncode != 2:
                wrong.append(name)
    assert not wrong, f"taken for missing by pandas, but no error: {wrong}"
    print(f"refused: the {len(STR_NA_VALUES)} names that pandas takes for a missing value")


def with_hdrhistogram(folder, summary):
    """HdrHistogram's own reader: a histogram per organization and metric, with all of its jobs."""
    reader = HistogramLogReader(str(folder / "histograms.hlog"), HdrHistogram(1, 1 << 61, 3))
    found = {}
    while (one := reader.get_next_interval_histogram()) is not None:
        found[one.get_tag()] = one
    for name, figures in owners(summary).items():
        tag = re.sub(r"[, \n\r\t]", "_", name)
        for metric in ["flow", "wait"]:
            histogram = found.get(f"{tag}/{metric}")
            assert (histogram is None) == (figures["finished"] == 0), f"{folder}: {tag}/{metric}"
            if histogram is None:
                continue
            assert histogram.get_total_count() == figures["finished"], f"{folder}: {tag}/{metric}"
            # A bucket is a thousandth of its values wide.
            mean = figures[f"{metric}_mean"]
            assert math.isclose(histogram.get_mean_value() / 1e6, mean, rel_tol=1e-3, abs_tol=1e-3), \
                f"{folder}: {tag}/{metric}"
    return len(found)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    refuses(sys.argv[1])
    for folder in map(Path, sys.argv[2:]):
        summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        exact(folder, summary)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            jobs = with_pandas(folder, summary)
        with_duckdb(folder, summary, sys.argv[1])
        drawn = with_evalys(folder, summary, manifest)
        histograms = with_hdrhistogram(folder, summary)
        print(f"{folder.name}: {len(jobs)} jobs read alike by csv, pandas {pandas.__version__}, "
              f"DuckDB {duckdb.__version__} and evalys ({drawn} Gantt charts); {histograms} histograms "
              "read by HdrHistogram")


if __name__ == "__main__":
    main()
