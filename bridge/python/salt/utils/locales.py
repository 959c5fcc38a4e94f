"""Encodings."""

from salt.utils.stringutils import to_unicode as sdecode  # noqa: F401


def get_encodings():
    return ["utf-8", "latin-1"]
