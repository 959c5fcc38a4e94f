// Package smbios holds Salt's smbios module: what the firmware tells about the
// hardware, by dmidecode. Its main variable is Module.
//
//	salt-call smbios.get system-uuid
package smbios

import (
	"errors"
	"slices"
	"strings"

	"pinch/command"
	"pinch/salt"
	"pinch/value"
	"pinch/value/py"
	"pinch/value/pyre"
)

// Module is Salt's smbios module.
var Module = salt.Module{
	Name: "smbios",
	Exec: func() salt.Funcs { return salt.Funcs{"get": salt.Exec(get), "records": salt.Exec(records)} },
	Virtual: func(c *salt.Ctx, _ string) error {
		if tool(c) == "" {
			return errors.New("The smbios execution module failed to load: neither dmidecode nor smbios in the path.")
		}
		return nil
	},
}

func tool(c *salt.Ctx) string {
	for _, name := range []string{"dmidecode", "smbios"} {
		if c.Sys.LookPath(name) != "" {
			return name
		}
	}
	return ""
}

func decode(c *salt.Ctx, words ...string) (string, error) {
	a, err := command.Ask(c, append([]string{tool(c)}, words...)...)
	return a.All(), err
}

type getArgs struct {
	String string `py:"string"`     // bios-version, system-uuid, baseboard-serial-number … as in dmidecode(8)
	Clean  bool   `py:"clean=True"` // None for values that makers left unset
}

// get returns one value.
func get(c *salt.Ctx, a getArgs) (any, error) {
	out, err := decode(c, "-s", a.String)
	if err != nil {
		return nil, err
	}
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSpace(out), "\n") {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	v := strings.Join(lines, "\n")
	if strings.HasPrefix(v, "/dev/mem") || a.Clean && !isClean(a.String, v) {
		return nil, nil
	}
	return v, nil
}

type recordsArgs struct {
	RecType any         `py:"rec_type=None"` // a number or keyword of dmidecode(8); None: all
	Fields  *value.List `py:"fields=None"`   // only these fields, such as part_number
	Clean   bool        `py:"clean=True"`    // leave out values that makers left unset
}

// records returns the records of the firmware: handle, description, type, and
// data by field.
func records(c *salt.Ctx, a recordsArgs) (*value.List, error) {
	var words []string
	if a.RecType != nil {
		words = []string{"-t", value.Str(a.RecType)}
	}
	out, err := decode(c, words...)
	if err != nil {
		return nil, err
	}
	all := value.L()
	var head string
	var body []string
	done := func() {
		if head == "" {
			return
		}
		if m := record(head, body, a); m != nil {
			all.Append(m)
		}
	}
	for line := range strings.SplitSeq(out, "\n") {
		if strings.HasPrefix(strings.ToLower(line), "handle 0x") {
			done()
			head, body = line, nil
		} else {
			body = append(body, line)
		}
	}
	done()
	return all, nil
}

// record reads one: "Handle 0x0012, DMI type 17, 40 bytes", its description,
// and indented fields.
func record(head string, body []string, a recordsArgs) *value.Map {
	var last []string
	for _, part := range strings.Split(head, ",") {
		f := strings.Fields(part)
		last = append(last, f[len(f)-1])
	}
	if len(last) < 2 || len(body) == 0 {
		return nil
	}
	kind, err := py.Int(last[1])
	if err != nil {
		return nil
	}
	m := value.M("handle", last[0], "description", strings.TrimSpace(body[0]), "type", kind)
	if data := fields(body[1:], a); data.Len() > 0 {
		m.Set("data", data)
	} else if a.Clean {
		return nil
	}
	return m
}

// fields reads lines "\tName: value" and what is indented deeper below them.
func fields(lines []string, a recordsArgs) *value.Map {
	data := new(value.Map)
	key := ""
	var first any
	var more *value.List
	done := func() {
		switch {
		case key == "":
		case more.Len() > 0:
			if first != nil {
				more.Items = slices.Insert(more.Items, 0, first)
			}
			data.Set(key, more)
		case first != nil:
			data.Set(key, first)
		}
	}
	for _, line := range append(lines, "\tend:") {
		text := strings.TrimLeft(line, "\t")
		switch depth := len(line) - len(text); {
		case text == "" || text[0] == ' ':
		case depth == 1:
			done()
			name, v, _ := strings.Cut(text, ":")
			key = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), " ", "_")
			if a.Clean && key == "header_and_data" || a.Fields.Len() > 0 && !slices.Contains(a.Fields.Items, any(key)) {
				key = ""
				continue
			}
			first, more = cast(key, strings.TrimSpace(v), a.Clean), value.L()
		case depth == 2 && key != "":
			if v := cast(key, strings.TrimSpace(text), a.Clean); v != nil {
				more.Append(v)
			}
		}
	}
	return data
}

// cast makes numbers and lists of texts, nil of one that says nothing.
func cast(key, v string, clean bool) any {
	if clean && !isClean(key, v) {
		return nil
	}
	for _, before := range []string{"serial", "part", "asset", "product"} {
		if strings.HasPrefix(key, before) {
			return v
		}
	}
	if strings.Contains(v, ",") {
		l := value.L()
		for part := range strings.SplitSeq(v, ",") {
			l.Append(strings.TrimSpace(part))
		}
		return l
	}
	if n, err := py.Int(v); err == nil {
		return n
	}
	return v
}

// isClean reports whether a value says something.
func isClean(key, v string) bool {
	has := func(pattern string) bool {
		re, err := pyre.Compile(pattern, pyre.IgnoreCase)
		return err == nil && re.Search(v) != nil
	}
	switch {
	case v == "" || has("^none"):
		return false
	case strings.Contains(key, "uuid"):
		hex := strings.NewReplacer("urn:", "", "uuid:", "", "{", "", "}", "", "-", "").Replace(v)
		return len(hex) == 32 && strings.Trim(hex, "0123456789abcdefABCDEF") == ""
	case strings.Contains(key, "serial") || strings.Contains(key, "part") || strings.Contains(key, "version"):
		return !has("^0+$") && !has("^0?1234567[8]?[9]?[0]?") && !has("sernum|part[_-]?number|specified|filled|applicable")
	case strings.Contains(key, "asset") || strings.Contains(key, "manufacturer"):
		return !has("manufacturer|to be filled|available|asset|^no(ne|t)")
	}
	return !has("to be filled") && !has("un(known|specified)|no(t|ne)? (asset|provided|defined|available|present|specified)")
}
