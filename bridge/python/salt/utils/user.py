"""Users."""

import grp
import os
import pwd


def get_user():
    return pwd.getpwuid(os.geteuid()).pw_name


def get_uid(user=None):
    if user is None:
        return os.geteuid()
    if isinstance(user, int):
        return user
    try:
        return pwd.getpwnam(user).pw_uid
    except KeyError:
        return None


def get_default_group(user):
    return grp.getgrgid(pwd.getpwnam(user).pw_gid).gr_name if user is not None else None


def get_group_list(user, include_default=True):
    """The groups of a user, none for one that is not there."""
    if user is None:
        return []
    try:
        default = get_default_group(user)
    except KeyError:
        return []
    names = {g.gr_name for g in grp.getgrall() if user in g.gr_mem} | {default}
    return sorted(n for n in names if include_default or n != default)


def get_group_dict(user=None, include_default=True):
    return {n: grp.getgrnam(n).gr_gid for n in get_group_list(user, include_default)} if user else {}


def get_gid(group=None):
    if group is None:
        return os.getegid()
    try:
        return grp.getgrnam(group).gr_gid
    except KeyError:
        return None


def get_specific_user():
    user = get_user()
    return "sudo_" + os.environ["SUDO_USER"] if user == "root" and os.environ.get("SUDO_USER") else user


def chugid(runas, group=None, umask=None):
    entry = pwd.getpwnam(runas)
    os.setgid(grp.getgrnam(group).gr_gid if group else entry.pw_gid)
    os.initgroups(runas, entry.pw_gid)
    os.setuid(entry.pw_uid)


def get_gid_list(user, include_default=True):
    return sorted(get_group_dict(user, include_default).values())


def chugid_and_umask(runas, umask, group=None):
    chugid(runas, group, umask)
    if umask is not None:
        os.umask(umask)
