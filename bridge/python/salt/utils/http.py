"""HTTP by pinch's http.query."""


def query(url, method="GET", **kwargs):
    import pinch_loader

    kwargs.pop("opts", None)
    return pinch_loader.salt_functions["http.query"](url, method=method, **kwargs)
