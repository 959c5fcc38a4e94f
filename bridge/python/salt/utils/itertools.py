"""Iterating."""


def split(orig, sep=None):
    yield from (orig.split(sep) if sep is not None else orig.split())


def read_file(fh, chunk_size=1048576):
    while True:
        chunk = fh.read(chunk_size)
        if not chunk:
            return
        yield chunk
