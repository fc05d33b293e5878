#!/usr/bin/env python3
"""Puts small runs through kills, signals, faults, power cuts and damage, and compares what they leave.

A trial takes a scenario that nobody wrote, or with --gallery one of the gallery, lets something befall its
run, and goes on with `gridpact resume`. All result files but timing.json and live.json are to be those of an
unbroken run, byte by byte, or an error is to say why not; then they are audited, or changed so that the
audit has to find it. At the end there is a table by kind. The exit code is 1 where a trial failed, and its
folder stays to be looked at.

    cargo build --release
    tools/soak.py --minutes 15
    tools/soak.py --minutes 40 --seed 100000 --tally soak.json    # adds to what soak.json counts already

What a trial does follows from its number alone, but for when a signal meets the run. Trials are numbered
from --seed on. Needs Python 3.9, and for faults and power cuts Linux and a C compiler (`cc`).
"""

import argparse
import collections
import functools
import gzip
import json
import os
import pathlib
import random
import resource
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
LONGEST = 1.0
# Generated scenarios; trials share them, so each is run without faults only once.
SCENARIOS = 240
STOPPED = 75

GRID = """name = "grid"
output = {{ histograms = {histograms}, timeline = {timeline}, decisions = {decisions}{rotated}{windows} }}
[run]
replications = {replications}
clairvoyance = "{clairvoyance}"
{until}
[[organization]]
name = "a"
cluster.space_shared = {{ processors = 4, scheduler.{scheduler} = {{}}, kill_at_estimate = {kill} }}
workload.synthetic = {{ {arrivals}, size.{size}, {widths}, {estimates} }}
[[organization]]
name = "b"
uses = ["a", "b"]
cluster.space_shared = {{ processors = 2, scheduler.{other} = {{}} }}
workload.synthetic = {{ arrivals.poisson.rate = 0.3, size.exponential.mean = 2 }}
"""

GIVEN = """name = "given"
output = {{ histograms = {histograms}, decisions = {decisions}{rotated} }}
[run]
replications = {replications}
until.drained = {{}}
[[organization]]
name = "a"
cluster.space_shared = {{ processors = 8, scheduler.{scheduler} = {{}} }}
workload.{workload}
"""

COALITION = """name = "coalition"
output = {{ histograms = {histograms}, rounds = true, moves = true, jobs = true, timeline = {timeline} }}
[run]
replications = {replications}
until.rounds = {rounds}
[[organization]]
name = "typical"
count = {count}
cluster.time_shared = {{}}
workload.synthetic = {{ arrivals.poisson.rate = {rate}, size.gamma = {{ shape = 2.0, scale = 2.0 }} }}
learner.{learner}
[[organization]]
name = "odd"
cluster.time_shared = {{}}
workload.synthetic = {{ arrivals.poisson.rate = 0.1, size.exponential.mean = 3 }}
learner.ratio = {{ initial = {initial}, rate = 0.2 }}
[coalition]
period = 100.0
rounds.{kind} = {{}}
balancer.{balancer} = {{}}
"""


class Wrong(Exception):
    """A trial that did not end as it must; its first word says how, for the table."""


def list_of_jobs(chance, changed=False):
    """Jobs as a list, in the order of their submission."""
    lines, submit = [], 0
    count = chance.randint(50, 400)
    odd = chance.randrange(count) if changed else -1
    for job in range(count):
        submit += chance.randint(0, 3)
        runtime = chance.randint(1, 9) + (100 if job == odd else 0)
        lines.append((submit, runtime, chance.randint(1, 8)))
    return lines


def as_csv(jobs):
    return "submit,runtime,processors\n" + "".join(f"{s},{r},{p}\n" for s, r, p in jobs)


def as_swf(jobs):
    head = "; Version: 2.2\n; MaxProcs: 8\n"
    rows = (
        f"{n} {s} 0 {r} {p} -1 -1 {p} {2 * r} -1 1 1 1 1 1 1 -1 -1\n"
        for n, (s, r, p) in enumerate(jobs, 1)
    )
    return head + "".join(rows)


