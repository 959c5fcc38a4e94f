"""A returner that keeps the returns in an SQLite database."""

import json
import os
import sqlite3


def returner(ret):
    path = os.path.join(__opts__["cachedir"], "history.db")
    with sqlite3.connect(path) as db:
        db.execute("create table if not exists runs (jid text, id text, fun text, success int, data text)")
        db.execute("insert into runs values (?, ?, ?, ?, ?)", (ret["jid"], ret["id"], ret["fun"], ret["retcode"] == 0, json.dumps(ret["return"])))
