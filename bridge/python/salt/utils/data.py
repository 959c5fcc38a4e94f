"""Data: decoding, walking, comparing."""

import fnmatch
import re
from collections.abc import Mapping

from salt.utils.odict import OrderedDict  # noqa: F401


class CaseInsensitiveDict(dict):
    """A dict whose keys are found in any case."""

    def __init__(self, init=None, **kwargs):
        super().__init__()
        self.update(init or {}, **kwargs)

    def __setitem__(self, key, value):
        super().__setitem__(key.lower() if isinstance(key, str) else key, value)

    def __getitem__(self, key):
        return super().__getitem__(key.lower() if isinstance(key, str) else key)

    def __contains__(self, key):
        return super().__contains__(key.lower() if isinstance(key, str) else key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def update(self, init=(), **kwargs):
        for key, value in dict(init, **kwargs).items():
            self[key] = value


def _each(data, leaf, keep_tuple):
    if isinstance(data, Mapping):
        return type(data)((_each(k, leaf, True), _each(v, leaf, keep_tuple)) for k, v in data.items()) if isinstance(data, dict) else {
            _each(k, leaf, True): _each(v, leaf, keep_tuple) for k, v in data.items()}
    if isinstance(data, list):
        return [_each(v, leaf, keep_tuple) for v in data]
    if isinstance(data, tuple):
        items = [_each(v, leaf, keep_tuple) for v in data]
        return tuple(items) if keep_tuple else items
    if isinstance(data, set):
        return {_each(v, leaf, True) for v in data}
    return leaf(data)


def decode(data, encoding=None, errors="strict", keep=False, normalize=False, preserve_dict_class=False, preserve_tuples=False, to_str=False):
    def leaf(value):
        if not isinstance(value, bytes):
            return value
        try:
            return value.decode(encoding or "utf-8", errors)
        except UnicodeDecodeError:
            if keep:
                return value
            raise

    return _each(data, leaf, preserve_tuples)


def encode(data, encoding=None, errors="strict", keep=False, preserve_dict_class=False, preserve_tuples=False):
    return _each(data, lambda v: v.encode(encoding or "utf-8", errors) if isinstance(v, str) else v, preserve_tuples)


def decode_dict(data, *args, **kwargs):
    return decode(data, *args, **kwargs)


def decode_list(data, *args, **kwargs):
    return decode(data, *args, **kwargs)


def traverse_dict(data, key, default=None, delimiter=":"):
    for part in key.split(delimiter) if isinstance(key, str) else [key]:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return default
    return data


def traverse_dict_and_list(data, key, default=None, delimiter=":"):
    for part in key.split(delimiter) if isinstance(key, str) else [key]:
        if isinstance(data, list):
            try:
                index = int(part)
            except ValueError:
                for item in data:
                    if isinstance(item, Mapping) and part in item:
                        data = item[part]
                        break
                else:
                    return default
            else:
                if not -len(data) <= index < len(data):
                    return default
                data = data[index]
        else:
            try:
                data = data[part]
            except KeyError:
                if not (isinstance(part, str) and part.isdigit() and isinstance(data, Mapping) and int(part) in data):
                    return default
                data = data[int(part)]
            except TypeError:
                return default
    return data


def recursive_diff(old, new, ignore_keys=None, ignore_order=False, ignore_missing_keys=False):
    """The parts of old and new that differ."""
    ignore_keys = ignore_keys or []
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        left, right = {}, {}
        for key in list(old) + [k for k in new if k not in old]:
            if key in ignore_keys or (ignore_missing_keys and not (key in old and key in new)):
                continue
            if key not in new:
                left[key] = old[key]
            elif key not in old:
                right[key] = new[key]
            else:
                sub = recursive_diff(old[key], new[key], ignore_keys, ignore_order, ignore_missing_keys)
                if sub:
                    left[key], right[key] = sub["old"], sub["new"]
        return {"old": left, "new": right} if left or right else {}
    if ignore_order and isinstance(old, (list, tuple)) and isinstance(new, (list, tuple)):
        if len(old) == len(new) and all(v in new for v in old):
            return {}
    return {} if old == new else {"old": old, "new": new}


def compare_dicts(old=None, new=None):
    out = {}
    for key in set(new or {}) | set(old or {}):
        if key not in (old or {}):
            out[key] = {"old": "", "new": new[key]}
        elif key not in (new or {}):
            out[key] = {"new": "", "old": old[key]}
        elif new[key] != old[key]:
            out[key] = {"old": old[key], "new": new[key]}
    return out


def compare_lists(old=None, new=None):
    out = {}
    added, gone = [v for v in new or [] if v not in (old or [])], [v for v in old or [] if v not in (new or [])]
    if added:
        out["new"] = added
    if gone:
        out["old"] = gone
    return out


def is_true(value=None):
    try:
        value = int(value)
    except (ValueError, TypeError):
        pass
    if isinstance(value, (int, float)):
        return value > 0
    return str(value).lower() == "true" if isinstance(value, str) else bool(value)


def is_list(value):
    return isinstance(value, list)


def is_iter(thing, ignore=(str,)):
    return hasattr(thing, "__iter__") and not isinstance(thing, ignore)


def is_dictlist(data):
    return isinstance(data, list) and bool(data) and all(isinstance(v, dict) and len(v) == 1 for v in data)


def repack_dictlist(data, strict=False, recurse=False, key_cb=None, val_cb=None):
    key_cb, val_cb = key_cb or (lambda k: k), val_cb or (lambda k, v: v)
    if isinstance(data, str):
        from salt.utils import yaml

        data = yaml.load(data)
    out = {}
    for item in data or []:
        if isinstance(item, (str, int, float)):
            out[key_cb(item)] = None
        elif isinstance(item, dict) and len(item) == 1:
            key = next(iter(item))
            value = item[key]
            if isinstance(value, list) and recurse:
                value = repack_dictlist(value, recurse=recurse)
            out[key_cb(key)] = val_cb(key, value)
        else:
            return {}
    return out


def filter_by(lookup_dict, lookup, traverse, merge=None, default="default", base=None):
    """The entry that a looked up value chooses, as grains.filter_by does."""
    import copy

    from salt.utils import dictupdate

    values = traverse_dict_and_list(traverse, lookup, None)
    ret = None
    for value in values if isinstance(values, list) else [values]:
        for key in lookup_dict:
            if fnmatch.fnmatchcase(str(value), str(key)):
                ret = lookup_dict[key]
                break
        if ret is not None:
            break
    if ret is None:
        ret = lookup_dict.get(default)
    if base and base in lookup_dict:
        values = lookup_dict[base]
        ret = copy.deepcopy(values) if ret is None else dictupdate.update(copy.deepcopy(values), ret) if isinstance(values, Mapping) else ret
    if merge:
        ret = merge if ret is None else dictupdate.update(copy.deepcopy(ret), merge)
    return ret


def subdict_match(data, expr, delimiter=":", regex_match=False, exact_match=False):
    key, _, want = expr.rpartition(delimiter)
    found = traverse_dict_and_list(data, key, None, delimiter)
    for value in found if isinstance(found, list) else [found]:
        text = str(value)
        if exact_match and text == want or regex_match and re.match(want, text) or fnmatch.fnmatch(text.lower(), want.lower()):
            return True
    return False


def exactly_n(items, n=1):
    return sum(1 for v in items if v) == n


def exactly_one(items):
    return exactly_n(items)


def stringify(data):
    return [v if isinstance(v, str) else str(v) for v in data]


def mysql_to_dict(data, key):
    return {}


def flatten(data, levels=None, preserve_nulls=False, _ids=None):
    out = []
    for item in data:
        if item in (None, "None", "null") and not preserve_nulls:
            continue
        if isinstance(item, (list, tuple)) and (levels is None or levels >= 1):
            out.extend(flatten(item, None if levels is None else levels - 1, preserve_nulls))
        else:
            out.append(item)
    return out


def filter_falsey(data, recurse_depth=None, ignore_types=()):
    ignored = tuple(ignore_types)

    def keep(value):
        return bool(value) or type(value) in ignored

    if isinstance(data, dict):
        return {k: v for k, v in data.items() if keep(v)}
    return type(data)(v for v in data if keep(v))
