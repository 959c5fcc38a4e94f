"""Changing a mapping for a while."""

import contextlib
from collections.abc import MutableMapping


@contextlib.contextmanager
def func_globals_inject(func, **overrides):
    names = func.__globals__
    missing = object()
    saved = {k: names.get(k, missing) for k in overrides}
    names.update(overrides)
    try:
        yield
    finally:
        for k, v in saved.items():
            if v is missing:
                names.pop(k, None)
            else:
                names[k] = v


class ContextDict(dict):
    """A mapping that a run shares; there are no threads with their own here."""

    def __init__(self, threadsafe=False, **data):
        super().__init__(**data)

    def clone(self, **kwargs):
        return ContextDict(**{**self, **kwargs})


class NamespacedDictWrapper(MutableMapping):
    """A mapping inside another one, found by the keys that lead to it."""

    def __init__(self, d, pre_keys, override_name=None):
        self._whole = d
        self.pre_keys = (pre_keys,) if isinstance(pre_keys, str) else pre_keys

    def _dict(self):
        here = self._whole
        for key in self.pre_keys:
            here = here[key]
        return here

    def __getitem__(self, key):
        return self._dict()[key]

    def __setitem__(self, key, value):
        self._dict()[key] = value

    def __delitem__(self, key):
        del self._dict()[key]

    def __iter__(self):
        return iter(self._dict())

    def __len__(self):
        return len(self._dict())

    def __repr__(self):
        return repr(self._dict())
