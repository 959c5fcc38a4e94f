"""Values by bank and key, in files as Salt's localfs cache has them."""

import os
import shutil

from salt.exceptions import SaltCacheError


def factory(opts, **kwargs):
    return Cache(opts, **kwargs)


class Cache:
    def __init__(self, opts, cachedir=None, **kwargs):
        self.opts = opts
        self.cachedir = cachedir or opts["cachedir"]

    def _path(self, bank, key=None):
        path = os.path.normpath(bank)
        if key is not None:
            path = os.path.join(path, key + ".p")
        whole = os.path.normpath(os.path.join(self.cachedir, path))
        if not whole.startswith(os.path.normpath(self.cachedir) + os.sep):
            raise SaltCacheError("%s leaves the cache" % path)
        return whole

    def store(self, bank, key, data, expires=None):
        from salt.payload import dumps

        target = self._path(bank, key)
        try:
            os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)
            part = "%s.%d" % (target, os.getpid())
            with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
                stream.write(dumps(data))
            os.replace(part, target)
        except OSError as error:
            raise SaltCacheError("There was an error writing the cache file, %s: %s" % (target, error))

    def fetch(self, bank, key):
        from salt.payload import loads

        try:
            with open(self._path(bank, key), "rb") as stream:
                return loads(stream.read())
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise SaltCacheError("There was an error reading the cache file, %s: %s" % (key, error))

    def updated(self, bank, key):
        try:
            return int(os.path.getmtime(self._path(bank, key)))
        except OSError:
            return None

    def flush(self, bank, key=None):
        target = self._path(bank, key)
        try:
            if key is None:
                shutil.rmtree(target)
            else:
                os.remove(target)
        except FileNotFoundError:
            return False
        except OSError as error:
            raise SaltCacheError("There was an error removing %s: %s" % (target, error))
        return True

    def list(self, bank):
        try:
            names = os.listdir(self._path(bank))
        except FileNotFoundError:
            return []
        return [name[:-2] if name.endswith(".p") else name for name in names]

    ls = list

    def contains(self, bank, key=None):
        return os.path.exists(self._path(bank, key))

    def cache(self, bank, key, fun, loop_fun=None, **kwargs):
        """What is there, unless it is older than the argument expire; else what fun gives."""
        import time

        expire = kwargs.pop("expire", 86400)
        when = self.updated(bank, key)
        if when is not None and (not expire or time.time() - when < expire):
            return self.fetch(bank, key)
        data = fun(**kwargs)
        if loop_fun is not None:
            data = [loop_fun(one) for one in data]
        self.store(bank, key, data)
        return data
