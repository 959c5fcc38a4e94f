"""Functions that need a command."""

import functools


def which(exe):
    """The function fails unless the command is there."""
    def outer(function):
        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            from salt.exceptions import CommandNotFoundError
            from salt.utils import path

            if path.which(exe) is None:
                raise CommandNotFoundError("The '%s' binary was not found in $PATH." % exe)
            return function(*args, **kwargs)

        return wrapped

    return outer


def which_bin(exes):
    """The function fails unless one of the commands is there."""
    def outer(function):
        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            from salt.exceptions import CommandNotFoundError
            from salt.utils import path

            if path.which_bin(exes) is None:
                raise CommandNotFoundError("None of provided binaries(%s) were found in $PATH." % ["'%s'" % e for e in exes])
            return function(*args, **kwargs)

        return wrapped

    return outer
