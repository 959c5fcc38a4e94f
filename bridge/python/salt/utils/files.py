"""Files: opening, copying, removing."""

import contextlib
import os
import shutil
import stat
import tempfile

TEMPFILE_PREFIX = "__salt.tmp."


def fopen(*args, **kwargs):
    """open(), in UTF-8 for text unless something else is asked for, not inherited by children."""
    mode = kwargs.get("mode", args[1] if len(args) > 1 else "r")
    if "b" not in mode and "encoding" not in kwargs and len(args) < 4:
        kwargs["encoding"] = "utf-8"
    if "b" in mode:
        kwargs.pop("encoding", None)
    return open(*args, **kwargs)


@contextlib.contextmanager
def fpopen(*args, uid=-1, gid=-1, mode=None, **kwargs):
    """fopen() that sets owner and mode."""
    with fopen(*args, **kwargs) as stream:
        if uid != -1 or gid != -1:
            os.chown(args[0], uid if uid is not None else -1, gid if gid is not None else -1)
        if mode is not None:
            os.chmod(args[0], mode)
        yield stream


@contextlib.contextmanager
def flopen(*args, **kwargs):
    """fopen() with a lock."""
    import fcntl

    with fopen(*args, **kwargs) as stream:
        fcntl.flock(stream.fileno(), fcntl.LOCK_SH)
        try:
            yield stream
        finally:
            fcntl.flock(stream.fileno(), fcntl.LOCK_UN)


def mkstemp(*args, **kwargs):
    """The path of a new temporary file."""
    kwargs.setdefault("prefix", TEMPFILE_PREFIX)
    close = kwargs.pop("close_fd", True)
    handle, name = tempfile.mkstemp(*args, **kwargs)
    if not close:
        return handle, name
    os.close(handle)
    return name


@contextlib.contextmanager
def set_umask(mask):
    """Runs with another umask."""
    if mask is None:
        yield
        return
    old = os.umask(mask)
    try:
        yield
    finally:
        os.umask(old)


def normalize_mode(mode):
    """A mode as text without leading zeros, as Salt compares them."""
    if mode is None:
        return None
    if not isinstance(mode, str):
        mode = str(mode)
    mode = mode.replace("0o", "0").strip("\"").strip("'").lstrip("0")
    return mode.zfill(4) if mode else "0"


