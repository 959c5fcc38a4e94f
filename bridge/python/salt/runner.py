"""Runner functions, as far as this machine has them."""


class RunnerClient:
    def __init__(self, opts=None, context=None):
        self.opts = opts

    def cmd(self, fun, arg=(), kwarg=None, pub_data=None, print_event=True, full_return=False):
        import pinch_loader

        return pinch_loader.salt_functions["saltutil.runner"](fun, arg=list(arg), kwarg=kwarg or {})


Runner = RunnerClient
