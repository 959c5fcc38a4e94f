"""Strings and bytes."""

import fnmatch
import re
import unicodedata


def to_bytes(s, encoding=None, errors="strict"):
    if isinstance(s, bytes):
        return s
    if isinstance(s, (bytearray, memoryview)):
        return bytes(s)
    if isinstance(s, str):
        return s.encode(encoding or "utf-8", errors)
    raise TypeError("expected str, bytes, or bytearray not %s" % type(s))


def to_str(s, encoding=None, errors="strict", normalize=False):
    if isinstance(s, (bytes, bytearray)):
        s = _decoded(bytes(s), encoding, errors)
    elif not isinstance(s, str):
        raise TypeError("expected str, bytes, or bytearray not %s" % type(s))
    return unicodedata.normalize("NFC", s) if normalize else s


def _decoded(data, encodings, errors):
    """The text in the first of the encodings that fits."""
    encodings = encodings or "utf-8"
    failure = None
    for name in [encodings] if isinstance(encodings, str) else encodings:
        try:
            return data.decode(name, errors)
        except UnicodeDecodeError as error:
            failure = error
    raise failure


def to_unicode(s, encoding=None, errors="strict", normalize=False):
    return to_str(s, encoding, errors, normalize)


def to_num(text):
    for kind in (int, float):
        try:
            return kind(text)
        except (ValueError, TypeError):
            pass
    return text


def to_none(text):
    return text if str(text).strip() else None


def is_quoted(value):
    return value[0] if isinstance(value, str) and len(value) > 1 and value[0] == value[-1] and value[0] in "'\"" else ""


def dequote(value):
    return value[1:-1] if isinstance(value, str) and value and value[0] == value[-1] and value[0] in "'\"" else value


def is_hex(value):
    try:
        int(value, 16)
        return True
    except (TypeError, ValueError):
        return False


def is_binary(data):
    """Whether data has zero bytes, or more than a third of what no text has."""
    if not data or not isinstance(data, (str, bytes)):
        return False
    if isinstance(data, bytes):
        if b"\0" in data:
            return True
        try:
            data = data.decode("utf-8")
        except UnicodeDecodeError:
            data = data.decode("latin-1")
    if "\0" in data:
        return True
    odd = sum(ord(c) < 32 and c not in "\n\r\t\f\b" for c in data)
    return odd / len(data) > 0.3


def random(size=32):
    import secrets

    return secrets.token_hex(size)[:size]


def human_to_bytes(size, default_unit="B", handle_metric=False):
    """The bytes that 1.5G, 10MiB or 3kb stand for, 0 if it is no size."""
    match = re.match(r"\s*([0-9.]+)\s*([a-zA-Z]?)(i?)([bB]?)\s*$", str(size))
    units = "BKMGTPEZY"
    try:
        number, unit, binary, byte = match.groups()
        factor = units.index((unit or default_unit[:1]).upper())
        base = 1000 if handle_metric and unit and byte and not binary else 1024
        return int((float(number) if "." in number else int(number)) * base**factor)
    except (AttributeError, ValueError):
        return 0


def contains_whitespace(text):
    return any(c.isspace() for c in text)


def expr_match(line, expr):
    if line == expr:
        return True
    if not isinstance(line, str) or not isinstance(expr, str):
        return False
    if fnmatch.fnmatch(line, expr):
        return True
    try:
        return re.match(r"\A%s\Z" % expr, line) is not None
    except re.error:
        return False


def check_whitelist_blacklist(value, whitelist=None, blacklist=None):
    """Whether a value matches the one list, if there is any, and not the other."""

    def listed(name, patterns):
        if not hasattr(patterns, "__iter__"):
            raise TypeError("Expecting iterable %s, but got %s (%s)" % (name, type(patterns).__name__, patterns))
        return any(expr_match(value, p) for p in ([patterns] if isinstance(patterns, str) else patterns))

    if blacklist is not None and listed("blacklist", blacklist):
        return False
    if whitelist:
        return listed("whitelist", whitelist)
    return True


def get_context(template, line, num_lines=5, marker=None):
    """The lines around one of a text."""
    lines = template.splitlines()
    if line > len(lines):
        return template
    first, last = max(0, line - num_lines - 1), min(len(lines), line + num_lines)
    shown = lines[first:last]
    if marker and line:
        shown[line - 1 - first] += marker
    return "\n".join(["---"] + ["[...]"] * (first > 0) + shown + ["[...]"] * (last < len(lines)) + ["---"])


def get_diff(a, b, *args, **kwargs):
    import difflib

    return "".join(difflib.unified_diff([to_str(x) for x in a], [to_str(x) for x in b], *args, **kwargs))


def camel_to_snake_case(text):
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", text)).lower()


def snake_to_camel_case(text, uppercamel=False):
    first, *rest = text.split("_")
    return (first[:1].upper() + first[1:] if uppercamel else first) + "".join(p[:1].upper() + p[1:] for p in rest)


def print_cli(msg, retries=10, step=0.01):
    print(msg)


sdecode = to_str


def build_whitespace_split_regex(text):
    """A pattern for a text, whatever white space is between its words."""
    gap = r"(?:[\s]+)?"
    lines = []
    for line in text.splitlines():
        lines.append(gap + gap.join(re.escape(word) for word in line.split()) + gap)
    return r"(?m)^%s$" % "".join(lines)


def _path_matches(path, pattern):
    return re.search(pattern[2:], path) is not None if pattern.startswith("E@") else fnmatch.fnmatch(path, pattern)


def check_include_exclude(path_str, include_pat=None, exclude_pat=None):
    """Whether a path is wanted; patterns are globs, or E@ and a regular expression."""

    def matches(patterns):
        return any(_path_matches(path_str, p) for p in (patterns if isinstance(patterns, list) else [patterns]))

    included = bool(include_pat) and matches(include_pat)
    excluded = bool(exclude_pat) and matches(exclude_pat)
    if include_pat and not exclude_pat:
        return included
    if exclude_pat and not include_pat:
        return not excluded
    return included and not excluded if include_pat else True
