"""Decorators of state modules."""

import functools


class OutputUnifier:
    """Brings the return of a state into form."""

    def __init__(self, *policies):
        self.policies = policies

    def __call__(self, function):
        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            return function(*args, **kwargs)

        return wrapped
