"""What little of salt-cloud custom modules use."""


def is_public_ip(ip):
    import ipaddress

    address = ipaddress.ip_address(ip)
    return not (address.is_private or address.is_loopback)


def salt_config_to_yaml(configuration, line_break="\n"):
    from salt.utils.yaml import safe_dump

    return safe_dump(configuration, line_break=line_break, default_flow_style=False)
