"""Calling functions of this machine; there is no master to ask for others."""


class Caller:
    def __init__(self, c_path=None, mopts=None):
        import pinch_loader

        self.sminion = self
        self.functions = pinch_loader.salt_functions
        self.opts = pinch_loader.opts

    def cmd(self, fun, *args, **kwargs):
        return self.functions[fun](*args, **kwargs)

    def function(self, fun, *args, **kwargs):
        return self.functions[fun](*args, **kwargs)


class LocalClient:
    def __init__(self, *args, **kwargs):
        self.caller = Caller()

    def cmd(self, tgt, fun, arg=(), timeout=None, tgt_type="glob", ret="", jid="", full_return=False, kwarg=None, **kwargs):
        return self.caller.functions["saltutil.cmd"](tgt, fun, arg=list(arg), tgt_type=tgt_type, kwarg=kwarg)

    def cmd_iter(self, *args, **kwargs):
        yield self.cmd(*args, **kwargs)


get_local_client = LocalClient
