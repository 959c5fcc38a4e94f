#!/usr/bin/env python3.11
"""Renders every line of templates.txt with Jinja 3.1's sandbox and
StrictUndefined, and writes cases.json. The variables are in VARS.

    python3.11 ask.py <templates.txt >cases.json
"""
import json, sys
from jinja2 import StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

VARS = {
    "users": [
        {"name": "Ann", "age": 30, "addr": {"city": "Rome"}},
        {"name": "bob", "age": 25, "addr": {"city": "oslo"}},
        {"name": "Cid", "age": 30, "addr": {"city": "rome"}},
        {"name": "dan", "age": 41},
    ],
    "nums": [3, 1, 2, 2],
    "words": ["b", "A", "c", "a"],
    "d": {"b": 1, "A": 3, "c": 2},
    "text": "The quick brown fox-like thing\njumps over self-made lazy dogs.",
    "long": {"key%d" % i: list(range(i, i + 12)) for i in range(4)},
}

env = SandboxedEnvironment(undefined=StrictUndefined, extensions=["jinja2.ext.do"])
cases = []
for line in sys.stdin:
    line = line.rstrip("\n")
    if not line:
        continue
    c = {"template": line}
    try:
        c["want"] = env.from_string(line).render(**VARS)
    except Exception as e:
        c["error"] = type(e).__name__ + ": " + str(e)
    cases.append(c)
json.dump({"vars": VARS, "cases": cases}, sys.stdout, indent=1)
print()
