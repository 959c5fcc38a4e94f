package file

import (
	"errors"
	"io/fs"
	"slices"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// chooseSource picks the first source of a list that is there, and the hash
// that goes with it. A single source is taken as it is.
func chooseSource(c *salt.Ctx, source, hash any, env string) (any, any, error) {
	list, ok := source.(*value.List)
	if !ok {
		return source, hash, nil
	}
	for _, single := range list.Items {
		url, h := single, hash
		if m, ok := single.(*value.Map); ok {
			if m.Len() != 1 {
				continue
			}
			url = m.Keys()[0]
			if own, _ := m.GetKey(url); value.Truth(own) {
				h = own
			}
		}
		if s, ok := url.(string); ok && sourceExists(c, s, env) {
			return s, h, nil
		}
	}
	return nil, nil, salt.CommandError("none of the specified sources were found")
}

func sourceExists(c *salt.Ctx, source, env string) bool {
	u := parseURL(source)
	switch {
	case u.scheme == "salt":
		path, e := splitEnv(source)
		if e == "" {
			e = env
		}
		if f, err := c.Files().Find(c, path, e); err == nil && f != nil {
			return true
		}
		dirs, err := c.Files().Dirs(c, e, path)
		return err == nil && slices.Contains(dirs, path)
	case u.scheme == "http" || u.scheme == "https" || u.scheme == "ftp":
		_, err := c.Files().Get(c, source, env, salt.GetOptions{})
		return err == nil
	case u.scheme == "file":
		return sys.Exists(c.Sys, u.host) && u.host != "" || sys.Exists(c.Sys, u.path) || sys.Exists(c.Sys, joinPath(u.host, u.path))
	}
	return isAbs(source) && sys.Exists(c.Sys, source)
}

type sourceListArgs struct {
	Source any    `py:"source"`      // one source, or a list of sources and {source: hash}
	Hash   any    `py:"source_hash"` // the hash of those that have none of their own
	Env    string `py:"saltenv"`     // the environment of salt:// URLs
}

// sourceList picks the first source that is there, and its hash.
func sourceList(c *salt.Ctx, a sourceListArgs) (any, error) {
	s, h, err := chooseSource(c, a.Source, a.Hash, a.Env)
	if err != nil {
		return nil, err
	}
	return value.Tuple{s, h}, nil
}

// content is what a file shall hold: text in hand, or a file on the disk.
type content struct {
	data []byte
	path string      // "" for text in hand
	mode fs.FileMode // of the source, for keep; 0: not known
	sum  sum         // the digest that the source must have; none: not checked
	url  string
}

func (t *content) read(c *salt.Ctx) ([]byte, error) {
	if t.path == "" || t.data != nil {
		return t.data, nil
	}
	b, err := c.Sys.ReadFile(t.path)
	if err != nil {
		return nil, osError(err)
	}
	return b, nil
}

// fetch is a request for the content of a source.
type fetch struct {
	name       string // the file that will be written, for hash files and templates
	source     string
	hash       any
	hashName   string
	env        string
	template   string
	vars       *value.Map // what the template sees
	skipVerify bool
	noVerify   bool // verify_ssl: False
	useETag    bool
	sign       signing
	failed     error // why the download failed, when there is more to say than that the file is not there
}

// get finds the content of a source. The text says what is wrong with it.
func (f *fetch) get(c *salt.Ctx) (*content, string, error) {
	if f.source == "" {
		return nil, "", nil
	}
	u := parseURL(f.source)
	scheme := u.scheme
	if !isValidProto(scheme) {
		scheme = ""
	}
	t := &content{url: f.source}
	path := f.source
	switch scheme {
	case "salt":
		file, err := c.Files().Get(c, f.source, f.env, salt.GetOptions{})
		if errors.Is(err, fs.ErrNotExist) {
			return nil, "Source file " + f.source + " not found in saltenv '" + f.env + "'", nil
		}
		if err != nil {
			return nil, text(err), nil
		}
		t.mode, t.path = file.Mode, file.Local
		if t.path == "" {
			if t.data, err = file.Read(); err != nil {
				return nil, text(err), nil
			}
		}
		return f.render(c, t)
	case "file":
		path = joinPath(u.host, u.path)
		fallthrough
	case "":
		i, err := c.Sys.Stat(path)
		if err != nil {
			return nil, "Local file source " + path + " does not exist", nil
		}
		t.path, t.mode = path, i.Mode()
	}
	if msg, err := f.wantedSum(c, t, scheme); msg != "" || err != nil {
		return nil, msg, err
	}
	if isRemote(scheme) {
		o := salt.GetOptions{Hash: t.sum.hex, UseETag: f.useETag, NoVerify: f.noVerify}
		file, err := c.Files().Get(c, f.source, f.env, o)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, "Source file '" + redact(f.source) + "' not found", nil
		}
		if err != nil {
			f.failed = salt.CommandError("%s", text(err))
			return nil, "Failed to cache " + redact(f.source) + ": " + text(err), nil
		}
		t.path = file.Local
	}
	if f.template != "" && t.path == f.name {
		return nil, "", salt.InvocationError("Source file cannot be the same as destination")
	}
	return f.render(c, t)
}

