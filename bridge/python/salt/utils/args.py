"""Arguments of functions."""

import inspect
import re
import shlex
from collections import namedtuple

ArgSpec = namedtuple("ArgSpec", "args varargs keywords defaults")


def clean_kwargs(**kwargs):
    """The keywords without those that pinch itself adds."""
    return {k: v for k, v in kwargs.items() if not k.startswith("__")}


def invalid_kwargs(invalid_kwargs, raise_exc=True):
    from salt.exceptions import SaltInvocationError

    if not invalid_kwargs:
        return ""
    text = "The following keyword arguments are not valid: " + ", ".join("%s=%s" % pair for pair in invalid_kwargs.items())
    if raise_exc:
        raise SaltInvocationError(text)
    return text


def shlex_split(s, **kwargs):
    return shlex.split(s, **kwargs) if isinstance(s, str) else s


def yamlify_arg(arg):
    """The value that a word of the command line stands for."""
    from salt.utils import yaml

    if not isinstance(arg, str) or not arg.strip():
        return arg
    text = arg.strip()
    if text in ("---", "...") or arg == "!":
        return arg
    if text == "None":
        return None
    compound = text[0] in "[{"
    if "\n" in arg and not compound or text == "|" or "#" in arg and not compound:
        return arg
    try:
        value = yaml.load(arg)
    except yaml.YAMLError:
        return arg
    if isinstance(value, (dict, list)) and not compound or isinstance(value, int) and not isinstance(value, bool) and "_" in arg:
        return arg
    if isinstance(value, int) and not isinstance(value, bool) and re.fullmatch(r"0[0-7]+", text):
        return int(text)
    return value if value is None or isinstance(value, (str, int, float, bool, dict, list)) else arg


def parse_kwarg(string):
    match = re.match(r"([^\d\W][\w.-]*)=(?!=)(.*)$", string, re.DOTALL)
    return match.groups() if match else (None, None)


def parse_input(args, condition=True, no_parse=None, kwargs=None):
    """Words as values; what has a name goes into a dict at the end."""
    positional, keywords = [], dict(kwargs or {})
    for arg in args:
        if isinstance(arg, str):
            name, value = parse_kwarg(arg)
            if name:
                keywords[name] = value if name in (no_parse or ()) else yamlify_arg(value)
            else:
                positional.append(arg if arg in (no_parse or ()) else yamlify_arg(arg))
        elif isinstance(arg, dict) and arg.get("__kwarg__"):
            keywords.update((k, v) for k, v in arg.items() if k != "__kwarg__")
        else:
            positional.append(arg)
    return condition_input(positional, keywords) if condition else (positional, keywords)


def condition_input(args, kwargs):
    """One list of positional and keyword arguments."""
    from salt.utils import jid

    args = [str(a) if isinstance(a, int) and jid.is_jid(str(a)) else a for a in args]
    return args + ([{"__kwarg__": True, **kwargs}] if kwargs else [])


def get_function_argspec(func, is_class_method=None):
    """Names and defaults of the arguments, keyword-only ones among them."""
    if not callable(func):
        raise TypeError("%s is not a callable" % func)
    params = list(inspect.signature(func, follow_wrapped=True).parameters.values())
    if is_class_method:
        params = params[1:]
    names = [p for p in params if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    defaults = tuple(p.default for p in names if p.default is not p.empty)
    varargs = next((p.name for p in params if p.kind == p.VAR_POSITIONAL), None)
    keywords = next((p.name for p in params if p.kind == p.VAR_KEYWORD), None)
    return ArgSpec([p.name for p in names], varargs, keywords, defaults or None)


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
    return {"kwargs": dict(zip(spec.args[cut:], defaults)), "args": spec.args[:cut]}


def test_mode(**kwargs):
    """Whether an argument test, in any case, says yes."""
    from salt.utils.data import is_true

    return any(is_true(value) for name, value in kwargs.items() if name.lower() == "test")


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


def format_call(fun, data, initial_ret=None, expected_extra_kws=(), is_class_method=None):
    """What of data a function takes: {args: […], kwargs: {…}}."""
    from salt.exceptions import SaltInvocationError

    out = dict(initial_ret or {})
    out["args"], out["kwargs"] = [], {}
    spec = get_function_argspec(fun, is_class_method)
    lookup = arg_lookup(fun, spec)
    left = {k: v for k, v in data.items() if not k.startswith("__")}
    missing = [name for name in lookup["args"] if name not in left]
    if missing:
        count = len(lookup["args"])
        raise SaltInvocationError("%s takes at least %d argument%s (%d given)" % (fun.__name__, count, "" if count == 1 else "s", count - len(missing)))
    out["args"] = [left.pop(name) for name in lookup["args"]]
    out["kwargs"] = {name: left.pop(name, default) for name, default in lookup["kwargs"].items()}
    if spec.keywords:
        out["kwargs"].update(left)
        return out
    extra = [name for name in left if name not in expected_extra_kws]
    if extra:
        names = ["'%s'" % name for name in extra]
        text = names[0] + " is an invalid keyword argument" if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1] + " are invalid keyword arguments"
        raise SaltInvocationError("%s for '%s'" % (text, out.get("full", "%s.%s" % (out.get("state"), fun.__name__))))
    return out
