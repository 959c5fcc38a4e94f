package engine

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"pinch/sys"
	"pinch/value"
)

// Index is what the credentials of Docker Hub are kept under.
const Index = "https://index.docker.io/v1/"

// configFile is where credentials are kept.
func (d *Client) configFile() string { return filepath.Join(d.home, "config.json") }

// settings are those of config.json; it may change while we run, so it is read
// each time. None and one that is no JSON are empty.
func (d *Client) settings() *value.Map {
	b, err := d.c.Sys.ReadFile(d.configFile())
	if err != nil {
		return new(value.Map)
	}
	v, err := value.ParseJSON(string(b))
	m, ok := v.(*value.Map)
	if err != nil || !ok {
		d.c.Log.Warn("docker: " + d.configFile() + " is no JSON object; its credentials are not used")
		return new(value.Map)
	}
	return m
}

// host is what two names of one registry share.
func host(registry string) string {
	registry = strings.TrimPrefix(strings.TrimPrefix(registry, "http://"), "https://")
	registry, _, _ = strings.Cut(registry, "/")
	if registry == "index.docker.io" {
		return "docker.io"
	}
	return registry
}

// Registry is the host that an image's name has in front; docker.io without one.
func Registry(image string) string {
	first, _, ok := strings.Cut(image, "/")
	if !ok || !strings.ContainsAny(first, ".:") && first != "localhost" {
		return "docker.io"
	}
	return host(first)
}

// RegistryAuth is the header X-Registry-Auth for an image, "" when config.json
// has no credentials for its registry.
func (d *Client) RegistryAuth(image string) (string, error) {
	m, err := d.credentials(d.settings(), Registry(image))
	if err != nil || m == nil {
		return "", err
	}
	return encoded(m)
}

func encoded(m *value.Map) (string, error) {
	s, err := value.JSON(m, value.JSONOptions{})
	return base64.URLEncoding.EncodeToString([]byte(s)), err
}

func (d *Client) credentials(conf *value.Map, registry string) (*value.Map, error) {
	name := registry
	if registry == "docker.io" {
		name = Index
	}
	store := conf.Map("credHelpers").Str(name)
	if store == "" {
		store = conf.Str("credsStore")
	}
	if store != "" {
		if m, err := d.helper(store, name); m != nil || err != nil {
			return m, err
		}
	}
	for key, v := range conf.Map("auths").Items() {
		if entry, ok := v.(*value.Map); ok && host(key) == registry {
			return d.entry(key, entry), nil
		}
	}
	return nil, nil
}

// entry is one of auths in config.json.
func (d *Client) entry(registry string, m *value.Map) *value.Map {
	if t := m.Str("identitytoken"); t != "" {
		d.c.Run.Hide(t)
		return value.M("IdentityToken", t)
	}
	b, err := base64.StdEncoding.DecodeString(m.Str("auth"))
	user, password, ok := strings.Cut(string(b), ":")
	if err != nil || !ok {
		return nil
	}
	d.c.Run.Hide(password, m.Str("auth"))
	return value.M("username", user, "password", password, "email", m.At("email"), "serveraddress", registry)
}

// helper asks docker-credential-STORE, which keeps credentials elsewhere.
func (d *Client) helper(store, registry string) (*value.Map, error) {
	r, err := d.c.Sys.Run(d.c, sys.Cmd{Argv: []string{"docker-credential-" + store, "get"}, Stdin: strings.NewReader(registry), Query: true})
	if err != nil {
		return nil, value.Errorf("CommandExecutionError", "Credentials store error: docker-credential-%s: %s", store, err)
	}
	if r.Code != 0 {
		if bytes.Contains(r.Stdout, []byte("credentials not found")) {
			return nil, nil
		}
		return nil, value.Errorf("CommandExecutionError", "Credentials store error: docker-credential-%s exited with %d: %s", store, r.Code, bytes.TrimSpace(r.Stdout))
	}
	v, err := value.ParseJSON(string(r.Stdout))
	m, _ := v.(*value.Map)
	if err != nil || m == nil {
		return nil, value.Errorf("CommandExecutionError", "Credentials store error: docker-credential-%s answered no JSON", store)
	}
	d.c.Run.Hide(m.Str("Secret"))
	if m.Str("Username") == "<token>" {
		return value.M("ServerAddress", registry, "IdentityToken", m.Str("Secret")), nil
	}
	return value.M("ServerAddress", registry, "Username", m.Str("Username"), "Password", m.Str("Secret")), nil
}

