"""EASY backfilling: the algorithm of src/policy/local/easy.rs, without its shortcuts."""

import json
import sys


class Easy:
    def __init__(self, hello):
        self.waiting, self.running = [], {}

    def run(self, job, now):
        self.running[job["job"]] = (now + job["expected"], job["processors"])
        self.start.append(job["job"])

    def decide(self, now, free, events):
        for event in events:
            if "submit" in event:
                self.waiting.append(event["submit"])
            elif "finish" in event:
                del self.running[event["finish"]["job"]]
        self.start = []
        while self.waiting and self.waiting[0]["processors"] <= free:
            job = self.waiting.pop(0)
            free -= job["processors"]
            self.run(job, now)
        if not self.waiting:
            return {"start": self.start}
        head, released, shadow = self.waiting[0], free, None
        for end, processors in sorted((max(end, now + 1), needs) for end, needs in self.running.values()):
            if shadow is not None and end > shadow:
                break
            released += processors
            if shadow is None and released >= head["processors"]:
                shadow = end
        extra, left = released - head["processors"], [head]
        for job in self.waiting[1:]:
            needs, ends = job["processors"], now + job["expected"]
            if needs <= free and (needs <= extra or ends <= shadow):
                free -= needs
                extra -= needs if ends > shadow else 0
                self.run(job, now)
            else:
                left.append(job)
        self.waiting = left
        return {"start": self.start}


members = {}
for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        members[message["to"]] = Easy(message)
        answer = {"hello": 1}
    else:
        answer = members[message["to"]].decide(**message["decide"])
    print(json.dumps(answer), flush=True)
