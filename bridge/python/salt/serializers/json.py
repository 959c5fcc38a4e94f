"""JSON."""

from salt.utils import json as _json


def serialize(obj, **options):
    return _json.dumps(obj, **{k: v for k, v in options.items() if k != "fp"})


def deserialize(stream_or_string, **options):
    return _json.loads(stream_or_string.read() if hasattr(stream_or_string, "read") else stream_or_string)
