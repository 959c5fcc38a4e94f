"""Network facts by pinch's network module and Python's own."""

import ipaddress
import socket


def _ask(name, *args, **kwargs):
    import pinch_loader

    return pinch_loader.salt_functions["network." + name](*args, **kwargs)


def interfaces():
    return _ask("interfaces")


def ip_addrs(interface=None, include_loopback=False, interface_data=None):
    return _ask("ip_addrs", interface=interface, include_loopback=include_loopback)


def ip_addrs6(interface=None, include_loopback=False, interface_data=None):
    return _ask("ip_addrs6", interface=interface, include_loopback=include_loopback)


def get_fqhostname():
    return socket.getfqdn()


def get_hostname():
    return socket.gethostname()


def is_ip(value):
    return is_ipv4(value) or is_ipv6(value)


def is_ipv4(value):
    try:
        return isinstance(ipaddress.ip_address(value), ipaddress.IPv4Address)
    except ValueError:
        return False


def is_ipv6(value):
    try:
        return isinstance(ipaddress.ip_address(value), ipaddress.IPv6Address)
    except ValueError:
        return False


is_ip_filter = is_ip


def in_subnet(cidr, addr=None):
    addresses = [addr] if isinstance(addr, str) else addr or ip_addrs()
    net = ipaddress.ip_network(cidr)
    return any(ipaddress.ip_address(a) in net for a in addresses)


ip_in_subnet = in_subnet


def subnets(interfaces=None):
    return _ask("subnets")


def host_to_ips(host):
    try:
        return sorted({info[4][0] for info in socket.getaddrinfo(host, None)})
    except OSError:
        return None
