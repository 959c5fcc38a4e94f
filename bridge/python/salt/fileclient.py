"""Files of the tree, fetched by pinch."""

import pinch_loader


class Client:
    def __init__(self, opts):
        self.opts = opts

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        pass

    def destroy(self):
        pass

    def cache_file(self, path, saltenv="base", cachedir=None, source_hash=None, verify_ssl=True, use_etag=False):
        return pinch_loader.salt_functions["cp.cache_file"](path, saltenv or "base") or ""

    def get_file(self, path, dest="", makedirs=False, saltenv="base", gzip=None, cachedir=None):
        if not dest:
            return self.cache_file(path, saltenv)
        return pinch_loader.salt_functions["cp.get_file"](path, dest, saltenv=saltenv or "base", makedirs=makedirs)

    def file_list(self, saltenv="base", prefix=""):
        return pinch_loader.salt_functions["cp.list_master"](saltenv or "base", prefix)

    def dir_list(self, saltenv="base", prefix=""):
        return pinch_loader.salt_functions["cp.list_master_dirs"](saltenv or "base", prefix)


def get_file_client(opts, pillar=False):
    return Client(opts)
