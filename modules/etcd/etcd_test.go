package etcd

import (
	"context"
	"encoding/base64"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// exchange is a server that gives the answers of etcd 3.4's documentation.
func exchange(t *testing.T, answers map[string]string) (kw *value.Map, asked *[]string) {
	asked = new([]string)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		line := strings.TrimSpace(r.Method + " " + r.URL.RequestURI() + " " + string(body))
		*asked = append(*asked, line)
		a, ok := answers[line]
		if !ok {
			t.Errorf("asked for %s", line)
		}
		if strings.Contains(a, "errorCode") {
			w.WriteHeader(http.StatusNotFound)
		}
		io.WriteString(w, a)
	}))
	t.Cleanup(srv.Close)
	host, port, _ := net.SplitHostPort(srv.Listener.Addr().String())
	return value.M("host", host, "port", port), asked
}

func ctx(opts *value.Map, test bool) *salt.Ctx {
	return &salt.Ctx{Context: context.Background(), Sys: sys.Real{}, Run: salt.NewRun(), Log: slog.New(slog.DiscardHandler),
		Opts: opts, Pillar: new(value.Map), Test: test}
}

const notFound = `{"errorCode":100,"message":"Key not found","cause":"/none","index":6}`

func TestV2(t *testing.T) {
	folder := `{"action":"get","node":{"key":"/app","dir":true,"nodes":[{"key":"/app/a","value":"1"},{"key":"/app/sub","dir":true}]}}`
	kw, _ := exchange(t, map[string]string{
		"GET /v2/keys/none":                  notFound,
		"GET /v2/keys/app/a%20b":             `{"action":"get","node":{"key":"/app/a b","value":"x","modifiedIndex":4,"createdIndex":4}}`,
		"GET /v2/keys/app":                   folder,
		"GET /v2/keys/app/sub":               `{"action":"get","node":{"key":"/app/sub","dir":true}}`,
		"PUT /v2/keys/app/a ttl=5&value=1":   `{"action":"set","node":{"key":"/app/a","value":"1","ttl":5}}`,
		"PUT /v2/keys/app dir=true":          `{"errorCode":102,"message":"Not a file","cause":"/app"}`,
		"PUT /v2/keys/app/a/b value=1":       `{"errorCode":104,"message":"Not a directory","cause":"/app/a"}`,
		"DELETE /v2/keys/app":                `{"errorCode":108,"message":"Directory not empty","cause":"/app"}`,
		"DELETE /v2/keys/app?recursive=true": `{"action":"delete","node":{"key":"/app","dir":true}}`,
	})
	c := ctx(new(value.Map), false)
	check := func(what string, got any, err error, want string) {
		if s := value.Repr(got); err != nil || s != want {
			t.Errorf("%s: %s %v, not %s", what, s, err, want)
		}
	}
	v, err := get(c, getArgs{Key: "/none", Kwargs: kw})
	check("get none", v, err, "None")
	v, err = get(c, getArgs{Key: "app/a b", Kwargs: kw})
	check("get", v, err, "'x'")
	v, err = tree(c, pathArgs{Path: "/app", Kwargs: kw})
	check("tree", v, err, "{'a': '1', 'sub': {}}")
	v, err = ls(c, pathArgs{Path: "/app", Kwargs: kw})
	check("ls", v, err, "{'/app': {'/app/a': '1', '/app/sub/': {}}}")
	v, err = ls(c, pathArgs{Path: "/none", Kwargs: kw})
	check("ls none", v, err, "{}")
	v, err = set(c, setArgs{Key: "/app/a", Value: int64(1), TTL: int64(5), Kwargs: kw})
	check("set", v, err, "'1'")
	v, err = set(c, setArgs{Key: "/app", Directory: true, Kwargs: kw})
	check("folder that is there", v, err, "True")
	v, err = rm(c, rmArgs{Key: "/app", Kwargs: kw})
	check("folder with keys", v, err, "None")
	v, err = rm(c, rmArgs{Key: "/app", Recurse: true, Kwargs: kw})
	check("all of a folder", v, err, "True")
	if _, err := set(c, setArgs{Key: "/app/a/b", Value: "1", Kwargs: kw}); err == nil || !strings.Contains(err.Error(), "Not a directory : /app/a") {
		t.Errorf("a key below a key: %v", err)
	}
}

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func TestV3(t *testing.T) {
	kw, _ := exchange(t, map[string]string{
		"GET /version": `{"etcdserver":"3.4.23","etcdcluster":"3.4.0"}`,
		`POST /v3/kv/range {"key":"` + b64("/app/") + `","range_end":"` + b64("/app0") + `"}`: `{"header":{},"kvs":[{"key":"` + b64("/app/a") + `","value":"` + b64("\xa11") +
			`","mod_revision":"3"},{"key":"` + b64("/app/s/b") + `","value":"` + b64("\x02") + `"}],"count":"2"}`,
		`POST /v3/kv/range {"key":"` + b64("/none") + `"}`:       `{"header":{}}`,
		`POST /v3/kv/deleterange {"key":"` + b64("/none") + `"}`: `{"header":{}}`,
	})
	c := ctx(value.M("p", value.M("etcd.require_v2", false)), false)
	v, err := tree(c, pathArgs{Path: "/app/", Profile: "p", Kwargs: kw})
	if s := value.Repr(v); err != nil || s != "{'a': '1', 's': {'b': 2}}" {
		t.Errorf("tree: %s %v", s, err)
	}
	if v, err := get(c, getArgs{Key: "/none", Profile: "p", Kwargs: kw}); v != nil || err != nil {
		t.Errorf("none: %v %v", v, err)
	}
	if v, err := rm(c, rmArgs{Key: "/none", Profile: "p", Kwargs: kw}); v != false || err != nil {
		t.Errorf("remove none: %v %v", v, err)
	}
	if _, err := set(c, setArgs{Key: "/x", Directory: true, Profile: "p", Kwargs: kw}); err == nil {
		t.Error("version 3 has no folders")
	}
}

