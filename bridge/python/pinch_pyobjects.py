"""The renderer pyobjects: Python whose calls make states.

    #!pyobjects
    from salt://site/map.sls import Site

    with Pkg.installed("nginx"):
        Service.running("nginx", enable=True, watch=[File("/etc/nginx/nginx.conf")])

One Board keeps what one render makes. Files that are imported by salt:// see
the same board; while they are read it is closed, so that only what calls make
later counts.
"""

import os
import re

IMPORT = re.compile(r"^\s*(?:from\s+(salt://.*)\s+import (.*)|import\s+(salt://.*))$")

REQUISITES = [way + ending for way in ("listen", "onchanges", "onfail", "require", "watch", "use") for ending in ("", "_in")]

# Modules whose names a template may count on, whatever the host has.
ALWAYS = {
    "pkg": ["installed", "removed", "latest", "purged", "downloaded", "uptodate"],
    "file": ["managed", "absent", "directory", "symlink", "recurse"],
    "cmd": ["run", "script", "wait"],
    "service": ["running", "dead", "enabled", "disabled"],
}


class StateException(Exception):
    pass


class DuplicateState(StateException):
    pass


class InvalidFunction(StateException):
    pass


class Board:
    """The states, includes and extends of one render."""

    def __init__(self):
        self.open = True
        self.states, self.extends, self.includes, self.around = {}, {}, [], []

    def include(self, *names):
        if self.open:
            self.includes.extend(names)

    def add(self, state):
        if not self.open:
            return
        bodies = self.extends if state.extends else self.states
        body = bodies.setdefault(state.id, {})
        if state.function in body:
            raise DuplicateState("A state with id ''%s'', type ''%s'' exists" % (state.id, state.function))
        for requisite in self.around:
            state.arguments.setdefault(requisite.kind, []).append(requisite.target())
        body[state.function] = state.body()

    def data(self):
        made = dict(self.states)
        if self.includes:
            made["include"] = self.includes
        if self.extends:
            made["extend"] = self.extends
        return made


class Requisite:
    """What File("x") gives, and what a state is for others."""

    def __init__(self, board, kind, module, name):
        self.board, self.kind, self.module, self.name = board, kind, module, name

    def target(self):
        return {self.module: self.name}

    def __enter__(self):
        if self.board.open:
            self.board.around.append(self)

    def __exit__(self, *failure):
        if self.board.open:
            del self.board.around[-1]


class Extend:
    def __init__(self, name):
        self.name = name


class State:
    def __init__(self, board, name, module, function, arguments):
        self.extends = isinstance(name, Extend)
        self.id = name.name if self.extends else name
        self.function = "%s.%s" % (module, function)
        self.requisite = Requisite(board, "require", module, self.id)
        for kind in REQUISITES:
            if kind in arguments:
                given = arguments[kind]
                arguments[kind] = list(given) if hasattr(given, "__iter__") else [given]
        self.arguments = arguments
        board.add(self)

    def body(self):
        for kind in REQUISITES:
            if kind in self.arguments:
                self.arguments[kind] = [plain(one) for one in self.arguments[kind]]
        return [{key: self.arguments[key]} for key in sorted(self.arguments)]

    def __enter__(self):
        self.requisite.__enter__()

    def __exit__(self, *failure):
        self.requisite.__exit__(*failure)


def plain(one):
    if isinstance(one, State):
        one = one.requisite
    return one.target() if isinstance(one, Requisite) else one


class Factory:
    """One state module: File.managed(…) makes a state, File("x") a requisite."""

    def __init__(self, board, module, functions):
        self._board, self._module, self._functions = board, module, functions

    def __getattr__(self, function):
        if function not in self._functions:
            raise InvalidFunction("The function '%s' does not exist in the StateFactory for '%s'" % (function, self._module))
        return lambda id_, **arguments: State(self._board, id_, self._module, function, arguments)

    def __call__(self, id_, requisite="require"):
        return Requisite(self._board, requisite, self._module, id_)


class Functions:
    """salt.cmd.run(…)"""

    def __init__(self, salt):
        self._salt = salt

    def __getattr__(self, module):
        return Module(self._salt, module)


