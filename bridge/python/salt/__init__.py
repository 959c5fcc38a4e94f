"""The part of Salt's Python package that custom modules use, on top of pinch."""

import os
import sys


def quiet(function):
    """cmd.run or cmd.run_all for grains: no shell and nothing in the log unless it is asked for."""

    def call(*args, **kwargs):
        return function(*args, **{"python_shell": False, "output_loglevel": "quiet", "ignore_retcode": True, **kwargs})

    return call


class Bridged:
    """Finds salt.modules.x and salt.states.x: their functions are pinch's own."""

    renamed = {"cmdmod": "cmd", "aptpkg": "pkg", "yumpkg": "pkg", "dpkg_lowpkg": "lowpkg", "systemd_service": "service", "useradd": "user",
               "groupadd": "group", "linux_sysctl": "sysctl", "virtualenv_mod": "virtualenv", "config": "config", "sysmod": "sys"}

    def find_spec(self, name, path=None, target=None):
        above, _, last = name.rpartition(".")
        if above not in ("salt.modules", "salt.states"):
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, self, origin="<pinch>")

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        import pinch_loader

        above, _, last = module.__name__.rpartition(".")
        functions = pinch_loader.builtin_functions if above == "salt.modules" else pinch_loader.state_functions
        name = self.renamed.get(last, last)

        def __getattr__(fun):
            if name == "cmd" and fun in ("_run_quiet", "_run_all_quiet"):
                return quiet(functions["cmd.run" if fun == "_run_quiet" else "cmd.run_all"])
            if name == "cmd" and fun == "DEFAULT_SHELL":
                return os.environ.get("SHELL", "/bin/sh")
            if fun.startswith("_"):
                raise AttributeError("module '%s' has no attribute '%s'" % (module.__name__, fun))
            try:
                return functions[name + "." + fun.rstrip("_")]
            except KeyError:
                raise AttributeError("module '%s' has no attribute '%s'" % (module.__name__, fun)) from None

        module.__getattr__ = __getattr__


sys.meta_path.append(Bridged())
