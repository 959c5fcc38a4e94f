package docker

import (
	"fmt"
	"net/url"
	"strings"

	"pinch/modules/docker/engine"
	"pinch/salt"
	"pinch/value"
)

// diff returns what a container has changed in its files: Changed, Added and
// Deleted are lists of paths.
func diff(c *salt.Ctx, a nameArgs) (*value.Map, error) {
	return ask(c, func(d daemon) (*value.Map, error) {
		l, err := d.List(engine.Request{Op: "diff", Path: "/containers/" + engine.ID(a.Name) + "/changes"})
		if err != nil {
			return nil, err
		}
		out := new(value.Map)
		for _, it := range l.Items {
			m, _ := it.(*value.Map)
			kind := "Unknown"
			if n, ok := m.At("Kind").(int64); ok && n >= 0 && n < 3 {
				kind = []string{"Changed", "Added", "Deleted"}[n]
			}
			if out.List(kind) == nil {
				out.Set(kind, value.L())
			}
			out.List(kind).Append(m.At("Path"))
		}
		return out, nil
	})
}

// top returns what runs in a container, a map a process, as ps shows it.
func top(c *salt.Ctx, a nameArgs) (*value.List, error) {
	return ask(c, func(d daemon) (*value.List, error) {
		m, err := d.Map(engine.Request{Op: "top", Path: "/containers/" + engine.ID(a.Name) + "/top"})
		if err != nil {
			return nil, err
		}
		titles, rows := m.List("Titles"), m.List("Processes")
		out := value.L()
		if titles == nil || rows == nil {
			return out, nil
		}
		for _, it := range rows.Items {
			row, ok := it.(*value.List)
			if !ok {
				continue
			}
			process := new(value.Map)
			for i, v := range row.Items[:min(row.Len(), titles.Len())] {
				process.Set(value.Str(titles.Items[i]), v)
			}
			out.Append(process)
		}
		return out, nil
	})
}

type portArgs struct {
	Name        string `py:"name"`              // name or ID of the container, or a pattern of names
	PrivatePort any    `py:"private_port=None"` // only this port: 5000, 5000/tcp
}

// port returns where the ports of a container are on the host. For a pattern
// the ports of each container that fits.
func port(c *salt.Ctx, a portArgs) (*value.Map, error) {
	pattern, err := portPattern(a.PrivatePort)
	if err != nil {
		return nil, err
	}
	return ask(c, func(d daemon) (*value.Map, error) {
		names := []string{a.Name}
		several := strings.ContainsAny(a.Name, "*?[")
		if several {
			all, err := d.names(true)
			if err != nil {
				return nil, err
			}
			names = nil
			for _, n := range all {
				if value.Fnmatch(n, a.Name) {
					names = append(names, n)
				}
			}
		}
		out := new(value.Map)
		for _, n := range names {
			m, err := d.container(n)
			if err != nil {
				return nil, err
			}
			found := new(value.Map)
			for key, v := range m.Map("NetworkSettings").Map("Ports").Items() {
				if value.Fnmatch(key, pattern) {
					found.Set(key, v)
				}
			}
			if !several {
				return found, nil
			}
			out.Set(n, found)
		}
		return out, nil
	})
}

func portPattern(v any) (string, error) {
	switch p := v.(type) {
	case nil:
		return "*", nil
	case int64:
		return fmt.Sprintf("%d/*", p), nil
	case string:
		num, proto, _ := strings.Cut(p, "/")
		proto = strings.ToLower(proto)
		if num != "" && strings.Trim(num, "0123456789") == "" && (proto == "tcp" || proto == "udp") {
			return num + "/" + proto, nil
		}
	}
	return "", salt.InvocationError("Invalid private_port '%s'. Must either be a port number, or be in port/protocol notation (e.g. 5000/tcp)", value.Str(v))
}

type renameArgs struct {
	Name    string `py:"name"`     // name or ID of the container
	NewName string `py:"new_name"` // its new name
}

// rename gives a container another name.
func rename(c *salt.Ctx, a renameArgs) (bool, error) {
	return ask(c, func(d daemon) (bool, error) {
		m, err := d.container(a.Name)
		if err != nil {
			return false, err
		}
		if err := d.act("rename", m.Str("Id"), "rename", "name", a.NewName); err != nil {
			return false, err
		}
		now, err := d.container(a.NewName)
		return err == nil && now.Str("Id") == m.Str("Id"), err
	})
}

type logsArgs struct {
	Name   string     `py:"name"`     // name or ID of the container
	Kwargs *value.Map `py:"**kwargs"` // stdout, stderr, timestamps: booleans; tail: a number of lines; since, until: Unix times; follow: until its end
}

// logs returns what a container wrote.
//
//	salt-call docker.logs web tail=100 timestamps=True
func logs(c *salt.Ctx, a logsArgs) (string, error) {
	query, err := logQuery(clean(a.Kwargs))
	if err != nil {
		return "", err
	}
	return ask(c, func(d daemon) (string, error) {
		m, err := d.container(a.Name)
		if err != nil {
			return "", err
		}
		return d.output(a.Name, m.Map("Config").Truth("Tty"), query)
	})
}

func logQuery(kw *value.Map) (url.Values, error) {
	flag := func(key string, def bool) string {
		if v, ok := kw.Get(key); ok {
			def = value.Truth(v)
		}
		return engine.Bool(def)
	}
	q := engine.Query("stdout", flag("stdout", true), "stderr", flag("stderr", true), "timestamps", flag("timestamps", false), "follow", flag("follow", false), "tail", "all")
	for key, v := range kw.Items() {
		switch key {
		case "stream":
			return nil, salt.InvocationError("The 'stream' argument is not supported")
		case "stdout", "stderr", "timestamps", "follow":
		case "tail":
			if n, ok := v.(int64); ok && n >= 0 {
				q.Set("tail", value.Str(n))
			}
		case "since", "until":
			s, err := logTime(key, v)
			if err != nil {
				return nil, err
			}
			if s != "" {
				q.Set(key, s)
			}
		default:
			return nil, salt.CommandError("Unable to perform logs: ContainerApiMixin.logs() got an unexpected keyword argument '%s'", key)
		}
	}
	return q, nil
}
