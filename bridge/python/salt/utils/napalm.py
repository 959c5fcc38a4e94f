"""Network devices by NAPALM, of which there are none without a proxy minion."""

HAS_NAPALM = False


def virtual(opts, virtualname, filename):
    return False, '"%s" (%s) cannot be loaded: NAPALM is not installed: ``pip install napalm``' % (virtualname, filename)


def is_proxy(opts):
    return False


def is_minion(opts):
    return False


def is_always_alive(opts):
    return False


def not_always_alive(opts):
    return False


def call(napalm_device, method, *args, **kwargs):
    return {"out": None, "result": False, "comment": "NAPALM is not installed", "traceback": ""}


def proxy_napalm_wrap(func):
    return func


loaded_ret = None
