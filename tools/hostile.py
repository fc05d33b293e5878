#!/usr/bin/env python3
"""Feeds every reader damaged files, each in a process of its own with little memory and time.

An input is a right file with a few changes: bytes, lines, numbers and words are replaced, doubled, moved or
cut. gridpact must end by itself, with exit code 0, 2 or 4 (or 75 and 1 where it may: a run that is stopped,
an audit that found something), in 10 seconds and 512 MB. What did not is kept in a folder, and the exit code
is 1.

    cargo build --release
    tools/hostile.py --inputs 20000
    tools/hostile.py --inputs 500 --readers swf,sacct --seed 7

An input follows from its reader, the seed and its number. Needs Python 3.9 and Unix.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time

HOME = pathlib.Path(__file__).resolve().parent.parent
MEMORY, SECONDS = 512 << 20, 10
# Files that scenarios name.
BESIDE = HOME / "tests/fuzzed/files"

CLUSTER = 'name = "s"\n[[organization]]\nname = "a"\ncluster.space_shared = { processors = 8, scheduler.easy = {} }\n'
SWF = "; MaxProcs: 8\n" + "".join(
    f"{n} {7 * n} {n % 5} {n * 13 % 50} {1 + n % 8} -1 -1 {1 + n % 8} {60 + n} -1 1 {1 + n % 3} 1 -1 1 1 -1 -1\n"
    for n in range(1, 25)
)
SACCT = "JobID|User|Account|Partition|Submit|Start|Elapsed|Timelimit|AllocCPUS|State\n" + "".join(
    f"{n}|u{n % 3}|acc{n % 2}|p|2026-03-01T0{n % 9}:00:00|2026-03-01T0{n % 9}:10:00|00:1{n % 6}:00|"
    f"1-02:00:00|{1 + n % 8}|COMPLETED\n{n}.batch|||p||2026-03-01T01:00:00|00:01:00||1|COMPLETED\n"
    for n in range(1, 15)
)
GWF = "# JobID SubmitTime\n" + "".join(
    f"{n}\t{1109236083 + n}\t{n % 4}\t{n * 3}.5\t{1 + n % 8}\t-1\t-1\t4\t900\t-1\t1\tU{n % 3}\tG{n % 2}\tA\tQ\tP\tS1"
    "\tS1\tUNITARY\t-1\t-1\t-1\t-1\t-1\t-1\t-1\t-1\t-1\t-1\n"
    for n in range(1, 15)
)
JOBS = "id,organization,submit,runtime,estimate,processors,user,label\n" + "".join(
    f"{n},a,{3 * n},{n % 9 + 1}.5,20,{1 + n % 8},u{n % 3},l{n}\n" for n in range(1, 20)
)
OWNERS = "user,organization\n1,x\n2,y\n3,x\n*,z\n"
TIMES = "value,weight\n# times\n1.5,2\n3,1\n20,0.5\n"
WORKFLOW = {
    "name": "w",
    "schemaVersion": "1.5",
    "workflow": {
        "specification": {
            "tasks": [
                {"name": f"t{n % 3}", "id": f"I{n}", "parents": [f"I{n - 1}"] if n else [], "outputFiles": ["f"]}
                for n in range(6)
            ],
            "files": [{"id": "f", "sizeInBytes": 1000}],
        },
        "execution": {"tasks": [{"id": f"I{n}", "runtimeInSeconds": n + 0.5} for n in range(6)]},
    },
}
CAMPAIGN = """name = "s"
task_planner.min_min = {}
[[organization]]
name = "a"
cluster.site.processors = 4
[[application]]
name = "w"
owner = "a"
workflow.file = "input"
"""
GAME = (HOME / "src/cli/new/game.toml").read_text().replace("until.rounds = 5000", "until.rounds = 50")
BEHIND = {
    "swf": CLUSTER + 'workload.swf.file = "input"\n',
    "jobs": CLUSTER + 'workload.jobs.file = "input"\n',
    "owners": CLUSTER + '[workload.swf]\nfile = "t.swf"\nowners.file.path = "input"\n',
    "times": CLUSTER + "[organization.workload.synthetic]\narrivals.poisson.rate = 0.1\njobs = 5\n"
    'size.empirical.file = "input"\n',
    "wfcommons": CAMPAIGN,
}
NASTY = (
    "", "0", "-1", "1e308", "-1e308", "nan", "inf", "9223372036854775807", "18446744073709551616", "4294967296",
    "1e10", "0.0000001", "\0", "\r", "\n", "\r\n", "\t", ",", ";", "|", '"', "[", "]", "{", "}", "=", "#", "\xfc",
    "\ufeff", "é", "..", "[[", "]]", "{}", "[]", "true", "null", "../..", "/dev/zero", "a" * 300, "[" * 400, "1+" * 300,
)


def seeds(reader, program):
    """Right files of a reader, each with the name it is changed under."""
    if reader == "scenario":
        files = [*(HOME / "src/cli/new").glob("*.toml"), *BESIDE.glob("*.toml")]
        right = lambda file: subprocess.run([program, "check", "-q", file], cwd=BESIDE, capture_output=True).returncode == 0
        return [("input", file.read_bytes()) for file in sorted(files) if right(file)]
    if reader == "game":
        files = sorted((HOME / "scenarios/games").glob("*.toml"))
        return [("input", GAME.encode())] + [("input", file.read_bytes()) for file in files]
    if reader == "results":
        folder = pathlib.Path(tempfile.mkdtemp(prefix="hostile-results-"))
        (folder / "s.toml").write_text(BEHIND["jobs"])
        (folder / "input").write_text(JOBS)
        words = [program, "run", "s.toml", "-q", "--out", "r", "--set", "output.decisions=true"]
        subprocess.run(words, cwd=folder, check=True)
        found = [(str(f.relative_to(folder)), f.read_bytes()) for f in sorted((folder / "r").rglob("*")) if f.is_file()]
        shutil.rmtree(folder)
        return found
    text = {"swf": SWF, "sacct": SACCT, "gwf": GWF, "jobs": JOBS, "owners": OWNERS, "times": TIMES,
            "wfcommons": json.dumps(WORKFLOW, indent=1)}[reader]
    return [("input", text.encode())]


def changed(chance, data):
    """A few changes of a file."""
    data = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        at, end = sorted((chance.randrange(len(data) + 1), chance.randrange(len(data) + 1)))
        kind = chance.randrange(8)
        word = chance.choice(NASTY).encode("latin-1" if chance.random() < 0.3 else "utf-8", "replace")
        if kind == 0:
            data[at : at + chance.randrange(4)] = word
        elif kind == 1 and data:
            data[min(at, len(data) - 1)] = chance.randrange(256)
        elif kind == 2:
            del data[at : min(end, at + 40)]
        elif kind == 3:
            del data[chance.choice((at, len(data))) :]
        elif kind == 4:
            data[at:at] = data[at : min(end, at + 200)] * chance.choice((1, 2, 50))
        else:
            # A word between separators: a number, a key, a name.
            words = [w for w in bytes(data).replace(b"\n", b" ").split(b" ") if w]
            if words:
                data = bytearray(bytes(data).replace(chance.choice(words), chance.choice((word, chance.choice(words))), 1))
    return bytes(data)


def commands(reader):
    """What reads a file; the first of them finds nothing wrong with a right one."""
    if reader in BEHIND:
        return [["check", "s.toml"], ["run", "s.toml", "--no-files", "-q", "--wall-clock", "2s"]]
    if reader in ("sacct", "gwf"):
        return [["workload", "import", "--from", reader, "input", *more]
                for more in ([], ["--malformed", "drop"], ["--by", "user"])]
    if reader == "scenario":
        return [["check", "input"], ["run", "input", "--no-files", "-q", "--wall-clock", "1s"]]
    if reader == "game":
        played = ["game", "input", "--no-files", "-q", "--wall-clock", "1s"]
        return [["check", "input"], ["game", "solve", "input"], played]
    return [["audit", "r"], ["explain", "r", "3"], ["resume", "r", "-q"], ["compare", "r", "r"]]


def trial(reader, number, seed, program, files, kept):
    """Runs one input, number -1 unchanged; returns its exit code, its time, and whether that is wrong."""
    chance = random.Random(f"{reader} {seed} {number}")
    name, data = chance.choice(files)
    data = changed(chance, data) if number >= 0 else data
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
        folder = pathlib.Path(folder)
        if reader == "results":
            for other, content in files:
                (folder / other).parent.mkdir(parents=True, exist_ok=True)
                (folder / other).write_bytes(content)
            (folder / "s.toml").write_text(BEHIND["jobs"])
            (folder / "input").write_text(JOBS)
        else:
            if reader == "scenario":
                shutil.copytree(BESIDE, folder, dirs_exist_ok=True)
            (folder / "t.swf").write_text(SWF)
            (folder / "s.toml").write_text(BEHIND.get(reader, ""))
        (folder / name).write_bytes(data)
        words = chance.choice(commands(reader)) if number >= 0 else commands(reader)[0]
        begun = time.monotonic()
        try:
            done = subprocess.run([program, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                                  timeout=SECONDS)
            code = done.returncode
        except subprocess.TimeoutExpired:
            code = "hangs"
        took = time.monotonic() - begun
        right = {0, 2, 4, 75} | ({1} if words[0] == "audit" else set())
        if code not in right:
            shutil.copytree(folder, kept / f"{reader}-{number}", dirs_exist_ok=True)
            (kept / f"{reader}-{number}" / "words").write_text(f"{code}: {' '.join(words)}\n")
        return code, took, code not in right


def main():
    take = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    readers = ["swf", "sacct", "gwf", "jobs", "owners", "times", "wfcommons", "scenario", "game", "results"]
    take.add_argument("--inputs", type=int, default=1000, help="for each reader")
    take.add_argument("--readers", default=",".join(readers))
    take.add_argument("--seed", type=int, default=1)
    take.add_argument("--jobs", type=int, default=2)
    take.add_argument("--program", default=str(HOME / "target/release/gridpact"))
    take.add_argument("--kept", type=pathlib.Path, default=HOME / "target/hostile")
    given = take.parse_args()
    program = str(pathlib.Path(given.program).resolve())
    # What this process may have, its children may: so none of them needs Python to start it.
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    all_wrong = 0
    print(f"{'reader':<10} {'inputs':>7} {'wrong':>6} {'slowest':>8}  exit codes", flush=True)
    for reader in given.readers.split(","):
        files = seeds(reader, program)
        codes, wrong, slowest = collections.Counter(), 0, 0.0
        if trial(reader, -1, given.seed, program, files, given.kept)[0] != 0:
            sys.exit(f"{reader}: the file that is to be changed is not right")
        with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
            one = lambda number: trial(reader, number, given.seed, program, files, given.kept)
            for code, took, is_wrong in pool.map(one, range(given.inputs)):
                codes[str(code)] += 1
                wrong += is_wrong
                slowest = max(slowest, took)
        told = ", ".join(f"{code}: {count}" for code, count in sorted(codes.items()))
        print(f"{reader:<10} {given.inputs:>7} {wrong:>6} {slowest:>6.2f} s  {told}", flush=True)
        all_wrong += wrong
    sys.exit(1 if all_wrong else 0)


if __name__ == "__main__":
    main()
