"""Dates: what the Jinja filter strftime makes of a number or a text."""

import datetime


def date_cast(date):
    if date is None:
        return datetime.datetime.now()
    if isinstance(date, datetime.datetime):
        return date
    import pinch_worker

    try:
        text = pinch_worker.connection.ask("render", "jinja", "{{ date | strftime('%Y-%m-%d %H:%M:%S.%f') }}", "", {"date": date})
        return datetime.datetime.strptime(text, "%Y-%m-%d %H:%M:%S.%f")
    except Exception:
        raise ValueError("Unable to parse %s" % (date,)) from None


def strftime(date=None, format="%Y-%m-%d"):
    return date_cast(date).strftime(format)


def total_seconds(td):
    return td.total_seconds()
