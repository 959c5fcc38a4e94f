"""Comparing versions."""

import itertools
import re
import warnings


class LooseVersion:
    """A version of numbers and words."""

    def __init__(self, text=""):
        self.vstring = str(text)
        self.version = [int(p) if p.isdigit() else p for p in re.split(r"(\d+|[a-z]+|\.)", self.vstring) if p and p != "."]

    def _key(self):
        return [(1, p, "") if isinstance(p, int) else (0, 0, p) for p in self.version]

    def _other(self, other):
        return other if isinstance(other, LooseVersion) else LooseVersion(other)

    def __eq__(self, other):
        return self._key() == self._other(other)._key()

    def __lt__(self, other):
        return self._key() < self._other(other)._key()

    def __le__(self, other):
        return self._key() <= self._other(other)._key()

    def __gt__(self, other):
        return self._key() > self._other(other)._key()

    def __ge__(self, other):
        return self._key() >= self._other(other)._key()

    def __hash__(self):
        return hash(self.vstring)

    def __str__(self):
        return self.vstring

    def __repr__(self):
        return "LooseVersion ('%s')" % self.vstring


class Version(LooseVersion):
    pass


StrictVersion = Version


def version_cmp(pkg1, pkg2, ignore_epoch=False):
    a, b = LooseVersion(pkg1), LooseVersion(pkg2)
    return (a > b) - (a < b)


def compare(ver1="", oper="==", ver2="", cmp_func=None, ignore_epoch=False):
    result = (cmp_func or version_cmp)(ver1, ver2)
    if result is None:
        return False
    return {"<": result < 0, "<=": result <= 0, "==": result == 0, "!=": result != 0, ">=": result >= 0, ">": result > 0}.get(oper, False)


version_compare = compare


def warn_until(version, message, category=DeprecationWarning, stacklevel=None, _version_info_=None, _dont_call_warnings=False):
    if not _dont_call_warnings:
        warnings.warn(message.replace("{version}", str(version)), category, stacklevel=stacklevel or 2)


def warn_until_date(date, message, category=DeprecationWarning, **kwargs):
    warnings.warn(message, category, stacklevel=2)


def kwargs_warn_until(kwargs, version, category=DeprecationWarning, stacklevel=None, **more):
    names = [k for k in kwargs if not k.startswith("__")]
    if names:
        warn_until(version, "The following parameter(s) have been deprecated: " + ", ".join(names), category, stacklevel)


def parsed_version(text):
    return LooseVersion(text)


def check_boto_reqs(*args, **kwargs):
    return False, "boto is not available"


_ = itertools
