"""Data: decoding, walking, comparing."""

import fnmatch
import unicodedata
from collections.abc import Mapping, MutableMapping

from salt.exceptions import SaltException
from salt.utils.odict import OrderedDict


class CaseInsensitiveDict(MutableMapping):
    """A dict whose keys are found in any case; it keeps the case that was set last."""

    def __init__(self, init=None, **kwargs):
        self._data = {}
        self.update(init or {}, **kwargs)

    def __len__(self):
        return len(self._data)

    def __setitem__(self, key, value):
        self._data[to_lowercase(key)] = (key, value)

    def __delitem__(self, key):
        del self._data[to_lowercase(key)]

    def __getitem__(self, key):
        return self._data[to_lowercase(key)][1]

    def __iter__(self):
        return (key for key, _ in self._data.values())

    def __eq__(self, other):
        if not isinstance(other, Mapping):
            return NotImplemented
        return dict(self.items_lower()) == dict(CaseInsensitiveDict(other).items_lower())

    def __repr__(self):
        return repr(dict(self.items()))

    def items_lower(self):
        return ((key, pair[1]) for key, pair in self._data.items())

    def copy(self):
        return CaseInsensitiveDict(dict(self.items()))


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
        if not isinstance(value, (bytes, str)):
            return value
        try:
            text = value.decode(encoding or "utf-8", errors) if isinstance(value, bytes) else value
        except UnicodeDecodeError:
            if keep:
                return value
            raise
        return unicodedata.normalize("NFC", text) if normalize else text

    return _each(data, leaf, preserve_tuples)


def encode(data, encoding=None, errors="strict", keep=False, preserve_dict_class=False, preserve_tuples=False):
    def leaf(value):
        try:
            return value.encode(encoding or "utf-8", errors) if isinstance(value, str) else value
        except UnicodeEncodeError:
            if keep:
                return value
            raise

    return _each(data, leaf, preserve_tuples)


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
    for part in key.split(delimiter) if isinstance(key, str) else [key] if isinstance(key, int) else key:
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
    options = (ignore_keys or [], ignore_order, ignore_missing_keys)
    if isinstance(old, OrderedDict) and isinstance(new, OrderedDict) and not ignore_order:
        return _ordered_diff(old, new, options)
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        left, right = type(old)(), type(new)()
        for key in list(old) + [k for k in new if k not in old]:
            if key in options[0]:
                continue
            if key not in new:
                if not ignore_missing_keys:
                    left[key] = old[key]
            elif key not in old:
                right[key] = new[key]
            else:
                sub = recursive_diff(old[key], new[key], *options)
                if sub:
                    left[key], right[key] = sub["old"], sub["new"]
        return {"old": left, "new": right} if left or right else {}
    if isinstance(old, (set, frozenset)) and isinstance(new, (set, frozenset)):
        return {"old": old - new, "new": new - old} if old != new else {}
    if is_iter(old) and is_iter(new) and not isinstance(old, Mapping) and not isinstance(new, Mapping):
        kinds = type(old), type(new)
        old, new = list(old), list(new)
        if ignore_order:
            left, right = [v for v in old if v not in new], [v for v in new if v not in old]
        else:
            left, right = [], []
            for a, b in zip(old, new):
                sub = recursive_diff(a, b, *options)
                if sub:
                    left.append(sub["old"])
                    right.append(sub["new"])
            left.extend(old[len(new):])
            right.extend(new[len(old):])
        return {"old": kinds[0](left), "new": kinds[1](right)} if left or right else {}
    return {} if old == new else {"old": old, "new": new}


def _ordered_diff(old, new, options):
    """recursive_diff of two dicts whose order matters: what stands at the same place is compared."""
    left, right = type(old)(old), type(new)(new)
    for a, b in zip(old, new):
        if a != b:
            for side, key in ((left, a), (right, b)):
                if key in options[0]:
                    side.pop(key, None)
            continue
        sub = {} if a in options[0] else recursive_diff(old[a], new[b], *options)
        if sub:
            left[a], right[b] = sub["old"], sub["new"]
        else:
            del left[a], right[b]
    return {"old": left, "new": right} if left or right else {}


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
    return isinstance(data, list) and all(isinstance(v, dict) and len(v) == 1 for v in data)


def repack_dictlist(data, strict=False, recurse=False, key_cb=None, val_cb=None):
    key_cb, val_cb = key_cb or (lambda k: k), val_cb or (lambda k, v: v)
    if isinstance(data, str):
        from salt.utils import yaml

        data = yaml.load(data)
    if not isinstance(data, list):
        return {}
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
    """Whether path:to:value holds; the delimiter may be part of the value, too."""
    import pinch_worker

    return pinch_worker.connection.ask("subdict", data, expr, delimiter, "regexp" if regex_match else "exact" if exact_match else "glob")


