"""The pillar, compiled by pinch."""


class _Pillar:
    def __init__(self, opts, saltenv, pillar_override, pillarenv):
        self.arguments = {"saltenv": saltenv, "pillarenv": pillarenv, "pillar": pillar_override}

    def compile_pillar(self):
        import pinch_loader

        given = {k: v for k, v in self.arguments.items() if v is not None}
        return pinch_loader.salt_functions["pillar.items"](unmask=True, **given)


def get_pillar(opts, grains, minion_id, saltenv=None, ext=None, funcs=None, pillar_override=None, pillarenv=None, extra_minion_data=None):
    return _Pillar(opts, saltenv, pillar_override, pillarenv)
