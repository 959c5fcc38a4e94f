#!/usr/bin/env python3
"""record.py PROVIDER [--write]: asks Salt's gitfs (pygit2 or gitpython, run with Salt's Python) about the repository of
make.sh with the options of each case of cases.json: environments, files, folders, links, modes and hashes. Prints how
many cases are as recorded; with --write the record is made anew."""
import hashlib, json, os, shutil, subprocess, sys, tempfile

import salt.config, salt.loader
import salt.utils.gitfs
from salt.exceptions import SaltValidationError

here = os.path.dirname(os.path.abspath(__file__))
PROBES = ["web/files", "dirlink/run.sh", "../top.sls", "deep/a/b/c", "web//init.sls"]


def ask(case, url, recorded_url, provider, root):
    opts = salt.config.minion_config(None)
    opts.update(id="m", root_dir=root, cachedir=root + "/cache", file_client="local", fileserver_backend=["gitfs"], gitfs_provider=provider, hash_type="sha256", gitfs_update_interval=0,
                __role="master", lock_saltenv=False, file_ignore_regex=[], file_ignore_glob=[])
    opts.update(case["opts"])
    opts["gitfs_remotes"] = [json.loads(json.dumps(case["remote"]).replace(recorded_url, url))]
    salt.utils.gitfs.GitFS.instance_map.clear()
    funs = salt.loader.fileserver(opts, ["gitfs"])
    funs["gitfs.init"]()
    funs["gitfs.update"]()
    out = {"envs": sorted(funs["gitfs.envs"](ignore_cache=True)), "trees": {}}
    for env in case["trees"]:
        load = {"saltenv": env, "prefix": ""}
        files = sorted(funs["gitfs.file_list"](load))
        tree = {"files": files, "dirs": sorted(funs["gitfs.dir_list"](load)), "links": funs["gitfs.symlink_list"](load), "hashes": {}}
        for path in PROBES + files:
            try:
                found = funs["gitfs.find_file"](path, env)
            except SaltValidationError:  # it leads out of the tree
                continue
            if not found.get("path"):
                continue
            with open(found["path"], "rb") as f:
                digest = hashlib.sha256(f.read()).hexdigest()
            assert funs["gitfs.file_hash"]({"path": path, "saltenv": env}, found)["hsum"] == digest
            mode = found.get("stat") or [None]
            tree["hashes"][path] = [oct(mode[0]) if mode[0] else None, digest]
        out["trees"][env] = tree
    return out


def main():
    provider, write = sys.argv[1], "--write" in sys.argv
    name = os.path.join(here, "cases.json")
    with open(name) as f:
        rec = json.load(f)
    root = tempfile.mkdtemp()
    try:
        subprocess.run([os.path.join(here, "make.sh"), root + "/repo"], check=True, stdout=subprocess.DEVNULL)
        same = 0
        for i, case in enumerate(rec["cases"]):
            got = ask(case, "file://" + root + "/repo", rec["url"], provider, "%s/%d" % (root, i))
            want = {"envs": sorted(case["envs"]), "trees": {env: rec["trees"][key] for env, key in case["trees"].items()}}
            for tree in want["trees"].values():
                tree["files"].sort()
                tree["dirs"].sort()
            if got == want:
                same += 1
                continue
            print("differs: %s" % case["name"])
            for env in want["trees"]:
                for part in want["trees"][env]:
                    a, b = want["trees"][env][part], got["trees"][env][part]
                    if a != b:
                        print("  %s %s: recorded %s\n    now %s" % (env, part, json.dumps(a)[:300], json.dumps(b)[:300]))
            if want["envs"] != got["envs"]:
                print("  environments: recorded %s, now %s" % (want["envs"], got["envs"]))
            case["envs"] = got["envs"]
            for env, tree in got["trees"].items():
                key = hashlib.sha256(json.dumps(tree, sort_keys=True).encode()).hexdigest()[:12]
                rec["trees"][key], case["trees"][env] = tree, key
        print("%s: %d of %d cases are as recorded" % (provider, same, len(rec["cases"])))
        if write:
            with open(name, "w") as f:
                json.dump(rec, f, indent=1, sort_keys=True)
    finally:
        shutil.rmtree(root)


main()
