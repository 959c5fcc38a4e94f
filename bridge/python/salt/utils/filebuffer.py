"""Reading a file in overlapping pieces."""

from salt.exceptions import SaltException


class InvalidFileMode(SaltException):
    pass


class BufferedReader:
    def __init__(self, path, max_in_mem=256 * 1024, chunk_size=32 * 1024, mode="r"):
        if "a" in mode or "w" in mode:
            raise InvalidFileMode("Cannot open file in write or append mode")
        self._stream = open(path, mode)
        self.max_in_mem, self.chunk_size, self.buffered = max_in_mem, chunk_size, None

    def __iter__(self):
        return self

    def __next__(self):
        more = self._stream.read(self.chunk_size if self.buffered is not None else self.max_in_mem)
        if not more:
            self._stream.close()
            raise StopIteration
        if self.buffered is None:
            self.buffered = more
        else:
            self.buffered = self.buffered[self.chunk_size:] + more
        return self.buffered

    next = __next__

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self._stream.close()
