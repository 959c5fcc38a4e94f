"""Loads custom modules and gives them Salt's names: __salt__, __grains__ and so on."""

import os
import sys

import pinch_worker

FunctionType, ModuleType = type(lambda: None), type(sys)

# What Salt calls each kind of module in their names: salt.loaded.ext.module.x
TAGS = {
    "modules": "module", "returners": "returner", "renderers": "render", "tops": "top", "executors": "executor",
}

connection = None
settings = {}
context = {}  # __context__
loaded = {}  # (kind, file) → Custom
loading = set()  # those that are being loaded
listed = {}  # kind → {name: file}
current = {"test": False, "env": "base"}


def setup(conn, options):
    global connection, settings
    connection, settings = conn, options
    import pinch_log

    pinch_log.setup(conn, options["level"])


def take_retcode():
    return context.pop("retcode", None)


class NamedLoaderContext:
    """A dunder that is a mapping, read from pinch when somebody looks."""

    __salt_mapping__ = True

    def __init__(self, name):
        self.name = name
        self.known = {}
        self.whole = False
        self.missing = set()

    def forget(self):
        self.known, self.whole, self.missing = {}, False, set()

    def value(self):
        if not self.whole:
            got = pinch_worker.unplain(connection.ask("all", self.name))
            for key, value in self.known.items():
                got[key] = value
            self.known, self.whole = got, True
        return self.known

    def __getitem__(self, key):
        try:
            return self.known[key]
        except KeyError:
            if self.whole or key in self.missing:
                raise
        found, value = connection.ask("get", self.name, key)
        if not found:
            self.missing.add(key)
            raise KeyError(key)
        value = self.known[key] = pinch_worker.unplain(value)
        return value

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def __setitem__(self, key, value):
        self.missing.discard(key)
        self.known[key] = value

    def __delitem__(self, key):
        del self.value()[key]

    def __iter__(self):
        return iter(self.value())

    def __len__(self):
        return len(self.value())

    def __bool__(self):
        return bool(self.value())

    def __eq__(self, other):
        return self.value() == (other.value() if isinstance(other, NamedLoaderContext) else other)

    __hash__ = None

    def __or__(self, other):
        return {**self.value(), **other}

    def __ror__(self, other):
        return {**other, **self.value()}

    def __repr__(self):
        return repr(self.value())

    def __copy__(self):
        return dict(self.value())

    def __deepcopy__(self, memo):
        import copy

        return copy.deepcopy(self.value(), memo)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.value(), name)


grains = NamedLoaderContext("grains")
pillar = NamedLoaderContext("pillar")


class Options(NamedLoaderContext):
    """__opts__, where grains, pillar and test are those of the call."""

    def __getitem__(self, key):
        if key == "test" and "test" not in self.known:
            return current["test"]
        if key == "grains":
            return grains
        if key == "pillar":
            return pillar
        return super().__getitem__(key)

    def value(self):
        got = super().value()
        got["test"] = current["test"]
        got.setdefault("grains", grains)
        got.setdefault("pillar", pillar)
        return got


opts = Options("opts")


class Functions:
    """__salt__, __states__ or __utils__: functions by name."""

    __salt_mapping__ = True

    def __init__(self, kind):
        self.kind = kind
        self.found = {}

    def forget(self):
        self.found = {}

    def __getitem__(self, name):
        try:
            return self.found[name]
        except KeyError:
            function = self.find(name)
            if function is None:
                raise KeyError(name) from None
            self.found[name] = function
            return function

    def find(self, name):
        if self.kind == "utils":
            return find_util(name)
        where = connection.ask("find", self.kind, name)
        if where is None:
            return None
        if where:
            kind, module, path, fun = where
            return custom(kind, module, path).functions.get(fun)
        return self.remote(name)

    def remote(self, name):
        kind = self.kind

        def call(*args, **kwargs):
            return pinch_worker.unplain(connection.ask("run", kind, name, args, kwargs))

        call.__name__ = name.rpartition(".")[2]
        call.__qualname__ = call.__name__
        call.__module__ = name.rpartition(".")[0]
        return call

    def get(self, name, default=None):
        try:
            return self[name]
        except KeyError:
            return default

    def __contains__(self, name):
        return self.get(name) is not None

    def __setitem__(self, name, function):
        self.found[name] = function

    def keys(self):
        return list(self)

    def items(self):
        return [(name, self[name]) for name in self]

    def values(self):
        return [self[name] for name in self]

    def __iter__(self):
        return iter(connection.ask("names", self.kind))

    def __len__(self):
        return len(self.keys())

    def __bool__(self):
        return True

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Dotted(self, name)


