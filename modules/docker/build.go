package docker

import (
	"archive/tar"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/moby/patternmatcher"
	"github.com/moby/patternmatcher/ignorefile"

	"pinch/modules/docker/engine"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type buildArgs struct {
	Path        any  `py:"path=None"`          // a folder with a Dockerfile, or a URL that the daemon fetches
	Repository  any  `py:"repository=None"`    // the image's name
	Tag         any  `py:"tag=None"`           // and its tag; None: latest
	Cache       bool `py:"cache=True"`         // False: build each step anew
	Rm          bool `py:"rm=True"`            // False: keep the containers of the steps, in Intermediate_Containers
	APIResponse bool `py:"api_response=False"` // API_Response is what the daemon said
	Fileobj     any  `py:"fileobj=None"`       // the text of a Dockerfile, instead of path
	Dockerfile  any  `py:"dockerfile=None"`    // another name of the Dockerfile, from path on
	Buildargs   any  `py:"buildargs=None"`     // a map of values for ARG
}

// build makes an image of a Dockerfile. What a .dockerignore excludes is not
// sent.
//
//	salt-call docker.build /srv/web repository=web tag=1.0
func build(c *salt.Ctx, a buildArgs) (*value.Map, error) {
	return ask(c, func(d daemon) (*value.Map, error) { return d.build(a) })
}

// imageName is what docker calls a valid name with a tag.
var imageName = sync.OnceValue(func() *regexp.Regexp {
	const name = `[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*`
	return regexp.MustCompile(`^` + name + `(:[0-9]+)?(/` + name + `)*(:[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127})?$`)
})

func (d daemon) build(a buildArgs) (*value.Map, error) {
	images, err := d.images(true, false)
	if err != nil {
		return nil, err
	}
	name := ""
	switch {
	case value.Truth(a.Repository):
		if name = value.Str(a.Repository) + ":latest"; value.Truth(a.Tag) {
			name = value.Str(a.Repository) + ":" + value.Str(a.Tag)
		}
		if !imageName().MatchString(name) {
			return nil, salt.CommandError("invalid tag '%s': invalid reference format", name)
		}
	case value.Truth(a.Tag):
		return nil, salt.InvocationError("If tagging, both a repository and tag are required")
	}
	began := time.Now()
	r, err := d.buildRequest(a, name)
	if err != nil {
		return nil, err
	}
	events, err := d.Events(r)
	if err != nil {
		return nil, err
	}
	out := value.M("Time_Elapsed", time.Since(began).Seconds())
	have := map[string]bool{}
	for id := range images.Items() {
		have[short(id)] = true
	}
	note := pulling(have)
	bad := progress(events, func(kind string, m *value.Map) {
		switch kind {
		case "status":
			note(out, m)
		case "stream":
			building(out, m.Str("stream"))
		}
	})
	path := value.Str(a.Path)
	if events.Len() == 0 {
		return nil, salt.CommandError("Build failed for %s, no response returned from Docker API", path)
	}
	if !out.Has("Id") {
		d.c.Log.Error("Build failed for " + path)
		return nil, salt.CommandError("%s", follows("Build failed for "+path, bad))
	}
	tags, err := d.tag(out.Str("Id"), true)
	if err != nil {
		return nil, err
	}
	if value.Truth(tags) {
		out.Set("Image", tags)
	} else {
		out.Set("Warning", "Failed to tag image as "+name)
	}
	if a.APIResponse {
		out.Set("API_Response", events)
	}
	if a.Rm {
		out.Pop("Intermediate_Containers")
	}
	return out, nil
}

// building notes a line of a build.
func building(out *value.Map, line string) {
	words := strings.Fields(line)
	if strings.Contains(line, "Running in") {
		l := out.List("Intermediate_Containers")
		if l == nil {
			l = value.L()
			out.Set("Intermediate_Containers", l)
		}
		l.Append(words[len(words)-1])
	}
	if strings.Contains(line, "Successfully built") {
		out.Set("Id", words[len(words)-1])
	}
}

func (d daemon) buildRequest(a buildArgs, name string) (engine.Request, error) {
	r := engine.Request{Op: "build", Method: http.MethodPost, Path: "/build", Header: http.Header{},
		Query: engine.Query("t", name, "q", "False", "nocache", pyBool(!a.Cache), "rm", pyBool(a.Rm), "forcerm", "False", "pull", "False")}
	auth, err := d.RegistryConfig()
	if err != nil {
		return r, err
	}
	if auth != "" {
		r.Header.Set("X-Registry-Config", auth)
	}
	vars, ok := a.Buildargs.(*value.Map)
	if a.Buildargs != nil && !ok {
		return r, salt.InvocationError("buildargs must be a dictionary, not %s", value.Repr(a.Buildargs))
	}
	vars = vars.Shallow()
	for _, kv := range d.ProxyEnv() {
		if key, v, _ := strings.Cut(kv, "="); !vars.Has(key) {
			vars.Set(key, v)
		}
	}
	if vars.Len() > 0 {
		s, err := value.JSON(vars, value.JSONOptions{})
		if err != nil {
			return r, err
		}
		r.Query.Set("buildargs", s)
	}
	dockerfile := text(a.Dockerfile)
	path := text(a.Path)
	var body io.Reader
	switch {
	case a.Path == nil && a.Fileobj == nil:
		return r, salt.CommandError("Unable to perform build: Either path or fileobj needs to be provided.")
	case a.Fileobj != nil:
		body = d.archive(func(w *tar.Writer) error { return file(w, "Dockerfile", []byte(value.Str(a.Fileobj))) })
	case isRemote(path):
		r.Query.Set("remote", path)
	case !sys.IsDir(d.c.Sys, path):
		return r, salt.CommandError("Unable to perform build: You must specify a directory to build in path")
	default:
		if body, dockerfile, err = d.folder(path, dockerfile); err != nil {
			return r, err
		}
	}
	if dockerfile != "" {
		r.Query.Set("dockerfile", dockerfile)
	}
	if body != nil {
		r.Body = body
		r.Header.Set("Content-Type", "application/tar")
	}
	return r, nil
}

func isRemote(path string) bool {
	for _, p := range []string{"http://", "https://", "git://", "github.com/", "git@"} {
		if strings.HasPrefix(path, p) {
			return true
		}
	}
	return false
}

// archive is a tar that is made while it is read.
func (d daemon) archive(fill func(*tar.Writer) error) io.Reader {
	r, w := io.Pipe()
	go func() {
		t := tar.NewWriter(w)
		err := fill(t)
		if err == nil {
			err = t.Close()
		}
		_ = w.CloseWithError(err)
	}()
	return r
}

func file(w *tar.Writer, name string, b []byte) error {
	if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(b)), Typeflag: tar.TypeReg}); err != nil {
		return err
	}
	_, err := w.Write(b)
	return err
}

