"""Fills modules/*/testdata/recorded.json with the answers of real Salt.

    SALT/bin/python modules/testdata/record.py modules/xfs/testdata/recorded.json …

A file has the cases of a module; recorded_test.go says what a case is made of. Salt's own functions run with commands
answered from the case: nothing happens to the machine.
"""

import builtins
import io
import json
import logging
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import salt.config
import salt.exceptions
import salt.loader
import salt.modules.cmdmod
import salt.utils.files
import salt.utils.path

logging.disable(logging.CRITICAL)
TEMP = re.compile(r"/tmp/(tmp|__salt\.tmp\.)\w+(\.\w+)?$")


def plain(cmd):
    """A command as one line: the program without its folder, words as a shell needs them."""
    words = [str(w) for w in cmd] if isinstance(cmd, (list, tuple)) else shlex.split(str(cmd))
    if words:
        words[0] = os.path.basename(words[0])
    return shlex.join("TMP" if TEMP.match(w) else w for w in words)


class Machine:
    def __init__(self, doc, case):
        self.answers = {}
        for k, v in list(doc.get("answers", {}).items()) + list(case.get("answers", {}).items()):
            self.answers[plain(k)] = list(v) if isinstance(v, list) else v
        self.absent = case.get("absent", doc.get("absent", []))
        self.ran = []

    def run(self, cmd, **kw):
        line = plain(cmd)
        # The program in front of a pipe answers for it.
        a = self.answers.get(line)
        if a is None:
            self.ran.append(line if not kw.get("stdin") else line + " <<< " + kw["stdin"])
            a = {}
        elif isinstance(a, list):
            a = a.pop(0) if len(a) > 1 else a[0]
        if isinstance(a, str):
            a = {"out": a}
        return {"pid": 1, "retcode": a.get("rc", 0), "stdout": a.get("out", "").rstrip("\n"), "stderr": a.get("err", "").rstrip("\n")}

    def commands(self):
        def both(r):
            return r["stdout"] if not r["stderr"] else (r["stdout"] + "\n" + r["stderr"]).strip("\n")

        def run(cmd, **kw):
            return both(self.run(cmd, **kw))

        return {
            "cmd.run": run,
            "cmd.shell": run,
            "cmd.run_all": lambda cmd, **kw: self.run(cmd, **kw),
            "cmd.run_stdout": lambda cmd, **kw: self.run(cmd, **kw)["stdout"],
            "cmd.run_stderr": lambda cmd, **kw: self.run(cmd, **kw)["stderr"],
            "cmd.retcode": lambda cmd, **kw: self.run(cmd, **kw)["retcode"],
            "cmd.has_exec": lambda cmd: cmd not in self.absent,
        }

    def process(self, cmd, check=False, **kw):
        """subprocess.run for modules that call it themselves."""
        line = plain(cmd)
        a = self.answers.get(line)
        if a is None:
            self.ran.append(line)
            a = {}
        if isinstance(a, str):
            a = {"out": a}
        r = subprocess.CompletedProcess(cmd, a.get("rc", 0), a.get("out", ""), a.get("err", ""))
        if check:
            r.check_returncode()
        return r

    def which(self, exe=None):
        return None if not exe or os.path.basename(exe) in self.absent else "/usr/sbin/" + os.path.basename(exe)


def redirect(root, files):
    """Files of a case lie below root: open and the like find them there."""
    tops = sorted(files)

    def to(path):
        if isinstance(path, bytes):
            path = path.decode()
        if isinstance(path, (str, os.PathLike)):
            p = os.fspath(path)
            for t in tops:
                if p == t.rstrip("/") or p.startswith(t.rstrip("/") + "/") or p == os.path.dirname(t.rstrip("/")):
                    return root + p
        return path

    saved = []

    def patch(mod, name):
        old = getattr(mod, name)
        saved.append((mod, name, old))
        setattr(mod, name, lambda p=".", *a, **kw: old(to(p), *a, **kw))

    for mod, names in (
        (builtins, ["open"]),
        (io, ["open"]),
        (os, ["stat", "lstat", "listdir", "remove", "unlink", "makedirs", "mkdir", "access", "readlink", "chmod", "walk", "rmdir"]),
        (os.path, ["exists", "isfile", "isdir", "islink", "getsize", "lexists", "realpath"]),
    ):
        for n in names:
            patch(mod, n)
    return lambda: [setattr(m, n, o) for m, n, o in saved]


