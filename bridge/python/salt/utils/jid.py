"""Job IDs."""

import datetime


def gen_jid(opts=None):
    return datetime.datetime.now().strftime("%Y%m%d%H%M%S%f")


def is_jid(jid):
    return isinstance(jid, (str, int)) and len(str(jid)) >= 20 and str(jid)[:20].isdigit()


def jid_to_time(jid):
    jid = str(jid)
    if len(jid) < 20:
        return ""
    return datetime.datetime.strptime(jid[:20], "%Y%m%d%H%M%S%f").strftime("%Y, %b %d %H:%M:%S.%f")
