"""Salt's loader as far as custom modules call it: the functions are pinch's."""


def minion_mods(opts=None, *args, **kwargs):
    import pinch_loader

    return pinch_loader.salt_functions


def utils(opts=None, *args, **kwargs):
    import pinch_loader

    return pinch_loader.util_functions


def states(opts=None, *args, **kwargs):
    import pinch_loader

    return pinch_loader.state_functions


def grains(opts=None, *args, **kwargs):
    import pinch_loader

    return dict(pinch_loader.grains.value())


def render(opts=None, functions=None, *args, **kwargs):
    return {}


def raw_mod(opts, name, functions, mod="modules"):
    import pinch_loader

    return {n: pinch_loader.salt_functions[n] for n in pinch_loader.salt_functions if n.startswith(name + ".")}


class LazyLoader(dict):
    pass
