"""Rendering by pinch."""


def _render(engine, text, context, path):
    import pinch_worker

    names = {k: v for k, v in context.items() if k not in ("salt", "grains", "pillar", "opts")}
    return pinch_worker.connection.ask("render", engine, text, path or "", names)


def render_jinja_tmpl(tmplstr, context, tmplpath=None):
    return _render("jinja", tmplstr, context, tmplpath)


def render_mako_tmpl(tmplstr, context, tmplpath=None):
    return _render("mako", tmplstr, context, tmplpath)


def wrap_tmpl_func(render_str):
    """Makes of a function that renders texts one that renders files, too, and tells how it went."""

    def render_tmpl(tmplsrc, from_str=False, to_str=False, context=None, tmplpath=None, **kws):
        import tempfile
        import traceback

        from salt.exceptions import SaltException

        names = dict(context or {})
        names.update(kws)
        try:
            if not from_str:
                tmplpath = tmplpath or tmplsrc
                with open(tmplsrc, encoding="utf-8") as stream:
                    tmplsrc = stream.read()
            done = render_str(tmplsrc, names, tmplpath)
        except SaltException as error:
            return {"result": False, "data": str(error)}
        except Exception:
            return {"result": False, "data": traceback.format_exc()}
        if to_str:
            return {"result": True, "data": done}
        with tempfile.NamedTemporaryFile("w", prefix="__salt.tmp.", delete=False, encoding="utf-8") as stream:
            stream.write(done)
        return {"result": True, "data": stream.name}

    return render_tmpl


def _python(text, context, path):
    return _render("py", text, context, path)


JINJA = wrap_tmpl_func(render_jinja_tmpl)
MAKO = wrap_tmpl_func(render_mako_tmpl)
TEMPLATE_REGISTRY = {"jinja": JINJA, "mako": MAKO, "py": wrap_tmpl_func(_python)}
