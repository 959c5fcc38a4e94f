package modules

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// A dockerCall is what real Salt did on a real daemon, see
// docker/testdata/README.md. Requests are in their order.
type dockerCall struct {
	Function string // exec docker.ps
	Retcode  int
	Test     bool
	Requests []*dockerRequest
	Differs  string // why ours is not Salt's answer
	Unasked  bool   // Salt runs a program for it that asks in its own way

	m *value.Map
}

type dockerRequest struct {
	Ask          string // GET /containers/json?all=1
	Answer       int
	Status       int
	CLI          bool // of the docker command, which asks in its own words
	Body         string
	Auth, Config string

	used bool
}

// dockerDaemon answers what was recorded.
type dockerDaemon struct {
	t       *testing.T
	answers []any
	call    *dockerCall
	strange []string
}

// same reports whether a request is the recorded one.
func (r *dockerRequest) same(q *http.Request, path string, body []byte) bool {
	method, rest, _ := strings.Cut(r.Ask, " ")
	was, query, _ := strings.Cut(rest, "?")
	if was, _ = url.PathUnescape(was); method != q.Method || !sameText(was, path) {
		return false
	}
	if r.CLI {
		return sameCommand(r.Body, string(body))
	}
	want, _ := url.ParseQuery(query)
	return want.Encode() == q.URL.Query().Encode() && sameJSON(r.Body, string(body)) && r.Auth == q.Header.Get("X-Registry-Auth") && sameHeader(r.Config, q.Header.Get("X-Registry-Config"))
}

// dockerRandom is the name of a temporary network.
var dockerRandom = regexp.MustCompile(`\b[a-z]{20}\b`)

func sameText(a, b string) bool {
	return dockerRandom.ReplaceAllString(a, "TEMP") == dockerRandom.ReplaceAllString(b, "TEMP")
}

var dockerTemp = regexp.MustCompile(`/tmp/(salt|__salt.tmp.)\w+`)

// sameCommand reports whether two requests run the same words.
func sameCommand(a, b string) bool {
	if !strings.Contains(a, `"Cmd"`) {
		return true
	}
	x, _ := value.ParseJSON(dockerTemp.ReplaceAllString(a, "TMP"))
	y, _ := value.ParseJSON(dockerTemp.ReplaceAllString(b, "TMP"))
	m, _ := x.(*value.Map)
	n, _ := y.(*value.Map)
	return value.Equal(m.At("Cmd"), n.At("Cmd"))
}

func sameHeader(a, b string) bool {
	x, err := base64.URLEncoding.DecodeString(a)
	y, err2 := base64.URLEncoding.DecodeString(b)
	return err == nil && err2 == nil && sameJSON(string(x), string(y)) || a == "e30=" && b == ""
}

func sameJSON(a, b string) bool {
	if a == "" || b == "" {
		return len(strings.TrimSpace(b)) <= 2 && a == "" || !strings.HasPrefix(strings.TrimSpace(b), "{") && a == ""
	}
	x, err := value.ParseJSON(dockerRandom.ReplaceAllString(a, "TEMP"))
	y, err2 := value.ParseJSON(dockerRandom.ReplaceAllString(b, "TEMP"))
	return err == nil && err2 == nil && value.Equal(x, y)
}

