"""Fills modules/*/testdata/recorded.json with the answers of real Salt.

    SALT/bin/python modules/testdata/record.py modules/xfs/testdata/recorded.json …

Cases that have an answer keep it, unless $ALL is set. Modules that Salt 3008 has dropped are taken from $MODULES, a folder with
modules/ and states/.

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
import salt.utils.systemd

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
        self.programs = doc.get("programs")
        self.ran = []
        self.after = {plain(k): v for k, v in case.get("after_change", {}).items()}
        self.changing = [plain(k) for k in case.get("changing", [])]

    def run(self, cmd, **kw):
        line = plain(cmd)
        if self.after and (line in self.changing or line not in self.answers):
            self.answers.update(self.after)
            self.after = {}
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

    def install(self):
        """Makes Salt use this machine."""
        salt.utils.path.which = self.which
        salt.utils.path.which_bin = lambda exes: next((self.which(e) for e in exes if self.which(e)), None)
        salt.modules.cmdmod.run = salt.modules.cmdmod._run_quiet = lambda cmd, **kw: self.commands()["cmd.run"](cmd, **kw)
        salt.modules.cmdmod._run_all_quiet = lambda cmd, **kw: self.run(cmd, **kw)
        salt.utils.systemd.has_scope = lambda context=None: False
        subprocess.run = self.process

    def which(self, exe=None):
        name = os.path.basename(exe or "")
        if not name or name in self.absent or self.programs and name not in self.programs:
            return None
        return "/usr/sbin/" + name


def redirect(root, files, devices):
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
    stat_real, exists_real, access_real = os.stat, os.path.exists, os.access

    def stat_device(p, *a, **kw):
        if p in devices:
            return os.stat_result((0o60660,) + tuple(stat_real(root))[1:])
        return stat_real(p, *a, **kw)

    def patch(mod, name):
        old = getattr(mod, name)
        saved.append((mod, name, old))
        setattr(mod, name, lambda p=".", *a, **kw: old(to(p), *a, **kw))

    for mod, name, fake in (
        (os, "stat", stat_device),
        (os.path, "exists", lambda p: p in devices or exists_real(p)),
        (os, "access", lambda p, *a, **kw: p in devices or access_real(p, *a, **kw)),
    ):
        if devices:
            saved.append((mod, name, getattr(mod, name)))
            setattr(mod, name, fake)
    for mod, names in (
        (builtins, ["open"]),
        (io, ["open"]),
        (os, ["stat", "lstat", "listdir", "remove", "unlink", "makedirs", "mkdir", "access", "readlink", "chmod", "walk", "rmdir"]),
        (os.path, ["exists", "isfile", "isdir", "islink", "getsize", "lexists", "realpath"]),
    ):
        for n in names:
            patch(mod, n)
    return lambda: [setattr(m, n, o) for m, n, o in reversed(saved)]


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


def load(doc, case, home, m):
    """Salt's functions and states, with the commands of a machine."""
    opts = salt.config.minion_config(None)
    opts.update(root_dir=home, cachedir=home + "/cache", pki_dir=home + "/pki", conf_file=home + "/minion", file_client="local", id="m", test=bool(case.get("test")))
    if os.environ.get("MODULES"):
        opts["module_dirs"] = [os.environ["MODULES"]]
    opts.update(doc.get("opts", {}))
    opts.update(case.get("opts", {}))
    opts["grains"] = dict(doc.get("grains", {"os_family": "Debian", "os": "Debian", "kernel": "Linux", "osarch": "amd64"}), **case.get("grains", {}))
    opts["pillar"] = case.get("pillar", {})
    m.install()
    if doc.get("programs"):
        bindir = tempfile.mkdtemp(dir=home)
        for name in doc["programs"]:
            with open(os.path.join(bindir, name), "w") as f:
                os.chmod(f.name, 0o755)
        os.environ["PATH"] = bindir
    utils = salt.loader.utils(opts)
    funcs = salt.loader.minion_mods(opts, utils=utils)
    return funcs, salt.loader.states(opts, funcs, utils, None)


def warm(doc, home, case):
    """The loaders that the cases without settings of their own share: loading takes seconds."""
    funcs, states = load(doc, case, home, Machine(doc, case))
    for fun in sorted({(c["fun"], bool(c.get("state"))) for c in doc["cases"] if bool(c.get("test")) == bool(case)}):
        try:
            (states if fun[1] else funcs)[fun[0]]
        except KeyError:
            pass
    return funcs, states


def record(doc, case, home, loaders):
    m = Machine(doc, case)
    own = {"opts", "grains", "pillar", "absent"} & {k for k, v in case.items() if v}
    funcs, states = load(doc, case, home, m) if own else loaders[bool(case.get("test"))]
    m.install()
    for k, f in m.commands().items():
        funcs[k] = f
    for k, v in dict(doc.get("stubs", {}), **case.get("stubs", {})).items():
        funcs[k] = lambda *a, _v=v, **kw: _v
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
    back = redirect(root, case.get("files", {}), doc.get("devices", []))
    for k in ("ret", "error", "ran", "after"):
        case.pop(k, None)
    try:
        f = (states if case.get("state") else funcs)[case["fun"]]
        m.ran.clear()
        sys.modules[f.__module__].__dict__.setdefault("__env__", "base")
        case["ret"] = data(f(*case.get("args", []), **case.get("kwargs", {})))
    except KeyError as e:
        case["error"] = "KeyError: " + str(e)
        m.ran.clear()  # Salt looked for the function in all its modules
    except Exception as e:  # pylint: disable=broad-except
        case["error"] = type(e).__name__ + ": " + str(e)
    finally:
        back()
    ran = [line for line in m.ran if not line.startswith("file -b ")]  # of grains
    if ran:
        case["ran"] = ran
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


def apart(doc, case, home, loaders):
    """record in a process of its own: modules of Salt keep things."""
    r, w = os.pipe()
    if os.fork() == 0:
        record(doc, case, home, loaders)
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
        known = () if os.environ.get("ALL") else ("ret", "error")
        if all(any(k in case for k in known) for case in doc["cases"]):
            continue
        loaders = {test: warm(doc, home, {"test": True} if test else {}) for test in sorted({bool(c.get("test")) for c in doc["cases"]})}
        doc["cases"] = [case if any(k in case for k in known) else apart(doc, case, home, loaders) for case in doc["cases"]]
        with open(path, "w") as f:
            json.dump(doc, f, indent=1, ensure_ascii=False)
            f.write("\n")
    shutil.rmtree(home)


main()
