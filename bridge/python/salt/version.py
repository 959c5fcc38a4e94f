"""The Salt whose behaviour pinch has."""

__version__ = "3008.4"
__saltstack_version__ = None
__version_info__ = (3008, 4)