// folder is the archive of a folder, less what .dockerignore excludes, and the
// name of the Dockerfile in it. One that lies elsewhere is put in.
func (d daemon) folder(root, dockerfile string) (io.Reader, string, error) {
	var patterns []string
	if f, err := d.c.Sys.Open(filepath.Join(root, ".dockerignore")); err == nil {
		patterns, err = ignorefile.ReadAll(f)
		_ = f.Close()
		if err != nil {
			return nil, "", salt.OSError(err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, "", salt.OSError(err)
	}
	var outside []byte
	if dockerfile != "" {
		full := dockerfile
		if !filepath.IsAbs(full) {
			full = filepath.Join(root, full)
		}
		if rel, err := filepath.Rel(root, full); err == nil && !strings.HasPrefix(rel, "..") {
			dockerfile = rel
		} else {
			if outside, err = d.c.Sys.ReadFile(full); err != nil {
				return nil, "", salt.OSError(err)
			}
			dockerfile = filepath.Base(sys.TempName("/", ".dockerfile"))
		}
	}
	name := dockerfile
	if name == "" {
		name = "Dockerfile"
	}
	match, err := patternmatcher.New(append(patterns, "!"+name))
	if err != nil {
		return nil, "", salt.CommandError("Unable to perform build: .dockerignore: %s", err)
	}
	return d.archive(func(w *tar.Writer) error {
		if outside != nil {
			if err := file(w, dockerfile, outside); err != nil {
				return err
			}
		}
		return d.pack(w, match, root, "")
	}), dockerfile, nil
}

// pack puts what is below a folder into an archive.
func (d daemon) pack(w *tar.Writer, match *patternmatcher.PatternMatcher, root, rel string) error {
	entries, err := d.c.Sys.ReadDir(filepath.Join(root, rel))
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := filepath.Join(rel, e.Name())
		skip, err := match.MatchesOrParentMatches(name)
		if err != nil {
			return err
		}
		if skip && !(e.IsDir() && match.Exclusions()) {
			continue
		}
		if err := d.packOne(w, root, name, skip); err != nil {
			return err
		}
		if e.IsDir() {
			if err := d.pack(w, match, root, name); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d daemon) packOne(w *tar.Writer, root, name string, skip bool) error {
	path := filepath.Join(root, name)
	info, err := d.c.Sys.Lstat(path)
	if err != nil || skip || info.Mode()&fs.ModeSocket != 0 {
		return err
	}
	link := ""
	if info.Mode()&fs.ModeSymlink != 0 {
		if link, err = d.c.Sys.Readlink(path); err != nil {
			return err
		}
	}
	h, err := tar.FileInfoHeader(info, link)
	if err != nil {
		return err
	}
	if h.Name = filepath.ToSlash(name); info.IsDir() {
		h.Name += "/"
	}
	if err := w.WriteHeader(h); err != nil || !info.Mode().IsRegular() {
		return err
	}
	f, err := d.c.Sys.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.CopyN(w, f, info.Size())
	return err
}
