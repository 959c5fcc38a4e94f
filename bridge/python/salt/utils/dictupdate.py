"""Merging dicts."""

import copy
from collections.abc import Iterable, Mapping

from salt.exceptions import SaltInvocationError


def update(dest, upd, recursive_update=True, merge_lists=False, strict=False):
    """Merges upd into dest; a strict one refuses a mapping in a list's place."""
    if not hasattr(dest, "keys") or not hasattr(upd, "keys"):
        raise TypeError("Cannot update using non-dict types in dictupdate.update()")
    if not recursive_update:
        for key in upd:
            dest[key] = upd[key]
        return dest
    for key in list(upd):
        new, old = upd[key], dest.get(key)
        if hasattr(old, "keys") and hasattr(new, "keys"):
            dest[key] = update(old, new, True, merge_lists, strict)
        elif isinstance(old, list) and isinstance(new, list) and merge_lists:
            dest[key] = old + [v for v in new if v not in old]
        elif strict and merge_lists and isinstance(old, list) and hasattr(new, "keys"):
            raise TypeError(
                "With merge_lists=True we cannot update list under key=%r with mapping containing keys val.keys()=%r in dictupdate.update()" % (key, new.keys())
            )
        else:
            dest[key] = new
    return dest


def merge_list(a, b):
    """The values of both as lists, for the keys of the first."""
    return {key: [a[key], b[key]] if key in b else a[key] for key in a}


def merge_recurse(a, b, merge_lists=False):
    return update(copy.deepcopy(a), b, merge_lists=merge_lists)


def merge_aggregate(a, b):
    return merge_recurse(a, b)


def merge_overwrite(a, b, merge_lists=False):
    out = copy.deepcopy(a)
    out.update(b)
    return out


def merge(a, b, strategy="smart", renderer="yaml", merge_lists=False):
    """Merges by one of Salt's strategies."""
    if strategy == "smart":
        strategy = "recurse" if renderer.split("|")[-1].split("_")[-1] != "yamlex" else "aggregate"
    if strategy == "list":
        return merge_list(a, b)
    if strategy == "overwrite":
        return merge_overwrite(a, b, merge_lists)
    if strategy == "none":
        return merge_recurse(a, b)
    return merge_recurse(a, b, merge_lists)


def _walk(data, keys, delimiter, default):
    names = keys.split(delimiter)
    for name in names[:-1]:
        if name not in data or data[name] is None:
            data[name] = {}
        data = data[name]
    return data, names[-1]


def ensure_dict_key(in_dict, keys, delimiter=":", ordered_dict=False):
    data, last = _walk(in_dict, keys, delimiter, {})
    data.setdefault(last, {})
    return in_dict


def set_dict_key_value(in_dict, keys, value, delimiter=":", ordered_dict=False):
    data, last = _walk(in_dict, keys, delimiter, {})
    data[last] = value
    return in_dict


def update_dict_key_value(in_dict, keys, value, delimiter=":", ordered_dict=False):
    data, last = _walk(in_dict, keys, delimiter, {})
    if data.get(last) is None:
        data[last] = {}
    if not hasattr(data[last], "update"):
        raise SaltInvocationError("The last key contains a %s, which cannot update." % type(data[last]))
    if not isinstance(value, Mapping):
        raise SaltInvocationError("Cannot update %s with a %s." % (type(data[last]), type(value)))
    data[last].update(value)
    return in_dict


def append_dict_key_value(in_dict, keys, value, delimiter=":", ordered_dict=False):
    data, last = _walk(in_dict, keys, delimiter, [])
    if data.get(last) is None:
        data[last] = []
    if not hasattr(data[last], "append"):
        raise SaltInvocationError("The last key contains a %s, which cannot append." % type(data[last]))
    data[last].append(value)
    return in_dict


def extend_dict_key_value(in_dict, keys, value, delimiter=":", ordered_dict=False):
    data, last = _walk(in_dict, keys, delimiter, [])
    if data.get(last) is None:
        data[last] = []
    if not hasattr(data[last], "extend"):
        raise SaltInvocationError("The last key contains a %s, which cannot extend." % type(data[last]))
    if not isinstance(value, Iterable):
        raise SaltInvocationError("Cannot extend %s with a %s." % (type(data[last]), type(value)))
    data[last].extend(value)
    return in_dict
