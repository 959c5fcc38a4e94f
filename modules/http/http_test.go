package http

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

func server(t *testing.T) string {
	mux := http.NewServeMux()
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %s|%s|%s|%s|%s", r.Method, r.URL, r.Header.Get("Content-Type"), r.Header.Get("X-A"), r.Header.Get("Authorization"), r.Header.Get("Cookie"), b)
	})
	for path, answer := range map[string]struct {
		code       int
		head, body string
	}{
		"/404": {404, "", "nope"}, "/500": {500, "", ""}, "/304": {304, "", ""},
		"/latin": {200, "Content-Type: text/plain; charset=ISO-8859-1", "\xe9"}, "/bad": {200, "Content-Type: text/plain", "\xe9"},
		"/json": {200, "Content-Type: application/json", `{"a": [1, null]}`}, "/plain": {200, "Content-Type: text/plain", "hello"},
		"/xml":   {200, "Content-Type: application/xml", `<r a="1"><b k="v">t</b><c><d>1</d><d>2</d></c></r>`},
		"/yaml":  {200, "Content-Type: text/yaml", "a: [1, x]\n"},
		"/set":   {200, "Set-Cookie: a=b; Path=/; Max-Age=60", "c"},
		"/redir": {302, "Location: /echo", ""}, "/redir307": {307, "Location: /echo", ""}, "/loop": {302, "Location: /loop", ""},
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			if k, v, ok := strings.Cut(answer.head, ": "); ok {
				w.Header().Set(k, v)
			}
			w.WriteHeader(answer.code)
			io.WriteString(w, answer.body)
		})
	}
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(10 * time.Second):
		}
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

func testCtx(t *testing.T) *salt.Ctx {
	return &salt.Ctx{Context: t.Context(), Sys: sys.Real{}, Log: slog.New(slog.DiscardHandler), Run: salt.NewRun(),
		Opts: value.M("cachedir", t.TempDir(), "http_request_timeout", int64(60))}
}

