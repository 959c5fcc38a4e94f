"""The Python side of pinch's bridge to custom modules.

pinch starts one of these for a run and talks with it over two pipes. A frame
is four bytes with its length (little endian) and a tuple as marshal, format 2,
which every Python 3 reads and writes without importing anything and which
keeps tuples, bytes, sets and any keys apart:

    ("call", kind, name, file, function, args, kwargs, context)
    ("answer", value, retcode)    ("error", class, text, traceback, file, line, code)
    ("ask", number, what, ...)    ("answer", value, number)    ("error", class, text, number)

Both sides may ask while they answer, so calls nest. The numbers tell whose answer
comes, should a module have stopped waiting for one. What marshal cannot write
goes as a tuple that begins with Ellipsis: see plain.
"""

import _signal  # signal itself takes longer to import than all the rest
import _thread
import marshal
import os
import sys


class Gone(BaseException):
    """The other side is no more."""


class Connection:
    """Frames over two file descriptors."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.buffer = bytearray()
        self.lock = _thread.RLock()
        self.owner = os.getpid()
        self.asked = 0

    def send(self, message):
        try:
            data = marshal.dumps(message, 2)
        except ValueError:
            data = marshal.dumps(plain(message), 2)
        data = len(data).to_bytes(4, "little") + data
        if len(data) > 4096 and guard.changed():
            held(self.write, data)
        else:
            self.write(data)

    def write(self, data):
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(self.writer, view):]
            except BrokenPipeError:
                raise Gone() from None

    def receive(self):
        """Reads a frame. When something raises on the way, the next call goes on from there."""
        while True:
            size = int.from_bytes(self.buffer[:4], "little") + 4 if len(self.buffer) >= 4 else 4
            if len(self.buffer) >= size > 4:
                message = marshal.loads(bytes(self.buffer[4:size]))
                del self.buffer[:size]
                return message
            if guard.changed():
                import select

                select.select([self.reader], [], [])  # here a signal's handler may raise: nothing is read yet
                held(self.fill, size)
            else:
                self.fill(size)

    def fill(self, size):
        data = os.read(self.reader, max(size - len(self.buffer), 65536))
        if not data:
            raise Gone()
        self.buffer += data

    def ask(self, *message):
        """Asks pinch and serves what it asks meanwhile."""
        if os.getpid() != self.owner:
            raise RuntimeError("a forked child of a custom module cannot call Salt functions")
        with self.lock:
            self.asked += 1
            number = self.asked
            self.send(("ask", number) + message)
            while True:
                answer = self.receive()
                if answer[0] not in ("answer", "error"):
                    try:
                        serve(answer)
                    except RecursionError:  # there is no frame left to answer from
                        raise Gone() from None
                elif answer[-1] == number:
                    break
                # else nobody waits for it any more: a signal's handler raised meanwhile
        if answer[0] == "error":
            raise exception(answer[1], answer[2])
        return answer[1]


def held(function, argument):
    """Calls a function that no signal's handler may break off."""
    try:
        _signal.pthread_sigmask(_signal.SIG_BLOCK, guard.watched)
        function(argument)
    finally:
        _signal.pthread_sigmask(_signal.SIG_SETMASK, guard.blocked)


def exception(name, text):
    """The exception of that class, Salt's or Python's own."""
    import builtins

    import salt.exceptions

    for place in (salt.exceptions, builtins):
        cls = getattr(place, name, None)
        if isinstance(cls, type) and issubclass(cls, BaseException):
            try:
                return cls(text)
            except Exception:
                break
    return salt.exceptions.SaltException(text)


PLAIN = (bool, int, float, str, bytes)


