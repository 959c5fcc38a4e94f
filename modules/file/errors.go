package file

import (
	"crypto/tls"
	"errors"
	"strings"
	"syscall"

	"pinch/diag"
	"pinch/salt"
)

// osError gives an error of the operating system Python's class and text.
func osError(err error) error { return salt.OSError(err) }

// osText is the text of osError.
func osText(err error) string { return osError(err).Error() }

// strError is the bare reason: Permission denied.
func strError(err error) string {
	var no syscall.Errno
	if errors.As(err, &no) {
		return salt.ErrnoText(no)
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
