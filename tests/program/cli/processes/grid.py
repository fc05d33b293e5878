"""Grid schedulers: `round_robin`, which sends, and `best_fit`, which starts jobs."""

import json
import sys

waiting, sizes, starts, turn = [], [], False, 0
for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        sizes, starts = message["processors"], message["starts"]
        print(json.dumps({"hello": 1}), flush=True)
        continue
    question = message["place"]
    waiting += [event["submit"] for event in question["events"] if "submit" in event]
    place, left = [], []
    free = question.get("free")
    for job in waiting:
        if starts:
            # In order of submission, each that fits where it leaves the fewest processors idle.
            fits = [one for one in job["clusters"] if free[one] >= job["processors"]]
            if not fits:
                left.append(job)
                continue
            cluster = min(fits, key=lambda one: (free[one] - job["processors"], one))
            free[cluster] -= job["processors"]
        else:
            # The next cluster in turn that is large enough.
            while turn % len(sizes) not in job["clusters"]:
                turn += 1
            cluster = turn % len(sizes)
            turn += 1
        place.append({"job": job["job"], "cluster": cluster})
    waiting = left
    print(json.dumps({"place": place}), flush=True)
