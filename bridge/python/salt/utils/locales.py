"""Encodings and locales."""

import re
import sys

from salt.utils.stringutils import to_unicode as sdecode  # noqa: F401


def get_encodings():
    encodings = [sys.getdefaultencoding(), "utf-8", "latin-1"]
    return list(dict.fromkeys(encodings))


def split_locale(loc):
    """language_TERRITORY.codeset@modifier charmap, part by part."""
    match = re.match(r"^(?P<language>[^_.@\s]+)(?:_(?P<territory>[^.@\s]+))?(?:\.(?P<codeset>[^@\s]+))?(?:@(?P<modifier>\S+))?(?:\s+(?P<charmap>\S+))?", loc)
    parts = match.groupdict() if match else {}
    return {name: parts.get(name) or "" for name in ("charmap", "modifier", "codeset", "language", "territory")}


def join_locale(comps):
    loc = comps["language"]
    for name, mark in (("territory", "_"), ("codeset", "."), ("modifier", "@"), ("charmap", " ")):
        if comps.get(name):
            loc += mark + comps[name]
    return loc


def normalize_locale(loc):
    """As glibc lists them: the codeset in small letters and digits."""
    comps = split_locale(loc)
    comps["territory"] = comps["territory"].upper()
    comps["codeset"] = re.sub(r"[^0-9a-z]", "", comps["codeset"].lower())
    comps["charmap"] = ""
    return join_locale(comps)
