"""A scheduler for gridpact, as a program of its own: first come, first served.

    gridpact new process-scheduler --language python > mine.py

and in the scenario, beside this file:

    scheduler.process = { command = ["python3", "mine.py"] }

Each line of input is a question, each line of output its answer. Whatever else is printed belongs on
stderr: print(..., file=sys.stderr).
"""

import json
import sys
from collections import deque


class Fcfs:
    """The scheduler of one cluster."""

    def __init__(self, hello):
        # Random numbers come from this seed: random.Random(hello["seed"]).
        self.waiting = deque()

    def decide(self, now, free, events):
        for event in events:
            if "submit" in event:  # {"job": 0, "submit": 5000000, "processors": 4, ...}
                self.waiting.append(event["submit"])
            # {"finish": {"job": 0}} tells that a job has ended. There are a few more.
        start = []
        while self.waiting and self.waiting[0]["processors"] <= free:
            job = self.waiting.popleft()
            free -= job["processors"]
            start.append(job["job"])
        # With "wake": now + 60 * 1000000 it is asked again in a minute, if nothing happens before.
        return {"start": start}


schedulers = {}
for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        schedulers[message["to"]] = Fcfs(message)
        answer = {"hello": 1}
    else:
        answer = schedulers[message["to"]].decide(**message["decide"])
    print(json.dumps(answer), flush=True)
