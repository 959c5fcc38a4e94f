"""Dunders by import."""

from pinch_loader import grains as __grains__  # noqa: F401
from pinch_loader import opts as __opts__  # noqa: F401
from pinch_loader import pillar as __pillar__  # noqa: F401
from pinch_loader import salt_functions as __salt__  # noqa: F401
from pinch_loader import util_functions as __utils__  # noqa: F401
