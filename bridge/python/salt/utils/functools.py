"""Functions."""

import functools


def namespaced_function(function, global_dict, defaults=None, preserve_context=None):
    from types import FunctionType

    new = FunctionType(function.__code__, global_dict, function.__name__, function.__defaults__, function.__closure__)
    new.__dict__.update(function.__dict__)
    return new


def alias_function(fun, name, doc=None):
    @functools.wraps(fun)
    def alias(*args, **kwargs):
        return fun(*args, **kwargs)

    alias.__name__ = name
    alias.__doc__ = doc or fun.__doc__
    return alias


def call_function(salt_function, *args, **kwargs):
    return salt_function(*args, **kwargs)
