"""An execution module: functions with and without arguments."""

from salt.exceptions import CommandExecutionError

__virtualname__ = "agent"


def __virtual__():
    if __grains__.get("os_family") != "Debian":
        return (False, "the agent is packaged for Debian only")
    return __virtualname__


def ident():
    """Who this machine is."""
    return "%s/%s" % (__grains__["role"], __opts__["id"])


def show(name, count=1, *more, **kwargs):
    """Gives back what it was given."""
    return {"name": name, "count": count, "more": list(more), "kwargs": sorted(k for k in kwargs if not k.startswith("__"))}


def port(service):
    """The port of a service, from the pillar."""
    ports = __pillar__.get("ports", {})
    if service not in ports:
        raise CommandExecutionError("no port is set for %s" % service)
    return ports[service]
