// Package logrotate holds Salt's logrotate module: settings of logrotate(8).
// Its main variable is Module.
//
//	/var/log/web/*.log:
//	  logrotate.set:
//	    - key: /var/log/web/*.log
//	    - value: rotate
//	    - setting: 7
package logrotate

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/value"
	"pinch/value/pyre"
)

// Module is Salt's logrotate module.
var Module = salt.Module{
	Name: "logrotate",
	States: func() salt.Funcs {
		return salt.Funcs{
			"set": salt.State(setState).Named("set_"),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"get":       salt.Exec(get),
			"set":       salt.Exec(set).Named("set_"),
			"show_conf": salt.Exec(showConf),
		}
	},
}

var scripts = []string{"firstaction", "lastaction", "prerotate", "postrotate", "preremove"}

// integer gives a number for text that is one.
func integer(v any) any {
	if n, err := strconv.ParseInt(strings.TrimSpace(value.Str(v)), 10, 64); err == nil {
		return n
	}
	return v
}

// A conf is a configuration as it is read: settings by name, blocks as maps.
type conf struct {
	top, block *value.Map // block is nil outside of braces
	names      []string   // the files that the block is for
	pending    []string   // names on lines above the brace
	script     string     // the directive whose script is read
	body       []string
	include    string
}

// parse reads a configuration file and those it includes.
func parse(c *salt.Ctx, path string, depth int) (*value.Map, error) {
	b, err := c.Sys.ReadFile(path)
	if err != nil {
		return nil, salt.OSError(err)
	}
	if depth > 16 {
		return nil, salt.CommandError("%s includes itself", path)
	}
	f := &conf{top: new(value.Map)}
	for line := range strings.Lines(string(b)) {
		f.line(strings.TrimSpace(line))
		if f.include == "" {
			continue
		}
		dir := f.include
		f.include = ""
		if err := f.includes(c, dir, depth); err != nil {
			return nil, err
		}
	}
	for _, name := range f.pending {
		f.top.Set(name, true)
	}
	return f.top, nil
}

func (f *conf) line(line string) {
	at := f.top
	if f.block != nil {
		at = f.block
	}
	words := strings.Fields(line)
	switch {
	case f.script != "" && line == "endscript":
		at.Set(f.script, value.Strings(f.body))
		f.script, f.body = "", nil
	case f.script != "":
		f.body = append(f.body, line)
	case len(words) == 0 || words[0][0] == '#':
	case strings.Contains(line, "{") && !strings.Contains(line, "}"):
		f.names = append(f.pending, slices.DeleteFunc(words, func(s string) bool { return s == "{" })...)
		f.block, f.pending = new(value.Map), nil
	case strings.Contains(line, "}"):
		block := f.block
		if block == nil {
			block = new(value.Map)
		}
		for _, name := range f.names {
			f.top.Set(name, block)
		}
		f.block, f.names = nil, nil
	case slices.Contains(scripts, words[0]) && len(words) == 1 && f.block != nil:
		f.script = words[0]
	case len(words) == 1 && f.block == nil && isName(words[0]):
		f.pending = append(f.pending, words[0])
	case len(words) == 1:
		at.Set(words[0], true)
	case len(words) == 2:
		at.Set(words[0], integer(words[1]))
		if words[0] == "include" {
			f.top.Set("include", words[1])
			f.include = words[1]
		}
	default:
		at.Set(words[0], strings.Join(words[1:], " "))
	}
}

// isName reports whether a word stands for log files.
func isName(s string) bool {
	return strings.ContainsAny(s[:1], `/~"'`) || strings.ContainsAny(s, "*?[")
}

// includes reads the files of a folder; "include files" has the names that
// each of them defines.
func (f *conf) includes(c *salt.Ctx, dir string, depth int) error {
	entries, err := c.Sys.ReadDir(dir)
	if err != nil {
		return salt.OSError(err)
	}
	files := f.top.Map("include files")
	if files == nil {
		files = new(value.Map)
		f.top.Set("include files", files)
	}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		if !files.Has(e.Name()) {
			files.Set(e.Name(), value.L())
		}
		sub, err := parse(c, filepath.Join(dir, e.Name()), depth+1)
		if err != nil {
			return err
		}
		for key, v := range sub.Items() {
			f.top.Set(key, v)
			files.List(e.Name()).Append(key)
		}
	}
	return nil
}

type showConfArgs struct {
	ConfFile string `py:"conf_file='/etc/logrotate.conf'"` // the configuration
}

