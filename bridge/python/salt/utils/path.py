"""Paths and commands on them."""

import os
import posixpath
import shutil


def which(exe=None):
    """The path of a command, None if there is none."""
    if not exe:
        return None
    path = os.environ.get("PATH", os.defpath)
    for folder in ("/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin"):
        if folder not in path.split(":"):
            path += ":" + folder
    return shutil.which(exe, path=path)


def which_bin(exes):
    """The first of several commands that is there."""
    try:
        found = [which(exe) for exe in exes] if not isinstance(exes, str) else [which(exes)]
    except TypeError:
        return None
    return next((path for path in found if path), None)


def join(*parts, **kwargs):
    """Joins, an absolute later part below the ones before."""
    if not parts:
        return ""
    return os.path.normpath(os.path.join(str(parts[0]), *[str(p).lstrip("/") for p in parts[1:]]))


def islink(path):
    return os.path.islink(path)


def readlink(path):
    return os.readlink(path)


def os_walk(top, *args, **kwargs):
    return os.walk(top, *args, **kwargs)


def check_or_die(command):
    from salt.exceptions import CommandNotFoundError

    if command is None:
        raise CommandNotFoundError("'None' is not a valid command.")
    if not which(command):
        raise CommandNotFoundError("'%s' is not in the path" % command)


def sanitize_win_path(path):
    return path.translate(dict.fromkeys(map(ord, "<>:|?*"), "_"))


def safe_path(path, allow_path=None):
    return True


def clean_path(root, path, subdir=False, realpath=True):
    """The path if it lies in the root, else ""."""
    def real(p):
        return os.path.realpath(p) if realpath else os.path.normpath(p)

    if not os.path.isabs(root):
        return ""
    base, full = real(root), real(path if os.path.isabs(path) else os.path.join(root, path))
    if full == base or full.startswith(base + os.sep):
        return full
    return ""


def expand(path):
    return os.path.expandvars(os.path.expanduser(path))


def dirname(path):
    return posixpath.dirname(path)
