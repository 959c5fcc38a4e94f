"""Sends what custom modules log to pinch's log."""

import pinch_worker

connection = None
level = 30


def setup(conn, threshold):
    global connection, level
    connection, level = conn, threshold
    install()


def install():
    """Makes the root logger ours once somebody imports logging."""
    import sys

    class Late:
        def find_spec(self, name, path=None, target=None):
            if name != "logging":
                return None
            sys.meta_path.remove(self)
            import logging

            hook(logging)
            return logging.__spec__

    if "logging" in sys.modules:
        hook(sys.modules["logging"])
    else:
        sys.meta_path.insert(0, Late())


def hook(logging):
    class Handler(logging.Handler):
        def emit(self, record):
            try:
                text = record.getMessage()
                if record.exc_info and record.exc_info[1] is not None:
                    import traceback

                    text += "\n" + "".join(traceback.format_exception(*record.exc_info)).rstrip("\n")
            except Exception:
                text = str(record.msg)
            write(record.levelno, text, record.name)

    class Logger(logging.Logger):
        """Salt's logger: it has trace and garbage, too."""

        def trace(self, msg, *args, **kwargs):
            self.log(5, msg, *args, **{k: v for k, v in kwargs.items() if k != "exc_info_on_loglevel"})

        def _log(self, number, msg, args, exc_info=None, extra=None, stack_info=False, stacklevel=1, exc_info_on_loglevel=None, **_):
            super()._log(number, msg, args, exc_info=exc_info, extra=extra, stack_info=stack_info)

    logging.addLevelName(5, "TRACE")
    logging.addLevelName(15, "PROFILE")
    logging.setLoggerClass(Logger)
    logging.root.addHandler(Handler())
    logging.root.setLevel(level)
    logging.raiseExceptions = False


def write(number, text, name="pinch"):
    if number >= level:
        with connection.lock:
            connection.send(("log", number, text, name))


def failure(text, error, number=40):
    """Logs an exception with its traceback."""
    if number >= level:
        write(number, text + "\n" + pinch_worker.described(error)[2].rstrip("\n"))
