"""salt:// URLs."""


def parse(url):
    if not url.startswith("salt://"):
        return url, None
    path, _, query = url[7:].partition("?")
    return path.lstrip("|"), query[8:] if query.startswith("saltenv=") else None


def create(path, saltenv=None):
    return "salt://" + path + ("?saltenv=" + saltenv if saltenv else "")


def is_escaped(url):
    return url.startswith("|") or url.startswith("salt://|")


def split_env(url):
    path, env = parse(url)
    return ("salt://" + path if url.startswith("salt://") else path), env


def validate(url, protos):
    return any(url.startswith(p + "://") for p in protos) or "://" not in url


def redact_http_basic_auth(text):
    import re

    return re.sub(r"(https?://)([^/@\s]+)@", r"\1<redacted>@", text)


def strip_proto(url):
    return url.split("://", 1)[-1]
