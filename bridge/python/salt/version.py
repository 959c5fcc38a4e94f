"""The Salt whose behaviour pinch has."""

import sys
from collections import namedtuple


class SaltVersion(namedtuple("SaltVersion", "name major minor")):
    @property
    def info(self):
        return (self.major, self.minor)

    @property
    def string(self):
        return "%d.%d" % self.info

    def __str__(self):
        return self.string


class SaltStackVersion(SaltVersion):
    @classmethod
    def current_release(cls):
        return __saltstack_version__

    @classmethod
    def parse(cls, text):
        major, _, rest = str(text).lstrip("v").partition(".")
        minor = "".join(c for c in rest.partition(".")[0] if c.isdigit())
        return cls("", int(major), int(minor or 0))

    def __str__(self):
        return self.string


__saltstack_version__ = SaltStackVersion("Argon", 3008, 4)
__version_info__ = __saltstack_version__.info
__version__ = __saltstack_version__.string


def versions_information(*args, **kwargs):
    return {"Salt Version": {"Salt": __version__}, "Dependency Versions": {"Python": sys.version.split()[0]}}
