"""salt:// URLs."""

import re
from urllib.parse import quote, urlparse, urlunparse  # noqa: F401


def parse(url):
    """The path and the environment."""
    if not url.startswith("salt://"):
        return url, None
    path, mark, env = url[7:].lstrip("/").partition("?saltenv=")  # salt:///path is salt://path
    return path, env if mark else None


def create(path, saltenv=None):
    return "salt://" + path.replace("\\", "/") + ("?saltenv=" + saltenv if saltenv else "")


def is_escaped(url):
    return url.startswith("|") or url.startswith("salt://|")


def escape(url):
    """Marks a path whose question marks are its own."""
    if is_escaped(url) or urlparse(url).scheme not in ("", "salt"):
        return url
    return "salt://|" + url[7:] if url.startswith("salt://") else "|" + url


def unescape(url):
    return url.replace("|", "", 1) if is_escaped(url) else url


def add_env(url, saltenv):
    return create(parse(url)[0], saltenv) if url.startswith("salt://") else url


def split_env(url):
    if not url.startswith("salt://"):
        return url, None
    path, env = parse(url)
    return create(path), env


def validate(url, protos):
    return urlparse(url).scheme in protos


def strip_proto(url):
    return url.split("://", 1)[-1]


def add_http_basic_auth(url, user=None, password=None, https_only=False):
    if user is None and password is None:
        return url
    parts = urlparse(url)
    if https_only and parts.scheme != "https":
        raise ValueError("Basic Auth only supported for HTTPS")
    who = ":".join(quote(part, safe="") for part in (user, password) if part is not None)
    return urlunparse(parts._replace(netloc="%s@%s" % (who, parts.netloc)))


def redact_http_basic_auth(text):
    return re.sub(r"(https?)://.*@", r"\1://<redacted>@", text)
