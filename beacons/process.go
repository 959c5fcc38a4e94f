package beacons

import (
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"pinch/sys"
	"pinch/value"
)

// ps tells of processes that run, or do not:
//
//	ps:
//	  - processes:
//	      salt-master: running
//	      mysql: stopped
func ps() Kind {
	return Kind{
		Validate: func(conf any) string {
			if text := isList("ps", conf); text != "" {
				return text
			}
			o := options(conf)
			if !o.Has("processes") {
				return "Configuration for ps beacon requires processes."
			}
			if o.Map("processes") == nil {
				return "Processes for ps beacon must be a dictionary."
			}
			return ""
		},
		New: func(e *Env, conf *value.Map) (Watcher, error) {
			return looker(func() ([]*value.Map, error) {
				names, err := processNames(e.Sys)
				if err != nil {
					return nil, err
				}
				var out []*value.Map
				for name, want := range conf.Map("processes").Items() {
					switch running := names[name]; {
					case want == "running":
						if running {
							out = append(out, value.M(name, "Running"))
						}
					case running:
					case want == "stopped":
						out = append(out, value.M(name, "Stopped"))
					default:
						out = append(out, value.M(name, false))
					}
				}
				return out, nil
			}), nil
		},
	}
}

// processNames are the names of all processes, as psutil tells them: the kernel
// cuts names after 15 bytes, the command line has the whole one.
func processNames(s sys.Sys) (map[string]bool, error) {
	entries, err := s.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	for _, d := range entries {
		if _, err := strconv.Atoi(d.Name()); err != nil {
			continue
		}
		b, err := s.ReadFile("/proc/" + d.Name() + "/comm")
		if err != nil {
			continue // it ended meanwhile
		}
		name := strings.TrimSuffix(string(b), "\n")
		if len(name) >= 15 {
			cmd, _ := s.ReadFile("/proc/" + d.Name() + "/cmdline")
			first, _, _ := strings.Cut(string(cmd), "\x00")
			if whole := filepath.Base(first); strings.HasPrefix(whole, name) {
				name = whole
			}
		}
		out[name] = true
	}
	return out, nil
}

// service tells of services, at each look or when they change:
//
//	service:
//	  - services:
//	      nginx:
//	        onchangeonly: True
//	        delay: 30
//	        uncleanshutdown: /run/nginx.pid
func service() Kind {
	return Kind{
		Validate: func(conf any) string {
			if text := isList("service", conf); text != "" {
				return text
			}
			o := options(conf)
			if !o.Has("services") {
				return "Configuration for service beacon requires services."
			}
			m := o.Map("services")
			if m == nil {
				return "Services configuration item for service beacon must be a dictionary."
			}
			for _, v := range m.Items() {
				if _, ok := v.(*value.Map); !ok {
					return "Configuration for service beacon must be a list of dictionaries."
				}
			}
			return ""
		},
		New: func(e *Env, conf *value.Map) (Watcher, error) {
			s := &services{e: e, conf: conf.Map("services"), last: map[string]*serviceState{}, call: e.Call, close: func() {}}
			if e.Keep != nil {
				s.call, s.close = e.Keep()
			}
			return s, nil
		},
	}
}

type services struct {
	e     *Env
	conf  *value.Map
	last  map[string]*serviceState
	call  Call
	close func()
}

// serviceState is what was told last of a service; due is when to tell of a
// change that has a delay.
type serviceState struct {
	running bool
	due     time.Time
}

func (s *services) Close() { s.close() }

func (s *services) Look() ([]*value.Map, error) {
	var out []*value.Map
	for name := range s.conf.Items() {
		c := s.conf.Map(name)
		v, err := s.call("service.status", name)
		if err != nil {
			return out, err
		}
		running := value.Truth(v)
		state := value.M("running", running)
		if file := c.Str("uncleanshutdown"); file != "" && !running {
			state.Set("uncleanshutdown", sys.Exists(s.e.Sys, file))
		}
		if want, ok := c.At("is_running_state").(bool); ok && want != running {
			continue
		}
		if c.At("onchangeonly") != true || s.changed(name, c, running) {
			out = append(out, value.M(name, state, "service_name", name, "tag", name))
		}
	}
	return out, nil
}

