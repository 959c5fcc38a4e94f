#!/usr/bin/env python3
"""Records cases.json: trees of classes with the pillar and the top data that Salt makes of them. Run with Salt's Python."""
import json, os, sys, tempfile

import salt.tops.ext_nodes, salt.utils.saltclass as sc

TREE = {
    "nodes/web1.yml": "environment: base\nclasses:\n  - default\n  - roles.web\n  - 'extra.*'\nstates: [last]\npillars:\n  node: {{ minion_id }}\n  list: [n]\n  os: {{ __grains__['os'] }}\n",
    "classes/default/init.yml": "classes:\n  - default.users\n  - default.motd\nstates:\n  - openssh\npillars:\n  default:\n    network:\n      dns: {srv1: 10.0.0.1, domain: example.com}\n    ntp: {srv1: 10.0.0.9}\n  list: [a]\n",
    "classes/default/users.yml": "states: [users]\npillars:\n  users: {root: {uid: 0}}\n  list: [u]\n",
    "classes/default/motd.yml": "states: [motd, openssh]\npillars:\n  motd: 'this is ${default:network:dns:domain} at ${default:network:dns:srv1}'\n",
    "classes/roles/web.yml": "environment: prod\nstates: [nginx]\npillars:\n  list: [w]\n  repl: [first]\n  seen: {{ __pillar__.users.root.uid }}\n",
    "classes/extra/one.yml": "pillars:\n  repl: ['^', second]\n  esc: '\\${default:network}'\n",
    "classes/extra/two.yml": "",
}
CASES = [
    ("whole", TREE, "web1"),
    ("no node", TREE, "db1"),
    ("class missing", {**TREE, "nodes/x.yml": "classes: [nosuch, default.users]\n"}, "x"),
    ("once", {**TREE, "nodes/x.yml": "classes: [default, default.users, default.motd]\nenvironment: base\n"}, "x"),
    ("reference alone", {"nodes/x.yml": "pillars: {a: '${b:c}', b: {c: d}, l: ['x ${b:c} y', '${b:c}', {m: 'z${b:c}'}], e: '${no:such}', f: '${b:c}${b:c} and ${b:c}'}\n"}, "x"),
    ("reference to a map", {"nodes/x.yml": "pillars: {a: '${b}', b: {c: d}}\n"}, "x"),
    ("chain", {"nodes/x.yml": "pillars: {a: '${b}', b: '${c}', c: end}\n"}, "x"),
    ("replace first", {"nodes/x.yml": "classes: [a]\npillars: {l: ['^', n]}\n", "classes/a.yml": "pillars: {l: [1, 2], m: {x: 1}, s: one}\n"}, "x"),
    ("merge", {"nodes/x.yml": "classes: [a, b]\n", "classes/a.yml": "pillars: {l: [1], m: {x: 1, l: [1]}, s: one}\n", "classes/b.yml": "pillars: {l: [2], m: {y: 2, l: [2]}, s: two, m2: 1}\n"}, "x"),
    ("dotted file", {"nodes/sub/deep/x.yml": "classes: [a.b, c]\n", "classes/a.b.yml": "states: [dotted]\n", "classes/c/init.yml": "states: [c]\nclasses: [d]\n", "classes/d.yml": "states: [d]\nclasses: [c]\n"}, "x"),
    ("order", {"nodes/m.yml": "classes: [A, L]\nstates: [self]\n", "classes/A.yml": "classes: [B]\nstates: [a]\n", "classes/B.yml": "classes: [C]\nstates: [b]\n", "classes/C.yml": "states: [c]\n", "classes/L.yml": "classes: [M, B]\nstates: [l]\n", "classes/M.yml": "states: [m]\n"}, "m"),
]
NODES = [
    "classes: [a, b]\nenvironment: prod\n", "classes: {a: {x: 1}, b: }\n", "classes: a\n", "classes: [a]\n", "parameters: {x: 1}\n", "environment: prod\n",
]


def data(path, minion, pillar):
    return {"__opts__": {"id": minion}, "__salt__": {}, "__grains__": {"os": "Debian"}, "__pillar__": pillar, "minion_id": minion, "path": path}


def main():
    found = sc.glob.glob
    sc.glob.glob = lambda pattern: sorted(found(pattern))  # Salt has the order of the folder
    out = []
    for name, files, minion in CASES:
        with tempfile.TemporaryDirectory() as root:
            for path, text in files.items():
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                with open(os.path.join(root, path), "w") as f:
                    f.write(text)
            case = {"name": name, "files": files, "id": minion}
            for key, fun in (("pillar", sc.get_pillars), ("top", sc.get_tops)):
                try:
                    case[key] = fun(minion, data(root, minion, {}))
                except Exception as exc:
                    case[key] = {"error": "%s: %s" % (type(exc).__name__, exc)}
            out.append(case)
    nodes = []
    for text in NODES:
        with tempfile.NamedTemporaryFile("w", suffix=".sh") as f:
            f.write(text)
            f.flush()
            script = f.name + "x"
            with open(script, "w") as s:
                s.write("#!/bin/sh\ncat %s\n" % f.name)
            os.chmod(script, 0o755)
            salt.tops.ext_nodes.__opts__ = {"master_tops": {"ext_nodes": script}}
            nodes.append({"yaml": text, "top": salt.tops.ext_nodes.top(opts={"id": "web1"})})
            os.unlink(script)
    json.dump({"about": "saltclass and ext_nodes of Salt 3008.4, made by record.py.", "saltclass": out, "ext_nodes": nodes}, sys.stdout, indent=1)


main()
