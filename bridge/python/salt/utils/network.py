"""Network facts by pinch's network module and Python's own."""

import fnmatch
import ipaddress
import re
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
    """Whether an address, or one of this machine, lies in a network."""
    try:
        net = ipaddress.ip_network(cidr)
    except (ValueError, TypeError):
        return False
    if isinstance(cidr, int):
        return False
    addresses = [addr] if isinstance(addr, str) else addr or ip_addrs()
    return any(ipaddress.ip_address(a) in net for a in addresses)


ip_in_subnet = in_subnet


def subnets(interfaces=None):
    return _ask("subnets")


def host_to_ips(host):
    try:
        return sorted({info[4][0] for info in socket.getaddrinfo(host, None)})
    except OSError:
        return None


def is_ipv4_subnet(cidr):
    try:
        return isinstance(cidr, str) and "/" in cidr and bool(ipaddress.IPv4Network(cidr))
    except ValueError:
        return False


def is_ipv6_subnet(cidr):
    try:
        return isinstance(cidr, str) and "/" in cidr and bool(ipaddress.IPv6Network(cidr))
    except ValueError:
        return False


def is_subnet(cidr):
    return is_ipv4_subnet(cidr) or is_ipv6_subnet(cidr)


def is_loopback(addr):
    return ipaddress.ip_address(addr).is_loopback


def calc_net(ip_addr, netmask=None):
    """The network of an address with its mask, as a CIDR."""
    return str(ipaddress.ip_network("%s/%s" % (ip_addr, netmask) if netmask is not None else ip_addr, strict=False))


def cidr_to_ipv4_netmask(cidr_bits):
    try:
        bits = int(cidr_bits)
        return str(ipaddress.ip_network((0, bits)).netmask) if 1 <= bits <= 32 else ""
    except ValueError:
        return ""


def natural_ipv4_netmask(ip_addr, fmt="prefixlen"):
    """The mask of an address's class."""
    first = int(str(ip_addr).split(".")[0])
    bits = 8 if first < 128 else 16 if first < 192 else 24
    return cidr_to_ipv4_netmask(bits) if fmt == "netmask" else "/%d" % bits


def rpad_ipv4_network(ip_addr):
    parts = str(ip_addr).split(".")
    return ".".join(parts + ["0"] * (4 - len(parts)))


def isportopen(host, port):
    """The errno of a connection, 0 when it is open; False for no port."""
    if not 1 <= int(port) <= 65535:
        return False
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as one:
        return one.connect_ex((sanitize_host(host), int(port)))


def sanitize_host(host):
    """What may be in the name of a host; an address as it is."""
    return host if is_ip(host) else re.sub(r"[^A-Za-z0-9._-]", "", host)


def parse_host_port(host_port):
    """Host and port of host:port, [v6]:port or either alone."""
    host, port = host_port, None
    if host.startswith("["):
        host, _, rest = host[1:].rpartition("]")
        if rest[:1] == ":":
            port = int(rest[1:])
        elif len(rest) > 1:
            raise ValueError('found ambiguous "%s" port in "%s"' % (rest, host_port))
        ipaddress.IPv6Address(host)
    elif host.count(":") == 1:
        host, _, port = host.partition(":")
        try:
            port = int(port)
        except ValueError:
            raise ValueError('host_port "%s" port value "%s" is not an integer.' % (host_port, port)) from None
    try:
        return str(ipaddress.ip_address(host)), port
    except ValueError:
        if host != sanitize_host(host):
            raise ValueError('bad hostname: "%s"' % host) from None
        return host, port


def filter_by_networks(values, networks):
    """The addresses of a list, or of a mapping's lists, that lie in the networks."""
    if networks is None:
        return values
    nets = [ipaddress.ip_network(net) for net in networks]

    def inside(addresses):
        return [a for a in addresses for net in nets if ipaddress.ip_address(a) in net]

    if hasattr(values, "keys"):
        return {name: inside(values[name]) for name in values}
    if isinstance(values, (list, tuple, str)):
        return inside(values)
    raise ValueError("Do not know how to filter a %s" % type(values))


