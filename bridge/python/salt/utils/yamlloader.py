"""The older name of salt.utils.yaml's reader."""

from salt.utils.yaml import SaltYamlSafeLoader, YAMLError, load, safe_load  # noqa: F401

SaltYamlLoader = SaltYamlSafeLoader
