"""What returners of custom trees share: reading their options."""


def get_returner_options(virtualname=None, ret=None, attrs=None, **kwargs):
    """The options of a returner, as VIRTUALNAME.option or VIRTUALNAME: {option: …}."""
    option = kwargs.get("__salt__", {}).get("config.option")
    settings = kwargs.get("__opts__", {})
    defaults = kwargs.get("defaults") or {}

    def look(name, default=""):
        return settings.get(name, None if default == "" else default) if option is None else option(name, default)

    def read(place, attribute):
        group = settings if option is None else look(place, {})
        key = place + "." + attribute
        if option is None and key in settings:
            return settings[key]
        return group[attribute] if attribute in group else look(key)

    profile = str((ret or {}).get("ret_config") or "")
    found = {}
    for name, attribute in (attrs or {}).items():
        value = read(profile + "." + virtualname, attribute) if profile else None
        value = value or read(virtualname, attribute)
        if value is None or value == "":
            if name not in defaults:
                continue
            value = defaults[name]
        found[name] = value
    chosen = found.get(kwargs.get("profile_attr") or "")
    credentials = look(chosen) if chosen else None
    if credentials:
        for name, attribute in (kwargs.get("profile_attrs") or {}).items():
            found[name] = credentials.get("%s.%s" % (virtualname, attribute))
    found.update((ret or {}).get("ret_kwargs", {}))
    return found
