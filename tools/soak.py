#!/usr/bin/env python3
"""Puts runs through kills, faults and damage for as long as wanted, and compares what they leave.

A trial takes a scenario of the gallery, or a small one that is made up, and a seed. It lets the run be
killed or stopped at random times, lets a change to its disk fail, or flips and cuts what it kept; then
`gridpact resume` goes on. All result files but timing.json and live.json are to be those of an unbroken
run, byte by byte, or an error is to say why not. At the end there is a table; the exit code is 1 where a
trial failed, and its folder stays to be looked at.

    cargo build --release
    tools/soak.py --minutes 15

Needs Python 3.9, and for faults Linux and a C compiler (`cc`).
"""

import argparse
import collections
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HOME = pathlib.Path(__file__).resolve().parent.parent
CLOCKS = {"timing.json", "live.json"}
# A scenario of the gallery takes part if an unbroken run takes no longer than this, in seconds.
LONGEST = 4.0

GRID = """name = "grid"
output = {{ histograms = {histograms}, decisions = {decisions}{rotated} }}
[run]
replications = {replications}
{until}
[[organization]]
name = "a"
cluster.space_shared = {{ processors = 4, scheduler.{scheduler} = {{}} }}
workload.synthetic = {{ arrivals.poisson.rate = 0.3, size.exponential.mean = 4, processors.uniform = {{ min = 1, max = 4 }} }}
[[organization]]
name = "b"
uses = ["a", "b"]
cluster.space_shared = {{ processors = 2, scheduler.conservative = {{}} }}
workload.synthetic = {{ arrivals.poisson.rate = 0.3, size.exponential.mean = 2 }}
"""

COALITION = """name = "coalition"
output = {{ histograms = {histograms}, rounds = true, moves = true, jobs = true }}
[run]
replications = {replications}
until.rounds = {rounds}
[[organization]]
name = "typical"
count = 4
cluster.time_shared = {{}}
workload.synthetic = {{ arrivals.poisson.rate = 0.2, size.gamma = {{ shape = 2.0, scale = 2.0 }} }}
learner.ratio = {{ initial = 0.5, rate = 0.1 }}
[coalition]
period = 100.0
rounds.{kind} = {{}}
balancer.averaging = {{}}
"""


class Wrong(Exception):
    """A trial that did not end as it must."""


def made_up(chance):
    """A scenario that nobody wrote."""
    common = dict(
        histograms=chance.choice(["true", "false"]),
        replications=chance.randint(1, 4),
    )
    rotated = chance.choice(["", f", rotate = {chance.randint(20, 3000)}, compress = true"])
    decisions = chance.choice(["true", "false"])
    if chance.random() < 0.5:
        jobs = chance.randint(100, 30_000)
        until = chance.choice([f"until.jobs = {jobs}", f"until.time = {2 * jobs}"])
        scheduler = chance.choice(["easy", "fcfs", "conservative"])
        grid = dict(until=until, scheduler=scheduler, decisions=decisions, rotated=rotated)
        return GRID.format(**grid, **common)
    kind = chance.choice(["independent", "continuing"])
    return COALITION.format(rounds=chance.randint(5, 300), kind=kind, **common)


def results(folder):
    """The bytes of all result files, by name; nothing of what is kept to go on."""
    if not folder.is_dir():
        return {}
    files = (path for path in folder.iterdir() if path.is_file() and path.name not in CLOCKS)
    return {path.name: path.read_bytes() for path in files}


class Soak:
    """What all trials share."""

    def __init__(self, program, shim, scratch):
        self.program, self.shim, self.scratch = program, shim, scratch
        self.lock = threading.Lock()
        self.counts = collections.Counter()
        self.failures = []
        self.known = {}

    def count(self, what, more=1):
        with self.lock:
            self.counts[what] += more

    def start(self, words, cwd, environment=None):
        return subprocess.Popen(
            [self.program, *words],
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, words, cwd, environment=None):
        process = self.start(words, cwd, environment)
        try:
            error = process.communicate(timeout=300)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise Wrong(f"{words}: still not over after 300 seconds") from None
        if "bug of gridpact" in error or process.returncode == 3:
            raise Wrong(f"{words}: {error}")
        return process.returncode, error

    def unbroken(self, scenario, seed):
        """The results of a run that nothing befalls, how long it takes, and how often it changes
        the disk."""
        with self.lock:
            if (scenario, seed) in self.known:
                return self.known[scenario, seed]
        with tempfile.TemporaryDirectory(dir=self.scratch) as name:
            folder = pathlib.Path(name).resolve()
            words = ["run", str(scenario), "-q", "--out", "r", "--threads", "2", "--seed", str(seed)]
            begun = time.monotonic()
            code, error = self.run(words + ["--checkpoint-every", "never"], folder)
            took = time.monotonic() - begun
            if code != 0:
                raise Wrong(f"{scenario}: {error}")
            found = results(folder / "r"), took
        with self.lock:
            self.known[scenario, seed] = found
        return found


