// Package returners hands the return of a job on: to files, the system log,
// mail, a web service, or a custom module of the tree. A returner that fails
// is named in the log; the others still get the return.
//
//	returners.Send(c, []string{"rawfile_json"}, ret, os.Stdout)
package returners

import (
	"fmt"
	"io"
	"strings"
	"time"

	"pinch/salt"
	"pinch/value"
)

// A returner hands a return on. w is the program's stdout.
type returner func(s *settings, ret *value.Map, w io.Writer) error

// builtIn is the returner of that name, nil if there is none.
func builtIn(name string) returner {
	switch name {
	case "local":
		return local
	case "rawfile_json":
		return rawfile
	case "syslog":
		return syslogReturn
	case "multi_returner":
		return multi
	case "local_cache":
		return localCache
	case "highstate", "highstate_return":
		return highstate
	case "http", "webhook":
		return webhook
	case "smtp":
		return mail
	case "postgres", "pgjsonb":
		return postgres
	case "mysql":
		return mySQL
	case "redis":
		return redisReturn
	case "elasticsearch":
		return elasticsearch
	}
	return nil
}

// Names are the returners that are built in, sorted.
func Names() []string {
	return []string{"elasticsearch", "highstate", "http", "local", "local_cache", "multi_returner", "mysql", "pgjsonb", "postgres", "rawfile_json",
		"redis", "smtp", "syslog", "webhook"}
}

// List reads the option return, or --return: a list, or names joined by commas.
func List(v any) []string {
	var out []string
	add := func(s string) {
		for part := range strings.SplitSeq(s, ",") {
			if part = strings.TrimSpace(part); part != "" {
				out = append(out, part)
			}
		}
	}
	switch v := v.(type) {
	case string:
		add(v)
	case *value.List:
		for _, it := range v.Items {
			add(value.Str(it))
		}
	}
	return out
}

// Send hands a return to each of the named returners, and logs what fails. ok
// says that each has it.
func Send(c *salt.Ctx, names []string, ret *value.Map, w io.Writer) (ok bool) {
	ok = true
	for _, name := range names {
		if err := send(c, name, ret, w); err != nil {
			ok = false
			c.Log.Error("The return " + ret.Str("jid") + " could not be handed to the returner " + name + ": " + err.Error())
		}
	}
	return ok
}

func send(c *salt.Ctx, name string, ret *value.Map, w io.Writer) error {
	if cu := c.Run.Custom; cu != nil {
		if file := customFile(c, cu, name); file != "" {
			_, err := cu.Call(c, "returners", file, "returner", []any{ret}, nil)
			return err
		}
	}
	f := builtIn(name)
	if f == nil {
		return fmt.Errorf("there is no returner of that name")
	}
	return f(&settings{c: c, name: name, ret: ret}, ret, w)
}

// customFile is the file of the custom returner with that name, "" if there is
// none.
func customFile(c *salt.Ctx, cu salt.Custom, name string) string {
	if cu.Has(c, "returners", name) {
		return name
	}
	if builtIn(name) != nil {
		return ""
	}
	return cu.FileOf(c, "returners", name)
}

// settings are the options of one returner: NAME.KEY of the configuration,
// alternative.NAME.KEY when the return has ret_config, and what ret_kwargs say.
type settings struct {
	c    *salt.Ctx
	name string
	ret  *value.Map
}

func (s *settings) get(key string) (any, bool) {
	if m, ok := s.ret.At("ret_kwargs").(*value.Map); ok && m.Has(key) {
		return m.Get(key)
	}
	names := []string{s.name + "." + key}
	if alt := s.ret.Str("ret_config"); alt != "" {
		names = []string{alt + "." + s.name + "." + key, s.name + "." + key}
	}
	for _, n := range names {
		if v, ok := s.c.Opts.Get(n); ok {
			return v, true
		}
	}
	// Salt's nested form: returner.smtp: {from: …} as smtp: {from: …}.
	if m, ok := s.c.Opts.At(s.name).(*value.Map); ok && m.Has(key) {
		return m.Get(key)
	}
	if s.c.Pillar != nil {
		if v, ok := value.Traverse(s.c.Pillar, s.name+":"+key, ":"); ok {
			return v, true
		}
		return s.c.Pillar.Get(s.name + "." + key)
	}
	return nil, false
}

func (s *settings) text(key, def string) string {
	if v, ok := s.get(key); ok && v != nil {
		return value.Str(v)
	}
	return def
}

func (s *settings) number(key string, def int64) int64 {
	if n, ok := s.get(key); ok {
		if i, ok := n.(int64); ok {
			return i
		}
	}
	return def
}

// tries are how often, and how long apart, something that may pass is tried.
var tries = []time.Duration{0, 500 * time.Millisecond, 2 * time.Second}

// again repeats what reaches for another machine.
func again(s *settings, do func() error) (err error) {
	for _, wait := range tries {
		if wait > 0 {
			s.c.Log.Warn("returner " + s.name + ": " + err.Error() + "; once more in " + wait.String())
			if e := s.c.Sys.Sleep(s.c, wait); e != nil {
				return err
			}
		}
		err = do()
		if _, refused := err.(final); err == nil || refused {
			return err
		}
	}
	return err
}

// final is an error that another try would give, too.
type final struct{ error }

func (f final) Unwrap() error { return f.error }

// text is the return as JSON in one line.
func text(ret *value.Map) (string, error) {
	return value.JSON(ret, value.JSONOptions{Default: func(v any) (any, error) { return value.Repr(v), nil }})
}
