"""Checks of addresses."""

import re

from salt.utils.network import is_ipv4 as ipv4_addr  # noqa: F401
from salt.utils.network import is_ipv6 as ipv6_addr  # noqa: F401


def mac(addr):
    return bool(re.match(r"([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$", addr, re.IGNORECASE))
