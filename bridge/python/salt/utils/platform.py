"""Which system this is: pinch runs on Linux."""

import sys


def is_linux():
    return sys.platform.startswith("linux")


def is_darwin():
    return sys.platform.startswith("darwin")


def _no():
    return False


is_windows = is_proxy = is_sunos = is_smartos = is_smartos_globalzone = is_smartos_zone = is_freebsd = is_netbsd = is_openbsd = is_aix = is_junos = _no


def is_fedora():
    try:
        with open("/etc/os-release", encoding="utf-8") as stream:
            return any(line.strip() == "ID=fedora" for line in stream)
    except OSError:
        return False


def is_aarch64():
    import platform

    return platform.machine().startswith("aarch64")


def get_machine_identifier():
    try:
        with open("/etc/machine-id", encoding="utf-8") as stream:
            return stream.read().strip()
    except OSError:
        return ""
