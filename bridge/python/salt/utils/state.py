"""Returns of states."""


def search_onfail_requisites(sid, highstate):
    return {}


def merge_subreturn(original_return, sub_return, subkey=None):
    """Merges the return of a state into another's."""
    if not sub_return["result"]:
        if sub_return["result"] is None:
            original_return["result"] = original_return["result"] and None
        else:
            original_return["result"] = False
    comment = sub_return["comment"]
    if isinstance(original_return["comment"], list):
        original_return["comment"].extend(comment if isinstance(comment, list) else [comment])
    elif comment:
        if original_return["comment"]:
            original_return["comment"] += "\n"
        original_return["comment"] += "\n".join(comment) if isinstance(comment, list) else comment
    if sub_return["changes"]:
        original_return.setdefault("changes", {})
        if subkey:
            original_return["changes"][subkey] = sub_return["changes"]
        else:
            original_return["changes"].update(sub_return["changes"])
    return original_return


def get_sls_opts(opts, **kwargs):
    return dict(opts, **{k: kwargs[k] for k in ("saltenv", "pillarenv") if k in kwargs})
