"""The renderers py and mako."""

import os
import sys
from types import ModuleType


def python(path, text, names, more):
    """Runs a Python template and gives what its run() returns."""
    import salt.exceptions

    name = os.path.basename(path).split(".")[0]
    module = ModuleType(name)
    module.__file__ = path
    dunders = {"__salt__": names["salt"], "__grains__": names["grains"], "__opts__": names["opts"], "__pillar__": names["pillar"],
               "__env__": names["saltenv"], "__sls__": names["sls"], "renderers": {}, "rendered_sls": []}
    module.__dict__.update(dunders)
    module.__dict__.update(names)
    module.__dict__.update(more)
    folder = os.path.dirname(path)
    if folder and folder not in sys.path:
        sys.path.append(folder)
    exec(compile(text, path, "exec", dont_inherit=True), module.__dict__)
    try:
        if "run" not in module.__dict__:
            raise AttributeError("module '%s' has no attribute 'run'" % name)
        return module.run()
    except Exception as error:
        import pinch_worker

        raise salt.exceptions.SaltRenderError(pinch_worker.described(error)[2].rstrip("\n")) from None


def mako(path, text, names, more):
    """Renders with Mako, which the host's Python must have."""
    import salt.exceptions

    try:
        import mako.exceptions
        from mako.template import Template
    except ImportError:
        raise salt.exceptions.SaltRenderError("the renderer mako needs the Python package Mako, which %s does not have" % sys.executable) from None
    names = dict(names)
    names.update(more)
    try:
        uri = names["sls"].replace(".", "/") if names["sls"] else None
        return Template(text, strict_undefined=True, uri=uri, lookup=lookup(names["saltenv"])).render(**names)
    except Exception:
        raise salt.exceptions.SaltRenderError(mako.exceptions.text_error_template().render()) from None


def lookup(saltenv):
    """Where Mako's includes are: in the tree, from the place of the SLS on."""
    from mako.lookup import TemplateCollection
    from mako.template import Template

    class Lookup(TemplateCollection):
        def adjust_uri(self, uri, filename):
            scheme, mark, _ = uri.partition("://")
            if mark and scheme in ("salt", "file"):
                return uri
            if mark:
                raise ValueError("Unsupported URL scheme(%s) in %s" % (scheme, uri))
            above = (filename or "").partition("salt://")[2] or filename or ""
            return "salt://" + os.path.normpath(os.path.join(os.path.dirname(above), uri)).lstrip("/")

        def get_template(self, uri, relativeto=None):
            if uri.startswith("file://"):
                found = uri[7:]
            else:
                import salt.fileclient
                import pinch_loader

                found = salt.fileclient.get_file_client(pinch_loader.opts).cache_file(uri, saltenv)
            if not found:
                from mako.exceptions import TopLevelLookupException

                raise TopLevelLookupException("Can't locate template for uri %r" % uri)
            with open(found, encoding="utf-8") as stream:
                return Template(stream.read(), strict_undefined=True, uri=uri, lookup=self)

    return Lookup()
