"""Facts about this machine that the tree needs: its role, its name, the software it has."""

import os
import socket


def role(grains):
    """The role is the letters of the minion's ID, the rack its number."""
    host = __opts__["id"].split(".")[0]
    letters = host.rstrip("0123456789")
    return {"role": letters, "rack": int(host[len(letters):] or 0), "on": grains["kernel"]}


def name():
    """What the machine calls itself, which need not be the minion's ID."""
    return {"called": socket.gethostname().split(".")[0]}


def software():
    """Which of the programs we care about are installed, and who makes the shell."""
    wanted = ("sh", "no-such-program")
    found = [p for p in wanted if any(os.access(os.path.join(d, p), os.X_OK) for d in ("/bin", "/usr/bin"))]
    return {"software": found, "shells": {"sh": os.path.exists("/bin/sh")}}
