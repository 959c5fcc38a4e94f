"""Mappings whose values are loaded when they are asked for."""

from collections.abc import MutableMapping

from salt.exceptions import CommandExecutionError, SaltInvocationError


def verify_fun(lazy_obj, fun):
    if not fun:
        raise SaltInvocationError("Must specify a function to run!\nex: manage.up")
    if fun not in lazy_obj:
        raise CommandExecutionError(lazy_obj.missing_fun_string(fun))


class LazyDict(MutableMapping):
    def __init__(self):
        self.clear()

    def clear(self):
        self._dict, self.loaded = {}, False

    def _load(self, key):
        raise NotImplementedError()

    def _load_all(self):
        raise NotImplementedError()

    def _missing(self, key):
        return False

    def missing_fun_string(self, function_name):
        return "'%s' is not available." % function_name

    def _all(self):
        if not self.loaded:
            self._load_all()
        return self._dict

    def __getitem__(self, key):
        if key not in self._dict and not self.loaded and not self._missing(key):
            self._load(key)
        return self._dict[key]

    def __setitem__(self, key, value):
        self._dict[key] = value

    def __delitem__(self, key):
        del self._dict[key]

    def __iter__(self):
        return iter(self._all())

    def __len__(self):
        return len(self._all())
