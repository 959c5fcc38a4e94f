"""Times."""

import datetime
import re
import time

FORMATS = ("%H%M", "%Hh%M", "%I%p", "%I:%M%p", "%I:%M %p")
utcnow = datetime.datetime.utcnow


def get_timestamp_at(time_in=None, time_at=None):
    """The second that lies so far ahead (minutes, or 5h30m), or is at a time of the day."""
    if time_in:
        if isinstance(time_in, int):
            hours, minutes = 0, time_in
        else:
            before, mark, after = time_in.replace("m", "").partition("h")
            hours, minutes = (int(before or 0), int(after or 0)) if mark else (0, int(before))
        return time.time() + (hours * 60 + minutes) * 60
    for form in FORMATS:
        try:
            at = datetime.datetime.strptime(time_at, form)
        except ValueError:
            continue
        return time.mktime(datetime.datetime.combine(datetime.date.today(), at.time()).timetuple())
    raise ValueError("%s does not match any of the accepted formats: %s" % (time_at, ", ".join(FORMATS)))


def get_time_at(time_in=None, time_at=None, out_fmt="%Y-%m-%dT%H:%M:%S"):
    return time.strftime(out_fmt, time.localtime(get_timestamp_at(time_in, time_at)))


def timestring_map(val):
    """The seconds of 90, 60m, 1.5h or 7d."""
    if val is None:
        return None
    try:
        return float(val)
    except ValueError:
        pass
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smhd])", val)
    if not found:
        raise ValueError("Invalid time string format: %s" % val)
    return float(found[1]) * {"s": 1, "m": 60, "h": 3600, "d": 86400}[found[2]]
