#!/usr/bin/env python3
"""Runs a sweep as a Slurm job array while tasks, nodes and the controller are killed, and checks the results.

A small Slurm is started with cluster.sh. The sweep is submitted with `gridpact sweep submit`; then, at random
moments, gridpact, batch scripts, steps, node daemons, whole nodes and the controller are killed (-9), tasks
are told to end or are requeued, and missing shares are submitted again, sometimes while they still run. In
the end no share may be missing, and the merged results must be those of an undisturbed run of one share,
byte by byte. Exit code: 0 if so, 1 if not (the folder stays), 77 if there is no Slurm here.

    chaos.py --program target/release/gridpact --file sweep.toml --seed 7

The seed determines what is done and when; what that meets depends on the machine. A run takes about
--seconds plus the time that the rest of the sweep needs, at most --limit seconds. Needs Python 3.9, Linux
and, for Slurm, what cluster.sh says.
"""

import argparse
import collections
import fnmatch
import hashlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
# Relative weights of what can happen.
ACTIONS = {
    "kill gridpact": 4,
    "kill script": 2,
    "kill step": 2,
    "signal script": 3,
    "signal task": 2,
    "requeue": 2,
    "kill node": 2,
    "kill slurmd": 2,
    "kill controller": 2,
    "submit again": 1,
}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path, help="gridpact")
    parser.add_argument("--file", required=True, type=pathlib.Path, help="file of the sweep")
    parser.add_argument("--slurm", type=pathlib.Path, default=HERE / "cluster.sh", help="script that starts Slurm")
    parser.add_argument("--folder", type=pathlib.Path, help="folder to work in [default: a temporary one]")
    parser.add_argument("--reference", type=pathlib.Path, help="merged results of an undisturbed run [default: made]")
    parser.add_argument("--script", default="shards/slurm.sbatch", help="where `submit` leaves the batch script in the results")
    parser.add_argument("--shards", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60, help="how long to disturb")
    parser.add_argument("--limit", type=float, default=240, help="give up after this time")
    parser.add_argument("--gap", type=float, default=2.5, help="mean time between disturbances, in seconds")
    parser.add_argument(
        "--ignore",
        action="append",
        default=["shards", "log", "*.sbatch", "timing.json", "live.json", "state"],
        help="file or folder name that is no result; may be repeated",
    )
    return parser.parse_args()


class Failed(Exception):
    """A check that did not hold."""


