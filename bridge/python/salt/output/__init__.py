"""Output by pinch's outputters."""


def out_format(data, out, opts=None, **kwargs):
    """The text of data in a format."""
    import pinch_loader

    return pinch_loader.salt_functions["out.out_format"](data, out or "nested")


def string_format(data, out, opts=None, **kwargs):
    import pinch_loader

    return pinch_loader.salt_functions["out.string_format"](data, out or "nested")


def html_format(data, out, opts=None, **kwargs):
    import pinch_loader

    return pinch_loader.salt_functions["out.html_format"](data, out or "nested")


def try_printout(data, out, opts, **kwargs):
    return out_format(data, out, opts, **kwargs)


def get_printout(out, opts=None, **kwargs):
    return lambda data, **more: out_format(data, out, opts, **more)


def display_output(data, out=None, opts=None, **kwargs):
    print(out_format(data, out, opts, **kwargs))


def strip_esc_sequence(text):
    return text.replace("\033", "?") if isinstance(text, str) else text
