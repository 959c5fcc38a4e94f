"""YAML."""

from salt.utils import yaml as _yaml


def serialize(obj, **options):
    return _yaml.dump(obj, **options).rstrip("\n")


def deserialize(stream_or_string, **options):
    return _yaml.load(stream_or_string)
