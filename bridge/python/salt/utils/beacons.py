"""Configurations of beacons."""


def list_to_dict(config):
    """One mapping of a list of mappings."""
    out = {}
    for one in config:
        out.update(one)
    return out


def remove_hidden_options(config, whitelist):
    """Takes out the options that begin with _, in place."""
    config[:] = [one for one in config if all(not k.startswith("_") or k in whitelist for k in one)]
    return config
