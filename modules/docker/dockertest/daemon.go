// Package dockertest is a small Docker daemon for tests: it knows containers,
// networks, images and volumes by their API, and runs nothing. What it makes has the
// same IDs and addresses each time, so that two programs that ask it for the
// same get the same answers.
//
//	d := dockertest.New("27.5.1", "1.47")
//	srv := httptest.NewServer(d)
//	t.Setenv("DOCKER_HOST", "tcp://"+srv.Listener.Addr().String())
//
// The shapes of its answers are those that Docker's API documents.
package dockertest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
)

type object = map[string]any

// A Daemon is one that only pretends.
type Daemon struct {
	version, api string

	mu         sync.Mutex
	count      int
	containers []*container
	networks   []*network
	images     []object
	volumes    []object
	failures   []*Failure
	calls      []object
}

// A Failure is a question that the daemon refuses from now on.
type Failure struct {
	Path    string // of method and path, a regular expression: ^POST .*/start$
	Status  int
	Message string
	Times   int // how often; 0 is always

	over bool
}

// New makes a daemon with a bridge, and images that it has or can pull.
func New(version, api string) *Daemon {
	d := &Daemon{version: version, api: api}
	for _, name := range []string{"bridge", "host", "none"} {
		n := d.addNetwork(object{"Name": name, "Driver": map[string]string{"bridge": "bridge", "host": "host", "none": "null"}[name]})
		if name != "bridge" {
			n.info["IPAM"] = object{"Driver": "default", "Options": nil, "Config": []any{}}
		}
	}
	for _, name := range []string{"busybox:latest", "nginx:1.25", "nginx:1.27"} {
		d.images = append(d.images, image(name))
	}
	return d
}

// image is one whose program is not known to end, but for busybox.
func image(name string) object {
	cmd := []any{"nginx", "-g", "daemon off;"}
	env := []any{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "NGINX_VERSION=1"}
	if strings.HasPrefix(name, "busybox") {
		cmd, env = []any{"sh"}, []any{"PATH=/usr/sbin:/usr/bin:/sbin:/bin"}
	}
	return object{"Id": "sha256:" + id("image", name), "RepoTags": []any{name}, "RepoDigests": []any{}, "Parent": "", "ParentId": "", "Created": "2024-01-02T03:04:05Z",
		"Size": 4261550, "Architecture": "amd64", "Os": "linux",
		"Config": object{"Cmd": cmd, "Env": env, "Entrypoint": nil, "WorkingDir": "", "User": "", "Labels": nil, "Volumes": nil}}
}

func id(kind, name string) string {
	sum := sha256.Sum256([]byte(kind + " " + name))
	return hex.EncodeToString(sum[:])
}

func (d *Daemon) next(kind string) string {
	d.count++
	return id(kind, fmt.Sprint(d.count))
}

// Fail has the daemon refuse a question.
func (d *Daemon) Fail(f Failure) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.failures = append(d.failures, &f)
}

// Calls are the questions since the last Calls that change something: method,
// path, query, body. Names that Salt makes up are TEMP.
func (d *Daemon) Calls() []map[string]any {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := d.calls
	d.calls = nil
	if c == nil {
		c = []object{}
	}
	return c
}

type problem struct {
	status int
	text   string
}

func (p *problem) Error() string { return p.text }

func refuse(status int, format string, a ...any) error {
	return &problem{status, fmt.Sprintf(format, a...)}
}

var versioned = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^/v[\d.]+`) })
var random = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[a-z]{20}\b`) })

// ServeHTTP answers one question. /_fail, /_calls and /_reset are for who
// records from another process.
func (d *Daemon) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := versioned().ReplaceAllString(r.URL.Path, "")
	var body object
	_ = json.NewDecoder(r.Body).Decode(&body)
	switch path {
	case "/_fail":
		f := Failure{Path: body["path"].(string), Status: int(body["status"].(float64)), Message: body["message"].(string)}
		if n, ok := body["times"].(float64); ok {
			f.Times = int(n)
		}
		d.Fail(f)
		return
	case "/_calls":
		_ = json.NewEncoder(w).Encode(d.Calls())
		return
	case "/_reset":
		n := New(body["version"].(string), body["api"].(string))
		d.mu.Lock()
		defer d.mu.Unlock()
		d.version, d.api, d.count = n.version, n.api, n.count
		d.containers, d.networks, d.images, d.volumes, d.failures, d.calls = nil, n.networks, n.images, nil, nil, nil
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if r.Method != http.MethodGet {
		d.note(r, path, body)
	}
	answer, err := any(nil), d.failing(r.Method+" "+path)
	if err == nil {
		answer, err = d.answer(r, path, body)
	}
	p, bad := err.(*problem)
	switch raw, is := answer.([]byte); {
	case bad:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(p.status)
		_ = json.NewEncoder(w).Encode(object{"message": p.text})
	case is && bytes.HasPrefix(raw, []byte("{")): // events, one at a time
		for line := range bytes.Lines(raw) {
			_, _ = w.Write(line)
			w.(http.Flusher).Flush()
		}
	case is:
		_, _ = w.Write(raw)
	case answer == nil:
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Content-Type", "application/json")
		if strings.HasSuffix(path, "/create") {
			w.WriteHeader(http.StatusCreated)
		}
		_ = json.NewEncoder(w).Encode(answer)
	}
}