func (d *dockerDaemon) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, _ := io.ReadAll(q.Body)
	path := q.URL.Path
	if rest := strings.SplitN(path, "/", 3); len(rest) == 3 && strings.HasPrefix(rest[1], "v1.") {
		path = "/" + rest[2]
	}
	again := d.find(func(r *dockerRequest) bool { return r.same(q, path, body) }, q.Method == http.MethodGet)
	if again != nil && !again.used {
		d.answer(w, again)
		return
	}
	switch {
	case again != nil && q.Method == http.MethodGet:
		d.answer(w, again)
	case path == "/images/json" && d.images() != nil:
		// Salt's list_tags has the images that rmi asked for.
		d.answer(w, d.images())
	case strings.HasSuffix(path, "/attach"):
		w.WriteHeader(http.StatusNotFound) // ours tries this first for a container that removes itself
	case path == "/version":
		fmt.Fprint(w, `{"ApiVersion": "1.41"}`)
	default:
		d.strange = append(d.strange, q.Method+" "+path+"?"+q.URL.RawQuery+" "+string(body[:min(len(body), 300)]))
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"message": "not recorded"}`)
	}
}

// find is the recorded request for one that comes. Only changes make answers
// other ones: what looks is answered as it was between the changes so far and
// the next one, each answer once, then the last of them again.
func (d *dockerDaemon) find(same func(*dockerRequest) bool, looks bool) *dockerRequest {
	var before, now, after *dockerRequest
	done, next := -1, len(d.call.Requests)
	for i, r := range d.call.Requests {
		if r.changes() && r.used {
			done = i
		}
	}
	for i, r := range d.call.Requests {
		if r.changes() && !r.used && i > done {
			next = i
			break
		}
	}
	for i, r := range d.call.Requests {
		switch {
		case !same(r):
		case !looks:
			if now = r; !r.used {
				return r
			}
		case i < done:
			before = r
		case i > next:
			if after == nil {
				after = r
			}
		case now == nil || now.used:
			now = r
		}
	}
	return cmp.Or(now, before, after)
}

// changes reports whether a request is one that changes something.
func (r *dockerRequest) changes() bool {
	return !strings.HasPrefix(r.Ask, "GET ") && !strings.HasPrefix(r.Ask, "HEAD ")
}

// images are those that the call saw last.
func (d *dockerDaemon) images() *dockerRequest {
	var last *dockerRequest
	for _, r := range d.call.Requests {
		if strings.HasPrefix(r.Ask, "GET /images/json") {
			last = r
		}
	}
	return last
}

func (d *dockerDaemon) answer(w http.ResponseWriter, r *dockerRequest) {
	r.used = true
	status := cmp.Or(r.Status, http.StatusOK)
	if status == http.StatusSwitchingProtocols {
		status = http.StatusOK
	}
	w.WriteHeader(status)
	switch a := d.answers[r.Answer].(type) {
	case string:
		_, _ = io.WriteString(w, a)
	case map[string]any:
		if s, ok := a["base64"].(string); ok {
			b, _ := base64.StdEncoding.DecodeString(s)
			_, _ = w.Write(b)
			return
		}
		_, _ = w.Write(make([]byte, int(a["long"].(float64))))
	}
}

// missed are the recorded changes that were not asked for.
func (c *dockerCall) missed() []string {
	var out []string
	for _, r := range c.Requests {
		if !r.used && r.changes() {
			out = append(out, r.Ask+" "+r.Body)
		}
	}
	return out
}

// dockerHost calls functions with the options of a case.
type dockerHost struct {
	salt.Host
	registry *salt.Registry
	opts     *value.Map
	dir      string
}

func (h dockerHost) Registry() *salt.Registry { return h.registry }

func (h dockerHost) CallFunc(c *salt.Ctx, fun string, args []any, kw *value.Map) (any, error) {
	if kw == nil {
		kw = new(value.Map)
	}
	if fun == "cp.cache_file" {
		path := filepath.Join(h.dir, strings.TrimPrefix(value.Str(args[0]), "salt://"))
		if !sys.Exists(c.Sys, path) {
			return "", nil
		}
		return path, nil
	}
	f, err := h.registry.Exec(c, fun)
	if err != nil {
		return nil, err
	}
	return f.Call(c, args, kw)
}

var dockerTimes = regexp.MustCompile(`"?Time_Elapsed"?: ?[0-9.e-]+|Time_Elapsed:\n +[0-9.e-]+`)

// shown is a return without what differs from call to call.
func shown(v any, dir string) string {
	return strings.ReplaceAll(dockerTimes.ReplaceAllString(value.Repr(still(v)), "Time_Elapsed: 0"), dir, "$W")
}

func still(v any) any {
	switch x := v.(type) {
	case *value.List:
		out := value.L()
		for _, it := range x.Items {
			out.Append(still(it))
		}
		return out
	case *value.Map:
		out := new(value.Map)
		for k, v := range x.Items() {
			switch k {
			case "(tuple)":
				return value.Tuple(v.(*value.List).Items)
			case "Time_Elapsed", "pid":
				v = int64(0)
			}
			out.Set(k, still(v))
		}
		return out
	}
	return v
}

// TestDocker makes the calls that were recorded with real Salt 3007.17 (the
// last one that has the module) on Docker 20.10, against a daemon that answers
// what that one did, and compares what they ask and return.
func TestDocker(t *testing.T) {
	local := time.Local
	time.Local = time.UTC
	t.Cleanup(func() { time.Local = local })
	total := 0
	for _, name := range []string{"calls", "states", "containers"} {
		t.Run(name, func(t *testing.T) { total += replayDocker(t, name) })
	}
	t.Logf("%d calls as recorded from Salt", total)
}

func replayDocker(t *testing.T, name string) int {
	b, err := os.ReadFile("docker/testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Answers []any
		Calls   []*dockerCall
	}
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	v, err := value.ParseJSON(string(b))
	if err != nil {
		t.Fatal(err)
	}
	dir := dockerTree(t, name)
	d := &dockerDaemon{t: t, answers: file.Answers}
	socket := filepath.Join(dir, "docker.sock")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	srv := &httptest.Server{Listener: l, Config: &http.Server{Handler: d}}
	srv.Start()
	t.Cleanup(srv.Close)
	t.Setenv("DOCKER_HOST", "unix://"+socket)
	t.Setenv("DOCKER_CONFIG", filepath.Join(dir, "home"))
	t.Setenv("LANG", "C.UTF-8")
	same, differ := 0, map[string]int{}
	for i, call := range file.Calls {
		call.m = v.(*value.Map).List("calls").Items[i].(*value.Map)
		d.call, d.strange = call, nil
		if problem := replayCall(t, d, dir); problem != "" {
			t.Errorf("%d %s%s\n%s", i, call.Function, brief(call.m), problem)
		} else if call.Differs == "" {
			same++
		} else {
			differ[call.Differs]++
		}
	}
	t.Logf("%d calls as in Salt", same)
	for why, n := range differ {
		t.Logf("%d differ: %s", n, why)
	}
	return same
}

func brief(m *value.Map) string {
	return value.Repr(m.At("args")) + value.Repr(m.At("kwargs")) + value.Repr(m.At("opts"))
}

// dockerTree is the folder that the recorded calls were made with.
func dockerTree(t *testing.T, name string) string {
	dir, err := os.MkdirTemp("/tmp", "dk")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	for path, text := range map[string]string{
		"busybox.tar": "not looked at", "bad.tar": "no tar at all", "b.tar": "", "f.txt": "content\n", "s.sh": "#!/bin/sh\necho \"args: $@\"\nexit 4\n",
		"ctx/Dockerfile": "FROM busybox\n", "ctx/Dockerfile.bad": "FROM busybox\nRUN false\n", "ctx/other": "FROM busybox\n", "ctx/bad": "FROM busybox\nRUN false\n", "dd/.keep": "",
	} {
		if path == "b.tar" && name == "calls" {
			continue // docker.save makes it
		}
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func replayCall(t *testing.T, d *dockerDaemon, dir string) string {
	call := d.call
	here := func(v any) any {
		x, err := value.ParseJSON(strings.ReplaceAll(mustJSON(t, v), "$W", dir))
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	opts := value.M("docker.update_mine", false)
	if m, ok := here(call.m.At("opts")).(*value.Map); ok {
		opts.Update(m)
	}
	pillar, _ := opts.At("pillar").(*value.Map)
	c := &salt.Ctx{Context: context.Background(), Sys: sys.Real{}, Host: dockerHost{registry: Registry(), opts: opts, dir: dir}, Run: salt.NewRun(), Log: slog.New(slog.DiscardHandler),
		Grains: new(value.Map), Pillar: pillar, Opts: opts, Env: "base", Test: call.Test}
	defer c.Run.End()
	kw, _ := here(call.m.At("kwargs")).(*value.Map)
	if kw == nil {
		kw = new(value.Map)
	}
	var args []any
	for name, text := range call.m.Map("files").Items() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(value.Str(text)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if l, ok := here(call.m.At("args")).(*value.List); ok {
		args = l.Items
	}
	got := callDocker(c, call.Function, args, kw, dir)
	want := "error " + strings.ReplaceAll(dockerTimes.ReplaceAllString(call.m.Str("error"), "Time_Elapsed: 0"), dir, "$W")
	if call.m.Has("return") {
		want = shown(call.m.At("return"), dir)
	}
	if call.Differs != "" {
		if got == want {
			return "as in Salt now: remove differs"
		}
		want = call.m.Str("want")
	}
	var problems []string
	if got != want {
		problems = append(problems, " got "+got, "want "+want)
	}
	if !call.Unasked {
		for _, s := range d.strange {
			problems = append(problems, "asks what Salt did not: "+s)
		}
		for _, s := range call.missed() {
			problems = append(problems, "does not ask "+s)
		}
	}
	if call.Differs == "" && call.m.Has("return") && !strings.HasPrefix(call.Function, "state") && c.Run.Retcode() != call.Retcode {
		problems = append(problems, fmt.Sprintf("retcode %d, not %d", c.Run.Retcode(), call.Retcode))
	}
	return strings.Join(problems, "\n")
}

func callDocker(c *salt.Ctx, fun string, args []any, kw *value.Map, dir string) string {
	kind, name, _ := strings.Cut(fun, " ")
	var v any
	var err error
	if kind == "state" {
		var f *salt.Func
		if f, _, err = c.Registry().State(c, name); err == nil {
			v, err = f.Call(c, args, kw)
		}
		if r, ok := v.(salt.Result); ok {
			m := r.Map(kw.Str("name"))
			m.Set("name", kw.At("name"))
			v = m
		}
	} else {
		v, err = c.CallKw(name, kw, args...)
	}
	if err != nil {
		class := "Exception"
		var e *value.Exception
		if errors.As(err, &e) {
			class = e.Class
		}
		return "error " + strings.ReplaceAll(dockerTimes.ReplaceAllString(class+": "+err.Error(), "Time_Elapsed: 0"), dir, "$W")
	}
	return shown(value.Of(v), dir)
}

func mustJSON(t *testing.T, v any) string {
	s, err := value.JSON(v, value.JSONOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