def data(v):
    """v as JSON has it."""
    if isinstance(v, dict):
        return {str(k): data(x) for k, x in v.items()}
    if isinstance(v, (set, frozenset)):
        return sorted(data(x) for x in v)
    if isinstance(v, (list, tuple)):
        return [data(x) for x in v]
    if isinstance(v, bytes):
        return v.decode()
    return v


def record(doc, case, home):
    m = Machine(doc, case)
    opts = salt.config.minion_config(None)
    opts.update(root_dir=home, cachedir=home + "/cache", pki_dir=home + "/pki", conf_file=home + "/minion", file_client="local", id="m", test=bool(case.get("test")))
    opts.update(doc.get("opts", {}))
    opts.update(case.get("opts", {}))
    opts["grains"] = dict(doc.get("grains", {"os_family": "Debian", "os": "Debian", "kernel": "Linux", "osarch": "amd64"}), **case.get("grains", {}))
    opts["pillar"] = case.get("pillar", {})
    salt.utils.path.which = m.which
    salt.utils.path.which_bin = lambda exes: next((m.which(e) for e in exes if m.which(e)), None)
    direct = lambda cmd, **kw: m.commands()["cmd.run"](cmd, **kw)
    salt.modules.cmdmod.run = salt.modules.cmdmod._run_quiet = direct
    salt.modules.cmdmod._run_all_quiet = lambda cmd, **kw: m.run(cmd, **kw)
    subprocess.run = m.process
    root = tempfile.mkdtemp()
    for path, text in case.get("files", {}).items():
        to = root + path
        if text is None:
            continue
        if path.endswith("/"):
            os.makedirs(to, exist_ok=True)
            continue
        os.makedirs(os.path.dirname(to), exist_ok=True)
        with open(to, "w") as f:
            f.write(text)
    utils = salt.loader.utils(opts)
    funcs = salt.loader.minion_mods(opts, utils=utils)
    states = salt.loader.states(opts, funcs, utils, None)
    for k, f in m.commands().items():
        funcs[k] = f
    for k, v in dict(doc.get("stubs", {}), **case.get("stubs", {})).items():
        funcs[k] = lambda *a, _v=v, **kw: _v
    back = redirect(root, case.get("files", {}))
    for k in ("ret", "error", "ran", "after"):
        case.pop(k, None)
    try:
        f = (states if case.get("state") else funcs)[case["fun"]]
        m.ran.clear()
        case["ret"] = data(f(*case.get("args", []), **case.get("kwargs", {})))
    except KeyError as e:
        case["error"] = "KeyError: " + str(e)
        m.ran.clear()  # Salt looked for the function in all its modules
    except Exception as e:  # pylint: disable=broad-except
        case["error"] = type(e).__name__ + ": " + str(e)
    finally:
        back()
    if m.ran:
        case["ran"] = m.ran
    after = {}
    for path, text in case.get("files", {}).items():
        now = None
        if os.path.isfile(root + path):
            with open(root + path) as f:
                now = f.read()
        if not path.endswith("/") and now != text:
            after[path] = now
    if after:
        case["after"] = after
    shutil.rmtree(root)


def apart(doc, case, home):
    """record in a process of its own: modules of Salt keep things."""
    r, w = os.pipe()
    if os.fork() == 0:
        record(doc, case, home)
        with open(w, "w") as f:
            json.dump(case, f)
        os._exit(0)
    os.close(w)
    with open(r) as f:
        text = f.read()
    os.wait()
    return json.loads(text)


def main():
    home = tempfile.mkdtemp()
    for path in sys.argv[1:]:
        with open(path) as f:
            doc = json.load(f)
        doc["cases"] = [apart(doc, case, home) for case in doc["cases"]]
        with open(path, "w") as f:
            json.dump(doc, f, indent=1, ensure_ascii=False)
            f.write("\n")
    shutil.rmtree(home)


main()