def made_up(chance):
    """A scenario that nobody wrote, and the file of jobs that it names, if it does."""
    schedulers = ["easy", "fcfs", "conservative"]
    common = dict(
        histograms=chance.choice(["true", "false"]),
        timeline=chance.choice(["true", "false"]),
        replications=chance.randint(1, 3),
    )
    records = dict(
        rotated=chance.choice(["", f", rotate = {chance.randint(20, 3000)}", ", compress = true",
                               f", rotate = {chance.randint(20, 900)}, compress = true"]),
        decisions=chance.choice(["true", "false"]),
        scheduler=chance.choice(schedulers),
    )
    kind = chance.choice(["grid", "grid", "coalition", "coalition", "given"])
    if kind == "grid":
        jobs = chance.randint(30, 500)
        sizes = [f"exponential.mean = {chance.choice([2, 4, 6])}", f"constant = {chance.randint(1, 5)}",
                 f"uniform = {{ min = 0.{chance.randint(1, 9)}, max = 7.5 }}",
                 f"weibull = {{ shape = 1.{chance.randint(0, 9)}, scale = 3.0 }}"]
        return GRID.format(
            until=chance.choice([f"until.jobs = {jobs}", f"until.time = {2 * jobs}"]),
            windows=chance.choice(["", f", windows = {chance.randint(20, 400)}.0"]),
            clairvoyance=chance.choice(["runtime", "estimate", "predicted"]),
            kill=chance.choice(["true", "false"]),
            arrivals=f"arrivals.poisson.rate = {chance.choice([0.2, 0.3, 0.35])}",
            widths="processors.uniform = { min = 1, max = 4 }",
            size=chance.choice(sizes),
            estimates=chance.choice(["estimates.exact = {}", "estimates.f_model.factor = 3.0"]),
            other=chance.choice(schedulers),
            **common, **records,
        ), {}
    if kind == "coalition":
        learners = [f"ratio = {{ initial = 0.{chance.randint(1, 9)}, rate = 0.1 }}", "hedge = {}",
                    "exp3 = {}", "cross = {}", "always = {}", "never = {}"]
        return COALITION.format(
            rounds=chance.randint(4, 30), count=chance.randint(1, 5),
            rate=chance.choice([0.1, 0.2]), learner=chance.choice(learners),
            initial=f"0.{chance.randint(0, 9)}",
            kind=chance.choice(["independent", "continuing"]),
            balancer=chance.choice(["averaging", "bilb"]), **common,
        ), {}
    jobs = list_of_jobs(chance)
    common.pop("timeline")
    if chance.random() < 0.5:
        name, content, workload = "jobs.csv", as_csv(jobs), 'jobs.file = "jobs.csv"'
    else:
        name, content, workload = "trace.swf", as_swf(jobs), 'swf.file = "trace.swf"'
    content = content.encode()
    if chance.random() < 0.5:
        content = gzip.compress(content, mtime=0)
    return GIVEN.format(workload=workload, **common, **records), {name: content}


def results(folder):
    """The bytes of all result files, by name; nothing of what is kept to go on."""
    if not folder.is_dir():
        return {}
    files = (path for path in folder.iterdir() if path.is_file() and path.name not in CLOCKS)
    return {path.name: path.read_bytes() for path in files}


