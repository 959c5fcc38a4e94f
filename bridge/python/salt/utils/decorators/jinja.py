"""Functions for templates. As in Salt, those of synced modules are not seen there."""


class _Named:
    names = {}

    def __init__(self, name=None):
        self.name = name

    def __call__(self, function):
        self.names[self.name or function.__name__] = function
        return function


class JinjaFilter(_Named):
    salt_jinja_filters = names = {}


class JinjaTest(_Named):
    salt_jinja_tests = names = {}


class JinjaGlobal(_Named):
    salt_jinja_globals = names = {}


jinja_filter, jinja_test, jinja_global = JinjaFilter, JinjaTest, JinjaGlobal