class Chaos:
    def __init__(self, options, folder):
        self.options = options
        self.random = random.Random(options.seed)
        self.slurm_folder = folder / "slurm"
        self.out = folder / "out"
        self.reference = folder / "reference"
        self.program = options.program.resolve()
        self.file = options.file.resolve()
        self.environment = dict(os.environ, SLURM_CONF=str(self.slurm_folder / "slurm.conf"))
        self.begin = time.monotonic()
        self.done = collections.Counter()
        self.submissions = 0
        # Repairs to come: (moment, command of cluster.sh, its argument).
        self.repairs = []

    # --- commands

    def log(self, text):
        print(f"{time.monotonic() - self.begin:6.1f} s  {text}", flush=True)

    def call(self, *command, timeout=8):
        """Exit code and standard output of a command; -1 if it takes too long, as scancel may for a dead node."""
        try:
            result = subprocess.run(
                [str(word) for word in command],
                env=self.environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                stdin=subprocess.DEVNULL,
                text=True,
                timeout=timeout,
            )
        except subprocess.TimeoutExpired:
            self.errors = f"no answer in {timeout} s"
            return -1, ""
        self.errors = result.stderr
        return result.returncode, result.stdout

    def slurm(self, action, *words):
        # Not through pipes: the daemons would keep them open.
        with open(self.slurm_folder.parent / "slurm.log", "a", encoding="utf-8") as log:
            command = [str(self.options.slurm), action, str(self.slurm_folder), *words]
            return subprocess.run(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, check=False).returncode

    def sweep(self, verb, out, *words):
        return self.call(self.program, "sweep", verb, self.file, *words, "--out", out, timeout=self.options.limit)

    def missing(self):
        code, text = self.sweep("missing", self.out, "--shards", str(self.options.shards))
        if code != 0:
            raise Failed(f"`sweep missing` exits {code}: {self.errors}")
        return text.strip()

    def resubmit(self, shares):
        # Fails while the controller is down; the caller tries again later.
        code, text = self.call("sbatch", f"--array={shares}", self.out / self.options.script)
        if code == 0:
            self.submissions += 1
        self.log(f"submit {shares} again: {text.strip() or self.errors.strip()}")
        return code == 0

    def queue(self):
        """Jobs in the queue as (task, state, reason); None if the controller does not answer."""
        code, text = self.call("squeue", "--noheader", "--array", "--format=%i|%T|%r")
        return None if code != 0 else [tuple(line.split("|", 2)) for line in text.splitlines()]

    def processes(self, kind):
        """Processes of running tasks: `gridpact`, `script` or `step`."""
        found = []
        mark = f"SLURM_CONF={self.environment['SLURM_CONF']}".encode()
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                name = (folder / "comm").read_text().strip()
                environment = (folder / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if mark not in environment:
                continue
            in_task = any(entry.startswith(b"SLURM_ARRAY_TASK_ID=") for entry in environment)
            if kind == {"slurm_script": "script", "slurmstepd": "step"}.get(name, "gridpact" if in_task else ""):
                found.append(int(folder.name))
        return sorted(found)

    def controller_away(self):
        return any(action == "start-controller" for _, action, _ in self.repairs)

    # --- disturbances

    def disturb(self):
        action = self.random.choices(list(ACTIONS), list(ACTIONS.values()))[0]
        # Drawn in any case, so that the seed alone determines the draws.
        pick, node, delay = self.random.random(), self.random.choice("12"), self.random.uniform(0.5, 20)
        # After 8 s without slurmd the controller gives the tasks of a node to the other one.
        what = action
        if action in ("kill gridpact", "kill script", "kill step"):
            processes = self.processes(action.split()[1])
            if not processes:
                return
            victim = processes[int(pick * len(processes))]
            try:
                os.kill(victim, signal.SIGKILL)
            except ProcessLookupError:
                return
        elif self.controller_away() and action not in ("kill node", "kill slurmd", "kill controller"):
            return
        elif action in ("signal script", "signal task", "requeue"):
            running = [task for task, state, _ in self.queue() or [] if state == "RUNNING"]
            if not running:
                return
            task = running[int(pick * len(running))]
            command = {
                "signal script": ["scancel", "--batch", "--signal=TERM", task],
                "signal task": ["scancel", "--full", "--signal=TERM", task],
                "requeue": ["scontrol", "requeue", task],
            }[action]
            self.call(*command)
            what = f"{action} {task}"
        elif action == "submit again":
            shares = self.missing()
            if not shares or not self.resubmit(shares):
                return
        else:
            down = {"kill node": "start-node", "kill slurmd": "start-node"}.get(action, "start-controller")
            target = [node] if down == "start-node" else []
            if (down, target) in [(name, words) for _, name, words in self.repairs]:
                return
            extra = ["daemon"] if action == "kill slurmd" else []
            self.slurm(down.replace("start", "kill"), *target, *extra)
            self.repairs.append((time.monotonic() + delay, down, target))
            what = " ".join([action, *target, f"for {delay:.1f} s"])
        self.done[action] += 1
        self.log(what)

    def repair(self, everything=False):
        """Starts what has been down for long enough."""
        # A node needs the controller to be ready.
        self.repairs.sort(key=lambda repair: (repair[1] != "start-controller", repair[0]))
        for moment, action, target in list(self.repairs):
            away = self.controller_away()
            if everything or (moment <= time.monotonic() and not (action == "start-node" and away)):
                self.repairs.remove((moment, action, target))
                if self.slurm(action, *target) != 0:
                    self.log(f"{action} failed, again later")
                    self.repairs.append((time.monotonic() + 2, action, target))

    def keep_going(self):
        """What a user would do: release held tasks, and submit missing shares once nothing is queued."""
        queue = None if self.controller_away() else self.queue()
        if queue is None:
            return
        held = [task for task, state, reason in queue if state == "PENDING" and "held" in reason.lower()]
        for task in held:
            self.call("scontrol", "release", task)
            self.log(f"release {task}")
            self.done["(released)"] += 1
        if not queue:
            shares = self.missing()
            if shares:
                self.resubmit(shares)

    # --- the whole

    def digests(self, out):
        """Digest of every result file."""
        found = {}
        for folder, folders, names in os.walk(out):
            ignored = lambda name: any(fnmatch.fnmatch(name, pattern) for pattern in self.options.ignore)
            folders[:] = [name for name in folders if not ignored(name)]
            for name in names:
                if not ignored(name):
                    path = pathlib.Path(folder) / name
                    found[str(path.relative_to(out))] = hashlib.sha256(path.read_bytes()).hexdigest()
        return found

    def merge(self, out):
        code, text = self.sweep("merge", out)
        if code != 0:
            raise Failed(f"`sweep merge` exits {code}: {text}{self.errors}")
        return self.digests(out)

    def run(self):
        if self.options.reference:
            expected = self.digests(self.options.reference)
        else:
            code, _ = self.sweep("run", self.reference, "--shard", "1/1")
            if code != 0:
                raise Failed(f"the undisturbed run exits {code}: {self.errors}")
            expected = self.merge(self.reference)
        if not expected:
            raise Failed("the undisturbed run has no results")
        self.log(f"undisturbed run: {len(expected)} files")

        self.begin = time.monotonic()
        code, text = self.sweep("submit", self.out, "--engine", "slurm", "--shards", str(self.options.shards))
        if code != 0:
            raise Failed(f"`sweep submit` exits {code}: {text}{self.errors}")
        self.submissions += 1
        code, _ = self.sweep("merge", self.out)
        if code != 2:
            raise Failed(f"`sweep merge` of an unfinished sweep exits {code}, not 2")

        while time.monotonic() - self.begin < self.options.seconds and self.missing():
            time.sleep(min(self.random.expovariate(1 / self.options.gap), 3 * self.options.gap))
            self.disturb()
            self.repair()
            self.keep_going()
        self.log(f"quiet from now on; missing: {self.missing() or 'nothing'}")
        while self.missing() or self.queue() != []:
            if time.monotonic() - self.begin > self.options.limit:
                raise Failed(f"not done after {self.options.limit:.0f} s; missing: {self.missing()}; {self.queue()}")
            self.repair(everything=True)
            self.keep_going()
            time.sleep(1)

        for turn in ("merged", "merged again"):
            found = self.merge(self.out)
            different = sorted(name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name))
            if different:
                raise Failed(f"{turn}: not those of the undisturbed run: {', '.join(different)}")

    def report(self):
        print("disturbances: " + ", ".join(f"{name} {count}" for name, count in sorted(self.done.items())))
        starts = []
        for share in range(1, self.options.shards + 1):
            log = self.out / "shards" / "log" / f"{share}.log"
            starts.append(log.read_text(errors="replace").count(f"share {share} of") if log.exists() else 0)
        print(f"submissions: {self.submissions}; starts of each share: {' '.join(map(str, starts))}")


def main():
    options = arguments()
    folder = options.folder or pathlib.Path(tempfile.mkdtemp(prefix="chaos."))
    folder.mkdir(parents=True, exist_ok=True)
    chaos = Chaos(options, folder.resolve())
    code = chaos.slurm("up")
    if code != 0:
        print((folder / "slurm.log").read_text(), file=sys.stderr)
        sys.exit(code)
    failure = None
    try:
        chaos.run()
    except Failed as error:
        failure = str(error)
    finally:
        chaos.report()
        if failure and (chaos.slurm_folder / "log").is_dir():
            shutil.copytree(chaos.slurm_folder / "log", folder / "slurm-log", dirs_exist_ok=True)
        chaos.slurm("down")
    if failure:
        print(f"FAILED with seed {options.seed}: {failure}\nThe folder stays: {folder}")
        sys.exit(1)
    print(f"OK with seed {options.seed}: the results are those of an undisturbed run")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
