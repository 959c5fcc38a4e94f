"""Events by pinch's event.send."""


class SaltEvent:
    def __init__(self, *args, **kwargs):
        pass

    def fire_event(self, data, tag, timeout=1000):
        import pinch_loader

        return pinch_loader.salt_functions["event.fire"](data, tag)

    def fire_master(self, data, tag, timeout=1000):
        import pinch_loader

        return pinch_loader.salt_functions["event.fire_master"](data, tag)

    def destroy(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return None


MinionEvent = MasterEvent = SaltEvent


def get_event(*args, **kwargs):
    return SaltEvent()


def get_master_event(*args, **kwargs):
    return SaltEvent()


def tagify(suffix="", prefix="", base="salt"):
    parts = [base, prefix] + (list(suffix) if isinstance(suffix, list) else [suffix])
    return "/".join(p for p in parts if p)
