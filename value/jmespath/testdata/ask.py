#!/usr/bin/env python3.11
"""Asks Python's jmespath for the results of expressions.txt on DATA.

    python3.11 ask.py <expressions.txt >cases.json
"""
import json, sys
import jmespath

DATA = {
    "people": [
        {"name": "Ann", "age": 30, "tags": ["x", "y"], "addr": {"city": "Rome"}},
        {"name": "bob", "age": 25.5, "tags": [], "addr": None},
        {"name": "Cid", "age": 41, "tags": ["z"]},
    ],
    "nested": [[1, 2], [3, [4]], 5],
    "z": {"b": {"n": 2}, "a": {"n": 1}, "c": 3},
    "nums": [3, 1, 2],
    "words": ["b", "a", "C"],
    "mixed": [1, "a"],
    "s": "text",
    "empty": [],
    "zero": 0,
    "flag": True,
    "with space": 7,
}

cases = []
for line in sys.stdin:
    line = line.rstrip("\n")
    c = {"expr": line}
    try:
        c["want"] = repr(jmespath.search(line, DATA))
    except Exception as e:
        c["error"] = type(e).__name__ + ": " + str(e)
    cases.append(c)
json.dump({"data": DATA, "cases": cases}, sys.stdout, indent=1)
print()
