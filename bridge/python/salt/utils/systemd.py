"""What systemd does on this machine."""

import os
import re
import shutil
import subprocess

from salt.exceptions import SaltInvocationError


def _once(context, name, find):
    """The value found, which the module's __context__ keeps."""
    key = "salt.utils.systemd." + name
    if context is not None and not hasattr(context, "__getitem__"):
        raise SaltInvocationError("context must be a dictionary if passed")
    if context is not None and key in context:
        return context[key]
    value = find()
    if context is not None:
        context[key] = value
    return value


def booted(context=None):
    return _once(context, "booted", lambda: os.path.exists("/run/systemd/system"))


def offline(context=None):
    return _once(context, "offline", lambda: not booted(context) and shutil.which("systemctl"))


def status(context=None):
    def find():
        done = subprocess.run(["systemctl", "status"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        return b"Failed to get D-Bus connection: No such file or directory" not in done.stderr

    return _once(context, "status", find)


def version(context=None):
    def find():
        try:
            done = subprocess.run(["systemctl", "--version"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        except OSError:
            return None
        found = re.match(r"\w+ (\d+)", done.stdout.decode(errors="replace"))
        return int(found.group(1)) if found else None

    return _once(context, "version", find)


def has_scope(context=None):
    return bool(booted(context) and (version(context) or 0) >= 205 and status(context))


def pid_to_service(pid):
    """The unit of a process, without .service."""
    try:
        with open("/proc/%d/cgroup" % int(pid)) as stream:
            units = re.findall(r"/([^/\n]+)\.service(?:/|\n|$)", stream.read())
    except OSError:
        return None
    return units[-1] if units else None
