"""YAML, read and written by pinch itself, as Salt reads and writes it."""

import pinch_worker


class YAMLError(Exception):
    pass


class MarkedYAMLError(YAMLError):
    pass


class ScannerError(MarkedYAMLError):
    pass


class ParserError(MarkedYAMLError):
    pass


class ComposerError(MarkedYAMLError):
    pass


class ConstructorError(MarkedYAMLError):
    pass


def _ask(*message):
    import salt.exceptions

    try:
        return pinch_worker.unplain(pinch_worker.connection.ask(*message))
    except salt.exceptions.SaltException as error:
        raise YAMLError(str(error)) from None


def load(stream, Loader=None):
    text = stream.read() if hasattr(stream, "read") else stream
    if isinstance(text, bytes):
        text = text.decode("utf-8")
    value, *problem = _ask("yaml_load", text)
    if problem:
        raise globals().get(problem[0], YAMLError)(problem[1])
    return value


safe_load = load


def dump(data, stream=None, **kwargs):
    text = _ask("yaml_dump", data, kwargs.get("default_flow_style"), kwargs.get("indent"), kwargs.get("explicit_start", False))
    if stream is None:
        return text
    stream.write(text)
    return None


def safe_dump(data, stream=None, **kwargs):
    return dump(data, stream, **kwargs)


def _documents(stream):
    import re

    text = stream.read() if hasattr(stream, "read") else stream
    if isinstance(text, bytes):
        text = text.decode("utf-8")
    return [part for part in re.split(r"(?m)^---(?:\s+#.*)?\s*$", text) if part.strip()]


def safe_load_all(stream):
    for part in _documents(stream):
        yield load(part)


class SaltYamlSafeLoader:
    """A Loader for PyYAML's load and load_all."""

    def __init__(self, stream, dictclass=dict):
        self._rest = _documents(stream)

    def check_data(self):
        return bool(self._rest)

    def get_data(self):
        return load(self._rest.pop(0)) if self._rest else None

    def get_single_data(self):
        return load("---\n".join(self._rest)) if self._rest else None

    def dispose(self):
        pass


class SafeOrderedDumper:
    pass


IndentedSafeOrderedDumper = OrderedDumper = SafeOrderedDumper
Loader = SafeLoader = SaltYamlSafeLoader
