#!/usr/bin/env python3.11
"""Renders every line of templates.txt with Jinja and Salt's filters, as Salt
sets them up, and writes cases.json.

    TZ=UTC python3.11 ask.py <templates.txt >cases.json
"""
import json, logging, sys
logging.disable(logging.CRITICAL)
from jinja2 import StrictUndefined
from jinja2.sandbox import SandboxedEnvironment
import salt.utils.data, salt.utils.jinja, salt.utils.files, salt.utils.hashutils, salt.utils.http
import salt.utils.dateutils, salt.utils.network, salt.utils.path, salt.utils.user, salt.utils.yamlencoding
from salt.utils.decorators.jinja import JinjaFilter, JinjaTest

VARS = {
    "d": {"b": 1, "a": {"c": [1, {"k": "v"}]}},
    "ips": ["192.168.0.1", "10.0.0.1/8", "::1", "fe80::1/64", "x", "8.8.8.8", "2001:db8::1"],
    "mysql": ["+----+------+", "| id | name |", "+----+------+", "|  1 | ann  |", "|  2 | bob  |", "+----+------+"],
}

env = SandboxedEnvironment(undefined=StrictUndefined, extensions=["jinja2.ext.do", salt.utils.jinja.SerializerExtension])
indent = env.filters["indent"]
env.tests.update(JinjaTest.salt_jinja_tests)
env.filters.update(JinjaFilter.salt_jinja_filters)
env.filters["indent"] = indent
env.tests["list"] = salt.utils.data.is_list
cases = []
for line in sys.stdin:
    line = line.rstrip("\n")
    c = {"template": line}
    try:
        c["want"] = env.from_string(line).render(**VARS)
    except BaseException as e:
        c["error"] = type(e).__name__ + ": " + str(e)
    cases.append(c)
json.dump({"vars": VARS, "filters": sorted(env.filters), "tests": sorted(env.tests), "cases": cases}, sys.stdout, indent=1)
print()