class Dotted:
    """What __salt__.test is: its attributes are functions."""

    def __init__(self, functions, module):
        self._functions, self._module = functions, module

    def __getattr__(self, name):
        try:
            return self._functions[self._module + "." + name]
        except KeyError:
            raise AttributeError(self._module if not name.startswith("__") else name) from None


salt_functions = Functions("modules")
builtin_functions = Functions("builtin")  # pinch's own, whatever custom modules there are
offered_functions = Functions("offered")  # what whitelist_modules leaves to SLS files
state_functions = Functions("states")
util_functions = Functions("utils")


def find_util(name):
    """A function of a synced util, else one of salt.utils."""
    module, _, fun = name.rpartition(".")
    files = files_of("utils")
    if module in files:
        return custom("utils", module, files[module]).functions.get(fun)
    for other in files:
        one = custom("utils", other, files[other])
        if one.name == module and fun in one.functions:
            return one.functions[fun]
    import importlib

    try:
        found = getattr(importlib.import_module("salt.utils." + module), fun, None)
    except ImportError:
        return None
    return found


def files_of(kind):
    if kind not in listed:
        listed[kind] = dict(connection.ask("files", kind))
    return listed[kind]


class Custom:
    """One custom module as it was loaded, or the reason why it was not."""

    def __init__(self, kind, file_name, path):
        self.kind, self.file, self.path = kind, file_name, path
        self.name, self.reason, self.module = file_name, None, None
        self.functions, self.aliases = {}, []
        self.usable = True

    def refuse(self, reason, name=None):
        self.usable, self.reason = False, reason
        if name:
            self.name = name
        return self


def custom(kind, name, path):
    key = (kind, name)
    found = loaded.get(key)
    if found is None:
        if key in loading:  # it looks for itself
            return Custom(kind, name, path).refuse("it is being loaded")
        loading.add(key)
        try:
            found = loaded[key] = load(Custom(kind, name, path))
        finally:
            loading.discard(key)
    return found


def load(one):
    import pinch_log

    tag = TAGS.get(one.kind, one.kind)
    try:
        module = execute(one, "salt.loaded.ext.%s.%s" % (tag, one.file))
    except pinch_worker.Gone:
        raise
    except ImportError as error:
        return one.refuse(str(error))
    except SystemExit as error:
        pinch_log.failure("Failed to import %s %s as the module called exit()" % (tag, one.file), error)
        return one.refuse(str(error))
    except BaseException as error:
        pinch_log.failure("Failed to import %s %s, this is due most likely to a syntax error:" % (tag, one.file), error)
        return one.refuse(str(error))
    one.module = module
    pack(module, one.kind)
    init = module.__dict__.get("__init__")
    if isinstance(init, FunctionType):
        try:
            init(opts)
        except TypeError as error:
            pinch_log.write(40, str(error))
        except Exception as error:
            pinch_log.failure("Error loading %s.%s: __init__ failed" % (tag, one.file), error, 10)
            return one.refuse("__init__ failed")
    if not virtual(one):
        return one
    publish(one)
    return one


