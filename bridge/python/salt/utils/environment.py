"""Environment variables that the configuration gives to modules."""

import os


def get_module_environment(env=None, function=None):
    """The variables of the option system-environment for a module: KIND: {MODULE: {FUNCTION or _: {NAME: value}}}.

    The pillar's come after the configuration's, those of the file's name after those of the module's."""
    names = env or {}
    folder, file = os.path.split(names.get("__file__", ""))
    modules = dict.fromkeys([names.get("__virtualname__"), file.split(".")[0]])
    out = {}
    for source in ("__opts__", "__pillar__"):
        kinds = names.get(source, {}).get("system-environment", {}).get(os.path.basename(folder), {})
        for module in filter(None, modules):
            for part in ("_", function):
                out.update(kinds.get(module, {}).get(part) or {})
    return out
