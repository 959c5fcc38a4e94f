"""Environment variables that the configuration gives to modules."""

import os


def get_module_environment(env=None, function=None):
    """The variables of the option system-environment for a module: KIND: {MODULE: {FUNCTION or _: {NAME: value}}}."""
    names = env or {}
    path = names.get("__file__", "")
    kinds = names.get("__opts__", {}).get("system-environment", {}).get(os.path.basename(os.path.dirname(path)), {})
    module = names.get("__virtualname__") or os.path.basename(path).split(".")[0]
    found = kinds.get(module, {}) if isinstance(kinds, dict) else {}
    out = {}
    for part in ("_", function):
        if part and isinstance(found.get(part), dict):
            out.update(found[part])
    return {str(key): str(value) for key, value in out.items()}