def _networks(kind, mask, interface, include_loopback, verbose, interface_data):
    """The networks of this machine's interfaces."""
    data = interface_data if interface_data is not None else interfaces()
    if interface is not None:
        wanted = interface.split(",") if isinstance(interface, str) else interface
        data = {name: data[name] for name in data if any(fnmatch.fnmatch(name, str(glob).strip()) for glob in wanted)}
    found = set()
    for one in data.values():
        secondary = [a for a in one.get("secondary") or [] if a.get("type") == kind]
        for address in (one.get(kind) or []) + secondary:
            try:
                net = ipaddress.ip_network("%s/%s" % (address["address"], address[mask]), strict=False)
            except (KeyError, ValueError):
                continue
            if include_loopback or not net.is_loopback:
                found.add(net)
    if not verbose:
        return [str(net) for net in sorted(found)]
    return {
        str(net): {"address": str(net.network_address), "netmask": str(net.netmask), "num_addresses": net.num_addresses, "prefixlen": net.prefixlen}
        for net in sorted(found)
    }


def ip_networks(interface=None, include_loopback=False, verbose=False, interface_data=None):
    return _networks("inet", "netmask", interface, include_loopback, verbose, interface_data)


def ip_networks6(interface=None, include_loopback=False, verbose=False, interface_data=None):
    return _networks("inet6", "prefixlen", interface, include_loopback, verbose, interface_data)


def mac2eui64(mac, prefix=None):
    """The interface part of an IPv6 address, or the address in a network."""
    digits = "".join(c for c in mac if c not in ".:-").lower()
    eui = digits[:6] + "fffe" + digits[6:]
    eui = "%02x" % (int(eui[:2], 16) ^ 2) + eui[2:]
    if prefix is None:
        return ":".join(eui[i:i + 4] for i in range(0, len(eui), 4))
    net = ipaddress.ip_network(prefix, strict=False)
    return "%s/%d" % (net[int(eui, 16)], net.prefixlen)


def mac_str_to_bytes(mac_str):
    if len(mac_str) == 17:
        mac_str = mac_str.replace(mac_str[2], "")
    elif len(mac_str) != 12:
        raise ValueError("Invalid MAC address")
    return bytes(int(mac_str[i:i + 2], 16) for i in range(0, 12, 2))


def gen_mac(prefix="AC:DE:48"):
    import random

    return ":".join([prefix] + ["%02X" % random.randint(0, 255) for _ in range(3)])


def hex2ip(hex_ip, invert=False):
    """The address that /proc/net/tcp writes in hexadecimal digits; what is none as it is."""
    size = 16 if len(hex_ip) == 32 else 4
    try:
        data = (int(hex_ip, 16) & (1 << 8 * size) - 1).to_bytes(size, "big")
    except ValueError:
        return hex_ip
    if invert:
        data = b"".join(data[i:i + 4][::-1] for i in range(0, size, 4))
    address = ipaddress.ip_address(data)
    return str(getattr(address, "ipv4_mapped", None) or address)


def ip_bracket(addr, strip=False):
    address = ipaddress.ip_address(str(addr).strip("[]"))
    return "[%s]" % address if address.version == 6 and not strip else str(address)


def dns_check(addr, port, safe=False, ipv6=None):
    import pinch_loader

    return pinch_loader.salt_functions["network.dns_check"](addr, port) if "network.dns_check" in pinch_loader.salt_functions else host_to_ips(addr)[0]


def interface(iface):
    return _ask("interface", iface)


def interface_ip(iface):
    return _ask("interface_ip", iface)


def hw_addr(iface):
    return _ask("hw_addr", iface)


def ip_to_host(ip):
    try:
        return socket.gethostbyaddr(ip)[0]
    except OSError:
        return None


def subnets6():
    return _ask("subnets6")


def active_tcp():
    return _ask("active_tcp")
