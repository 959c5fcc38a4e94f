package devinfo

import (
	"strings"

	"pinch/value"
)

// parseShort reads a summary: a line for each kind, below it names of devices
// and what they are. A line further in has no name; a number stands for it.
func parseShort(report string) *value.Map {
	ret, current := new(value.Map), new(value.Map)
	n := int64(0)
	for line := range strings.SplitSeq(strings.TrimSpace(report), "\n") {
		switch {
		case strings.HasPrefix(line, "    "):
			_ = current.SetKey(n, strings.TrimSpace(line))
			n++
		case strings.HasPrefix(line, "  "):
			key, val, _ := strings.Cut(strings.TrimSpace(line), " ")
			current.Set(key, strings.TrimSpace(val))
		case strings.HasSuffix(line, ":"):
			current, n = new(value.Map), 0
			ret.Set(strings.TrimSuffix(line, ":"), current)
		}
	}
	return ret
}

// parseFull reads the long form, which two blanks a level nest.
func parseFull(report string) *value.Map {
	ret := new(value.Map)
	var stack []*value.Map
	for line := range strings.SplitSeq(strings.TrimSpace(report), "\n") {
		level := strings.Count(line, "  ")
		if level < len(stack) {
			stack = stack[:level]
		}
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		key, val, named := strings.Cut(line, ":")
		key, val = strings.TrimSpace(key), strings.TrimSpace(val)
		switch {
		case level == 0 && named: // 01: PCI 04.0: 0300 VGA
			m := new(value.Map)
			ret.Set(key, m)
			if k, v, ok := strings.Cut(val, ": "); ok {
				m.Set(k, v)
			}
			stack = []*value.Map{m}
		case len(stack) == 0:
		case strings.HasPrefix(line, "[") || !named:
			stack[len(stack)-1].Set("Note", strings.TrimSuffix(strings.TrimPrefix(line, "["), "]"))
		case val != "" && !strings.HasPrefix(val, "#") && key != "El Torito info":
			entry(stack[len(stack)-1], key, val)
		default:
			m := below(key, val)
			stack[len(stack)-1].Set(key, m)
			stack = append(stack, m)
		}
	}
	return ret
}

// below is a level that a line opens.
func below(key, val string) *value.Map {
	switch {
	case strings.HasPrefix(val, "#"):
		return value.M("Handle", val)
	case key == "El Torito info": // platform 0, bootable
		platform, boot, _ := strings.Cut(val, ", ")
		f := strings.Fields(platform)
		m := value.M("platform", "", "bootable", "yes")
		if len(f) > 0 {
			m.Set("platform", f[len(f)-1])
		}
		if strings.Contains(boot, "not") {
			m.Set("bootable", "no")
		}
		return m
	}
	return new(value.Map)
}

// entry adds a value; several of one key make a list.
func entry(m *value.Map, key, val string) {
	var v any = val
	switch {
	case key == "I/O Port":
		key = "I/O Ports"
	case key == "Config Status":
		status := new(value.Map)
		for part := range strings.SplitSeq(val, ", ") {
			k, s, _ := strings.Cut(part, "=")
			status.Set(k, s)
		}
		v = status
	case key == "Driver" || key == "Driver Modules":
		v = value.Strings(strings.Split(strings.ReplaceAll(val, `"`, ""), ", "))
	case key == "Tags" || key == "Device Files" || key == "Features":
		parts := strings.Split(val, ",")
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		v = value.Strings(parts)
	case strings.HasPrefix(val, `"`):
		v = val[1:max(1, len(val)-1)]
	}
	old, ok := m.Get(key)
	if !ok {
		m.Set(key, v)
		return
	}
	l, isList := old.(*value.List)
	if !isList {
		l = value.L(old)
	}
	for _, it := range l.Items {
		if value.Equal(it, v) {
			return
		}
	}
	m.Set(key, value.L(append(append([]any{}, l.Items...), v)...))
}
