"""Msgpack."""

from salt.utils.msgpack import packb as dumps  # noqa: F401
from salt.utils.msgpack import unpackb as loads  # noqa: F401


def load(stream):
    return loads(stream.read())


def dump(value, stream):
    stream.write(dumps(value))


class Serial:
    def __init__(self, opts=None):
        pass

    dumps = staticmethod(dumps)
    loads = staticmethod(loads)
    load = staticmethod(load)
    dump = staticmethod(dump)