def ignores(pid, sent):
    """True if a process has come so far that it ignores a signal; where nobody can say, too."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return True
    mask = next((line.split()[1] for line in status.splitlines() if line.startswith("SigIgn:")), "-1")
    return bool(int(mask, 16) >> (sent - 1) & 1)


class Case:
    """A scenario, the files beside it, and what an unbroken run of it leaves."""

    def __init__(self, scenario, files=None, text=None):
        self.scenario, self.files, self.text = scenario, files or {}, text
        self.expected, self.took, self.calls = None, None, None
        self.lock = threading.Lock()

    def put(self, folder):
        """Writes it where it is made up; gives the word that names it."""
        if self.text is None:
            return str(self.scenario)
        (folder / "s.toml").write_text(self.text)
        for name, content in self.files.items():
            (folder / name).write_bytes(content)
        return "s.toml"


class Soak:
    """What all trials share."""

    def __init__(self, program, shim, scratch):
        self.program, self.shim, self.scratch = program, shim, scratch
        self.lock = threading.Lock()
        self.counts = collections.defaultdict(collections.Counter)
        self.failures = []

    def count(self, kind, what, more=1):
        with self.lock:
            self.counts[kind][what] += more

    def start(self, words, cwd, environment=None, **more):
        return subprocess.Popen(
            [self.program, *words],
            cwd=cwd,
            env=environment and {**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            **{"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, **more},
        )

    def ended(self, process, words):
        """Waits for its end; a bug of the program is never right."""
        try:
            error = process.communicate(timeout=300)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise Wrong(f"hangs: {words}: still not over after 300 seconds") from None
        error = (error or b"").decode(errors="replace")
        if "bug of gridpact" in error or process.returncode in (3, 101, -signal.SIGABRT, -signal.SIGSEGV):
            raise Wrong(f"panic: {words}: {error}")
        return process.returncode, error

    def run(self, words, cwd, environment=None, **more):
        return self.ended(self.start(words, cwd, environment, **more), words)

    def learn(self, case):
        """Runs a case unbroken, unless that was done."""
        with case.lock:
            if case.expected is not None:
                return
            with tempfile.TemporaryDirectory(dir=self.scratch) as name:
                folder = pathlib.Path(name).resolve()
                words = ["run", case.put(folder), "-q", "--out", "r", "--threads", "1"]
                begun = time.monotonic()
                code, error = self.run([*words, "--checkpoint-every", "never"], folder)
                case.took = time.monotonic() - begun
                if code != 0:
                    raise Wrong(f"refused: {case.text or case.scenario}: {error}")
                case.expected = results(folder / "r")


class Trial:
    """One run, and what befalls it."""

    def __init__(self, soak, number, kind, cases):
        self.soak, self.number, self.kind = soak, number, kind
        self.chance = chance = random.Random(number)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"trial-{number}-", dir=soak.scratch))
        self.folder = self.folder.resolve()
        if kind in ("changed",):
            cases = [case for case in cases if case.files]
        self.case = chance.choice(cases)
        soak.learn(self.case)
        self.scenario = self.case.put(self.folder)
        slot = max(1, int(self.case.took * 1000 / chance.randint(2, 40)))
        self.every = chance.choice([f"{slot}ms", f"{chance.randint(10, 500)}jobs", "never"])

    def count(self, what, more=1):
        self.soak.count(self.kind, what, more)

    def words(self):
        """What starts the run, or goes on with it."""
        threads = ["--threads", str(self.chance.randint(1, 3))]
        if (self.folder / "r/state/run.json").exists():
            return ["resume", "r", "-q", *threads]
        return ["run", self.scenario, "-q", "--out", "r", "--checkpoint-every", self.every, *threads]

    def run(self, words=None, environment=None, **more):
        return self.soak.run(words or self.words(), self.folder, environment, **more)

    def compare(self):
        found, expected = results(self.folder / "r"), self.case.expected
        if found != expected:
            names = sorted(set(found) ^ set(expected))
            names += [name for name in found if name in expected and found[name] != expected[name]]
            raise Wrong(f"bytes: other results: {', '.join(names)}")
        self.count("bytes", sum(map(len, found.values())))
        self.count("compared")

    def finish(self):
        """Goes on to the end, which is the right one."""
        code, error = self.run()
        if code == 2 and "no run that could go on" in error:
            code, error = self.run(["run", self.scenario, "-q", "--out", "r"])
        if code != 0:
            raise Wrong(f"lost: it does not go on, {code}: {error}")
        self.compare()
        return error

    def begin_and_kill(self):
        """Begins it and kills it on the way."""
        process = self.soak.start(self.words(), self.folder)
        time.sleep(self.chance.random() * self.case.took)
        process.kill()
        process.communicate()

    def kills(self):
        """Killed at random times until it is over."""
        for _ in range(self.chance.randint(1, 3)):
            words = self.words()
            process = self.soak.start(words, self.folder)
            time.sleep(self.chance.random() * self.case.took * self.chance.choice([0.2, 0.6, 1.2]))
            process.kill()
            code, error = self.soak.ended(process, words)
            if code == 0:
                return self.compare()
            if code != -signal.SIGKILL:
                raise Wrong(f"lost: killed it ends with {code}: {error}")
            self.count("survived")
        return self.finish()

    STOPS = [signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGXCPU]
    ENDS = [signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM]
    IGNORED = [signal.SIGPIPE, signal.SIGWINCH, signal.SIGCHLD, signal.SIGSTOP]

    def signals(self):
        """Signals of every kind at random times."""
        for _ in range(self.chance.randint(1, 3)):
            words = self.words()
            process = self.soak.start(words, self.folder)
            time.sleep(self.chance.random() * self.case.took * self.chance.choice([0.4, 1.0]))
            sent = self.chance.choice(self.STOPS + self.STOPS + self.ENDS + self.IGNORED)
            is_early = sent == signal.SIGPIPE and not ignores(process.pid, sent)
            process.send_signal(sent)
            is_twice = sent in self.STOPS and self.chance.random() < 0.2
            if sent == signal.SIGSTOP:
                time.sleep(self.chance.random() * 0.01)
                process.send_signal(signal.SIGCONT)
            elif is_twice:
                time.sleep(self.chance.random() * 0.005)
                process.send_signal(self.chance.choice(self.STOPS))
            code, error = self.soak.ended(process, words)
            if code == 0:
                return self.compare()
            # Before its handler is installed, a signal ends it like any program.
            allowed = [] if sent in self.IGNORED and not is_early else [-sent]
            allowed += [STOPPED] if sent in self.STOPS else []
            if code not in allowed and not (is_twice and -code in self.STOPS):
                raise Wrong(f"lost: {sent!r} ended it with {code}: {error}")
            if code == STOPPED and not is_twice and "gridpact resume r" not in error:
                raise Wrong(f"lost: it does not say how to go on: {error}")
            self.count("survived")
        return self.finish()

    def changes(self):
        """How often a run of this case changes the disk, about."""
        if self.case.calls is None:
            log = self.folder / "calls"
            shim = {"LD_PRELOAD": str(self.soak.shim), "SHIM_FOLDER": str(self.folder / "r")}
            self.run(environment={**shim, "SHIM_LOG": str(log)})
            self.case.calls = log.read_text().count("\n") if log.exists() else 1
            shutil.rmtree(self.folder / "r", ignore_errors=True)
        return self.case.calls

    def faults(self):
        """A change to the disk fails, or half of it is made."""
        calls = self.changes()
        kind = self.chance.choice(["eio", "enospc", "erofs", "kill", "torn", "short", "int", "int2"])
        code, error = self.run(
            environment={
                "LD_PRELOAD": str(self.soak.shim),
                "SHIM_FOLDER": str(self.folder / "r"),
                "SHIM_KIND": kind,
                "SHIM_AT": str(self.chance.randint(1, calls)),
                "SHIM_STICKY": self.chance.choice(["0", "1"]),
            }
        )
        if code == 4 and not error.startswith("error: r"):
            raise Wrong(f"lost: {kind}: no file is named: {error}")
        if code not in (0, 4, STOPPED, -signal.SIGKILL, -signal.SIGINT):
            raise Wrong(f"lost: {kind}: {code}: {error}")
        if code == 0:
            return self.compare()
        self.count("survived")
        return self.finish()

    def power(self):
        """The power is cut: what was not synced is lost, or half of it, or it is there."""
        calls, disk = self.changes(), self.folder / "disk"
        disk.mkdir()
        code, error = self.run(
            environment={
                "LD_PRELOAD": str(self.soak.shim),
                "SHIM_FOLDER": str(self.folder / "r"),
                "SHIM_DISK": str(disk),
                "SHIM_KIND": self.chance.choice(["kill", "torn"]),
                # The run may have finished before.
                "SHIM_AT": str(self.chance.randint(1, calls + calls // 8 + 1)),
            }
        )
        if code not in (0, -signal.SIGKILL):
            raise Wrong(f"lost: {code}: {error}")
        if (self.folder / "r").exists():
            after = self.folder / "after"
            self.left(self.folder / "r", after, disk)
            shutil.rmtree(self.folder / "r")
            after.rename(self.folder / "r")
        self.count("survived")
        # Results without their manifest cannot be attributed to this run.
        code, error = self.run()
        if code == 2 and "no run that could go on" in error:
            code, error = self.run(["run", self.scenario, "-q", "--out", "r"])
        if code == 2 and "--force" in error:
            self.count("refused")
            code, error = self.run(["run", self.scenario, "-q", "--out", "r", "--force"])
        if code != 0:
            raise Wrong(f"lost: it does not go on, {code}: {error}")
        return self.compare()

    def left(self, live, out, disk):
        """What the disk has of a folder: by name what is there now or was when it was synced."""
        out.mkdir()
        now = {path.name: path.stat().st_ino for path in live.iterdir()}
        names = disk / f"names-{live.stat().st_ino}"
        synced = {}
        if names.exists():
            for line in names.read_text().splitlines():
                inode, name = line.split(" ", 1)
                synced[name] = int(inode)
        by_inode = {inode: live / name for name, inode in now.items()}
        which = self.chance.choice(["now", "synced", "mixed"])
        for name in sorted(set(now) | set(synced)):
            at = self.chance.choice(["now", "synced"]) if which == "mixed" else which
            inode = (now if at == "now" else synced).get(name)
            if inode is None:
                continue
            path = by_inode.get(inode)
            if path is not None and path.is_dir():
                self.left(path, out / name, disk)
                continue
            safe = disk / str(inode)
            content = safe.read_bytes() if safe.exists() else b""
            if path is not None and path.exists():
                content = self.partly(content, path.read_bytes())
            (out / name).write_bytes(content)

    def partly(self, synced, now):
        """The content of a file that was written on after it was synced."""
        if synced == now:
            return now
        kind = self.chance.choice(["synced", "now", "cut", "zeros"])
        if kind == "synced":
            return synced
        if kind == "now" or not now.startswith(synced):
            return now
        end = self.chance.randint(len(synced), len(now))
        return now[:end] if kind == "cut" else now[:end] + bytes(len(now) - end)

    def damage(self):
        """What it kept is flipped, cut, added to or lost while it is not running."""
        self.begin_and_kill()
        state = self.folder / "r/state"
        # Killed before it is named, nothing is kept.
        if not (state / "run.json").exists():
            return self.finish()
        files = sorted(path for path in state.iterdir() if path.stat().st_size)
        path = self.chance.choice(files)
        content = bytearray(path.read_bytes())
        how = self.chance.choice(["flip", "flip", "cut", "add", "lose"])
        if how == "flip":
            content[self.chance.randrange(len(content))] ^= 1 << self.chance.randrange(8)
        elif how == "cut":
            del content[self.chance.randrange(len(content)) :]
        elif how == "add":
            content += self.chance.choice([b"0,a,7,1,2,3\n", b"\n", bytes(7), bytes(content)])
        path.write_bytes(content)
        if how == "lose":
            path.unlink()
        code, error = self.run(["resume", "r", "-q"])
        if path.name == "run.json" and code == 2:
            return self.count("refused")
        if code != 0:
            raise Wrong(f"lost: {path.name}, {how}: {code}: {error}")
        self.compare()
        return self.count("refused" if "note: " in error else "survived")

    def changed(self):
        """The jobs that it reads become others while it is not running."""
        self.begin_and_kill()
        if not (self.folder / "r/state/run.json").exists():
            return self.finish()
        (name, content), = self.case.files.items()
        text = gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content
        lines = text.splitlines(keepends=True)
        place = self.chance.randrange(2, len(lines))
        parts = lines[place].replace(b",", b" ").split()
        column = 3 if name.endswith(".swf") else 1
        parts[column] = str(int(parts[column]) + 1).encode()
        lines[place] = (b" " if name.endswith(".swf") else b",").join(parts) + b"\n"
        (self.folder / name).write_bytes(b"".join(lines))
        code, error = self.run()
        if code == 0 and "finished" in error or results(self.folder / "r") == self.case.expected:
            return self.compare()
        if code != 2 or "not what they were" not in error:
            raise Wrong(f"bytes: other jobs: {code}: {error}")
        self.count("refused")
        # Unpacked, they are the same jobs.
        (self.folder / name).write_bytes(text)
        self.finish()
        return None

    def twins(self):
        """Two are started at one moment: one runs, the other says so and nothing else."""
        words = ["run", self.scenario, "-q", "--out", "r", "--threads", "1"]
        both = [self.soak.start(words, self.folder) for _ in range(2)]
        ends = sorted(self.soak.ended(one, words) for one in both)
        for code, error in ends:
            if code != 0 and (code != 2 or "another process is running in this folder" not in error
                              or "--force" in error):
                raise Wrong(f"lost: of two: {code}: {error}")
        if ends[0][0] != 0:
            raise Wrong(f"lost: neither of two ran: {ends}")
        self.count("refused", sum(code == 2 for code, _ in ends))
        return self.compare()

    def starved(self):
        """Nobody hears what it says, or files may not grow."""
        how = self.chance.choice(["log", "closed", "size"])
        words = [word for word in self.words() if word != "-q"]
        if how == "log":
            with open("/dev/full", "w") as full:
                code, error = self.run([*words, "-" + "v" * self.chance.randint(1, 3)], stderr=full)
        elif how == "closed":
            read, write = os.pipe()
            os.close(read)
            code, error = self.run([*words, "-v"], stderr=write)
            os.close(write)
        else:
            most = self.chance.randint(1, 60_000)
            limit = functools.partial(resource.setrlimit, resource.RLIMIT_FSIZE, (most, most))
            code, error = self.run(words, preexec_fn=limit)
            if code == 4 and "error: " in error:
                self.count("survived")
                return self.finish()
        if code != 0:
            raise Wrong(f"lost: {how}: {code}: {error}")
        return self.compare()

    def audited(self):
        """Nothing befalls it, and the auditor finds nothing."""
        code, error = self.run()
        if code != 0:
            raise Wrong(f"lost: {code}: {error}")
        self.compare()
        audit = self.soak.start(["audit", "r"], self.folder, stdout=subprocess.PIPE)
        told = audit.communicate(timeout=300)
        if audit.returncode != 0:
            raise Wrong(f"alarm: {audit.returncode}: {b' '.join(told).decode(errors='replace')}")
        self.count("survived")

    def tampered(self):
        """One bit of a result is another, and the auditor finds it."""
        code, error = self.run()
        if code != 0:
            raise Wrong(f"lost: {code}: {error}")
        self.compare()
        files = [path for path in sorted((self.folder / "r").iterdir()) if path.is_file()]
        files = [path for path in files if path.name not in CLOCKS and path.stat().st_size]
        path = self.chance.choice(files)
        content = bytearray(path.read_bytes())
        at, bit = self.chance.randrange(len(content)), self.chance.randrange(8)
        content[at] ^= 1 << bit
        path.write_bytes(content)
        code, error = self.soak.run(["audit", "r"], self.folder)
        # The time and place of a run, also in the manifest, do not affect any figure.
        if code == 0 and path.name != "manifest.json":
            raise Wrong(f"missed: bit {bit} of byte {at} of {path.name}")
        self.count("refused" if code else "survived")


# Each with its relative frequency.
KINDS = {
    "kills": 20, "signals": 20, "faults": 16, "power": 12, "damage": 14,
    "changed": 4, "twins": 4, "starved": 4, "audited": 4, "tampered": 2,
}
NEEDS_SHIM = {"faults", "power"}
COLUMNS = ["trials", "survived", "refused", "compared", "bytes"]
WRONGS = ["bytes", "panic", "hangs", "lost", "alarm", "missed"]


def gallery(soak):
    """The scenarios that are short enough, each run once."""
    found = []
    for scenario in sorted((HOME / "scenarios").glob("*.toml")):
        if "[[player]]" in scenario.read_text() or "[game" in scenario.read_text():
            continue
        words = ["run", str(scenario), "-q", "--no-files", "--threads", "1"]
        process = soak.start(words, soak.scratch)
        try:
            process.communicate(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        if process.returncode == 0:
            found.append(Case(scenario))
    return found


def worker(soak, numbers, kinds, cases, deadline):
    names, weights = list(kinds), list(kinds.values())
    while time.monotonic() < deadline:
        with soak.lock:
            number = next(numbers)
        kind = random.Random(-1 - number).choices(names, weights)[0]
        trial = None
        try:
            trial = Trial(soak, number, kind, cases)
            getattr(trial, kind)()
            shutil.rmtree(trial.folder)
        except (Wrong, subprocess.TimeoutExpired, OSError) as wrong:
            how = str(wrong).split(":")[0] if isinstance(wrong, Wrong) else "lost"
            soak.count(kind, f"wrong {how if how in WRONGS else 'lost'}")
            with soak.lock:
                soak.failures.append(f"trial {number} ({kind}, {trial and trial.folder}): {wrong}")
                print(soak.failures[-1], file=sys.stderr, flush=True)
        soak.count(kind, "trials")


def compiled(scratch):
    """The shim that makes faults, where it can be had."""
    source = HOME / "tests/program/survival/shim.c"
    shim = scratch / "shim.so"
    if not sys.platform.startswith("linux") or not shutil.which("cc"):
        print("no faults and no power cuts: they need Linux and cc", file=sys.stderr)
        return None
    words = ["cc", "-shared", "-fPIC", "-O1", "-o", str(shim), str(source), "-ldl"]
    subprocess.run(words, check=True)
    return shim


def table(counts):
    """The counts by kind; gives how many trials failed."""
    wrongs = [one for one in WRONGS if any(row.get(f"wrong {one}") for row in counts.values())]
    heads = COLUMNS + ["wrong", *wrongs]
    print(f"{'kind':10}" + "".join(f"{head:>14}" for head in heads))
    total = collections.Counter()
    for kind in [*KINDS, "all"]:
        row = total if kind == "all" else counts.get(kind, {})
        if not row:
            continue
        wrong = sum(row.get(f"wrong {one}", 0) for one in WRONGS)
        cells = [row.get(column, 0) for column in COLUMNS]
        cells += [wrong] + [row.get(f"wrong {one}", 0) for one in wrongs]
        print(f"{kind:10}" + "".join(f"{cell:14,}" for cell in cells))
        if kind != "all":
            total.update(row)
    return sum(total[f"wrong {one}"] for one in WRONGS)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--seed", type=int, default=1, help="the number of the first trial")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kinds", default=",".join(KINDS), help="such as kills,power")
    parser.add_argument("--gallery", action="store_true", help="also short scenarios of the gallery")
    parser.add_argument("--tally", type=pathlib.Path, help="a file of counts to add to")
    parser.add_argument("--program", default=str(HOME / "target/release/gridpact"))
    parser.add_argument("--scratch", help="where trials run [default: a temporary folder]")
    arguments = parser.parse_args()
    memory = "/dev/shm" if pathlib.Path("/dev/shm").is_dir() else None
    scratch = arguments.scratch or tempfile.mkdtemp(prefix="gridpact-soak-", dir=memory)
    scratch = pathlib.Path(scratch).resolve()
    scratch.mkdir(parents=True, exist_ok=True)
    soak = Soak(str(pathlib.Path(arguments.program).resolve()), compiled(scratch), scratch)
    kinds = {kind: KINDS[kind] for kind in arguments.kinds.split(",")}
    if not soak.shim:
        kinds = {kind: weight for kind, weight in kinds.items() if kind not in NEEDS_SHIM}
    chance = random.Random(arguments.seed)
    cases = gallery(soak) if arguments.gallery else []
    print(f"{len(cases)} scenarios of the gallery and {SCENARIOS} made up, in {scratch}", flush=True)
    for _ in range(SCENARIOS):
        text, files = made_up(chance)
        cases.append(Case(None, files, text))
    begun = time.monotonic()
    numbers = iter(range(arguments.seed, sys.maxsize))
    common = (soak, numbers, kinds, cases, begun + 60 * arguments.minutes)
    threads = [threading.Thread(target=worker, args=common) for _ in range(arguments.workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counts = {kind: dict(row) for kind, row in soak.counts.items()}
    if arguments.tally:
        before = json.loads(arguments.tally.read_text()) if arguments.tally.exists() else {}
        for kind, row in before.items():
            sums = collections.Counter(counts.get(kind, {}))
            sums.update(row)
            counts[kind] = dict(sums)
        arguments.tally.write_text(json.dumps(counts, indent=1, sort_keys=True) + "\n")
    print(f"{(time.monotonic() - begun) / 60:.1f} minutes; the next number is {next(numbers)}")
    wrong = table(counts)
    if not soak.failures and not arguments.scratch:
        shutil.rmtree(scratch)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
