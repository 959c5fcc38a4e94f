"""Syncing custom modules, by pinch."""


def sync(opts, form, saltenv=None, extmod_whitelist=None, extmod_blacklist=None, **kwargs):
    import pinch_loader

    done = pinch_loader.salt_functions["saltutil.sync_" + form](saltenv=saltenv, extmod_whitelist=extmod_whitelist, extmod_blacklist=extmod_blacklist)
    return done, bool(done)
