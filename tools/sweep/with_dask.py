#!/usr/bin/env python3
"""Runs a sweep on a Dask cluster, one share a task.

    tools/sweep/with_dask.py study.toml 200 results/study --scheduler tcp://head:8786

Without --scheduler the tasks run in processes on this machine. gridpact must be on the workers' path, and
the folder of the results must be one that all of them can reach.
"""

import argparse
import os
import subprocess
import sys


def share(file, number, shards, out):
    """Runs one share to its end; a share that was told to stop goes on."""
    words = ["gridpact", "sweep", "run", file, "--shard", f"{number}/{shards}"]
    words += ["--threads", "1", "--out", out, "-q"]
    while True:
        code = subprocess.run(words).returncode
        if code != 75:
            return code


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("shards", type=int)
    parser.add_argument("out")
    parser.add_argument("--scheduler", help="address of a Dask scheduler")
    given = parser.parse_args()
    try:
        from dask.distributed import Client
    except ImportError:
        sys.exit("Dask is not here: pip install distributed")
    file, out = os.path.abspath(given.file), os.path.abspath(given.out)
    with Client(given.scheduler) if given.scheduler else Client() as client:
        tasks = [
            client.submit(share, file, number, given.shards, out, pure=False)
            for number in range(1, given.shards + 1)
        ]
        codes = client.gather(tasks)
    wrong = [number for number, code in enumerate(codes, 1) if code]
    if wrong:
        sys.exit(f"these shares failed: {wrong}")
    sys.exit(subprocess.run(["gridpact", "sweep", "merge", file, "--out", out]).returncode)


if __name__ == "__main__":
    main()
