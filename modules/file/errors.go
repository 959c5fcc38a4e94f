package file

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"pinch/diag"
	"pinch/salt"
	"pinch/value"
)

var osClasses = map[syscall.Errno]string{
	syscall.ENOENT: "FileNotFoundError", syscall.EEXIST: "FileExistsError", syscall.EACCES: "PermissionError",
	syscall.EPERM: "PermissionError", syscall.ENOTDIR: "NotADirectoryError", syscall.EISDIR: "IsADirectoryError",
}

// osError gives an error of the operating system Python's class and text:
// [Errno 2] No such file or directory: '/x'.
func osError(err error) error {
	var no syscall.Errno
	if err == nil || !errors.As(err, &no) {
		return err
	}
	class := osClasses[no]
	if class == "" {
		class = "OSError"
	}
	return value.Errorf(class, "[Errno %d] %s%s", int(no), errnoText(no), errorPath(err))
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

func errnoText(no syscall.Errno) string {
	s := no.Error()
	return strings.ToUpper(s[:1]) + s[1:]
}

// osText is the text of osError.
func osText(err error) string { return osError(err).Error() }

// strError is the bare reason: Permission denied.
func strError(err error) string {
	var no syscall.Errno
	if errors.As(err, &no) {
		return errnoText(no)
	}
	return err.Error()
}

// text is what an error adds to a comment: Salt's own words for a mistake in
// a template, without the place.
func text(err error) string {
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		return d.Text()
	}
	var cert *tls.CertificateVerificationError
	if errors.As(err, &cert) {
		return "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: " + cert.Err.Error()
	}
	var l diag.List
	if errors.As(err, &l) {
		return strings.Join(l.Texts(), "\n")
	}
	return osText(err)
}

// notThere reports whether a text says that a source is missing.
func notThere(msg string) bool {
	return strings.Contains(msg, "not found") || strings.Contains(msg, "does not exist")
}

// report notes the places of mistakes in a template for whoever prints them.
func report(c *salt.Ctx, err error) {
	var d *diag.Diagnostic
	var l diag.List
	switch {
	case c.Run == nil:
	case errors.As(err, &d):
		c.Run.Report(d)
	case errors.As(err, &l):
		c.Run.Report(l...)
	}
}
