"""A state that keeps a setting of the agent, on top of file.* functions."""


def setting(name, value, path):
    """Makes sure that a line NAME=VALUE stands in the agent's file."""
    ret = {"name": name, "changes": {}, "result": True, "comment": ""}
    line = "%s=%s" % (name, value)
    if __salt__["file.file_exists"](path) and __salt__["file.contains"](path, line + "\n"):
        ret["comment"] = "%s is set" % name
        return ret
    ret["changes"] = {"new": line}
    if __opts__["test"]:
        ret["result"] = None
        ret["comment"] = "%s would be set" % name
        return ret
    __salt__["file.append"](path, line)
    ret["comment"] = "%s was set" % name
    return ret


def mod_watch(name, **kwargs):
    """Answers when something that the setting watches changed."""
    return {"name": name, "changes": {"restarted": name}, "result": True, "comment": "%s was restarted" % name}