// The answers are those of Salt 3008.4.
func TestQuery(t *testing.T) {
	url, c := server(t), testCtx(t)
	kw := value.M
	for _, tc := range []struct {
		path string
		kw   *value.Map
		want string
	}{
		{"/echo", kw(), `{'body': 'GET /echo ||||'}`},
		{"/echo", kw("method", "POST", "data", "a=1"), `{'body': 'POST /echo application/x-www-form-urlencoded||||a=1'}`},
		{"/echo", kw("method", "POST", "data", kw("a", "1 2", "b", "ü")), `{'body': 'POST /echo application/x-www-form-urlencoded||||a=1+2&b=%C3%BC'}`},
		{"/echo", kw("params", kw("q", "a b", "z", int64(1))), `{'body': 'GET /echo?q=a+b&z=1 ||||'}`},
		{"/echo", kw("header_list", value.L("X-A: 2", "bad")), `{'body': 'GET /echo |2|||'}`},
		{"/echo", kw("username", "u", "password", "p"), `{'body': 'GET /echo ||Basic dTpw||'}`},
		{"/404", kw(), `{'status': 404, 'error': 'HTTP 404: Not Found', 'body': 'nope'}`},
		{"/404", kw("status", true, "raise_error", false, "text", true), `{'body': 'nope', 'status': 404, 'text': 'nope'}`},
		{"/404", kw("backend", "urllib2"), `{'Error': 'HTTP Error 404: Not Found'}`},
		{"/500", kw(), `{'status': 500, 'error': 'HTTP 500: Internal Server Error', 'body': ''}`},
		{"/304", kw(), `{'status': 304, 'error': 'HTTP 304: Not Modified', 'body': ''}`},
		{"/redir", kw("status", true), `{'body': 'GET /echo ||||', 'status': 200}`},
		{"/redir307", kw("method", "POST", "data", "x"), `{'body': 'POST /echo application/x-www-form-urlencoded||||x'}`},
		{"/loop", kw(), `{'status': 302, 'error': 'HTTP 302: Found', 'body': ''}`},
		{"/latin", kw("text", true), `{'body': 'é', 'text': 'é'}`},
		{"/bad", kw(), `! 'utf-8' codec can't decode byte 0xe9 in position 0: unexpected end of data`},
		{"/bad", kw("decode_body", false), `{'body': b'\xe9'}`},
		{"/json", kw("decode", true), `{'body': '{"a": [1, null]}', 'dict': {'a': [1, None]}}`},
		{"/xml", kw("decode", true), `{'body': '<r a="1"><b k="v">t</b><c><d>1</d><d>2</d></c></r>', 'dict': [{'b': 't'}, {'d': ['1', {'d': '2'}]}]}`},
		{"/yaml", kw("decode", true), `{'body': 'a: [1, x]\n', 'dict': {'a': [1, 'x']}}`},
		{"/plain", kw("decode", true), `{'body': 'hello', 'text': 'hello'}`},
		{"/plain", kw("decode", true, "decode_type", "json"), `! Expecting value: line 1 column 1 (char 0)`},
		{"/plain", kw("decode", true, "decode_type", "bogus"), `{'body': 'hello', 'error': "Invalid decode_type specified. Valid decode types are: ('json', 'xml', 'yaml', 'plain')"}`},
		{"/slow", kw("status", true), `{'status': 599, 'error': 'Timeout during request'}`},
		{"/echo", kw("test", true), `{}`},
		{"/echo", kw("formdata", true), `{'error': 'formdata_fieldname is required when formdata=True'}`},
	} {
		if tc.path == "/slow" {
			c.Opts.Set("http_request_timeout", 0.3)
		} else {
			c.Opts.Set("http_request_timeout", int64(60))
		}
		out, err := query(c, queryArgs{url + tc.path, tc.kw})
		got := value.Repr(out)
		if err != nil {
			got = "! " + err.Error()
		}
		if got != tc.want {
			t.Errorf("%s %s:\n got  %s\n want %s", tc.path, value.Repr(tc.kw), got, tc.want)
		}
	}
	for address, want := range map[string]string{
		"http://127.0.0.1:1/":     "{'status': 0, 'error': '[Errno 111] Connection refused'}",
		"ftp://x/":                "! Unsupported url scheme: ftp://x/",
		"http://u:pw@127.0.0.1:1": "{'status': 0, 'error': '[Errno 111] Connection refused'}",
	} {
		out, err := query(c, queryArgs{address, kw("status", true)})
		got := value.Repr(out)
		if err != nil {
			got = "! " + err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

// A cookie comes back in the next call, and in a later session.
func TestCookies(t *testing.T) {
	url := server(t)
	for _, kw := range []*value.Map{
		value.M("cookies", true), value.M("cookies", true, "cookie_format", "mozilla"), value.M("persist_session", true),
	} {
		c := testCtx(t)
		for _, path := range []string{"/set", "/echo"} {
			out, err := query(c, queryArgs{url + path, kw})
			if err != nil {
				t.Fatal(err)
			}
			if path == "/echo" && out.Str("body") != "GET /echo |||a=b|" {
				t.Errorf("%s: %s", value.Repr(kw), out.Str("body"))
			}
		}
	}
}

func TestUpdateCABundle(t *testing.T) {
	url, c := server(t), testCtx(t)
	target := filepath.Join(t.TempDir(), "ca.pem")
	os.WriteFile(target, []byte("old"), 0o644)
	if _, err := updateCABundle(c, bundleArgs{Target: target, Source: url + "/plain"}); err == nil {
		t.Error("a page without certificates was taken")
	}
	if b, _ := os.ReadFile(target); string(b) != "old" {
		t.Errorf("the old file is gone: %s", b)
	}
}

// The comments are those of Salt 3008.4.
func TestFindings(t *testing.T) {
	for _, tc := range []struct {
		a       queryStateArgs
		comment string
		result  string
	}{
		{queryStateArgs{Match: "ell", MatchType: "string"}, ` Match text "ell" was found.`, "true"},
		{queryStateArgs{Match: "^x", MatchType: "pcre", Status: int64(200), StatusType: "string"}, ` Match pattern "^x" was not found. Status 200 was found.`, "false"},
		{queryStateArgs{Status: value.L(int64(200), int64(201)), StatusType: "list"}, ` Status 200 was found.`, "true"},
		{queryStateArgs{Status: value.L(int64(404)), StatusType: "list"}, ` Statuses [404] were not found.`, "false"},
		{queryStateArgs{Status: "2..", StatusType: "pcre"}, ` Status pattern "2.." was found.`, "true"},
	} {
		f := new(findings)
		if tc.a.Match != nil {
			f.match(tc.a, "hello")
		}
		if tc.a.Status != nil {
			f.status(tc.a, "200")
		}
		if got := fmt.Sprint(*f.result); f.comment != tc.comment || got != tc.result {
			t.Errorf("%q %s, want %q %s", f.comment, got, tc.comment, tc.result)
		}
	}
}