// RegistryConfig is the header X-Registry-Config of a build: all credentials.
func (d *Client) RegistryConfig() (string, error) {
	conf, all := d.settings(), new(value.Map)
	for key, v := range conf.Map("auths").Items() {
		if m, ok := v.(*value.Map); ok {
			if e := d.entry(key, m); e != nil {
				all.Set(key, e)
			}
		}
	}
	for key := range conf.Map("credHelpers").Items() {
		m, err := d.credentials(conf, host(key))
		if err != nil {
			return "", err
		}
		if m != nil {
			all.Set(key, m)
		}
	}
	if all.Len() == 0 {
		return "", nil
	}
	return encoded(all)
}

// ProxyEnv are the variables that config.json has for containers (proxies).
func (d *Client) ProxyEnv() []string {
	proxies := d.settings().Map("proxies")
	m := proxies.Map("default")
	if own := proxies.Map(d.place); own != nil {
		m = own
	}
	var out []string
	for _, p := range [][2]string{{"httpProxy", "http_proxy"}, {"httpsProxy", "https_proxy"}, {"ftpProxy", "ftp_proxy"}, {"noProxy", "no_proxy"}} {
		if v := m.Str(p[0]); v != "" {
			out = append(out, p[1]+"="+v, strings.ToUpper(p[1])+"="+v)
		}
	}
	return out
}

// Login has the daemon try credentials, and keeps them in config.json, or with
// its helper.
func (d *Client) Login(registry, user, password string) error {
	d.c.Run.Hide(password, base64.StdEncoding.EncodeToString([]byte(user+":"+password)))
	answer, err := d.Map(Request{Op: "login", Method: "POST", Path: "/auth", Unlimited: true,
		Body: value.M("username", user, "password", password, "serveraddress", registry)})
	if err != nil {
		return err
	}
	conf := d.settings()
	store := conf.Map("credHelpers").Str(registry)
	if store == "" {
		store = conf.Str("credsStore")
	}
	if token := answer.Str("IdentityToken"); token != "" {
		if user, password = "<token>", token; store == "" {
			return d.keep(conf, registry, value.M("auth", base64.StdEncoding.EncodeToString([]byte(user+":")), "identitytoken", token))
		}
	}
	if store == "" {
		return d.keep(conf, registry, value.M("auth", base64.StdEncoding.EncodeToString([]byte(user+":"+password))))
	}
	s, err := value.JSON(value.M("ServerURL", registry, "Username", user, "Secret", password), value.JSONOptions{})
	if err != nil {
		return err
	}
	return d.tell(store, "store", s)
}

func (d *Client) tell(store, verb, stdin string) error {
	r, err := d.c.Sys.Run(d.c, sys.Cmd{Argv: []string{"docker-credential-" + store, verb}, Stdin: strings.NewReader(stdin)})
	if err == nil && r.Code != 0 {
		err = errors.New(strings.TrimSpace(string(r.Stdout) + string(r.Stderr)))
	}
	return err
}

// Logout forgets the credentials of a registry.
func (d *Client) Logout(registry string) error {
	conf := d.settings()
	store := conf.Map("credHelpers").Str(registry)
	if store == "" {
		store = conf.Str("credsStore")
	}
	if store != "" {
		if err := d.tell(store, "erase", registry); err != nil {
			return err
		}
	}
	if conf.Map("auths").Has(registry) {
		return d.keep(conf, registry, nil)
	}
	return nil
}

// keep writes config.json with another entry for a registry, readable for its
// owner only.
func (d *Client) keep(conf *value.Map, registry string, entry *value.Map) error {
	auths := conf.Map("auths")
	if auths == nil {
		auths = new(value.Map)
		conf.Set("auths", auths)
	}
	if entry == nil {
		auths.Pop(registry)
	} else {
		auths.Set(registry, entry)
	}
	if err := sys.MkdirAll(d.c.Sys, d.home, 0o700); err != nil {
		return err
	}
	s, err := value.JSON(conf, value.JSONOptions{Indent: 4})
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o600)
	return sys.WriteFile(d.c.Sys, d.configFile(), []byte(s), sys.FileAttrs{Mode: &mode})
}
