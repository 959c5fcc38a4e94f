"""Decorators for custom modules."""

import functools
import sys


class Depends:
    """Takes a function away, or puts another in its place, when something is missing."""

    entries = []

    def __init__(self, *dependencies, **kwargs):
        self.dependencies, self.params = dependencies, kwargs

    def __call__(self, function):
        Depends.entries.append((sys._getframe(1), function.__name__, self))
        return function

    def met(self, need, frame):
        """Whether a name is there and true, in its version, or a command ends as it should."""
        if "retcode" in self.params:
            return command(need) == self.params["retcode"]
        if "nonzero_retcode" in self.params:
            return (command(need) != 0) == bool(self.params["nonzero_retcode"])
        if need is True:
            return True
        found = frame.f_locals.get(need) or frame.f_globals.get(need)
        if not found or "version" not in self.params:
            return bool(found)
        from salt.utils.versions import version_cmp

        return (version_cmp(getattr(found, "__version__", None), self.params["version"]) or 0) >= 0


depends = Depends


def command(line):
    """The exit code of a command without a shell, -1 when it cannot be started."""
    import shlex
    import subprocess

    try:
        return subprocess.run(shlex.split(line), stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT).returncode
    except OSError:
        return -1


def unmet(module, functions):
    """Applies what depends noted to the functions of a module."""
    for frame, name, rule in Depends.entries:
        if frame.f_globals is not module.__dict__ or all(rule.met(need, frame) for need in rule.dependencies):
            continue
        name = getattr(module, "__func_alias__", {}).get(name, name)
        if name not in functions:
            continue
        fallback = rule.params.get("fallback_function")
        if fallback is None:
            del functions[name]
        else:
            functions[name] = fallback


def timing(function):
    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapped


def memoize(function):
    cache = {}

    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        key = repr((args, sorted(kwargs.items())))
        if key not in cache:
            cache[key] = function(*args, **kwargs)
        return cache[key]

    return wrapped


def jinja_filter(name=None):
    from salt.utils.decorators import jinja

    return jinja.jinja_filter(name)


class _Deprecated:
    def __init__(self, globals_, version):
        self.globals, self.version = globals_, version

    def _expired(self):
        # Salt's names of releases are all in the past; numbers count.
        try:
            return int(str(self.version).split(".")[0]) <= 3008
        except ValueError:
            return True


class _IsDeprecated(_Deprecated):
    """is_deprecated: the function is refused once its version has come."""

    def __init__(self, globals, version, with_successor=None):
        super().__init__(globals, version)
        self.successor = with_successor

    def __call__(self, function):
        from salt.exceptions import CommandExecutionError

        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            if self._expired():
                text = 'The lifetime of the function "%s" expired.' % function.__name__
                if self.successor:
                    text += ' Please use its successor "%s" instead.' % self.successor
                raise CommandExecutionError(text)
            return function(*args, **kwargs)

        return wrapped


class _WithDeprecated(_Deprecated):
    """with_deprecated: the new function, unless the configuration wants the old one."""

    def __init__(self, globals, version, with_name=None, policy=1):
        super().__init__(globals, version)
        self.name = with_name

    def __call__(self, function):
        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            return function(*args, **kwargs)

        return wrapped


is_deprecated = _IsDeprecated
with_deprecated = _WithDeprecated


def ignores_kwargs(*names):
    def outer(function):
        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            return function(*args, **{k: v for k, v in kwargs.items() if k not in names})

        return wrapped

    return outer


def ensure_unicode_args(function):
    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapped


def allow_one_of(*names):
    def outer(function):
        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            from salt.exceptions import SaltInvocationError

            given = [n for n in names if n in kwargs]
            if len(given) > 1:
                raise SaltInvocationError("Only of the following is allowed: " + ", ".join(given))
            return function(*args, **kwargs)

        return wrapped

    return outer


def require_one_of(*names):
    def outer(function):
        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            from salt.exceptions import SaltInvocationError

            given = [n for n in names if n in kwargs]
            if len(given) != 1:
                raise SaltInvocationError("One of the following must be provided: " + ", ".join(names))
            return function(*args, **kwargs)

        return wrapped

    return outer


_ = sys
