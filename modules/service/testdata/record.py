"""Records what Salt 3007's service modules of OpenRC and runit answer on a machine with the real tools.

Run as root in namespaces of its own (mounts, processes) with /etc, /usr, /var and /run set aside, where OpenRC and
runit are unpacked; see README.md. record.py openrc|runit FOLDER-OF-SALT-3007'S-MODULES
"""
import importlib.util, json, os, shutil, stat, subprocess, sys, time

import salt.states.service as states

which, modules = sys.argv[1:3]
name = {"openrc": "gentoo_service", "runit": "runit"}[which]
spec = importlib.util.spec_from_file_location(name, os.path.join(modules, name + ".py"))
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
events, last, calls = [], {}, []
WATCHED = {"openrc": ["/etc/init.d", "/etc/runlevels", "/etc/conf.d", "/etc/rc.conf", "/run/openrc"],
           "runit": ["/etc/sv", "/etc/service", "/var/service"]}[which]
SKIPPED = {"/run/openrc/" + d for d in ("deptree", "depconfig", "exclusive", "tmp", "shutdowntime", "rc.log", "clock-skewed", "deptree.json", "openrc.lock")}


def entry(path):
    st = os.lstat(path)
    if stat.S_ISLNK(st.st_mode):
        return {"link": os.readlink(path)}
    if stat.S_ISDIR(st.st_mode):
        return {"dir": True}
    if not stat.S_ISREG(st.st_mode):
        return None
    with open(path, "rb") as f:
        text = f.read().decode("latin-1")
    return {"program": text} if st.st_mode & 0o111 else text


def snapshot():
    seen = {}
    for top in WATCHED:
        if os.path.lexists(top):
            seen[top] = entry(top)
        for folder, dirs, files in os.walk(top):
            for n in sorted(dirs + files):
                path = os.path.join(folder, n)
                if path in SKIPPED or any(path.startswith(s + "/") for s in SKIPPED):
                    continue
                e = entry(path)
                if e is not None and not path.endswith((".new", "/lock")):
                    seen[path] = e
    if which == "runit":
        for path in [p for p in seen if p.endswith("/supervise/status")]:
            s = seen[path].encode("latin-1")
            pid = int.from_bytes(s[12:16], "little") if len(s) == 20 else 0
            try:
                with open(f"/proc/{pid}/stat") as f:
                    line = f.read()
                parent = line.rsplit(")", 1)[1].split()[1]
                seen[f"/proc/{pid}/stat"] = line.rsplit(")", 1)[0] + f") S {parent}\n"
                with open(f"/proc/{parent}/comm") as f:
                    seen[f"/proc/{parent}/comm"] = f.read()
                seen[f"/proc/{parent}/cwd"] = {"link": os.readlink(f"/proc/{parent}/cwd")}
            except OSError:
                pass
    else:
        for path in [p for p in seen if "/daemons/" in p and isinstance(seen[p], str)]:
            for line in seen[path].splitlines():
                if line.startswith("pidfile=") and os.path.exists(line[8:]):
                    seen[line[8:]] = entry(line[8:])
        seen["/proc/1"] = {"dir": True}
    return seen


def own(path):
    return "/supervise" in path or path.startswith("/proc/")


def execute(cmd, log=True):
    before = last.copy() if which == "runit" else snapshot()
    p = subprocess.run(cmd, shell=isinstance(cmd, str), capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if log:
        after = snapshot()
        changed = {k: v for k, v in after.items() if before.get(k) != v and (which == "openrc" or own(k))}
        gone = sorted(k for k in before if k not in after and (which == "openrc" or own(k)))
        last.clear(), last.update(after)
        e = {"cmd": cmd, "code": p.returncode, "out": p.stdout}
        if changed:
            e["set"] = changed
        if gone:
            e["gone"] = gone
        events.append(e)
    return p


def retcode(cmd, **kw):
    if not os.path.exists(cmd.split()[0]) and not shutil.which(cmd.split()[0]):
        raise states.CommandExecutionError("no such command")
    return execute(cmd).returncode


def run_all(cmd, **kw):
    p = execute(cmd)
    return {"retcode": p.returncode, "stdout": p.stdout}


module.__salt__ = {"cmd.run": lambda cmd, **kw: execute(cmd).stdout.rstrip("\n"), "cmd.run_stdout": lambda cmd, **kw: execute(cmd).stdout.rstrip("\n"),
                   "cmd.retcode": retcode, "cmd.run_all": run_all, "status.pid": lambda sig: "12" if sig == "there" else ""}
public = {n.rstrip("_"): f for n, f in vars(module).items() if callable(f) and not n.startswith("_") and getattr(f, "__module__", "") == name}
states.__salt__ = {"service." + n: f for n, f in public.items()}
states.__context__, states.__grains__ = {}, {"os": "Alpine"}
states.booted = lambda *a: False


def case(prepare, fun, *args, state=False, test=False, differs=None, want=None, ours=None, left=None, grains=None, **kwargs):
    prepare()
    last.clear(), last.update(snapshot())
    tree = last.copy()
    events.clear()
    states.__opts__ = {"test": test}
    if which == "runit":
        module.SERVICE_DIR = next((d for d in module.VALID_SERVICE_DIRS if os.path.exists(d)), None)
        module.AVAIL_SVR_DIRS[:] = []
        module.add_svc_avail_path("/etc/sv")
    c = {"fun": "service." + fun, "args": list(args), "kwargs": kwargs, "tree": tree}
    for k, v in (("state", state), ("test", test), ("grains", grains)):
        if v:
            c[k] = v
    if differs:
        c["differs"], c["want"], c["ours"], c["left"] = differs, want, ours, left
    try:
        f = getattr(states, fun) if state else public[fun]
        c["ret"] = f(*args, **kwargs)
    except Exception as e:
        c["error"] = f"{type(e).__name__}: {e}"
    c["ran"] = json.loads(json.dumps(events))
    c["after"] = {k: v for k, v in snapshot().items() if not own(k) and not k.startswith("/run/")}
    calls.append(c)


def diff(old, new):
    out = {"set": {k: v for k, v in new.items() if old.get(k) != v}, "gone": sorted(k for k in old if k not in new)}
    return {k: v for k, v in out.items() if v}


def publish(grains, out):
    """Trees are written as differences: of each case from the first one's, of what is left from what was there."""
    first = {} if not calls else calls[0]["tree"]
    for c in calls:
        tree = c["tree"]
        before = {k: v for k, v in tree.items() if not own(k) and not k.startswith("/run/")}
        c["after"], c["tree"] = c.pop("left", None) or diff(before, c["after"]), diff(first, tree)
        c["ran"] = c.pop("ours", None) or c["ran"]
        for k in ("kwargs", "args", "ran", "tree", "after"):
            if not c[k]:
                del c[k]
    lines = ",\n".join(json.dumps(c) for c in calls)
    out.write('{"grains": ' + json.dumps(grains) + ',\n"tree": ' + json.dumps(first, indent=1) + ',\n"cases": [\n' + lines + "\n]}\n")


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)
    os.chmod(path, mode)


def clear(path):
    if os.path.islink(path) or os.path.isfile(path):
        os.remove(path)
    elif os.path.isdir(path):
        for n in os.listdir(path):
            p = os.path.join(path, n)
            shutil.rmtree(p) if os.path.isdir(p) and not os.path.islink(p) else os.remove(p)
