"""Changing a mapping for a while."""

import contextlib


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