func (d *Daemon) note(r *http.Request, path string, body object) {
	q := object{}
	for k, v := range r.URL.Query() {
		q[k] = v[0]
	}
	call := object{"method": r.Method, "path": random().ReplaceAllString(path, "TEMP"), "query": q}
	if body != nil {
		b, _ := json.Marshal(body)
		var again any
		_ = json.Unmarshal(random().ReplaceAll(b, []byte("TEMP")), &again)
		call["body"] = again
	}
	d.calls = append(d.calls, call)
}

func (d *Daemon) failing(what string) error {
	for _, f := range d.failures {
		if ok, _ := regexp.MatchString(f.Path, what); ok && !f.over {
			if f.Times > 0 {
				f.Times--
				f.over = f.Times == 0
			}
			return refuse(f.Status, "%s", f.Message)
		}
	}
	return nil
}

func (d *Daemon) answer(r *http.Request, path string, body object) (any, error) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case path == "/version":
		return object{"Version": d.version, "ApiVersion": d.api, "MinAPIVersion": "1.24", "Os": "linux", "Arch": "amd64"}, nil
	case path == "/info":
		return object{"ID": "x", "Containers": len(d.containers), "ServerVersion": d.version, "Driver": "overlay2"}, nil
	case parts[0] == "images":
		return d.imageAnswer(r, path, parts)
	case parts[0] == "containers":
		return d.containerAnswer(r, parts, body)
	case parts[0] == "networks":
		return d.networkAnswer(r, parts, body)
	case parts[0] == "volumes":
		return d.volumeAnswer(r, parts, body)
	}
	return nil, refuse(404, "page not found")
}

func (d *Daemon) imageAnswer(r *http.Request, path string, parts []string) (any, error) {
	switch {
	case path == "/images/json":
		out := []object{}
		for _, i := range d.images {
			out = append(out, overlay(i, object{"Created": 1704164645}))
		}
		return out, nil
	case path == "/images/create":
		name := r.URL.Query().Get("fromImage")
		tag := r.URL.Query().Get("tag")
		if tag == "" {
			tag = "latest"
		}
		if !strings.HasPrefix(name, "pulled") {
			return nil, refuse(404, "pull access denied for %s, repository does not exist or may require 'docker login'", name)
		}
		d.images = append(d.images, image(name+":"+tag))
		return []byte(`{"status":"Pulling from library/` + name + `","id":"` + tag + `"}` + "\r\n" +
			`{"status":"Pull complete","progressDetail":{},"id":"0123456789ab"}` + "\r\n" +
			`{"status":"Status: Downloaded newer image for ` + name + ":" + tag + `"}` + "\r\n"), nil
	}
	if r.Method == http.MethodDelete {
		parts = append(parts, "json")
	}
	name := strings.Join(parts[1:len(parts)-1], "/")
	switch i := d.image(name); {
	case i != nil && r.Method == http.MethodDelete:
		d.images = slices.DeleteFunc(d.images, func(o object) bool { return o["Id"] == i["Id"] })
		return []object{{"Untagged": i["RepoTags"].([]any)[0]}, {"Deleted": i["Id"]}}, nil
	case i != nil:
		return i, nil
	}
	if !strings.Contains(name, ":") {
		name += ":latest"
	}
	return nil, refuse(404, "No such image: %s", name)
}

func (d *Daemon) image(name string) object {
	for _, i := range d.images {
		tag := i["RepoTags"].([]any)[0].(string)
		full := i["Id"].(string)
		if tag == name || tag == name+":latest" || full == name || strings.TrimPrefix(full, "sha256:") == name {
			return i
		}
	}
	return nil
}
