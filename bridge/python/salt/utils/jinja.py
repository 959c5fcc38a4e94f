"""Ordered dicts that print as plain ones."""

from collections import OrderedDict


class PrintableDict(OrderedDict):
    def __repr__(self):
        return "{" + ", ".join("%r: %r" % pair for pair in self.items()) + "}"

    def __str__(self):
        return "{" + ", ".join("%r: %s" % (k, repr(v) if isinstance(v, str) else v) for k, v in self.items()) + "}"
