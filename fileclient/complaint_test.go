package fileclient

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pinch/salt"
)

// TestDownloadFails: the texts are what Salt's file client raises for the same answers.
func TestDownloadFails(t *testing.T) {
	stop := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/slow":
			select {
			case <-stop:
			case <-r.Context().Done():
			}
		case "/short":
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, "abc")
		case "/304":
			w.WriteHeader(http.StatusNotModified)
		case "/500":
			w.WriteHeader(http.StatusInternalServerError)
		default:
			http.NotFound(w, r)
		}
	}))
	defer srv.Close()
	defer close(stop)
	closed := httptest.NewServer(nil)
	closed.Close()
	dir := t.TempDir()
	c := New(Options{CacheDir: dir, HTTP: HTTPOptions{RequestTimeout: 300 * time.Millisecond, ConnectTimeout: time.Second}})
	for _, tt := range []struct{ url, want string }{
		{srv.URL + "/none/x", "Error: HTTP 404: Not Found reading /none/x"},
		{strings.Replace(srv.URL, "//", "//user:secret@", 1) + "/none?token=t", "Error: HTTP 404: Not Found reading /none"},
		{srv.URL + "/500", "Error: HTTP 500: Internal Server Error reading /500"},
		{srv.URL + "/304", "Error: HTTP 304: Not Modified reading /304"},
		{srv.URL + "/slow", "Error: Timeout during request reading /slow"},
		{srv.URL + "/short", "Error: Connection closed reading /short"},
		{closed.URL + "/x", "Error: [Errno 111] Connection refused reading /x"},
		{strings.Replace(srv.URL, "http:", "https:", 1) + "/x", "Error: [SSL: WRONG_VERSION_NUMBER] wrong version number reading /x"},
	} {
		_, err := c.Get(nil, tt.url, "base", salt.GetOptions{})
		if err == nil || err.Error() != tt.want || !salt.IsUnfetched(err) {
			t.Errorf("%s: %v, want %s", tt.url, err, tt.want)
		}
	}
	filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			t.Errorf("%s: is left of a failed download", name)
		}
		return nil
	})
}

func TestComplaint(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&net.DNSError{IsNotFound: true}, "[Errno -2] Name or service not known"},
		{&net.DNSError{IsTemporary: true}, "[Errno -3] Temporary failure in name resolution"},
		{&net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}, "Timeout while connecting"},
		{&net.OpError{Op: "read", Err: syscall.ECONNRESET}, "[Errno 104] Connection reset by peer"},
		{&tls.CertificateVerificationError{Err: errors.New("unknown authority")}, "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: unknown authority"},
	} {
		if got := Complaint(tt.err); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.err, got, tt.want)
		}
	}
}
