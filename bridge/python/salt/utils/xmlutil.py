"""XML as dicts."""


def to_dict(element, attr=False):
    out = {}
    for child in element:
        name = child.tag.split("}")[-1]
        value = to_dict(child, attr) if len(child) or (attr and child.attrib) else child.text
        if name in out:
            if not isinstance(out[name], list):
                out[name] = [out[name]]
            out[name].append(value)
        else:
            out[name] = value
    if attr:
        out.update(element.attrib)
    return out