// TestPlan must not write: the server knows no PUT and no DELETE.
func TestPlan(t *testing.T) {
	kw, asked := exchange(t, map[string]string{"GET /v2/keys/none": notFound, "GET /v2/keys/key": `{"node":{"key":"/key","value":"old"}}`})
	c := ctx(value.M("p", new(value.Map)), true)
	for _, r := range []salt.Result{
		present(c, presentArgs{Name: "/none", Value: "x", Profile: "p", Kwargs: kw}),
		present(c, presentArgs{Name: "/key", Value: "x", Profile: "p", Kwargs: kw}),
		directory(c, directoryArgs{Name: "/none", Profile: "p", Kwargs: kw}),
		removed(c, removedArgs{Name: "/key", Profile: "p", Kwargs: kw}),
	} {
		if r.Result != nil || r.Changes.Len() != 1 {
			t.Errorf("%v %s", r.Result, r.Comment)
		}
	}
	if len(*asked) != 4 {
		t.Errorf("%q", *asked)
	}
}

func TestAway(t *testing.T) {
	kw := value.M("host", "127.0.0.1", "port", int64(1), "username", "u", "password", "secret-word")
	c := ctx(new(value.Map), false)
	if v, err := get(c, getArgs{Key: "/a", Kwargs: kw}); v != nil || err != nil {
		t.Errorf("%v %v", v, err)
	}
	for _, r := range []salt.Result{
		present(c, presentArgs{Name: "/a", Value: "x", Profile: "p", Kwargs: kw}),
		directory(c, directoryArgs{Name: "/a", Profile: "p", Kwargs: kw}),
		removed(c, removedArgs{Name: "/a", Profile: "p", Kwargs: kw}),
	} {
		if !r.Bad() || !strings.Contains(r.Comment, "could not connect to etcd server") || strings.Contains(r.Comment, "secret-word") {
			t.Errorf("%v %s", r.Result, r.Comment)
		}
	}
}

func TestFlatten(t *testing.T) {
	flat := new(value.Map)
	flatten(flat, value.M("/a/", value.M("b", int64(1), "c", new(value.Map)), "d", "x"), "/top/")
	if got := value.Repr(flat); got != "{'/top/a/b': 1, '/top/a/c': {}, '/top/d': 'x'}" {
		t.Error(got)
	}
}
