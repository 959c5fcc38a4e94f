"""The part of Salt's Python package that custom modules use, on top of pinch."""

import sys


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
        functions = pinch_loader.salt_functions if above == "salt.modules" else pinch_loader.state_functions
        name = self.renamed.get(last, last)

        def __getattr__(fun):
            if fun.startswith("__"):
                raise AttributeError(fun)
            try:
                return functions[name + "." + fun.rstrip("_")]
            except KeyError:
                raise AttributeError("module '%s' has no attribute '%s'" % (module.__name__, fun)) from None

        module.__getattr__ = __getattr__


sys.meta_path.append(Bridged())