def is_binary(path):
    """Whether a file has bytes that no text has."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as stream:
        return b"\x00" in stream.read(2048)


def is_text(path, blocksize=512):
    """Whether a file looks like text."""
    with open(path, "rb") as stream:
        data = stream.read(blocksize)
    if not data:
        return True
    if b"\x00" in data:
        return False
    try:
        data.decode("utf-8")
        return True
    except UnicodeDecodeError:
        return sum(c < 32 and c not in (9, 10, 13) for c in data) / len(data) < 0.3


istextfile = is_text


def is_empty(path):
    """Whether a file has nothing in it."""
    try:
        return os.stat(path).st_size == 0
    except OSError:
        return False


def rm_rf(path):
    """Removes a file or a directory with all in it."""
    if os.path.islink(path) or not os.path.isdir(path):
        os.remove(path)
    else:
        shutil.rmtree(path)


def safe_rm(path):
    """Removes a file that may be gone already."""
    with contextlib.suppress(OSError):
        os.remove(path)


def copyfile(source, dest, backup_mode="", cachedir=""):
    """Copies a file through a temporary one beside the target."""
    if not os.path.isfile(source):
        raise OSError("[Errno 2] No such file or directory: " + source)
    if not os.path.isdir(os.path.dirname(dest)):
        raise OSError("[Errno 2] No such file or directory: " + dest)
    name = mkstemp(prefix=os.path.basename(dest), dir=os.path.dirname(dest))
    shutil.copyfile(source, name)
    with contextlib.suppress(OSError):
        shutil.copymode(dest if os.path.exists(dest) else source, name)
        if os.path.exists(dest):
            info = os.stat(dest)
            os.chown(name, info.st_uid, info.st_gid)
    os.replace(name, dest)


def rename(source, dest):
    """Renames over what is there."""
    os.replace(source, dest)


def recursive_copy(source, dest):
    """Copies a tree into another."""
    shutil.copytree(source, dest, dirs_exist_ok=True)


def process_read_exception(error, path, ignore=None):
    """Raises what a failed read means."""
    import errno

    from salt.exceptions import CommandExecutionError

    if ignore is not None and error.errno in (ignore if isinstance(ignore, (list, tuple)) else [ignore]):
        return
    if error.errno == errno.ENOENT:
        raise CommandExecutionError(path + " does not exist")
    if error.errno == errno.EACCES:
        raise CommandExecutionError("Permission denied reading from " + path)
    raise CommandExecutionError("Error %s encountered reading from %s: %s" % (error.errno, path, error.strerror))


@contextlib.contextmanager
def wait_lock(path, lock_fn=None, timeout=5, sleep=0.1, time_start=None):
    """Holds a lock file."""
    import time

    from salt.exceptions import FileLockError

    name = lock_fn or path + ".w"
    end = time.time() + timeout
    while True:
        try:
            os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            break
        except FileExistsError:
            if time.time() > end:
                raise FileLockError("Unable to open file lock for %s" % path) from None
            time.sleep(sleep)
    try:
        yield
    finally:
        safe_rm(name)


def list_files(directory):
    """All paths at and below a directory."""
    found = {directory}
    for root, folders, names in os.walk(directory):
        found.update(os.path.join(root, n) for n in folders + names)
    return list(found)


def st_mode_to_octal(mode):
    """The permission bits as text."""
    return oct(stat.S_IMODE(mode)).replace("0o", "0") if isinstance(mode, int) else ""


def safe_filename_leaf(file_basename):
    """A name without what some file systems refuse."""
    import re
    import urllib.parse

    return re.sub(r'[\\:/*?"<>|]', lambda m: urllib.parse.quote(m.group(0), safe=""), file_basename)


def os_walk(top, *args, **kwargs):
    return os.walk(top, *args, **kwargs)


def remove(path):
    safe_rm(path)


def safe_filepath(file_path_name, dir_sep=None):
    """A path each of whose names is safe."""
    return "/".join(safe_filename_leaf(part) for part in file_path_name.split(dir_sep or os.sep))


def is_fcntl_available(check_sunos=False):
    return True


def human_size_to_bytes(human_size):
    import re

    match = re.match(r"([0-9]+)([KMGTP]?)$", str(human_size))
    if not match:
        raise ValueError("Size must be all digits, with an optional unit type (K, M, G, T, or P)")
    return int(match.group(1)) * 1024 ** " KMGTP".index(match.group(2) or " ")


def get_umask():
    old = os.umask(0)
    os.umask(old)
    return old


def get_encoding(path):
    """The encoding of a text file."""
    import codecs

    from salt.exceptions import CommandExecutionError

    if not os.path.isfile(path):
        raise CommandExecutionError("Not a file")
    with open(path, "rb") as stream:
        data = stream.read(65536)
    for mark, name in ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")):
        if data.startswith(mark):
            return name
    for name in ("UTF-8", "latin-1"):
        try:
            data.decode(name)
            return name
        except UnicodeDecodeError:
            continue
    raise CommandExecutionError("Could not detect file encoding")


def guess_archive_type(name):
    """tar, zip or rar by the end of a name."""
    name = name.lower()
    for ending in ("tar", "tar.gz", "tgz", "tar.bz2", "tbz2", "tbz", "tar.xz", "txz", "tar.lzma", "tlz"):
        if name.endswith("." + ending):
            return "tar"
    return next((ending for ending in ("zip", "rar") if name.endswith("." + ending)), None)


def safe_walk(top, topdown=True, onerror=None, followlinks=True, _seen=None):
    """os.walk() that follows links and goes nowhere twice."""
    seen = set() if _seen is None else _seen
    for root, folders, names in os.walk(top, topdown, onerror, followlinks):
        info = os.stat(root)
        if (info.st_dev, info.st_ino) in seen:
            folders[:] = []
            continue
        seen.add((info.st_dev, info.st_ino))
        yield root, folders, names