class Trial:
    """One run, and what befalls it."""

    def __init__(self, soak, number, gallery):
        self.soak = soak
        self.chance = chance = random.Random(number)
        self.number = number
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"trial-{number}-", dir=soak.scratch))
        self.folder = self.folder.resolve()
        if chance.random() < 0.5:
            self.scenario = chance.choice(gallery)
            self.seed = chance.randint(1, 3)
        else:
            self.scenario = self.folder / "s.toml"
            self.scenario.write_text(made_up(chance))
            self.seed = chance.randint(1, 1000)
        self.expected, self.took = soak.unbroken(self.scenario, self.seed)
        slot = max(1, int(self.took * 1000 / chance.randint(2, 40)))
        self.every = chance.choice([f"{slot}ms", f"{chance.randint(50, 5000)}jobs", "never"])

    def words(self):
        """What starts the run, or goes on with it."""
        threads = ["--threads", str(self.chance.randint(1, 3))]
        if (self.folder / "r/state/run.json").exists():
            return ["resume", "r", "-q", *threads]
        return [
            *["run", str(self.scenario), "-q", "--out", "r", "--seed", str(self.seed)],
            *["--checkpoint-every", self.every, *threads],
        ]

    def compare(self):
        found = results(self.folder / "r")
        if found != self.expected:
            names = sorted(set(found) ^ set(self.expected))
            names += [name for name in found if found[name] != self.expected.get(name)]
            raise Wrong(f"other results: {', '.join(names)}")
        self.soak.count("bytes compared", sum(map(len, found.values())))
        self.soak.count("runs compared")

    def finish(self):
        """Goes on to the end, which is the right one."""
        code, error = self.soak.run(self.words(), self.folder)
        if code != 0:
            raise Wrong(f"it does not go on, {code}: {error}")
        self.compare()
        return error

    def kills(self):
        """Killed or stopped at random times until it is over."""
        for _ in range(self.chance.randint(1, 12)):
            process = self.soak.start(self.words(), self.folder)
            with_which = self.chance.choice(["kill", "kill", "kill", "int", "term", "twice"])
            time.sleep(self.chance.random() * self.took * self.chance.choice([0.2, 0.6, 1.2]))
            if with_which == "kill":
                process.kill()
            else:
                process.send_signal(signal.SIGTERM if with_which == "term" else signal.SIGINT)
                if with_which == "twice":
                    time.sleep(self.chance.random() * 0.01)
                    process.send_signal(signal.SIGINT)
            error = process.communicate(timeout=300)[1]
            code = process.returncode
            if code == 0:
                self.compare()
                return
            # Before it listens, a signal ends it as it would any program.
            if code not in (75, -signal.SIGKILL, -signal.SIGINT, -signal.SIGTERM):
                raise Wrong(f"{with_which} ended it with {code}: {error}")
            self.soak.count("stops survived" if code == 75 else "kills survived")
        self.finish()

    def fault(self):
        """A change to the disk fails, or half of it is made."""
        log = self.folder / "calls"
        environment = {"LD_PRELOAD": str(self.soak.shim), "SHIM_FOLDER": str(self.folder / "r")}
        # How many there are differs with the clock; about as many as in this one.
        self.soak.run(self.words(), self.folder, {**environment, "SHIM_LOG": str(log)})
        calls = log.read_text().count("\n") if log.exists() else 1
        shutil.rmtree(self.folder / "r", ignore_errors=True)
        kind = self.chance.choice(["eio", "enospc", "erofs", "kill", "torn", "int", "int2"])
        environment["SHIM_KIND"] = kind
        environment["SHIM_AT"] = str(self.chance.randint(1, calls))
        environment["SHIM_STICKY"] = self.chance.choice(["0", "1"])
        code, error = self.soak.run(self.words(), self.folder, environment)
        if code == 4 and not error.startswith("error: r"):
            raise Wrong(f"{kind}: no file is named: {error}")
        if code not in (0, 4, 75, -signal.SIGKILL, -signal.SIGINT):
            raise Wrong(f"{kind}: {code}: {error}")
        if code == 0:
            self.compare()
        else:
            self.soak.count("faults survived")
            self.finish()

    def damage(self):
        """What it kept is flipped or cut while it is not running."""
        process = self.soak.start(self.words(), self.folder)
        time.sleep(self.chance.random() * self.took)
        process.kill()
        process.communicate()
        state = self.folder / "r/state"
        files = [path for path in state.iterdir() if path.stat().st_size] if state.is_dir() else []
        if not files:
            return self.finish()
        # Some end in the middle, as the last ones are small.
        path = self.chance.choice(files)
        content = bytearray(path.read_bytes())
        if self.chance.random() < 0.7:
            content[self.chance.randrange(len(content))] ^= 1 << self.chance.randrange(8)
        else:
            del content[self.chance.randrange(len(content)) :]
        path.write_bytes(content)
        code, error = self.soak.run(["resume", "r", "-q"], self.folder)
        if path.name == "run.json" and code == 2:
            self.soak.count("damage refused")
            return None
        if code != 0:
            raise Wrong(f"{path.name} damaged: {code}: {error}")
        self.compare()
        self.soak.count("damage refused" if "note: " in error else "damage without effect")
        return None


