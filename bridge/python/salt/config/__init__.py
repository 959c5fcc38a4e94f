"""The configuration is pinch's."""


def minion_config(path=None, *args, **kwargs):
    import pinch_loader

    return dict(pinch_loader.opts.value())


client_config = master_config = minion_config


def get_id(opts=None, *args, **kwargs):
    import pinch_loader

    return pinch_loader.opts["id"], False
