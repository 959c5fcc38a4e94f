"""Time."""

import datetime


def get_timestamp_at(time_in=None, time_at=None):
    import time

    return int(time.time()) + int(time_in or 0) * 60


utcnow = datetime.datetime.utcnow
