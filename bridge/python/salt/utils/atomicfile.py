"""Files that are there whole or not at all."""

import os
import tempfile

CAN_RENAME_OPEN_FILE = True
atomic_rename = os.replace


class _Written:
    def __init__(self, name, mode):
        self._name, self._mode = name, mode
        fd, self._part = tempfile.mkstemp(prefix=".___atomic_write", dir=os.path.dirname(os.path.abspath(name)))
        self._stream = os.fdopen(fd, mode)

    def __getattr__(self, name):
        return getattr(self._stream, name)

    def __enter__(self):
        return self

    def __exit__(self, kind, *failure):
        if kind is None:
            return self.close()
        self._stream.close()
        os.remove(self._part)

    def close(self):
        if self._stream.closed:
            return
        self._stream.close()
        try:
            state = os.stat(self._name)
            os.chmod(self._part, state.st_mode & 0o7777)
            os.chown(self._part, state.st_uid, state.st_gid)
        except OSError:
            pass
        os.replace(self._part, self._name)


def atomic_open(filename, mode="w"):
    if mode in ("r", "rb", "r+", "rb+", "a", "ab"):
        raise TypeError("Read or append modes don't work with atomic_open")
    return _Written(filename, mode)


def safe_atomic_write(dst, src, backup_mode):
    import shutil

    part = "%s.%d" % (dst, os.getpid())
    shutil.copyfile(src, part)
    os.replace(part, dst)
