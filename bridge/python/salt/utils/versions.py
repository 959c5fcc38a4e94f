"""Comparing versions."""

import itertools
import re
import warnings


class LooseVersion:
    """A version of numbers and words."""

    def __init__(self, text=""):
        self.vstring = str(text)
        self.version = [int(p) if p.isdigit() else p for p in re.split(r"(\d+|[a-z]+|\.)", self.vstring) if p and p != "."]

    def _cmp(self, other):
        """-1, 0 or 1; as soon as a word is in it, all parts compare as texts."""
        if not isinstance(other, LooseVersion):
            other = LooseVersion(other)
        a, b = self.version, other.version
        if any(isinstance(part, str) for part in a + b):
            a, b = ([part if isinstance(part, str) else str(part).zfill(8) for part in side] for side in (a, b))
        return (a > b) - (a < b)

    def __eq__(self, other):
        return self._cmp(other) == 0

    def __lt__(self, other):
        return self._cmp(other) < 0

    def __le__(self, other):
        return self._cmp(other) <= 0

    def __gt__(self, other):
        return self._cmp(other) > 0

    def __ge__(self, other):
        return self._cmp(other) >= 0

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
    a, b = (str(one).partition(":")[2] or str(one) if ignore_epoch else one for one in (pkg1, pkg2))
    return LooseVersion(a)._cmp(b)


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