def virtual(one):
    """Asks __virtual__ whether the module loads, and under which name."""
    import pinch_log

    module = one.module
    ask = module.__dict__.get("__virtual__")
    one.aliases = list(getattr(module, "__virtual_aliases__", ()))
    if not isinstance(ask, FunctionType):
        return True
    reason = None
    try:
        answer = ask()
        if isinstance(answer, tuple):
            reason, answer = answer[1], answer[0]
    except Exception as error:
        reason = "Exception raised when processing __virtual__ function for %s. Module will not be loaded: %s" % (module.__name__, error)
        pinch_log.write(40, reason)
        answer = None
    named = getattr(module, "__virtualname__", answer)
    if not answer:
        one.refuse(None if reason is None else str(reason), named if isinstance(named, str) else None)
        return False
    if answer is not True and answer != one.file:
        if named != answer:
            pinch_log.write(40, "The module '%s' is showing some bad usage. Its __virtualname__ attribute is set to '%s' yet the __virtual__() function is returning '%s'. These values should match!" % (module.__name__, named, answer))
        one.name = named
    elif answer is True and named != one.file and named is not True:
        one.name = named
    one.name = str(one.name)
    return True


def publish(one):
    """Notes the functions that the module offers."""
    module = one.module
    names = getattr(module, "__load__", None)
    if names is None:
        names = getattr(module, "__all__", None)
    if names is None:
        names = sorted(module.__dict__)
    alias = getattr(module, "__func_alias__", {})
    for attribute in names:
        if attribute.startswith("_"):
            continue
        function = getattr(module, attribute, None)
        if not isinstance(function, FunctionType) or function.__module__ != module.__name__ and imported(function, module):
            continue
        one.functions[alias.get(attribute, attribute)] = function
    depends(one)


def imported(function, module):
    """Whether a function comes from elsewhere and was not made by a decorator here."""
    return getattr(function, "__wrapped__", None) is None


def depends(one):
    """Takes out what salt.utils.decorators.depends finds unmet. As in Salt it
    knows modules by the names of their files only."""
    decorators = sys.modules.get("salt.utils.decorators")
    if decorators is None or one.name != one.file:
        return
    if hasattr(decorators, "unmet"):
        decorators.unmet(one.module, one.functions)
        return
    loaded = {one.file + "." + fun: function for fun, function in one.functions.items()}
    decorators.Depends.enforce_dependencies(loaded, TAGS.get(one.kind, one.kind), one.file)
    one.functions = {name.partition(".")[2]: function for name, function in loaded.items()}


