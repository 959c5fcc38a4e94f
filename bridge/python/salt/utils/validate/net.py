"""Checks of addresses."""

import ipaddress
import re


def _interface(kind, addr):
    try:
        return bool(kind(addr))
    except ValueError:
        return False


def mac(addr):
    return bool(re.match(r"([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$", addr, re.IGNORECASE))


def ipv4_addr(addr):
    return _interface(ipaddress.IPv4Interface, addr)


def ipv6_addr(addr):
    return _interface(ipaddress.IPv6Interface, addr)


def ip_addr(addr):
    return ipv4_addr(addr) or ipv6_addr(addr)


def netmask(mask):
    """Whether it is a mask in four numbers."""
    try:
        number = int(ipaddress.IPv4Address(mask)) ^ 0xFFFFFFFF
    except ValueError:
        return False
    return number & (number + 1) == 0
