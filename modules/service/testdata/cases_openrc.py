"""The cases of OpenRC, run by record.py's functions."""
import subprocess, sys, os, json
from record import *

RUN = "#!/sbin/openrc-run\n"
SCRIPTS = {
    "web": RUN + "# status is OpenRC's\ndescription=web\nstart() { :; }\nstop() { :; }\nextra_started_commands=reload\nreload() { [ ! -e /tmp/noreload ]; }\n",
    "off": RUN + "start() { :; }\nstop() { :; }\n",
    "both": RUN + "start() { :; }\nstop() { :; }\n",
    "own": RUN + "start() { :; }\nstop() { :; }\nstatus() { [ -e /etc/conf.d/own.runs ]; }\n",
    "fails": RUN + "start() { return 1; }\nstop() { return 1; }\n",
    "silent": RUN + "start() { :; }\nstop() { :; }\nstatus() { return 3; }\n",
    "needs": RUN + "required_files=/etc/nothing.conf\nstart() { :; }\nstop() { :; }\n",
    "sources": RUN + ". /etc/conf.d/more\nstart() { :; }\n",
    "multi": RUN + "start() { :; }\nstop() { :; }\n",
    "daemon": RUN + "command=/bin/sleep\npidfile=/run/daemon.pid\n",
    "supervised": RUN + "supervisor=supervise-daemon\ncommand=/bin/sleep\n",
    "old": "#!/sbin/runscript\nstart() { :; }\n",
    "sysv": "#!/bin/sh\n[ \"$1\" = status ] && exit 0\nexit 0\n",
    ".hidden": RUN,
}
LEVELS = {"default": ["web", "both", "daemon", "own", "fails", "gone"], "boot": ["both"], "shutdown": [], "sysinit": [], "extra": []}


def base():
    for d in ("/etc/init.d", "/etc/conf.d", "/etc/runlevels", "/run/openrc"):
        os.makedirs(d, exist_ok=True)
        clear(d)
    for p in ("/tmp/noreload", "/run/daemon.pid", "/etc/rc.conf"):
        if os.path.exists(p):
            os.remove(p)
    for n, text in SCRIPTS.items():
        write("/etc/init.d/" + n, text, 0o755)
    write("/etc/init.d/notexec", RUN, 0o644)
    os.symlink("multi", "/etc/init.d/multi.one")
    write("/etc/conf.d/multi", "status() { return 0; }\n")
    write("/etc/conf.d/web", "# status() { return 1; }\nport=80\n")
    write("/etc/conf.d/more", "status() { return 0; }\n")
    write("/etc/rc.conf", "# supervisor=s6\nrc_tty_number=12\n")
    for level, names in LEVELS.items():
        os.makedirs("/etc/runlevels/" + level)
        for n in names:
            os.symlink("/etc/init.d/" + n, f"/etc/runlevels/{level}/{n}")
    os.symlink("/etc/runlevels/default", "/etc/runlevels/extra/default")
    for d in "started stopped starting stopping inactive wasinactive failed hotplugged daemons options scheduled exclusive sv tmp init.d".split():
        if d != "init.d":
            os.makedirs("/run/openrc/" + d)
    write("/run/openrc/softlevel", "default")


def with_(*marks, files=None, gone=(), programs=None):
    def prepare():
        base()
        for m in marks:
            kind, n = m.split("/")
            os.symlink("/etc/init.d/" + n, "/run/openrc/" + m)
        for p, t in (files or {}).items():
            write(p, t)
        for p, t in (programs or {}).items():
            write(p, t, 0o755)
        for p in gone:
            os.remove(p)
    return prepare


started = with_("started/web", "started/both", "started/own")
dead_pid = with_("started/daemon", files={"/run/openrc/daemons/daemon/001": "exec=/bin/sleep\nargv_0=/bin/sleep\npidfile=/run/daemon.pid\n", "/run/daemon.pid": "99999\n"})
live_pid = with_("started/daemon", files={"/run/openrc/daemons/daemon/001": "exec=/bin/sleep\nargv_0=/bin/sleep\npidfile=/run/daemon.pid\n", "/run/daemon.pid": "1\n"})
no_pidfile = with_("started/daemon", files={"/run/openrc/daemons/daemon/001": "exec=/bin/sleep\nargv_0=/bin/sleep\npidfile=/run/daemon.pid\n"})
empty_pidfile = with_("started/daemon", files={"/run/openrc/daemons/daemon/001": "exec=/bin/sleep\npidfile=/run/daemon.pid\n", "/run/daemon.pid": ""})
by_name = with_("started/daemon", files={"/run/openrc/daemons/daemon/001": "exec=/bin/nosuchdaemon\nargv_0=/bin/nosuchdaemon\n"})
supervised = with_("started/supervised", files={"/run/openrc/daemons/supervised/001": "exec=/bin/sleep\npidfile=/run/daemon.pid\n", "/run/daemon.pid": "1\n"})
fresh = with_()

for f in ("get_enabled", "get_disabled", "get_all"):
    case(fresh, f)
