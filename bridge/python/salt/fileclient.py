"""Files of the tree, fetched by pinch; those of other roots are read where they lie."""

import os

import pinch_loader


def _call(name, *args, **kwargs):
    return pinch_loader.salt_functions["cp." + name](*args, **kwargs)


class Client:
    """The client of this machine's trees. Other roots than the configured ones must be folders."""

    def __init__(self, opts, pillar=False):
        self.opts = opts
        roots = opts.get("pillar_roots" if pillar else "file_roots") or {}
        self.roots = roots if pillar or roots != pinch_loader.opts.get("file_roots") else None

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        pass

    def destroy(self):
        pass

    def envs(self):
        return list(self.roots) if self.roots is not None else _call("envs")

    def _walk(self, saltenv, prefix, pick):
        found = set()
        for root in self.roots.get(saltenv, []):
            for folder, folders, names in os.walk(root, followlinks=True):
                for name in pick(folder, folders, names):
                    path = os.path.relpath(os.path.join(folder, name), root)
                    if path.startswith(prefix.strip("/")):
                        found.add(path)
        return sorted(found)

    def file_list(self, saltenv="base", prefix=""):
        if self.roots is None:
            return _call("list_master", saltenv, prefix)
        return self._walk(saltenv, prefix, lambda folder, folders, names: names)

    def dir_list(self, saltenv="base", prefix=""):
        if self.roots is None:
            return _call("list_master_dirs", saltenv, prefix)
        return self._walk(saltenv, prefix, lambda folder, folders, names: folders)

    def file_list_emptydirs(self, saltenv="base", prefix=""):
        files = self.file_list(saltenv, prefix)
        return [folder for folder in self.dir_list(saltenv, prefix) if not any(f.startswith(folder + "/") for f in files)]

    def symlink_list(self, saltenv="base", prefix=""):
        if self.roots is None:
            return _call("list_master_symlinks", saltenv, prefix)
        links = self._walk(saltenv, prefix, lambda folder, folders, names: [n for n in names if os.path.islink(os.path.join(folder, n))])
        return {link: os.readlink(self._find(link, saltenv)) for link in links}

    def _find(self, path, saltenv):
        path = path[7:] if path.startswith("salt://") else path
        for root in self.roots.get(saltenv, []):
            whole = os.path.normpath(os.path.join(root, path))
            if whole.startswith(os.path.normpath(root) + os.sep) and os.path.isfile(whole):
                return whole
        return ""

    def cache_file(self, path, saltenv="base", cachedir=None, source_hash=None, verify_ssl=True, use_etag=False):
        if self.roots is None:
            return _call("cache_file", path, saltenv or "base") or ""
        return self._find(path, saltenv or "base")

    def cache_files(self, paths, saltenv="base", cachedir=None):
        return [self.cache_file(path, saltenv) for path in (paths.split(",") if isinstance(paths, str) else paths)]

    def cache_dir(self, path, saltenv="base", include_empty=False, include_pat=None, exclude_pat=None, cachedir=None):
        return _call("cache_dir", path, saltenv, include_empty, include_pat, exclude_pat)

    def get_file(self, path, dest="", makedirs=False, saltenv="base", gzip=None, cachedir=None):
        if self.roots is not None or not dest:
            return self.cache_file(path, saltenv)
        return _call("get_file", path, dest, saltenv=saltenv or "base", makedirs=makedirs)

    def get_url(self, url, dest, makedirs=False, saltenv="base", no_cache=False, cachedir=None, source_hash=None, verify_ssl=True, use_etag=False):
        return _call("get_url", url, dest or "", saltenv=saltenv, makedirs=makedirs)

    def get_dir(self, path, dest="", saltenv="base", gzip=None, cachedir=None):
        return _call("get_dir", path, dest, saltenv=saltenv)

    def get_template(self, url, dest, template="jinja", makedirs=False, saltenv="base", cachedir=None, **kwargs):
        return _call("get_template", url, dest, template=template, saltenv=saltenv, makedirs=makedirs, **kwargs)

    def is_cached(self, path, saltenv="base", cachedir=None):
        return _call("is_cached", path, saltenv) if self.roots is None else self._find(path, saltenv)

    def hash_file(self, path, saltenv="base"):
        if self.roots is None:
            return _call("hash_file", path, saltenv)
        found = self._find(path, saltenv)
        if not found:
            return {}
        from salt.utils.hashutils import get_hash

        kind = self.opts.get("hash_type", "sha256")
        return {"hsum": get_hash(found, kind), "hash_type": kind}

    def list_env(self, saltenv="base"):
        return self.file_list(saltenv)

    def list_states(self, saltenv):
        """The names of all SLS files."""
        names = set()
        for path in self.file_list(saltenv):
            if path.endswith(".sls") and "." not in path[:-4]:
                name = path[:-4].replace("/", ".")
                names.add(name[:-5] if name.endswith(".init") else name)
        return sorted(names)

    def get_state(self, sls, saltenv, cachedir=None):
        """The source and the cached copy of an SLS file, {} if there is none."""
        base = sls.replace(".", "/")
        for path in (base + ".sls", base + "/init.sls"):
            dest = self.cache_file("salt://" + path, saltenv)
            if dest:
                return {"source": "salt://" + path, "dest": dest}
        return {}

    def master_opts(self):
        return self.opts


FSClient = LocalClient = RemoteClient = Client


def get_file_client(opts, pillar=False):
    return Client(opts, pillar)
