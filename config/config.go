// Package config reads the configuration of a minion as Salt does: the minion
// file, what it includes, minion.d/*.conf, over Salt's defaults. The main type
// is Config: its Opts are the options under Salt's names, as templates and
// modules see them.
//
//	c, err := config.Load(config.Options{Dir: "/etc/salt"})
//	c.CacheDir() // "/var/cache/salt/minion"
//	c.ID()       // the minion's name; found out when first asked for
//
// Loading resolves no name, forks nothing and writes nothing.
package config

import (
	"log/slog"
	"os"
	"path/filepath"

	"pinch/diag"
	"pinch/value"
)

// The version of Salt whose behaviour, options and answers these are.
const (
	SaltVersion  = "3008.4"
	SaltCodeName = "Argon"
)

// Options say where the configuration is.
type Options struct {
	Dir    string              // folder of the minion file (-c); empty: Places.Config
	ID     string              // the minion's name, when the command line gives one
	Prog   string              // what the program is called as; __cli
	Role   string              // __role; "minion" when empty
	Over   *value.Map          // options that replace those of the files
	Places *Places             // default paths; nil: Salt's, or the user's own without root
	Getenv func(string) string // os.Getenv when nil
	Log    *slog.Logger        // warnings, and what was read; nil: discarded
	Hosts  func() []string     // names of this host, instead of asking the system
}

// A Config is a minion's configuration. It is made by Load.
type Config struct {
	Opts *value.Map // every option, with defaults
	Dir  string     // the folder that was read

	// Call runs an execution function; id_function needs it.
	Call func(fun string, kwargs *value.Map) (any, error)

	set    *value.Map // what the files say
	places Places
	o      Options
	log    *slog.Logger
}

// Load reads the configuration. A file that is not there is an empty one; a
// minion file that cannot be read or understood is a *diag.Diagnostic. Errors
// in included files are logged and these files ignored, as in Salt.
func Load(o Options) (*Config, error) {
	c := &Config{o: o, log: o.Log}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	if c.o.Getenv == nil {
		c.o.Getenv = os.Getenv
	}
	if o.Places != nil {
		c.places = *o.Places
	} else {
		c.places = DefaultPlaces(c.o.Getenv)
	}
	if c.Dir = o.Dir; c.Dir == "" {
		c.Dir = c.places.Config
	}
	set, err := c.read(c.file())
	if err != nil {
		return nil, err
	}
	if o.Over != nil {
		set.Update(o.Over)
	}
	c.set = set
	if err := c.apply(); err != nil {
		return nil, err
	}
	c.validate()
	return c, nil
}

// file is the minion file: of the folder asked for, or, for the default one,
// the file that $SALT_MINION_CONFIG names.
func (c *Config) file() string {
	path := filepath.Join(c.Dir, "minion")
	if c.Dir != c.places.Config {
		return path
	}
	env := c.o.Getenv("SALT_MINION_CONFIG")
	if env == "" {
		if dir := c.o.Getenv("SALT_CONFIG_DIR"); dir != "" {
			env = filepath.Join(dir, "minion")
		}
	}
	if info, err := os.Stat(env); env != "" && err == nil && info.Mode().IsRegular() {
		return env
	}
	return path
}

// wrong is a mistake in the configuration that Salt stops at.
func (c *Config) wrong(key, summary, hint string) error {
	return &diag.Diagnostic{ID: "config", Pos: c.position(key), Summary: summary, Hint: hint}
}

// position is where an option stands in the minion file, as far as known.
func (c *Config) position(key string) diag.Pos {
	path := c.file()
	text, err := os.ReadFile(path)
	if err != nil {
		return diag.Pos{}
	}
	return diag.Pos{File: path, Line: lineOf(string(text), key)}
}

// ID is the name of this minion: the option, the cached one, or one made from
// the host's names (see id.go). It is found once.
func (c *Config) ID() string { return c.Opts.Str("id") }

// CacheDir is cachedir.
func (c *Config) CacheDir() string { return c.Opts.Str("cachedir") }

// ConfFile is the path of the minion file; the grains file stands beside it.
func (c *Config) ConfFile() string { return c.Opts.Str("conf_file") }

// GrainsFile is the path of the file with static grains.
func (c *Config) GrainsFile() string { return filepath.Join(filepath.Dir(c.ConfFile()), "grains") }

// Renderer is the default render pipe, "jinja|yaml".
func (c *Config) Renderer() string { return c.Opts.Str("renderer") }

// Local reports whether files and pillar come from this machine: file_client
// local, or --local.
func (c *Config) Local() bool {
	return c.Opts.Str("file_client") == "local" || c.Opts.Truth("local")
}

// Test is the default of test= for states.
func (c *Config) Test() bool { return c.Opts.Truth("test") }

// FileRoots are the folders of each environment.
func (c *Config) FileRoots() []Root { return rootsOf(c.Opts.Map("file_roots")) }

// PillarRoots are the pillar folders of each environment.
func (c *Config) PillarRoots() []Root { return rootsOf(c.Opts.Map("pillar_roots")) }

// IsSet reports whether the files set an option (rather than the defaults).
func (c *Config) IsSet(key string) bool { return c.set.Has(key) }
