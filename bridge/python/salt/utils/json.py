"""JSON."""

import json
from json import JSONDecodeError, JSONDecoder, JSONEncoder  # noqa: F401


def _default(value):
    if getattr(type(value), "__salt_mapping__", False):
        return dict(value.items())
    raise TypeError("Object of type %s is not JSON serializable" % type(value).__name__)


def _options(kwargs):
    kwargs.setdefault("ensure_ascii", False)
    kwargs.pop("_json_module", None)
    kwargs.pop("enc_func", None)
    kwargs.setdefault("default", _default)
    return kwargs


def loads(text, **kwargs):
    if isinstance(text, bytes):
        text = text.decode("utf-8")
    kwargs.pop("_json_module", None)
    return json.loads(text, **kwargs)


def load(stream, **kwargs):
    return loads(stream.read(), **kwargs)


def dumps(value, **kwargs):
    return json.dumps(value, **_options(kwargs))


def dump(value, stream, **kwargs):
    return json.dump(value, stream, **_options(kwargs))


def find_json(text):
    """The JSON that a text begins somewhere within."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if line.lstrip()[:1] in ("{", "["):
            rest = "\n".join(lines[number:])
            try:
                return json.JSONDecoder().raw_decode(rest.lstrip())[0]
            except ValueError:
                continue
    raise ValueError
