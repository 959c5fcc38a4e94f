"""Rendering by pinch."""


def render_jinja_tmpl(tmplstr, context, tmplpath=None):
    import pinch_worker

    names = {k: v for k, v in context.items() if k not in ("salt", "grains", "pillar", "opts")}
    return pinch_worker.connection.ask("render", "jinja", tmplstr, tmplpath or "", names)