// changed reports whether a change is to be told now.
func (s *services) changed(name string, c *value.Map, running bool) bool {
	last, seen := s.last[name]
	if !seen {
		last = &serviceState{running: !running}
		s.last[name] = last
		if c.Has("emitatstartup") && !c.Truth("emitatstartup") {
			last.running = running
			return false
		}
	}
	delay := seconds(c.At("delay"))
	if last.running != running {
		last.running = running
		if delay <= 0 {
			return true
		}
		last.due = s.e.Now().Add(delay)
	}
	if !last.due.IsZero() && s.e.Now().After(last.due) {
		last.due = time.Time{}
		return true
	}
	return false
}

// pkgKind tells when packages are installed, removed or can be upgraded:
//
//	pkg:
//	  - pkgs: [zsh, apache2]
//	  - refresh: True
func pkgKind() Kind {
	return Kind{
		Validate: func(conf any) string {
			if text := isList("pkg", conf); text != "" {
				return text
			}
			for _, it := range conf.(*value.List).Items {
				if m, ok := it.(*value.Map); ok && m.List("pkgs") != nil {
					return ""
				}
			}
			return "Configuration for pkg beacon requires list of pkgs."
		},
		New: func(e *Env, conf *value.Map) (Watcher, error) {
			known := map[string]string{}
			return looker(func() ([]*value.Map, error) {
				var out []*value.Map
				for _, p := range conf.List("pkgs").Items {
					name := value.Str(p)
					status, version, err := packageStatus(e, name)
					if err != nil {
						return out, err
					}
					if old := known[name]; old != "" && old != status {
						out = append(out, value.M("pkg", name, "version", version, "status", status))
					}
					known[name] = status
				}
				return out, nil
			}), nil
		},
	}
}

func packageStatus(e *Env, name string) (status string, version any, err error) {
	installed, err := e.Call("pkg.version", name)
	if err != nil || !value.Truth(installed) {
		return "not-installed", nil, err
	}
	latest, err := e.Call("pkg.latest_version", name)
	if err != nil || !value.Truth(latest) {
		return "installed", installed, err
	}
	return "upgrade", latest, nil
}

// status tells what functions of the module status answer, at each look:
//
//	status:
//	  - loadavg: [all]
//	  - time: [all]
func status() Kind {
	return Kind{
		Validate: func(conf any) string { return isList("status", conf) },
		New: func(e *Env, conf *value.Map) (Watcher, error) {
			if conf.Len() == 0 {
				for _, f := range []string{"loadavg", "cpustats", "meminfo", "vmstats", "time"} {
					conf.Set(f, value.L("all"))
				}
			}
			return looker(func() ([]*value.Map, error) {
				out := new(value.Map)
				for fun, want := range conf.Items() {
					out.Set(fun, new(value.Map))
					data, err := e.Call("status." + fun)
					if err != nil {
						e.Log.Debug("status beacon: "+err.Error(), "beacon", "status")
						continue
					}
					out.Set(fun, pick(data, want))
				}
				return []*value.Map{value.M("tag", e.Now().UTC().Format("2006-01-02T15:04:05.000000"), "data", out)}, nil
			}), nil
		},
	}
}

// pick takes the wanted items out of an answer.
func pick(data, want any) any {
	items := []any{want}
	if l, ok := want.(*value.List); ok {
		items = l.Items
	}
	out := new(value.Map)
	for _, it := range items {
		if it == "all" {
			return data
		}
		switch d := data.(type) {
		case *value.Map:
			v, ok := d.GetKey(it)
			if !ok {
				return "Status beacon is incorrectly configured: " + value.Repr(it)
			}
			_ = out.SetKey(it, v)
		case *value.List:
			if n, ok := it.(int64); ok && n >= 0 && int(n) < d.Len() {
				_ = out.SetKey(it, d.Items[n])
			}
		}
	}
	return out
}
