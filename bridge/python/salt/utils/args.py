"""Arguments of functions."""

import inspect
import shlex
from collections import namedtuple

ArgSpec = namedtuple("ArgSpec", "args varargs keywords defaults")


def clean_kwargs(**kwargs):
    """The keywords without those that pinch itself adds."""
    return {k: v for k, v in kwargs.items() if not k.startswith("__")}


def invalid_kwargs(bad, raise_exc=True):
    from salt.exceptions import SaltInvocationError

    text = "The following keyword arguments are not valid: " + ", ".join("%s=%s" % (k, bad[k]) for k in sorted(bad))
    if raise_exc:
        raise SaltInvocationError(text)
    return text


def shlex_split(s, **kwargs):
    return shlex.split(s, **kwargs) if isinstance(s, str) else s


def yamlify_arg(arg):
    from salt.utils import yaml

    if not isinstance(arg, str):
        return arg
    try:
        return yaml.load(arg)
    except yaml.YAMLError:
        return arg


def parse_kwarg(string):
    name, sep, value = string.partition("=")
    return (name, value) if sep and name.isidentifier() else (None, None)


def parse_input(args, condition=True, no_parse=None):
    positional, keywords = [], {}
    for arg in args:
        if isinstance(arg, str):
            name, value = parse_kwarg(arg)
            if name:
                keywords[name] = yamlify_arg(value)
            else:
                positional.append(yamlify_arg(arg))
        elif isinstance(arg, dict) and arg.pop("__kwarg__", False):
            keywords.update(arg)
        else:
            positional.append(arg)
    if keywords:
        positional.append(dict(keywords, __kwarg__=True))
    return positional


def get_function_argspec(func, is_class_method=None):
    spec = inspect.getfullargspec(inspect.unwrap(func))
    return ArgSpec(spec.args, spec.varargs, spec.varkw, spec.defaults)


def argspec_report(functions, module=""):
    out = {}
    for name in functions:
        if name == module or name.startswith(module + "."):
            spec = get_function_argspec(functions[name])
            out[name] = {"args": spec.args, "defaults": spec.defaults, "varargs": bool(spec.varargs) or None, "kwargs": bool(spec.keywords) or None}
    return out


def arg_lookup(fun, aspec=None):
    spec = aspec or get_function_argspec(fun)
    defaults = spec.defaults or ()
    cut = len(spec.args) - len(defaults)
    return {"args": spec.args[:cut], "kwargs": dict(zip(spec.args[cut:], defaults))}


def test_mode(**kwargs):
    return any(k.lower() == "test" and kwargs[k] for k in kwargs if isinstance(k, str))


def split_input(val, mapper=None):
    mapper = mapper or (lambda x: x)
    items = val if isinstance(val, list) else str(val).split(",")
    return [mapper(i.strip() if isinstance(i, str) else i) for i in items]


def prepare_kwargs(all_kwargs, class_init_kwargs):
    first, rest = {}, {}
    for k, v in all_kwargs.items():
        (first if k in class_init_kwargs else rest)[k] = v
    return first, rest


def parse_function(s):
    """Name, arguments and keyword arguments of "name(a, k=b)", as texts; None for each if it is no call."""
    tokens = shlex.shlex(s, posix=True)
    tokens.escapedquotes = "\"'"
    name = []
    for token in tokens:
        if token == "(":
            break
        name.append(token)
    else:
        return None, None, None
    args, kwargs, word, key, open_ = [], {}, [], None, []
    pairs = {"[": "]", "{": "}", "(": ")"}
    for token in tokens if name else ():
        if token in (",", ")") and not open_:
            if key:
                kwargs[key] = "".join(word)
            elif word:
                args.append("".join(word))
            if token == ")":
                return "".join(name), args, kwargs
            key, word = None, []
        elif token == "=" and not open_:
            key, word = "".join(word), []
        else:
            if token in pairs:
                open_.append(pairs[token])
            elif token in pairs.values() and (not open_ or token != open_.pop()):
                break
            word.append(token)
    return None, None, None
