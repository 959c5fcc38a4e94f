"""Helpers of Salt that custom modules import. Old trees still ask for functions here that have moved."""

_moved = {
    "fopen": "files", "mkstemp": "files", "which": "path", "which_bin": "path", "is_linux": "platform", "is_windows": "platform",
    "is_darwin": "platform", "clean_kwargs": "args", "get_hash": "hashutils", "warn_until": "versions", "is_true": "data", "traverse_dict": "data",
    "traverse_dict_and_list": "data", "to_str": "stringutils", "istextfile": "files", "rm_rf": "files", "rand_str": "stringutils", "is_list": "data",
    "sdecode": "stringutils", "fopen_": "files", "recursive_copy": "files", "invalid_kwargs": "args", "argspec": "args", "get_group_list": "user",
    "get_user": "user", "compare_dicts": "data", "compare_lists": "data", "filter_by": "data", "is_dictlist": "data", "repack_dictlist": "data",
    "shlex_split": "args", "flopen": "files", "exactly_one": "data", "exactly_n": "data", "is_bin_file": "files", "safe_rm": "files",
    "gen_jid": "jid", "backup_minion": "files", "is_proxy": "platform", "kwargs_warn_until": "versions", "test_mode": "args", "parse_docstring": "doc",
}


def __getattr__(name):
    if name in _moved:
        import importlib

        return getattr(importlib.import_module("salt.utils." + _moved[name]), name)
    raise AttributeError("module 'salt.utils' has no attribute '%s'" % name)