// showConf returns the configuration with everything it includes.
func showConf(c *salt.Ctx, a showConfArgs) (*value.Map, error) { return parse(c, a.ConfFile, 0) }

type getArgs struct {
	Key      string `py:"key"`                             // a setting, or the log files of a block
	Value    any    `py:"value=None"`                      // a setting of the block
	ConfFile string `py:"conf_file='/etc/logrotate.conf'"` // the configuration
}

// get returns a setting, a block, or a setting of a block; False when it is
// not there.
func get(c *salt.Ctx, a getArgs) (any, error) {
	m, err := parse(c, a.ConfFile, 0)
	if err != nil {
		return nil, err
	}
	stanza, ok := m.Get(a.Key)
	if !ok {
		stanza = false
	}
	if !value.Truth(a.Value) || !value.Truth(stanza) {
		return stanza, nil
	}
	block, ok := stanza.(*value.Map)
	if !ok {
		return nil, value.Errorf("AttributeError", "'%s' object has no attribute 'get'", value.TypeName(stanza))
	}
	if v, ok := block.Get(value.Str(a.Value)); ok {
		return v, nil
	}
	return false, nil
}

type setArgs struct {
	Key      string `py:"key"`                             // a setting, or the log files of a block
	Value    any    `py:"value"`                           // its value, or a setting of the block
	Setting  any    `py:"setting=None"`                    // the value of that setting; False removes it
	ConfFile string `py:"conf_file='/etc/logrotate.conf'"` // the configuration
}

// set sets a setting, or one of a block.
//
//	salt-call logrotate.set rotate 2
//	salt-call logrotate.set /var/log/wtmp rotate 2
func set(c *salt.Ctx, a setArgs) (bool, error) {
	m, err := parse(c, a.ConfFile, 0)
	if err != nil {
		return false, err
	}
	file := a.ConfFile
	for name, keys := range m.Map("include files").Items() {
		if l, ok := keys.(*value.List); ok && slices.Contains(l.Items, any(a.Key)) {
			file = filepath.Join(m.Str("include"), name)
		}
	}
	now, ok := m.Get(a.Key)
	block, isBlock := now.(*value.Map)
	kw := value.M("flags", int64(8), "backup", false, "path", file, "pattern", "^"+pyre.Escape(a.Key)+`\b.*`, "show_changes", false)
	switch {
	case a.Setting == nil && isBlock:
		return false, salt.InvocationError("Error: %s includes a dict, and a specific setting inside the dict was not declared", a.Key)
	case a.Setting == nil:
		if ok && value.Equal(a.Value, now) || !ok && value.Equal(a.Value, false) {
			return true, nil
		}
		text := ""
		if a.Value == true {
			text = a.Key
		} else if value.Truth(a.Value) {
			text = a.Key + " " + value.Str(a.Value)
		}
		kw.Update(value.M("prepend_if_not_found", true, "repl", literal(text)))
	case ok && value.Truth(now) && !isBlock:
		return false, salt.InvocationError("Error: A setting for a dict was declared, but the configuration line given is not a dict")
	default:
		key := value.Str(a.Value)
		if v, has := block.Get(key); has && value.Equal(a.Setting, v) || !has && value.Equal(a.Setting, false) {
			return true, nil
		}
		changed := new(value.Map)
		changed.Update(block)
		if value.Truth(a.Setting) {
			changed.Set(key, a.Setting)
		} else {
			changed.Pop(key)
		}
		kw.Update(value.M("pattern", "^"+pyre.Escape(a.Key)+`[^\n{]*\{.*?\}`, "flags", int64(24), "append_if_not_found", true, "repl", literal(stanza(a.Key, changed))))
	}
	v, err := c.CallKw("file.replace", kw)
	return value.Truth(v), err
}

// literal is a text as a replacement in which nothing is special.
func literal(s string) string { return strings.ReplaceAll(s, `\`, `\\`) }

// stanza writes a block.
func stanza(key string, block *value.Map) string {
	var b strings.Builder
	b.WriteString(key + " {\n")
	for name, v := range block.Items() {
		if l, ok := v.(*value.List); ok && slices.Contains(scripts, name) {
			b.WriteString("    " + name + "\n")
			for _, line := range l.Items {
				b.WriteString("        " + value.Str(line) + "\n")
			}
			b.WriteString("    endscript\n")
			continue
		}
		if v == true {
			v = ""
		}
		b.WriteString("    " + name + " " + value.Str(v) + "\n")
	}
	return b.String() + "}"
}
