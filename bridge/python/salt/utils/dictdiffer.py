"""What differs between two dicts."""

from collections.abc import Mapping


def diff(current, past):
    return DictDiffer(current, past)


class DictDiffer:
    def __init__(self, current_dict, past_dict):
        self.current_dict, self.past_dict = current_dict, past_dict
        self.set_current, self.set_past = set(current_dict), set(past_dict)
        self.intersect = self.set_current & self.set_past

    def added(self):
        return self.set_current - self.intersect

    def removed(self):
        return self.set_past - self.intersect

    def changed(self):
        return {k for k in self.intersect if self.past_dict[k] != self.current_dict[k]}

    def unchanged(self):
        return {k for k in self.intersect if self.past_dict[k] == self.current_dict[k]}


def deep_diff(old, new, ignore=None):
    """{old: …, new: …} of what differs, as far down as needed."""
    ignore = ignore or []
    out_old, out_new = {}, {}
    for key in list(old) + [k for k in new if k not in old]:
        if key in ignore:
            continue
        if key not in new:
            out_old[key] = old[key]
        elif key not in old:
            out_new[key] = new[key]
        elif isinstance(old[key], Mapping) and isinstance(new[key], Mapping):
            sub = deep_diff(old[key], new[key], ignore)
            if "old" in sub:
                out_old[key] = sub["old"]
            if "new" in sub:
                out_new[key] = sub["new"]
        elif old[key] != new[key]:
            out_old[key], out_new[key] = old[key], new[key]
    result = {}
    if out_old:
        result["old"] = out_old
    if out_new:
        result["new"] = out_new
    return result


def recursive_diff(past_dict, current_dict, ignore_missing_keys=True):
    return RecursiveDictDiffer(past_dict, current_dict, ignore_missing_keys)


class RecursiveDictDiffer(DictDiffer):
    NONE_VALUE = "<_null_>"

    def __init__(self, past_dict, current_dict, ignore_missing_keys=True):
        super().__init__(current_dict, past_dict)
        self.ignore_unset_values = False
        self._diffs = self._get(past_dict, current_dict, ignore_missing_keys)

    @classmethod
    def _get(cls, old, new, ignore):
        out = {}
        for key in list(old) + [k for k in new if k not in old]:
            if key not in new:
                if not ignore:
                    out[key] = {"old": old[key], "new": cls.NONE_VALUE}
            elif key not in old:
                out[key] = {"old": cls.NONE_VALUE, "new": new[key]}
            elif isinstance(old[key], dict) and isinstance(new[key], dict):
                sub = cls._get(old[key], new[key], ignore)
                if sub:
                    out[key] = sub
            elif old[key] != new[key]:
                out[key] = {"old": old[key], "new": new[key]}
        return out

    @property
    def diffs(self):
        return self._diffs
