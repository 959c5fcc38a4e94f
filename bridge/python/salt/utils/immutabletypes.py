"""Mappings, lists and sets that cannot be changed."""

import copy
from collections.abc import Mapping, Sequence, Set


class _Frozen:
    def __init__(self, content):
        self._content = content

    def __len__(self):
        return len(self._content)

    def __iter__(self):
        return iter(self._content)

    def __repr__(self):
        return "<%s %r>" % (type(self).__name__, self._content)

    def __deepcopy__(self, memo):
        return copy.deepcopy(self._content, memo)

    def copy(self):
        return copy.deepcopy(self._content)


class ImmutableDict(_Frozen, Mapping):
    def __getitem__(self, key):
        return freeze(self._content[key])


class ImmutableList(_Frozen, Sequence):
    def __getitem__(self, index):
        return freeze(self._content[index])

    def __iter__(self):
        return map(freeze, self._content)

    def __add__(self, other):
        return self._content + list(other)

    def __radd__(self, other):
        return list(other) + self._content


class ImmutableSet(_Frozen, Set):
    def __contains__(self, item):
        return item in self._content


def freeze(value):
    for kind, frozen in ((dict, ImmutableDict), (list, ImmutableList), (set, ImmutableSet)):
        if isinstance(value, kind):
            return frozen(value)
    return value