def gallery(soak):
    """The scenarios that are short enough, each run once."""
    found = []
    for scenario in sorted((HOME / "scenarios").glob("*.toml")):
        if "[[player]]" in scenario.read_text() or "[game" in scenario.read_text():
            continue
        process = soak.start(
            ["run", str(scenario), "-q", "--no-files", "--threads", "2"], soak.scratch
        )
        try:
            process.communicate(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        if process.returncode == 0:
            found.append(scenario)
    return found


def worker(soak, numbers, scenarios, deadline):
    while time.monotonic() < deadline:
        with soak.lock:
            number = next(numbers)
        trial = None
        try:
            trial = Trial(soak, number, scenarios)
            kinds = [trial.kills, trial.damage] + [trial.fault] * bool(soak.shim)
            trial.chance.choice(kinds)()
            shutil.rmtree(trial.folder)
        except (Wrong, subprocess.TimeoutExpired, OSError) as wrong:
            where = f"{trial.scenario}, seed {trial.seed}, {trial.folder}" if trial else "no trial"
            with soak.lock:
                soak.failures.append(f"trial {number} ({where}): {wrong}")
                print(soak.failures[-1], file=sys.stderr)
        soak.count("trials")


def compiled(scratch):
    """The shim that makes faults, where it can be had."""
    source = HOME / "tests/survival/shim.c"
    shim = scratch / "shim.so"
    if not sys.platform.startswith("linux") or not shutil.which("cc"):
        print("no faults: they need Linux and cc", file=sys.stderr)
        return None
    words = ["cc", "-shared", "-fPIC", "-O1", "-o", str(shim), str(source), "-ldl"]
    subprocess.run(words, check=True)
    return shim


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--seed", type=int, default=1, help="the number of the first trial")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--program", default=str(HOME / "target/release/gridpact"))
    parser.add_argument("--scratch", help="where trials run [default: a temporary folder]")
    arguments = parser.parse_args()
    scratch = pathlib.Path(arguments.scratch or tempfile.mkdtemp(prefix="gridpact-soak-"))
    scratch = scratch.resolve()
    scratch.mkdir(parents=True, exist_ok=True)
    soak = Soak(str(pathlib.Path(arguments.program).resolve()), compiled(scratch), scratch)
    scenarios = gallery(soak)
    print(f"{len(scenarios)} scenarios of the gallery and made-up ones, in {scratch}", flush=True)
    begun = time.monotonic()
    deadline = begun + 60 * arguments.minutes
    numbers = iter(range(arguments.seed, sys.maxsize))
    threads = [
        threading.Thread(target=worker, args=(soak, numbers, scenarios, deadline))
        for _ in range(arguments.workers)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rows = ["trials", "kills survived", "stops survived", "faults survived", "damage refused"]
    rows += ["damage without effect", "runs compared", "bytes compared"]
    print(f"{'minutes':24}{(time.monotonic() - begun) / 60:16.1f}")
    for row in rows:
        print(f"{row:24}{soak.counts[row]:16,}")
    print(f"{'failures':24}{len(soak.failures):16}")
    if not soak.failures and not arguments.scratch:
        shutil.rmtree(scratch)
    sys.exit(1 if soak.failures else 0)


if __name__ == "__main__":
    main()