def exactly_n(items, n=1):
    return sum(1 for v in items if v) == n


def exactly_one(items):
    return exactly_n(items)


def stringify(data):
    return [v if isinstance(v, str) else str(v) for v in data]


def mysql_to_dict(data, key):
    """The rows of a table that mysql prints, by the value of a column."""
    rows = [[to_num_cell(cell.strip()) for cell in line.strip().strip("|").split("|")] for line in data if line.strip() and not line.startswith("+")]
    out = {}
    for row in rows[1:]:
        entry = dict(zip(rows[0], row))
        out[entry[key]] = entry
    return out


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
    """Leaves out what is empty or false, as many levels down as asked for."""
    ignored = tuple(ignore_types)

    def clean(value):
        return filter_falsey(value, recurse_depth - 1, ignored) if recurse_depth else value

    def keep(value):
        return bool(value) or type(value) in ignored

    if isinstance(data, dict):
        return type(data)((k, v) for k, v in ((k, clean(v)) for k, v in data.items()) if keep(v))
    if isinstance(data, (list, tuple, set)):
        return type(data)(v for v in map(clean, data) if keep(v))
    return data


def to_lowercase(data):
    """Texts in small letters, also inside dicts and lists."""
    return _each(data, lambda v: v.lower() if isinstance(v, str) else v, True)


def to_uppercase(data):
    """Texts in capitals, also inside dicts and lists."""
    return _each(data, lambda v: v.upper() if isinstance(v, str) else v, True)


def to_num_cell(text):
    from salt.utils.stringutils import to_num

    return to_num(text)


def simple_types_filter(data):
    """Data with texts in place of what is no plain value."""
    if data is None:
        return None
    plain = (str, int, float, bool, type(None))
    if isinstance(data, (list, tuple)):
        return [v if isinstance(v, (tuple, *plain)) else simple_types_filter(v) for v in data]
    if isinstance(data, dict):
        return {k if isinstance(k, plain) else repr(k): v if isinstance(v, plain) else simple_types_filter(v) for k, v in data.items()}
    return data if isinstance(data, plain) else repr(data)


def to_entries(data):
    """[{key: …, value: …}] of a dict or a list."""
    if not isinstance(data, (Mapping, list, tuple)):
        raise SaltException("Input data must be a dict or list")
    pairs = data.items() if isinstance(data, Mapping) else enumerate(data)
    return [{"key": k, "value": v} for k, v in pairs]


def from_entries(entries):
    """A dict of entries {key: …, value: …} or pairs."""
    out = {}
    for entry in entries:
        if isinstance(entry, Mapping):
            key = next((entry[k] for k in ("key", "Key", "name", "Name") if k in entry), None)
            out[key] = entry.get("value", entry.get("Value"))
        else:
            key, value = entry
            out[key] = value
    return out


def substr_in_list(string_to_search_for, list_to_search):
    return any(string_to_search_for in text for text in list_to_search)


def get_value(obj, path, default=None):
    """All values at a path like a:{x}:c, each with what the names in braces stand for."""
    here, _, rest = path.partition(":")
    if not path:
        return [{"value": obj}]
    if here.startswith("{") and here.endswith("}"):
        pairs = enumerate(obj) if isinstance(obj, list) else obj.items() if isinstance(obj, Mapping) else ()
        return [{**found, here[1:-1]: key} for key, value in pairs for found in get_value(value, rest, default)]
    if isinstance(obj, Mapping) and here in obj:
        return get_value(obj[here], rest, default)
    if isinstance(obj, list) and here.isdigit() and int(here) < len(obj):
        return get_value(obj[int(here)], rest, default)
    return [{"value": default}]


def json_query(data, expr):
    """What a JMESPath expression finds."""
    from salt.utils import json, templates

    return json.loads(templates.render_jinja_tmpl("{{ data | json_query(expr) | tojson }}", {"data": data, "expr": expr}))


def sorted_ignorecase(to_sort):
    return sorted(to_sort, key=str.lower)


def decode_tuple(data, *args, **kwargs):
    return tuple(decode(list(data), *args, **{**kwargs, "preserve_tuples": True}))


def encode_dict(data, *args, **kwargs):
    return encode(data, *args, **kwargs)


encode_list = encode_dict


def encode_tuple(data, *args, **kwargs):
    return tuple(encode(list(data), *args, **{**kwargs, "preserve_tuples": True}))


def hash(value, algorithm="sha512"):
    import hashlib

    return hashlib.new(algorithm, value if isinstance(value, bytes) else str(value).encode("utf-8")).hexdigest()
