package http

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pinch/config"
	"pinch/salt"
	"pinch/value"
)

// A request is one call of http.query.
type request struct {
	c       *salt.Ctx
	kw      *value.Map
	opts    *value.Map
	backend string
	url     string
	method  string
	header  http.Header
	body    []byte
	hasBody bool
	jar     *jar
	stop    *value.Map // the answer when there is nothing to ask
}

// flag is a keyword that Salt compares with True.
func (r *request) flag(name string) bool { b, _ := r.kw.At(name).(bool); return b }

func seconds(v any, def time.Duration) time.Duration {
	switch v := v.(type) {
	case int64:
		return time.Duration(v) * time.Second
	case float64:
		return time.Duration(v * float64(time.Second))
	}
	return def
}

func newRequest(c *salt.Ctx, address string, kw *value.Map) (*request, error) {
	r := &request{c: c, kw: kw, opts: c.Opts, url: address, method: "GET", header: http.Header{}}
	if o := kw.Map("opts"); o != nil {
		r.opts = c.Opts.Shallow()
		r.opts.Update(o)
	}
	r.backend = kw.Str("backend")
	if r.backend == "" {
		r.backend = r.opts.Str("backend")
	}
	if m := kw.Str("method"); m != "" {
		r.method = m
	}
	if r.flag("test") {
		if r.stop = new(value.Map); kw.At("test_url") == nil {
			return r, nil
		}
		r.url, r.stop = kw.Str("test_url"), nil
	}
	if p := kw.At("params"); value.Truth(p) {
		sep := "?"
		if strings.Contains(r.url, "?") {
			sep = "&"
		}
		r.url += sep + encode(p)
	}
	if u, err := url.Parse(r.url); err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("Unsupported url scheme: %s", r.shown())
	}
	if err := r.setBody(); err != nil || r.stop != nil {
		return r, err
	}
	return r, r.setHeader()
}

// shown is the URL for messages: without passwords and hidden fields.
func (r *request) shown() string {
	u, err := url.Parse(r.url)
	if err != nil {
		return r.url
	}
	if hide := r.kw.List("hide_fields"); hide != nil {
		pairs := strings.Split(u.RawQuery, "&")
		for i, p := range pairs {
			name, _, _ := strings.Cut(p, "=")
			if slices.ContainsFunc(hide.Items, func(h any) bool { return value.Str(h) == name }) {
				pairs[i] = name + "=XXXXXXXXXX"
			}
		}
		u.RawQuery = strings.Join(pairs, "&")
	}
	return u.Redacted()
}

// encode writes a mapping or a list of pairs as a form.
func encode(v any) string {
	var parts []string
	add := func(k, v any) { parts = append(parts, url.QueryEscape(value.Str(k))+"="+url.QueryEscape(value.Str(v))) }
	switch v := v.(type) {
	case *value.Map:
		for k, it := range v.All() {
			add(k, it)
		}
	case *value.List:
		for _, it := range v.Items {
			if p, ok := it.(*value.List); ok && p.Len() == 2 {
				add(p.Items[0], p.Items[1])
			} else if p, ok := it.(value.Tuple); ok && len(p) == 2 {
				add(p[0], p[1])
			}
		}
	default:
		return value.Str(v)
	}
	return strings.Join(parts, "&")
}

// rendered reads data_file or header_file.
func (r *request) rendered(file, kind string) (any, error) {
	b, err := r.c.Sys.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if !r.kw.Truth(kind + "_render") {
		return string(b), nil
	}
	t := salt.Template{Text: string(b), Name: file, File: file, Env: r.c.Env, Vars: r.kw.Map("template_dict"), Engine: r.kw.Str(kind + "_renderer")}
	if t.Engine == "" {
		if t.Engine = r.opts.Str("renderer"); t.Engine == "" {
			t.Engine = "jinja|yaml"
		}
	}
	if !strings.Contains(t.Engine, "|") && t.Engine != "yaml" && t.Engine != "json" {
		return r.c.Render(r.c, t)
	}
	d, err := r.c.RenderData(r.c, t)
	if err != nil {
		return nil, err
	}
	return d.Value, nil
}

func (r *request) setBody() error {
	data := r.kw.At("data")
	if f := r.kw.At("data_file"); f != nil {
		v, err := r.rendered(value.Str(f), "data")
		if err != nil {
			return err
		}
		data = v
	}
	switch d := data.(type) {
	case nil:
	case []byte:
		r.body, r.hasBody = d, true
	case *value.Map:
		r.body, r.hasBody = []byte(encode(d)), true
	default:
		r.body, r.hasBody = []byte(value.Str(d)), true
	}
	if !r.kw.Truth("formdata") {
		return nil
	}
	field := r.kw.Str("formdata_fieldname")
	if field == "" {
		r.stop = value.M("error", "formdata_fieldname is required when formdata=True")
		r.c.Log.Error(r.stop.Str("error"))
		return nil
	}
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile(field, r.kw.Str("formdata_filename"))
	if err != nil {
		return err
	}
	part.Write(r.body)
	if err := w.Close(); err != nil {
		return err
	}
	r.body, r.hasBody = form.Bytes(), true
	r.header.Set("Content-Type", w.FormDataContentType())
	return nil
}

func (r *request) setHeader() error {
	dict, list := r.kw.Map("header_dict"), r.kw.List("header_list")
	if f := r.kw.At("header_file"); f != nil {
		v, err := r.rendered(value.Str(f), "header")
		if err != nil {
			return err
		}
		if m, ok := v.(*value.Map); ok {
			dict = m
		} else {
			list = value.Strings(strings.Split(value.Str(v), "\n"))
		}
	}
	for k, v := range dict.Items() {
		r.header.Set(k, value.Str(v))
	}
	if r.flag("persist_session") {
		if err := r.session(); err != nil {
			return err
		}
	}
	if list != nil {
		for _, it := range list.Items {
			if k, v, ok := strings.Cut(value.Str(it), ":"); ok {
				r.header.Set(strings.TrimSpace(k), strings.TrimSpace(v))
			}
		}
	}
	agent := r.kw.Str("agent")
	if agent == "" {
		agent = "Salt/" + config.SaltVersion + " http.query()"
	}
	r.header.Set("User-Agent", agent)
	if r.hasBody && r.method == "POST" && r.header.Get("Content-Type") == "" {
		r.header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if r.kw.At("cookies") != nil {
		path := r.kw.Str("cookie_jar")
		if path == "" {
			path = filepath.Join(r.opts.Str("cachedir"), "cookies.txt")
		}
		j, err := openJar(r.c, path, r.kw.Str("cookie_format"))
		if err != nil {
			return err
		}
		r.jar = j
	}
	return nil
}

// login is the name and password of username and password, or of auth.
func (r *request) login() (user, password string, ok bool) {
	switch a := r.kw.At("auth").(type) {
	case *value.List:
		if a.Len() == 2 {
			return value.Str(a.Items[0]), value.Str(a.Items[1]), true
		}
	case value.Tuple:
		if len(a) == 2 {
			return value.Str(a[0]), value.Str(a[1]), true
		}
	}
	user, password = r.kw.Str("username"), r.kw.Str("password")
	return user, password, user != ""
}
