"""Job IDs."""

import datetime


def gen_jid(opts=None):
    jid = datetime.datetime.now().strftime("%Y%m%d%H%M%S%f")
    if opts and opts.get("unique_jid"):
        import os

        jid += "_%d" % os.getpid()
    return jid


def is_jid(jid):
    return isinstance(jid, str) and (len(jid) == 20 or len(jid) > 21 and jid[20] == "_") and jid[:20].isdigit()


def jid_to_time(jid):
    jid = str(jid)
    if len(jid) < 20:
        return ""
    return datetime.datetime.strptime(jid[:20], "%Y%m%d%H%M%S%f").strftime("%Y, %b %d %H:%M:%S.%f")


def format_job_instance(job):
    """A job as the runner jobs shows it."""
    shown = {"Function": job.get("fun", "unknown-function"), "Arguments": list(job.get("arg", [])), "Target": job.get("tgt", "unknown-target"),
             "Target-type": job.get("tgt_type", "list"), "User": job.get("user", "root")}
    shown.update((name, job[key]) for key, name in (("metadata", "Metadata"), ("Minions", "Minions")) if key in job)
    return shown


def format_jid_instance(jid, job):
    return {**format_job_instance(job), "StartTime": jid_to_time(jid)}


def format_jid_instance_ext(jid, job):
    return {**format_job_instance(job), "JID": jid, "StartTime": jid_to_time(jid)}