for n in ("web", "off", "multi.one", "notexec", ".hidden", "gone", "nothing", "sysv"):
    case(fresh, "available", n)
    case(fresh, "enabled", n)
    case(fresh, "disabled", n)
for n in ("web", "nothing"):
    case(fresh, "missing", n)
# Debian's OpenRC takes scripts called *.sh for services.
case(with_(programs={"/etc/init.d/part.sh": RUN}), "available", "part.sh", grains={"os": "Debian", "os_family": "Debian"})
for n, levels in (("web", "default"), ("web", "boot"), ("web", ["default"]), ("web", ["default", "boot"]), ("both", ["default", "boot"]), ("both", "boot"),
                  ("off", "default"), ("web", []), ("off", [])):
    case(fresh, "enabled", n, runlevels=levels)
for n in ("web", "off", "both", "own", "silent", "needs", "sources", "multi", "multi.one", "old", "sysv", "daemon"):
    case(started, "status", n)
for n in ("web", "off"):
    for mark in ("stopping", "starting", "inactive", "failed", "hotplugged", "wasinactive"):
        case(with_(f"{mark}/{n}"), "status", n)
case(with_("started/web", "stopping/web"), "status", "web")
case(with_("started/web", "failed/web"), "status", "web")
case(with_("started/web", "hotplugged/web"), "status", "web")
case(with_("started/needs", "started/sources"), "status", "needs")
case(with_("started/needs", "started/sources"), "status", "sources")
case(with_("started/multi.one"), "status", "multi.one")
case(with_("started/off", files={"/etc/conf.d/off.default": "status() { return 7; }\n"}), "status", "off")
case(with_("started/off", files={"/etc/conf.d/off.boot": "status() { return 7; }\n"}), "status", "off")
case(with_("started/off", files={"/etc/rc.conf": "status_pre() { return 7; }\n"}), "status", "off")
case(with_("started/off", gone=["/run/openrc/softlevel"]), "status", "off")
case(with_("started/own", files={"/etc/conf.d/own.runs": ""}), "status", "own")
for p, n in ((dead_pid, "daemon"), (live_pid, "daemon"), (no_pidfile, "daemon"), (empty_pidfile, "daemon"), (by_name, "daemon"), (supervised, "supervised")):
    case(p, "status", n)
for g in ("w*", "[wb]*", "?ff", "nothing*"):
    case(started, "status", g)
case(started, "status", "web", "there")
case(started, "status", "web", "not there")
case(started, "status", "web", sig="there")
for p, n in ((fresh, "web"), (started, "web"), (fresh, "fails"), (with_("started/fails"), "fails")):
    for f in ("start", "stop", "restart", "reload", "zap"):
        case(p, f, n)
for n in ("off", "web", "nothing", "notexec"):
    case(fresh, "enable", n)
    case(fresh, "disable", n)
for n, levels in (("off", "boot"), ("off", ["boot", "default"]), ("web", "boot"), ("web", "default"), ("web", ["default"]), ("both", ["default"]), ("both", ["extra", "shutdown"]),
                  ("both", []), ("off", "nolevel"), ("web", ["nolevel"]), ("nothing", "default")):
    case(fresh, "enable", n, runlevels=levels)
    case(fresh, "disable", n, runlevels=levels)

for test in (False, True):
    S = dict(state=True, test=test)
    for enable in (None, True, False):
        for p, n in ((started, "web"), (fresh, "web"), (fresh, "off"), (with_("started/off"), "off"), (fresh, "fails"), (with_("started/fails"), "fails"), (fresh, "silent"), (fresh, "nothing"), (live_pid, "daemon")):
            case(p, "running", n, enable=enable, **S)
            case(p, "dead", n, enable=enable, **S)
    case(fresh, "running", "web", enable=True, runlevels=["boot"], **S)
    case(fresh, "running", "off", enable=True, runlevels="boot", **S)
    case(started, "running", "web", enabled=True, **S)
    case(fresh, "running", "web", init_delay=0, **S)
    for n in ("web", "off", "both", "nothing", "notexec"):
        for f in ("enabled", "disabled"):
            case(fresh, f, n, **S)
            case(fresh, f, n, runlevels="boot", **S)
            case(fresh, f, n, runlevels=["boot", "default"], **S)
    for f in ("masked", "unmasked"):
        case(fresh, f, "web", **S)
    for p in (started, fresh):
        for sfun in ("running", "dead", "enabled"):
            case(p, "mod_watch", "web", sfun=sfun, **S)
        case(p, "mod_watch", "web", sfun="running", reload=True, **S)
        case(p, "mod_watch", "web", sfun="running", reload=True, force=True, **S)
        case(p, "mod_watch", "web", sfun="running", full_restart=True, **S)
    case(with_("started/web", files={"/tmp/noreload": ""}), "mod_watch", "web", sfun="running", reload=True, **S)
publish({"os": "Alpine", "os_family": "Alpine", "kernel": "Linux", "init": "unknown"}, sys.stdout)
