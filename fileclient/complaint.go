package fileclient

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"

	"pinch/salt"
)

// unfetched is what a failed download raises, in the words of Salt's file
// client: "Error: WHY reading PATH". What a user stopped and what the disk
// refused stay as they are.
func unfetched(err error, u *url.URL) error {
	var disk *os.PathError
	if errors.Is(err, context.Canceled) || errors.As(err, &disk) {
		return err
	}
	return salt.Unfetched("Error: %s reading %s", Complaint(err), u.Path)
}

// statusText is a response's status as Salt's HTTP client shows it.
func statusText(res *http.Response) string {
	_, reason, _ := strings.Cut(res.Status, " ")
	if reason == "" {
		reason = http.StatusText(res.StatusCode)
	}
	return fmt.Sprintf("HTTP %d: %s", res.StatusCode, reason)
}

// Complaint is the text of an error of the network as Python shows it.
func Complaint(err error) string {
	var (
		no      syscall.Errno
		dns     *net.DNSError
		op      *net.OpError
		timeout net.Error
		cert    *tls.CertificateVerificationError
		record  tls.RecordHeaderError
	)
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return "[Errno -2] Name or service not known"
	case errors.As(err, &dns) && dns.IsTemporary:
		return "[Errno -3] Temporary failure in name resolution"
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, context.DeadlineExceeded):
		if errors.As(err, &op) && op.Op == "dial" {
			return "Timeout while connecting"
		}
		return "Timeout during request"
	case errors.As(err, &cert):
		return "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: " + cert.Err.Error()
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return "[SSL: WRONG_VERSION_NUMBER] wrong version number"
	case errors.As(err, &no):
		return fmt.Sprintf("[Errno %d] %s", int(no), salt.ErrnoText(no))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "Connection closed"
	}
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	return err.Error()
}
