"""Strings and bytes."""

import fnmatch
import re


def to_bytes(s, encoding=None, errors="strict"):
    if s is None or isinstance(s, bytes):
        return s
    if isinstance(s, (bytearray, memoryview)):
        return bytes(s)
    if isinstance(s, str):
        return s.encode(encoding or "utf-8", errors)
    raise TypeError("expected str, bytes, or bytearray not %s" % type(s))


def to_str(s, encoding=None, errors="strict", normalize=False):
    if s is None or isinstance(s, str):
        return s
    if isinstance(s, (bytes, bytearray)):
        return bytes(s).decode(encoding or "utf-8", errors)
    raise TypeError("expected str, bytes, or bytearray not %s" % type(s))


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
    return None if str(text).strip().lower() in ("none", "null", "") else text


def is_quoted(value):
    return value[0] if isinstance(value, str) and len(value) > 1 and value[0] == value[-1] and value[0] in "'\"" else ""


def dequote(value):
    return value[1:-1] if is_quoted(value) else value


def is_hex(value):
    try:
        int(value, 16)
        return True
    except (TypeError, ValueError):
        return False


def is_binary(data):
    if not data or not isinstance(data, (str, bytes)):
        return False
    return ("\x00" if isinstance(data, str) else b"\x00") in data


def random(size=32):
    import secrets

    return secrets.token_hex(size)[:size]


def human_to_bytes(size, default_unit="B", handle_metric=False):
    match = re.match(r"\s*([0-9.]+)\s*([kKmMgGtTpP]?)(i?)[bB]?\s*$", str(size))
    if not match:
        return 0
    number, unit, _ = match.groups()
    return int(float(number) * 1024 ** " KMGTP".index((unit or default_unit[:1].replace("B", " ")).upper() or " "))


def contains_whitespace(text):
    return any(c.isspace() for c in text)


def expr_match(line, expr):
    if fnmatch.fnmatch(line, expr):
        return True
    try:
        return re.match(r"\A%s\Z" % expr, line) is not None
    except re.error:
        return False


def check_whitelist_blacklist(value, whitelist=None, blacklist=None):
    if blacklist and any(expr_match(value, b) for b in ([blacklist] if isinstance(blacklist, str) else blacklist)):
        return False
    if whitelist:
        return any(expr_match(value, w) for w in ([whitelist] if isinstance(whitelist, str) else whitelist))
    return True


def get_context(template, line, num_lines=5, marker=None):
    lines = template.splitlines()
    shown = [lines[n - 1] + (marker if n == line and marker else "") for n in range(max(1, line - num_lines), min(len(lines), line + num_lines) + 1)]
    return "\n".join(["---"] + shown + ["---"])


def get_diff(a, b, *args, **kwargs):
    import difflib

    return "".join(difflib.unified_diff([to_str(x) for x in a], [to_str(x) for x in b], *args, **kwargs))


def camel_to_snake_case(text):
    return re.sub(r"(?<!^)(?=[A-Z])", "_", text).lower()


def snake_to_camel_case(text, uppercamel=False):
    parts = text.split("_")
    return "".join((p if i == 0 and not uppercamel else p[:1].upper() + p[1:]) for i, p in enumerate(parts))


def print_cli(msg, retries=10, step=0.01):
    print(msg)


sdecode = to_str
