"""Msgpack by pinch."""

import pinch_worker


def packb(value, **kwargs):
    return pinch_worker.connection.ask("msgpack_dump", value)


def unpackb(data, **kwargs):
    return pinch_worker.unplain(pinch_worker.connection.ask("msgpack_load", bytes(data)))


dumps, loads = packb, unpackb
HAS_MSGPACK = True
