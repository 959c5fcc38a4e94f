#!/usr/bin/env python3
"""Records cases.json: what Salt's file server backend roots says of a tree, with the options of each case. Run with
Salt's Python. ROOT in the record is the folder of the trees."""
import json, os, shutil, subprocess, sys, tempfile

import salt.config, salt.fileserver, salt.loader
from salt.exceptions import SaltValidationError

SCRIPT = """
mkdir -p a/web/files a/empty a/deep/x/y b/web other/sub prod/p any-dev/d any-qa
echo a >a/top.sls; echo a >a/web/init.sls; echo b >b/web/init.sls; echo b >b/web/only_b.sls; echo bak >a/web/x.bak; echo swp >a/web/.x.swp; echo leaf >a/deep/x/y/leaf
ln -s init.sls a/web/link; ln -s ../other a/dirlink; ln -s nowhere a/web/dangling; ln -s ../../../other/sub a/web/files/sub; echo s >other/sub/s; echo p >prod/p/p; echo d >any-dev/d/d; echo q >any-qa/q
printf '\\000\\001' >a/web/blob; echo 'ü' >'a/ü ä.txt'; chmod 755 a/web/blob
"""
ROOTS = {"base": ["ROOT/a", "ROOT/b"]}
CASES = [
    ("plain", ROOTS, {}),
    ("order", {"base": ["ROOT/b", "ROOT/a"]}, {}),
    ("no follow", ROOTS, {"fileserver_followsymlinks": False}),
    ("ignore links", ROOTS, {"fileserver_ignoresymlinks": True}),
    ("ignore glob", ROOTS, {"file_ignore_glob": ["*.bak", "*/.x.swp", "deep/*"]}),
    ("ignore regex", ROOTS, {"file_ignore_regex": ["/\\.x", "^web/files"]}),
    ("both", ROOTS, {"file_ignore_regex": ["leaf$"], "file_ignore_glob": ["web/i*"]}),
    ("two environments", {"base": ["ROOT/a"], "prod": ["ROOT/prod", "ROOT/missing"]}, {}),
    ("any", {"base": ["ROOT/b"], "__env__": ["ROOT/any-__env__"]}, {}),
    ("any with prod", {"base": ["ROOT/b"], "prod": ["ROOT/prod"], "__env__": ["ROOT/any-__env__"]}, {}),
    ("md5", ROOTS, {"hash_type": "md5"}),
    ("sha512", ROOTS, {"hash_type": "sha512"}),
    ("missing", {"base": ["ROOT/nowhere"]}, {}),
]
PROBES = ["top.sls", "web/init.sls", "web/only_b.sls", "web/link", "web/dangling", "web/x.bak", "web/.x.swp", "web", "dirlink/sub/s", "deep/x/y/leaf", "../other/sub/s", "d/d", "q", "p/p", "web/blob", "ü ä.txt", "nosuch"]
ENVS = ["base", "prod", "dev", "qa", "none"]


def main():
    root = tempfile.mkdtemp()
    subprocess.run(["sh", "-ec", SCRIPT], cwd=root, check=True)
    out = []
    try:
        for i, (name, roots, extra) in enumerate(CASES):
            opts = salt.config.minion_config(None)
            opts.update(id="m", root_dir=root, cachedir="%s/cache%d" % (root, i), file_client="local", fileserver_backend=["roots"], __role="minion")
            opts.update(extra)
            opts["file_roots"] = {env: [d.replace("ROOT", root) for d in dirs] for env, dirs in roots.items()}
            funs = salt.loader.fileserver(opts, ["roots"])
            case = {"name": name, "roots": roots, "opts": extra, "envs": sorted(funs["roots.envs"]()), "trees": {}}
            for env in ENVS:
                load = {"saltenv": env, "prefix": ""}
                tree = {"files": sorted(funs["roots.file_list"](load)), "dirs": sorted(funs["roots.dir_list"](load)),
                        "empty": sorted(funs["roots.file_list_emptydirs"](load)) if "roots.file_list_emptydirs" in funs else [],
                        "links": {k: v.replace(root, "ROOT") for k, v in funs["roots.symlink_list"](load).items()}, "hashes": {}}
                for path in PROBES:
                    try:
                        found = funs["roots.find_file"](path, env)
                    except SaltValidationError:
                        continue
                    if found.get("path"):
                        h = funs["roots.file_hash"]({"path": path, "saltenv": env}, found)
                        tree["hashes"][path] = [h["hash_type"], h["hsum"], oct(found["stat"][0] & 0o777)]
                case["trees"][env] = tree
            out.append(case)
        json.dump({"about": "The backend roots of Salt 3008.4, made by record.py.", "script": SCRIPT, "probes": PROBES, "cases": out}, sys.stdout, indent=1)
    finally:
        shutil.rmtree(root)


main()
