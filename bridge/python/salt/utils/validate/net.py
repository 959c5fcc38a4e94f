"""Checks of addresses."""

import ipaddress
import re
import socket


def _valid(family, bits, addr):
    """An address, with or without the length of a prefix from 1 on."""
    try:
        address, _, length = addr.partition("/")
        socket.inet_pton(family, address)
        return "/" not in addr or 1 <= int(length) <= bits
    except (AttributeError, OSError, ValueError):
        return False


def mac(addr):
    return bool(re.match(r"([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$", addr, re.IGNORECASE))


def ipv4_addr(addr):
    return _valid(socket.AF_INET, 32, addr)


def ipv6_addr(addr):
    return _valid(socket.AF_INET6, 128, addr)


def ip_addr(addr):
    return ipv4_addr(addr) or ipv6_addr(addr)


def netmask(mask):
    """Whether it is a mask in four numbers."""
    try:
        number = int(ipaddress.IPv4Address(mask)) ^ 0xFFFFFFFF
    except ValueError:
        return False
    return number & (number + 1) == 0
