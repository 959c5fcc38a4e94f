package dockertest

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// options is a host that only knows options.
type options struct {
	salt.Host
	opts *value.Map
}

func (o options) CallFunc(_ *salt.Ctx, _ string, args []any, _ *value.Map) (any, error) {
	if v, ok := o.opts.Get(value.Str(args[0])); ok {
		return v, nil
	}
	return args[1], nil
}

// World is a context with these options, names and values, and nobody's
// credentials. Their run ends with the test.
func World(t *testing.T, kv ...any) *salt.Ctx {
	t.Helper()
	t.Setenv("DOCKER_CONFIG", filepath.Join(t.TempDir(), "conf"))
	c := &salt.Ctx{Context: context.Background(), Sys: sys.Real{}, Host: options{opts: value.M(kv...)}, Run: salt.NewRun(), Log: slog.New(slog.DiscardHandler)}
	t.Cleanup(c.Run.End)
	return c
}

// Serve answers as a daemon until the test ends; it returns the address, for
// the option docker.url.
func Serve(t *testing.T, h http.Handler) string {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return "tcp://" + srv.Listener.Addr().String()
}
