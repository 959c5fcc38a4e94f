"""Environment variables."""

import os


def get_module_environment(env=None, function=None):
    return dict(os.environ)