def plain(value, above=()):
    """Makes of a value what marshal can write."""
    kind = type(value)
    if value is None or kind in PLAIN:
        return value
    if id(value) in above:
        return (Ellipsis, "object", kind.__name__, "...", "...")
    above = above + (id(value),)
    if len(above) > 400:
        return (Ellipsis, "object", kind.__name__, "...", "...")
    if isinstance(value, dict) or hasattr(kind, "__salt_mapping__"):
        return {plain(k, above): plain(v, above) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        items = [plain(v, above) for v in value]
        return items if isinstance(value, list) else tuple(items)
    if isinstance(value, (set, frozenset)):
        return {plain(v, above) for v in value}
    if isinstance(value, (bytearray, memoryview)):
        return bytes(value)
    for base in (bool, int, float, str, bytes):
        if isinstance(value, base):
            return base.__new__(base, value) if base is not str else str.__str__(value)
    if kind.__name__ in ("datetime", "date") and kind.__module__ == "datetime":
        return (Ellipsis, kind.__name__, value.isoformat())
    if kind.__name__ == "OrderedDict":
        return dict(value)
    try:
        return (Ellipsis, "object", kind.__name__, repr(value), str(value))
    except Exception:
        return (Ellipsis, "object", kind.__name__, object.__repr__(value), object.__repr__(value))


def unplain(value):
    """Brings back what plain, or pinch, wrote as a marked tuple."""
    kind = type(value)
    if kind is tuple:
        if len(value) > 1 and value[0] is Ellipsis:
            return marked(value)
        return tuple([unplain(v) for v in value])
    if kind is list:
        return [unplain(v) for v in value]
    if kind is dict:
        return {unplain(k): unplain(v) for k, v in value.items()}
    return value


def marked(value):
    import datetime

    if value[1] == "datetime":
        return datetime.datetime.fromisoformat(value[2])
    if value[1] == "date":
        return datetime.date.fromisoformat(value[2])
    if value[1] == "int":
        return int(value[2])
    return value[-1]


def described(error):
    """What pinch wants to know of an exception."""
    import traceback

    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith("<pinch"):
        trace = trace.tb_next
    place = trace
    last = None
    while place is not None:
        if not place.tb_frame.f_code.co_filename.startswith("<pinch"):
            last = place
        place = place.tb_next
    name, line = "", 0
    if last is not None:
        name, line = last.tb_frame.f_code.co_filename, last.tb_lineno
    if isinstance(error, SyntaxError) and error.filename:
        name, line = error.filename, error.lineno or 0
    cls = type(error)
    full = cls.__name__
    if isinstance(error, SystemExit):
        code = error.code
    else:
        code = None
    try:
        text = str(error)
    except Exception:
        text = "(an error whose text cannot be read)"
    lines = traceback.format_exception(cls, error, trace)
    if trace is None:
        lines.insert(0, "Traceback (most recent call last):\n")
    return (full, text, "".join(lines), name, line, code)


class Guard:
    """Puts back what a call may have changed of the process."""

    def __init__(self):
        self.thread = _thread.get_ident()
        self.watched = [_signal.SIGTERM, _signal.SIGINT, _signal.SIGALRM, _signal.SIGCHLD, _signal.SIGHUP, _signal.SIGUSR1, _signal.SIGUSR2]
        self.handlers = [_signal.getsignal(s) for s in self.watched]
        self.blocked = _signal.pthread_sigmask(_signal.SIG_BLOCK, ())
        self.directory = os.getcwd() if os.path.isdir(".") else "/"
        self.mask = os.umask(0o022)
        os.umask(self.mask)

    def changed(self):
        """Whether a module catches signals now."""
        for number, handler in zip(self.watched, self.handlers):
            if _signal.getsignal(number) is not handler:
                return True
        return False

    def restore(self):
        os.umask(self.mask)
        try:
            if os.getcwd() != self.directory:
                os.chdir(self.directory)
        except OSError:
            os.chdir("/")
        if _thread.get_ident() == self.thread:
            _signal.setitimer(_signal.ITIMER_REAL, 0)
            for number, handler in zip(self.watched, self.handlers):
                if handler is not None and _signal.getsignal(number) is not handler:
                    _signal.signal(number, handler)


connection = None
guard = None
depth = 0


def serve(message):
    """Answers one request."""
    global depth
    if message[0] in ("answer", "error"):
        return  # nobody waits for it any more
    import pinch_loader

    depth += 1
    try:
        value = getattr(pinch_loader, "on_" + message[0])(*message[1:])
        answer = ("answer", value, pinch_loader.take_retcode())
        if os.getpid() == connection.owner:
            try:
                connection.send(answer)
            except (TypeError, RecursionError, OverflowError, MemoryError) as error:
                connection.send(("error",) + described(error))
    except Gone:
        raise
    except BaseException as error:
        if os.getpid() == connection.owner:
            connection.send(("error",) + described(error))
    finally:
        depth -= 1
        if os.getpid() != connection.owner:
            os._exit(0)
        if depth == 0:
            guard.restore()


class Sources:
    """Imports the modules that pinch brings along, from memory."""

    def __init__(self, files):
        self.files = files

    def path(self, name):
        base = name.replace(".", "/")
        if base + "/__init__.py" in self.files:
            return base + "/__init__.py", True
        if base + ".py" in self.files:
            return base + ".py", False
        return None, False

    def find_spec(self, name, path=None, target=None):
        found, package = self.path(name)
        if found is None:
            return None
        from importlib.machinery import ModuleSpec

        spec = ModuleSpec(name, self, origin="<pinch>/" + found, is_package=package)
        if package:
            spec.submodule_search_locations = []
        return spec

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        found, _ = self.path(module.__name__)
        code = compile(self.files[found], "<pinch>/" + found, "exec", dont_inherit=True)
        module.__file__ = "<pinch>/" + found
        exec(code, module.__dict__)

    def get_source(self, name):
        found, _ = self.path(name)
        return None if found is None else self.files[found]


def main(files, settings):
    """Serves until pinch closes the pipe."""
    global connection, guard
    sys.modules["pinch_worker"] = sys.modules["__main__"]
    sources = Sources(files)
    if settings["own"]:
        sys.meta_path.insert(0, sources)
    else:
        sys.meta_path.append(sources)
    connection = Connection(3, 4)
    guard = Guard()
    os.set_inheritable(3, False)
    os.set_inheritable(4, False)
    import pinch_loader

    pinch_loader.setup(connection, settings)
    try:
        while True:
            serve(connection.receive())
    except Gone:
        pass
    finally:
        try:
            sys.stdout.flush()
        finally:
            os._exit(0)
