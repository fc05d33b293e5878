"""The ratio rule: the algorithm of src/policy/learn/ratio.rs."""

import json
import sys

p = {}
for line in sys.stdin:
    message = json.loads(line)
    to = message["to"]
    if "hello" in message:
        p[to] = 0.5
        answer = {"hello": 1, "probability": p[to]}
    else:
        seen = message["learn"]
        if seen["stayed_out"] is not None:
            gain = max(-1.0, min(1.0, seen["payoff"] - seen["stayed_out"]))
            desire = max(0.0, min(1.0, (1.0 + gain) / 2.0))
            p[to] = (1.0 - 0.1) * p[to] + 0.1 * desire
        answer = {"probability": p[to]}
    print(json.dumps(answer), flush=True)
