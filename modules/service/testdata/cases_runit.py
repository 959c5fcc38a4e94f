"""The cases of runit, run by record.py's functions. A runsvdir of its own watches the folder of each case."""
import subprocess, time, signal
from record import *

LOOP = "#!/bin/sh\nexec sleep 1000\n"
watcher = None


def children(pid):
    """The processes that this one started."""
    found = []
    for p in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{p}/stat") as f:
                if int(f.read().rsplit(")", 1)[1].split()[1]) == pid:
                    found.append(int(p))
        except OSError:
            pass
    return found


def end():
    """Ends runsvdir with all below it at once, so that nobody of them can put things in order."""
    global watcher
    if watcher:
        supervisors = children(watcher.pid)
        pids = [watcher.pid] + supervisors + [p for s in supervisors for p in children(s)] + orphans
        orphans.clear()
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        watcher.wait()
        watcher = None


orphans = []


def base(folder="/etc/service", links=("web", "down"), wait=True, files=None, programs=None, extra=None, watch=True):
    def prepare():
        global watcher
        end()
        for d in ("/etc/sv", "/etc/service", "/var/service"):
            if os.path.islink(d) or os.path.isfile(d):
                os.remove(d)
            shutil.rmtree(d, ignore_errors=True)
        os.makedirs("/etc/sv")
        if folder:
            os.makedirs(folder)
        for n in ("web", "off", "down", "target"):
            write(f"/etc/sv/{n}/run", LOOP, 0o755)
        write("/etc/sv/plain/run", LOOP)
        write("/etc/sv/down/down", "")
        write("/etc/sv/other/readme", "")
        os.symlink("target", "/etc/sv/alias")
        for n in links:
            os.symlink("/etc/sv/" + n, f"{folder}/{n}")
        for p, t in (files or {}).items():
            write(p, t)
        for p, t in (programs or {}).items():
            write(p, t, 0o755)
        for p, t in (extra or {}).items():
            os.symlink(t, p)
        if folder and watch:
            watcher = subprocess.Popen(["/usr/bin/runsvdir", folder], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for _ in range(60):
                if all(os.path.exists(f"{folder}/{n}/supervise/status") for n in links):
                    break
                time.sleep(0.1)
            time.sleep(0.3)
    return prepare


def stopped(n, **kw):
    p = base(**kw)
    return lambda: (p(), subprocess.run(["sv", "stop", "/etc/service/" + n], capture_output=True), time.sleep(0.2))


def orphan():
    base()()
    supervisors = children(watcher.pid)
    orphans.extend(p for s in supervisors for p in children(s))
    for pid in [watcher.pid] + supervisors:
        os.kill(pid, signal.SIGKILL)
    time.sleep(0.2)


live, nowhere, void = base(), base(folder=None, links=()), base(folder="/var/service")
odd = base(links=("web",), programs={"/etc/service/real/run": LOOP}, files={"/etc/service/broken/x": "", "/etc/service/file": ""},
           extra={"/etc/service/dangling": "/etc/sv/nothing", "/etc/service/named": "/etc/sv/off", "/etc/service/ali": "/etc/sv/alias"})
NAMES = ("web", "off", "down", "alias", "target", "plain", "other", "nothing")

for p in (live, nowhere, void, odd):
    for f in ("get_all", "get_enabled", "get_disabled", "get_svc_broken_path", "get_svc_avail_path", "get_svc_alias"):
        case(p, f)
case(odd, "get_svc_broken_path", "b*")
for n in NAMES:
    for f in ("available", "missing", "enabled", "disabled", "status", "status_autostart", "show"):
        case(live, f, n)
for n in ("real", "named", "ali", "alias", "broken", "dangling"):
    for f in ("available", "enabled", "status", "show"):
        case(odd, f, n)
for f in ("available", "enabled", "status", "show", "start", "stop", "status_autostart"):
    case(nowhere, f, "web")
case(void, "status", "web")
case(stopped("web"), "status", "web")
case(orphan, "status", "web")
case(orphan, "status", "down")
case(base(links=("web",), watch=False), "status", "web")
case(base(files={"/etc/service/short/supervise/status": "x"}, programs={"/etc/service/short/run": LOOP}, links=(), watch=False), "status", "short")
case(live, "status", "w*")
case(live, "status", "web", "there")
case(live, "status", "web", sig="not there")
for p, n in ((live, "web"), (stopped("web"), "web"), (live, "down"), (live, "off"), (orphan, "web")):
    for f in ("start", "stop", "restart", "reload"):
        case(p, f, n)
case(live, "full_restart", "web", differs="Salt's function returns nothing", want=True)
case(live, "add_svc_avail_path", "/etc/sv")
case(live, "add_svc_avail_path", "/nothing")
for n in NAMES:
    case(live, "enable", n)
    case(live, "disable", n)
case(live, "enable", "off", start=True)
case(void, "enable", "off")
case(base(files={"/etc/sv/off/down": ""}), "enable", "off")
case(live, "disable", "web", stop=True, differs="Salt calls the argument that has the function's name", want=True,
     ours=[{"cmd": "sv stop /etc/service/web", "code": 0}], left={"set": {"/etc/sv/web/down": ""}})
case(live, "remove", "web")
case(live, "remove", "down")
case(live, "remove", "off")
case(odd, "remove", "real")
case(orphan, "remove", "web")
for test in (False, True):
    S = dict(state=True, test=test)
    for enable in (None, True, False):
        for p, n in ((live, "web"), (stopped("web"), "web"), (live, "down"), (live, "off"), (live, "nothing"), (orphan, "web")):
            case(p, "running", n, enable=enable, **S)
            case(p, "dead", n, enable=enable, **S)
    for n in ("web", "off", "down", "nothing"):
        case(live, "enabled", n, **S)
        case(live, "disabled", n, **S)
    case(live, "masked", "web", **S)
    for f in ("running", "dead", "enabled", "disabled"):
        case(nowhere, f, "web", **S)
    for p in (live, stopped("web")):
        for kw in ({}, {"reload": True}, {"reload": True, "force": True}):
            case(p, "mod_watch", "web", sfun="running", **kw, **S)
        case(p, "mod_watch", "web", sfun="dead", **S)
publish({"os": "Void", "os_family": "Void", "kernel": "Linux", "init": "runit"}, sys.stdout)
end()