def execute(one, name):
    """Runs the file of a module."""
    for folder in [os.path.dirname(one.path)] + settings["utils"]:
        if folder not in sys.path:
            sys.path.append(folder)
    if one.path.endswith(".zip"):
        from zipimport import zipimporter

        return zipimporter(one.path).load_module(one.file)
    if one.path.endswith((".so", ".pyx")):
        import importlib.util

        spec = importlib.util.spec_from_file_location(name, one.path)
        if spec is None:
            raise ImportError("%s cannot be loaded without Cython" % one.path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    package(name.rpartition(".")[0])
    module = ModuleType(name)
    module.__file__ = one.path
    module.__package__ = name.rpartition(".")[0]
    if os.path.isdir(one.path):
        module.__path__ = [one.path]
        module.__package__ = name
        module.__file__ = os.path.join(one.path, "__init__.py")
    with open(module.__file__, "rb") as stream:
        code = compile(stream.read(), module.__file__, "exec", dont_inherit=True)
    module.__cached__ = None
    sys.modules[name] = module
    try:
        exec(code, module.__dict__)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


def package(name):
    """Makes the packages that salt.loaded.ext.module.x seems to lie in."""
    if name in sys.modules or name == "salt":
        return
    above, _, last = name.rpartition(".")
    if above:
        package(above)
    module = ModuleType(name)
    if name == "salt.loaded" or name.count(".") == 3:
        module.__path__ = []
    sys.modules[name] = module


def pack(module, kind):
    """Gives a module its dunders, unless it made one of that name itself."""
    names = {"__opts__": opts, "__context__": context}
    if kind != "grains":
        names.update(__salt__=salt_functions, __grains__=grains, __pillar__=pillar, __utils__=util_functions)
        if kind in ("modules", "states", "utils", "grains"):
            names["__proxy__"] = {}
        if kind == "states":
            names.update(__states__=state_functions, __serializers__=Serializers(), __instance_id__=str(id(settings)), __running__={}, __low__={}, __lowstate__=[], __env__=current["env"])
        if kind == "modules":
            names["__file_client__"] = None
    else:
        names.update(__grains__=NamedLoaderContext("grains_core"), __utils__=util_functions, __proxy__=None)
        del names["__grains__"]
    if kind == "renderers" and settings["offers"]:
        names["__salt__"] = offered_functions
    if kind == "output":
        names.pop("__salt__", None)
    for name, value in names.items():
        setattr(module, name, value)
    module.__salt_loader__ = None


class Serializers:
    """__serializers__: salt.serializers by name."""

    def __getitem__(self, name):
        import importlib

        module, _, fun = name.rpartition(".")
        try:
            return getattr(importlib.import_module("salt.serializers." + module), fun)
        except (ImportError, AttributeError):
            raise KeyError(name) from None

    def __contains__(self, name):
        try:
            self[name]
        except KeyError:
            return False
        return True


def signature(function):
    """The parameters of a function as pinch wants them."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    code = getattr(function, "__code__", None)
    if code is None:
        return ([], "args", "kwargs")
    count = code.co_argcount
    names = code.co_varnames
    defaults = function.__defaults__ or ()
    first = count - len(defaults)
    params = []
    for i in range(count):
        params.append((names[i], i < first, None if i < first else repr(defaults[i - first]), False))
    only = function.__kwdefaults__ or {}
    for name in names[count:count + code.co_kwonlyargcount]:
        params.append((name, name not in only, repr(only[name]) if name in only else None, True))
    at = count + code.co_kwonlyargcount
    varargs = keywords = ""
    if code.co_flags & 0x04:
        varargs = names[at]
        at += 1
    if code.co_flags & 0x08:
        keywords = names[at]
    return (params, varargs, keywords)


def on_load(kind, name, path):
    """Describes a module."""
    one = custom(kind, name, path)
    functions = {}
    for fun, function in one.functions.items():
        functions[fun] = signature(function) + (function.__doc__,)
    outputter = getattr(one.module, "__outputter__", None)
    state = {}
    for special in ("mod_aggregate", "mod_init", "mod_watch", "mod_run_check_cmd"):
        if one.module is not None and isinstance(getattr(one.module, special, None), FunctionType):
            state[special] = True
    return (one.usable, one.name, one.reason, list(one.aliases), functions, outputter if isinstance(outputter, dict) else {}, state,
            getattr(one.module, "__doc__", None))


def enter(module, ctx):
    """Sets what differs from call to call."""
    current["test"], current["env"] = ctx["test"], ctx["env"]
    opts.known.pop("test", None)
    if ctx.get("pillar"):
        pillar.forget()
    if "retcode" in ctx:
        context["retcode"] = ctx["retcode"]
    if "low" in ctx:
        names = module.__dict__
        names["__low__"] = pinch_worker.unplain(ctx["low"])
        names["__env__"] = ctx["env"]
        names["__running__"] = Lazy("running")
        names["__lowstate__"] = Lazy("lowstate")


class Lazy:
    """A value that is fetched when it is used."""

    __salt_mapping__ = True

    def __init__(self, name):
        self.__dict__["_name"] = name

    def _value(self):
        if "_got" not in self.__dict__:
            self.__dict__["_got"] = pinch_worker.unplain(connection.ask("all", self._name))
        return self.__dict__["_got"]

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._value(), name)

    def __getitem__(self, key):
        return self._value()[key]

    def __contains__(self, key):
        return key in self._value()

    def __iter__(self):
        return iter(self._value())

    def __len__(self):
        return len(self._value())

    def __bool__(self):
        return bool(self._value())

    def __repr__(self):
        return repr(self._value())


def on_call(kind, name, path, fun, args, kwargs, ctx):
    """Calls a function of a custom module."""
    one = custom(kind, name, path)
    function = one.functions.get(fun)
    if function is None and one.module is not None:
        function = getattr(one.module, fun, None)
    if function is None:
        raise KeyError(fun)
    saved = dict(current)
    try:
        enter(one.module, ctx)
        result = function(*pinch_worker.unplain(args), **pinch_worker.unplain(kwargs))
        return result
    finally:
        current.update(saved)


def on_execute(kind, name, path, fun, data, args, kwargs, ctx):
    """Runs a function through an executor."""
    one = custom(kind, name, path)
    function = one.functions.get("execute")
    if function is None:
        raise KeyError(name + ".execute")
    enter(one.module, ctx)
    return function(opts, pinch_worker.unplain(data), salt_functions[fun], pinch_worker.unplain(args), pinch_worker.unplain(kwargs))


def on_grains(files, core):
    """Runs the functions of all grain modules."""
    import pinch_log

    gathered = Gathered()
    for name, path in files:
        one = custom("grains", name, path)
        for fun, function in one.functions.items():
            kwargs = {}
            wanted = [p[0] for p in signature(function)[0]]
            if "proxy" in wanted:
                kwargs["proxy"] = None
            if "grains" in wanted:
                kwargs["grains"] = gathered
            try:
                got = function(**kwargs)
            except pinch_worker.Gone:
                raise
            except BaseException as error:
                pinch_log.failure("Failed to load grains defined in grain file %s.%s in function <LoadedFunc name='%s.%s'>, error:" % (one.name, fun, one.name, fun), error, 50)
                continue
            if isinstance(got, dict):
                gathered.merge(got)
    return decode(gathered.own)


class Gathered(NamedLoaderContext):
    """The grains as they are while custom ones are gathered."""

    def __init__(self):
        super().__init__("grains_core")
        self.own = {}

    def merge(self, got):
        """Adds what a function gave; with grains_deep_merge dicts go into those that are there."""
        for key, value in got.items():
            before = self.get(key) if settings["deep"] and isinstance(value, dict) else None
            if isinstance(before, dict):
                import copy

                from salt.utils.dictupdate import update

                value = update(copy.deepcopy(before), value)
            self.own[key] = self[key] = value


def decode(value):
    """Bytes become text, as in Salt's grains."""
    if isinstance(value, bytes):
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError:
            return value
    if isinstance(value, dict):
        return {decode(k): decode(v) for k, v in value.items()}
    if isinstance(value, list):
        return [decode(v) for v in value]
    if isinstance(value, tuple):
        return tuple([decode(v) for v in value])
    return value


def on_render(kind, name, path, text, kwargs, ctx):
    """Calls a custom renderer."""
    one = custom(kind, name, path)
    function = one.functions.get("render")
    if function is None:
        raise KeyError("render")
    enter(one.module, ctx)
    result = function(text, **pinch_worker.unplain(kwargs))
    if hasattr(result, "read"):
        result = result.read()
    return result


def on_python(path, text, kwargs, ctx):
    """Runs a #!py template."""
    import pinch_template

    return pinch_template.python(path, text, names(ctx), pinch_worker.unplain(kwargs))


def on_mako(path, text, kwargs, ctx):
    """Renders a Mako template."""
    import pinch_template

    return pinch_template.mako(path, text, names(ctx), pinch_worker.unplain(kwargs))


def on_pyobjects(path, text, kwargs, ctx):
    """Runs a #!pyobjects template."""
    import pinch_pyobjects

    return pinch_pyobjects.render(path, text, names(ctx), state_functions)


def names(ctx):
    """What a template sees."""
    current["test"], current["env"] = ctx["test"], ctx["env"]
    if ctx.get("pillar"):
        pillar.forget()
    functions = offered_functions if ctx.get("offered") and settings["offers"] else salt_functions
    return {"salt": functions, "grains": grains, "opts": opts, "pillar": pillar, "saltenv": ctx["env"], "sls": ctx.get("sls", "")}


def on_forget(what):
    """Drops what was read, so that the next look is fresh."""
    if "modules" in what:
        loaded.clear()
        listed.clear()
        for functions in (salt_functions, builtin_functions, offered_functions, state_functions, util_functions):
            functions.forget()
        for name in [n for n in sys.modules if n.startswith("salt.loaded.ext.")]:
            del sys.modules[name]
    if "grains" in what:
        grains.forget()
    if "pillar" in what:
        pillar.forget()
    if "opts" in what:
        opts.forget()


def on_ping():
    return True
