"""The part of six that old modules use."""

import functools
import io
import sys
from types import ModuleType

PY2, PY3, PY34 = False, True, True
string_types, integer_types, class_types, text_type, binary_type = (str,), (int,), (type,), str, bytes
MAXSIZE = sys.maxsize
StringIO, BytesIO = io.StringIO, io.BytesIO
wraps = functools.wraps
unichr, int2byte = chr, lambda i: bytes((i,))
next, callable = next, callable


def u(text):
    return text


def b(text):
    return text.encode("latin-1")


def iteritems(d, **kwargs):
    return iter(d.items(**kwargs))


def iterkeys(d, **kwargs):
    return iter(d.keys(**kwargs))


def itervalues(d, **kwargs):
    return iter(d.values(**kwargs))


def reraise(tp, value, tb=None):
    raise (value if value is not None else tp()).with_traceback(tb)


def ensure_str(s, encoding="utf-8", errors="strict"):
    return s.decode(encoding, errors) if isinstance(s, bytes) else s


ensure_text = ensure_str


def ensure_binary(s, encoding="utf-8", errors="strict"):
    return s.encode(encoding, errors) if isinstance(s, str) else s


def with_metaclass(meta, *bases):
    return meta("temporary_class", bases, {})


def add_metaclass(meta):
    def wrap(cls):
        names = {k: v for k, v in cls.__dict__.items() if k not in ("__dict__", "__weakref__")}
        return meta(cls.__name__, cls.__bases__, names)

    return wrap


def python_2_unicode_compatible(cls):
    return cls


_homes = {
    "range": ("builtins", "range"), "xrange": ("builtins", "range"), "map": ("builtins", "map"), "filter": ("builtins", "filter"),
    "zip": ("builtins", "zip"), "input": ("builtins", "input"), "reduce": ("functools", "reduce"), "zip_longest": ("itertools", "zip_longest"),
    "filterfalse": ("itertools", "filterfalse"), "StringIO": ("io", "StringIO"), "cStringIO": ("io", "StringIO"),
    "shlex_quote": ("shlex", "quote"), "intern": ("sys", "intern"), "builtins": ("builtins", None), "configparser": ("configparser", None),
    "queue": ("queue", None), "http_client": ("http.client", None), "urllib": ("urllib", None), "cPickle": ("pickle", None),
    "socketserver": ("socketserver", None), "reload_module": ("importlib", "reload"), "getcwd": ("os", "getcwd"),
}
_parts = {"urllib": "urllib", "urllib.parse": "urllib.parse", "urllib.request": "urllib.request", "urllib.error": "urllib.error",
          "urllib_parse": "urllib.parse", "configparser": "configparser", "builtins": "builtins", "queue": "queue", "http_client": "http.client"}


class _Moves(ModuleType):
    __path__ = []

    def __getattr__(self, name):
        import importlib

        if name not in _homes:
            raise AttributeError(name)
        home, attribute = _homes[name]
        module = importlib.import_module(home)
        if name == "urllib":
            for part in ("parse", "request", "error"):
                importlib.import_module("urllib." + part)
        return module if attribute is None else getattr(module, attribute)


moves = _Moves(__name__ + ".moves")
sys.modules[moves.__name__] = moves
__path__ = []


class _Finder:
    def find_spec(self, name, path=None, target=None):
        start = moves.__name__ + "."
        if not name.startswith(start) or name[len(start):] not in _parts:
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, self)

    def create_module(self, spec):
        import importlib

        return importlib.import_module(_parts[spec.name[len(moves.__name__) + 1:]])

    def exec_module(self, module):
        pass


sys.meta_path.append(_Finder())
