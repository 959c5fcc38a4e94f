"""JSON."""

from salt.serializers import DeserializationError, SerializationError
from salt.utils import json as _json


def serialize(obj, **options):
    try:
        return _json.dumps(obj, **{k: v for k, v in options.items() if k != "fp"})
    except Exception as error:
        raise SerializationError(error) from None


def deserialize(stream_or_string, **options):
    try:
        return _json.loads(stream_or_string.read() if hasattr(stream_or_string, "read") else stream_or_string)
    except Exception as error:
        raise DeserializationError(error) from None