// wantedSum sets the digest that a source outside of the trees must have.
func (f *fetch) wantedSum(c *salt.Ctx, t *content, scheme string) (string, error) {
	hashed := value.Truth(f.hash)
	if f.skipVerify || !hashed && !isRemote(scheme) {
		return "", nil
	}
	if !hashed {
		if f.useETag {
			return "", nil
		}
		return "Unable to verify upstream hash of source file " + redact(f.source) + ", please set source_hash or set skip_verify to True", nil
	}
	s, err := sourceSum(c, sumRequest{f.name, f.source, f.hash, f.hashName, f.env, f.noVerify, f.sign})
	var e *value.Exception
	if errors.As(err, &e) && e.Class == "CommandExecutionError" {
		return "Unable to manage file: " + e.Msg, nil
	}
	t.sum = s
	return "", err
}

// render makes the content of a template. A digest is of the template itself,
// so it is checked before.
func (f *fetch) render(c *salt.Ctx, t *content) (*content, string, error) {
	if f.template == "" {
		return t, "", nil
	}
	if !isTemplate(f.template) {
		return nil, "Specified template format " + f.template + " is not supported", nil
	}
	b, err := t.read(c)
	if err != nil {
		return nil, "", err
	}
	out, err := c.Render(c, salt.Template{Text: string(b), Name: f.source, File: t.path, Engine: f.template, Env: f.env, Vars: f.vars})
	if err != nil {
		report(c, err)
		return nil, "", err
	}
	return &content{data: []byte(out), mode: t.mode, url: t.url}, "", nil
}

var templates = []string{"jinja", "py", "mako", "cheetah", "genshi", "wempy", "gotmpl"}

func isTemplate(name string) bool { return slices.Contains(templates, name) }

// layer lays context over defaults.
func layer(defaults, context *value.Map) *value.Map {
	m := new(value.Map)
	m.Update(defaults)
	m.Update(context)
	return m
}

type applyTemplateArgs struct {
	Contents string     `py:"contents"` // the template
	Template string     `py:"template"` // its language, such as jinja
	Context  *value.Map `py:"context"`  // what it sees
	Defaults *value.Map `py:"defaults"` // what it sees where context has nothing
	Env      string     `py:"saltenv"`  // the environment that it imports from
}

// applyTemplateOnContents renders a text.
func applyTemplateOnContents(c *salt.Ctx, a applyTemplateArgs) (any, error) {
	if !isTemplate(a.Template) {
		return value.M("result", false, "comment", "Specified template format "+a.Template+" is not supported"), nil
	}
	return c.Render(c, salt.Template{Text: a.Contents, Name: "<template>", Engine: a.Template, Env: a.Env, Vars: layer(a.Defaults, a.Context)})
}
