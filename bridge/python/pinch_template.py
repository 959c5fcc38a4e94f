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
        from mako.template import Template
    except ImportError:
        raise salt.exceptions.SaltRenderError("the renderer mako needs the Python package Mako, which %s does not have" % sys.executable) from None
    from mako.lookup import TemplateLookup

    folder = os.path.dirname(path) if path else None
    lookup = TemplateLookup(directories=[folder] if folder else [], strict_undefined=True)
    names = dict(names)
    names.update(more)
    return Template(text, strict_undefined=True, uri=(path or "template").lstrip("/"), lookup=lookup).render(**names)
