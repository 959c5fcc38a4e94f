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
    """What differs as far down as needed; keys are paths with dots."""

    NONE_VALUE = "<_null_>"

    def __init__(self, past_dict, current_dict, ignore_missing_keys=True):
        super().__init__(current_dict, past_dict)
        self.ignore_unset_values = True
        self._diffs = self._get(past_dict, current_dict, ignore_missing_keys)

    @classmethod
    def _get(cls, old, new, ignore):
        out = {}
        for key in new:
            if key not in old:
                out[key] = {"new": new[key], "old": cls.NONE_VALUE}
            elif isinstance(old[key], dict) and isinstance(new[key], dict):
                sub = cls._get(old[key], new[key], ignore)
                if sub:
                    out[key] = sub
            elif old[key] != new[key]:
                out[key] = {"new": new[key], "old": old[key]}
        if not ignore:
            out.update((key, {"new": cls.NONE_VALUE, "old": old[key]}) for key in old if key not in new)
        return out

    @staticmethod
    def _leaf(entry):
        return isinstance(entry, dict) and set(entry) == {"new", "old"}

    def _values(self, side, diffs):
        out = {}
        for key, entry in diffs.items():
            if not self._leaf(entry):
                sub = self._values(side, entry)
                if sub:
                    out[key] = sub
            else:
                out[key] = entry[side]
        return out

    def _paths(self, want, diffs, above=""):
        out = []
        for key, entry in diffs.items():
            path = above + str(key)
            if not self._leaf(entry):
                out.extend(self._paths(want, entry, path + "."))
            elif want(entry):
                out.append(path)
        return out

    @property
    def diffs(self):
        return self._diffs

    @property
    def new_values(self):
        return self._values("new", self._diffs)

    @property
    def old_values(self):
        return self._values("old", self._diffs)

    def added(self):
        return sorted(self._paths(lambda e: e["old"] == self.NONE_VALUE, self._diffs))

    def removed(self):
        return sorted(self._paths(lambda e: e["new"] == self.NONE_VALUE, self._diffs))

    def changed(self):
        return sorted(self._paths(lambda e: self.NONE_VALUE not in (e["old"], e["new"]), self._diffs))

    def unchanged(self):
        def same(old, new, above=""):
            for key in new:
                if key in old and isinstance(old[key], dict) and isinstance(new[key], dict):
                    yield from same(old[key], new[key], above + str(key) + ".")
                elif key in old and old[key] == new[key]:
                    yield above + str(key)

        return sorted(same(self.past_dict, self.current_dict))

    @property
    def changes_str(self):
        return "\n".join(self._lines(self._diffs, ""))

    def _lines(self, diffs, pad):
        def shown(value):
            return "nothing" if value == self.NONE_VALUE else value

        out = []
        for key in sorted(diffs):
            if self._leaf(diffs[key]):
                out.append("%s%s from %s to %s" % (pad, key, shown(diffs[key]["old"]), shown(diffs[key]["new"])))
            else:
                out.append("%s%s:" % (pad, key))
                out.extend(self._lines(diffs[key], pad + "  "))
        return out
