"""Returns of states."""


def search_onfail_requisites(sid, highstate):
    return []


def merge_subreturn(original_return, sub_return, subkey=None):
    """Merges the return of a state into another's, its changes below its name."""
    if sub_return["result"] is False:
        original_return["result"] = False
    comment = sub_return["comment"]
    if isinstance(original_return["comment"], list):
        original_return["comment"].extend(comment if isinstance(comment, list) else [comment])
    elif comment:
        if original_return["comment"]:
            original_return["comment"] += "\n"
        original_return["comment"] += "\n".join(comment) if isinstance(comment, list) else comment
    if sub_return["changes"]:
        original_return.setdefault("changes", {})[subkey or sub_return.get("name")] = sub_return["changes"]
    return original_return


def get_sls_opts(opts, **kwargs):
    return dict(opts, **{k: kwargs[k] for k in ("saltenv", "pillarenv") if k in kwargs})
