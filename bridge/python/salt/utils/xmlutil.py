"""XML as dicts."""


def _name(tag):
    return tag.split("}")[-1]


def to_dict(xmltree, attr=False):
    """An element's content: a child's value by its name, a list where there are several."""
    if not len(xmltree):
        return {_name(xmltree.tag): xmltree.text} if not attr or not xmltree.attrib else {**xmltree.attrib, _name(xmltree.tag): xmltree.text}
    out = dict(xmltree.attrib) if attr else {}
    for child in xmltree:
        name = _name(child.tag)
        whole = to_dict(child, attr)
        value = whole if len(child) or attr and child.attrib else child.text
        if name not in out:
            out[name] = value
        elif isinstance(out[name], list):
            out[name].append(whole if not isinstance(value, str) else {name: value})
        else:
            out[name] = [out[name], None if value is None else whole]
    return out
