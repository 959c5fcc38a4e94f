"""Finding files by pinch's file.find."""


class Finder:
    def __init__(self, options):
        self.options = options

    def find(self, path):
        import pinch_loader

        return iter(pinch_loader.salt_functions["file.find"](path, **self.options))
