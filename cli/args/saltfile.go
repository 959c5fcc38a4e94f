package args

import (
	"os"
	"path/filepath"

	"pinch/diag"
	"pinch/render/yaml"
	"pinch/value"
)

// saltfile takes option values from a Saltfile: the one of --saltfile, of
// $SALT_SALTFILE, ./Saltfile or ~/.salt/Saltfile. It has a map of options for
// each command; what the command line gives wins.
func (c *Command) saltfile(g *Grammar, call *Call) error {
	path := call.Values.Str("saltfile")
	if path == "" {
		path = c.Getenv("SALT_SALTFILE")
	}
	if path == "" {
		for _, p := range []string{"Saltfile", filepath.Join(c.Getenv("HOME"), ".salt", "Saltfile")} {
			if isFile(p) {
				path = p
				break
			}
		}
	}
	if path == "" {
		return nil
	}
	if !isFile(path) {
		return g.Fail("'%s' file does not exist.\n", path)
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	call.Values.Set("saltfile", path)
	call.Log.Info("Loading Saltfile from '" + path + "'")
	text, err := os.ReadFile(path)
	if err != nil {
		return g.Fail("%v", err)
	}
	v, err := yaml.Load(path, string(text))
	if err != nil {
		return failure(yamlDiag(path, string(text), err))
	}
	all, _ := v.(*value.Map)
	own, ok := all.At(g.Prog).(*value.Map)
	if !ok {
		if own, ok = all.At("salt-call").(*value.Map); !ok {
			return nil
		}
	}
	for k, v := range own.Items() {
		if !call.Explicit[k] {
			call.Values.Set(k, v)
			call.Explicit[k] = true
		}
	}
	return nil
}

func yamlDiag(path, text string, err error) error {
	d := &diag.Diagnostic{ID: "config", Pos: diag.Pos{File: path}, Source: text, Err: err, Summary: "Error parsing configuration file: " + path + " - " + err.Error()}
	if e, ok := err.(*yaml.Error); ok {
		d.Pos.Line, d.Pos.Col, d.Hint = e.Line, e.Col, e.Hint()
	}
	return d
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