class Module:
    def __init__(self, salt, name):
        self._salt, self._name = salt, name

    def __getattr__(self, function):
        try:
            return self._salt[self._name + "." + function]
        except KeyError:
            raise AttributeError(self._name + "." + function) from None


class Imported:
    """What `import salt://map.sls` names map."""

    def __init__(self, name, names):
        self.__dict__ = names
        self.name = name

    def __repr__(self):
        return "<module %r (pyobjects)>" % self.name


def map_class(salt):
    """The class Map: its inner classes are chosen by grains, and become its attributes."""

    class Map:
        def __init_subclass__(cls, **more):
            super().__init_subclass__(**more)
            choices = []
            for name, one in list(vars(cls).items()):
                if not name.startswith("_") and isinstance(one, type):
                    found = {k: v for k, v in vars(one).items() if not k.startswith("_")}
                    choices.append((getattr(one, "__grain__", "os_family"), getattr(one, "__match__", name), found))
            first = list(getattr(cls, "priority", ()))
            choices.sort(key=lambda choice: first.index(choice[0]) if choice[0] in first else len(first))
            values = {}
            if choices:
                grains = salt["grains.item"](*sorted({grain for grain, _, _ in choices}))
                for grain, match, found in choices:
                    if grain in grains and grains[grain] == match:
                        values.update(found)
            if hasattr(cls, "merge"):
                values.update(salt["pillar.get"](cls.merge, unmask=True) or {})
            for name, value in values.items():
                setattr(cls, name, value)

    return Map


def camel(module):
    return "".join([part.capitalize() for part in module.split("_")])


def modules(states):
    """The state modules with their functions."""
    found = {}
    for name in states:
        module, dot, function = name.partition(".")
        if dot:
            found.setdefault(module, []).append(function)
    for module, functions in ALWAYS.items():
        found.setdefault(module, functions)
    return found


def split(text):
    """A text's lines with those that import from salt:// blanked, and these: (file, what or None)."""
    lines, imports = text.split("\n"), []
    for i, line in enumerate(lines):
        found = IMPORT.match(line.rstrip("\r"))
        if found:
            lines[i] = ""
            imports.append((found.group(1) or found.group(3), found.group(2)))
    return "\n".join(lines), [(path.strip(), what) for path, what in imports]


class Reader:
    """Reads a file and those it imports."""

    def __init__(self, board, base, salt, env):
        self.board, self.base, self.salt, self.env = board, base, salt, env

    def prepare(self, text):
        """The text to run and the names it sees."""
        names = dict(self.base)
        text, imports = split(text)
        for path, what in imports:
            cached = self.salt["cp.cache_file"](path, self.env)
            if not cached:
                raise ImportError("Could not find the file '%s'" % path)
            with open(cached, encoding="utf-8") as file:
                code, seen = self.prepare(file.read())
            exec(compile(code, cached, "exec", dont_inherit=True), seen)
            if what is None:
                name = os.path.splitext(os.path.basename(cached))[0]
                names[name] = Imported(name, seen)
                continue
            for one in what.split(","):
                name, _, alias = one.strip().partition(" as ")
                name = name.strip()
                if name not in seen:
                    raise ImportError("'%s' was not found in '%s'" % (name, path))
                names[alias.strip() or name] = seen[name]
        return text, names


def render(path, text, names, states):
    """Runs a template and gives the states that it made."""
    salt, board = names["salt"], Board()
    base = {camel(module): Factory(board, module, functions) for module, functions in modules(states).items()}
    base.update({
        "include": board.include, "extend": Extend, "Map": map_class(salt), "salt": Functions(salt), "pillar": salt["pillar.get"],
        "grains": salt["grains.get"], "mine": salt["mine.get"], "config": salt["config.get"], "__salt__": salt, "__pillar__": names["pillar"],
        "__grains__": names["grains"], "__opts__": names["opts"], "__sls__": names["sls"],
    })
    board.open = False
    code, seen = Reader(board, base, salt, names["saltenv"]).prepare(text)
    board.open = True
    exec(compile(code, path or "pyobjects", "exec", dont_inherit=True), seen)
    return board.data()
