"""Rendering by pinch."""


def compile_template(template, renderers, default, blacklist=None, whitelist=None, saltenv="base", sls="", input_data="", **kwargs):
    import pinch_worker

    if template == ":string:":
        text, path = input_data, ""
    else:
        with open(template, encoding="utf-8") as stream:
            text, path = stream.read(), template
    return pinch_worker.unplain(pinch_worker.connection.ask("render_data", default, text, path, {k: v for k, v in kwargs.items()}))


def compile_template_str(template, renderers, default, blacklist=None, whitelist=None):
    return compile_template(":string:", renderers, default, input_data=template)
