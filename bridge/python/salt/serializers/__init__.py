"""Formats for data."""


class DeserializationError(Exception):
    pass


class SerializationError(Exception):
    pass
