"""Defaults."""

DEFAULT_TARGET_DELIM = ":"
NOT_SET = object()
