package salt

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"pinch/value"
)

// OSError gives an error of the operating system Python's class and text:
// [Errno 2] No such file or directory: '/x'. Other errors stay as they are.
func OSError(err error) error {
	var no syscall.Errno
	if err == nil || !errors.As(err, &no) {
		return err
	}
	class := "OSError"
	switch no {
	case syscall.ENOENT:
		class = "FileNotFoundError"
	case syscall.EEXIST:
		class = "FileExistsError"
	case syscall.EACCES, syscall.EPERM:
		class = "PermissionError"
	case syscall.ENOTDIR:
		class = "NotADirectoryError"
	case syscall.EISDIR:
		class = "IsADirectoryError"
	}
	return value.Errorf(class, "[Errno %d] %s%s", int(no), ErrnoText(no), errorPath(err))
}

func errorPath(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return ": " + value.Quote(p.Path)
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return fmt.Sprintf(": %s -> %s", value.Quote(l.Old), value.Quote(l.New))
	}
	return ""
}

// ErrnoText is strerror(3): Permission denied.
func ErrnoText(no syscall.Errno) string {
	s := no.Error()
	return strings.ToUpper(s[:1]) + s[1:]
}

// Unfetched is the error of a download that failed: a server that is away or
// has no such file. Salt raises it, where a missing file of the tree is only
// an empty answer.
func Unfetched(format string, a ...any) error { return value.Errorf("MinionError", format, a...) }

// IsUnfetched reports whether err is that of a download that failed, or of a
// path that is not absolute.
func IsUnfetched(err error) bool {
	var e *value.Exception
	return errors.As(err, &e) && (e.Class == "MinionError" || e.Class == "CommandExecutionError")
}
