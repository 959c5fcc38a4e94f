"""The outputter nested."""


def output(ret, **kwargs):
    from salt.output import out_format

    return out_format(ret, "nested")
