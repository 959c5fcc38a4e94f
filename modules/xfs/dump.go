package xfs

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

// geometry reads what xfs_info prints: sections with KEY=value, whose further
// lines begin with an equals sign.
func geometry(out string) (*value.Map, error) {
	m := new(value.Map)
	var section *value.Map
	for line := range strings.SplitSeq(out, "\n") {
		line = strings.TrimSpace(strings.ReplaceAll(strings.Join(strings.Fields(line), " "), ", ", " "))
		if !strings.Contains(line, "=") {
			continue
		}
		kv := keyValues(line)
		if !strings.HasPrefix(line, "=") {
			name := kv[0]
			kv = kv[1:]
			section = value.M("section", name[1])
			if name[1] == "***" {
				section.Set("section", name[0])
			}
			m.Set(name[0], section)
		}
		if section == nil {
			return nil, salt.CommandError("xfs: unexpected output: %s", line)
		}
		for _, p := range kv {
			section.Set(p[0], p[1])
		}
	}
	return m, nil
}

// keyValues reads one line. Keys have no blanks, values may.
func keyValues(line string) [][2]string {
	if rest, ok := strings.CutPrefix(line, "="); ok {
		line = strings.TrimSpace(rest)
	}
	line = strings.ReplaceAll(strings.ReplaceAll(line, " = ", "=*** "), " =", "=")
	var opts []string
	for word := range strings.SplitSeq(line, " ") {
		if len(opts) == 0 || strings.Contains(word, "=") {
			opts = append(opts, word)
		} else {
			opts[len(opts)-1] += " " + word
		}
	}
	out := make([][2]string, len(opts))
	for i, o := range opts {
		key, val, _ := strings.Cut(o, "=")
		out[i] = [2]string{key, val}
	}
	return out
}

type dumpArgs struct {
	Device      string `py:"device"`       // the device
	Destination string `py:"destination"`  // the file or tape
	Level       any    `py:"level=0"`      // 0 to 9: only what changed since the dump of a lower level
	Label       any    `py:"label=None"`   // the label
	Noerase     any    `py:"noerase=None"` // do not erase the medium
}

// dump saves a file system and returns what xfsdump says about it.
func dump(c *salt.Ctx, a dumpArgs) (*value.Map, error) {
	if c.Sys.LookPath("xfsdump") == "" {
		return nil, salt.CommandError(`Utility "xfsdump" has to be installed or missing.`)
	}
	label := stamp(a.Device, c.Sys.Now())
	if value.Truth(a.Label) {
		label = value.Str(a.Label)
	}
	words := []string{"xfsdump", "-F"}
	if !value.Truth(a.Noerase) {
		words = append(words, "-E")
	}
	out, err := run(c, append(words, "-L", label, "-l", value.Str(a.Level), "-f", a.Destination, a.Device)...)
	if err != nil {
		return nil, err
	}
	m := new(value.Map)
	var summary []string
	inSummary := false
	for line := range strings.SplitSeq(out, "\n") {
		line = strings.TrimPrefix(strings.TrimSpace(line), "xfsdump: ")
		if inSummary = strings.HasPrefix(line, "Dump Summary:") || inSummary && strings.HasPrefix(line, " "); inSummary && line[0] == ' ' {
			summary = append(summary, strings.TrimSpace(line))
		}
		for prefix, key := range map[string]string{"session label: ": "Session label", "media file size": "Media size", "dump complete:": "Dump complete", "Dump Status:": "Status"} {
			if rest, ok := strings.CutPrefix(line, prefix); ok {
				m.Set(key, strings.TrimSpace(rest))
			}
		}
		if strings.HasPrefix(line, "session id:") {
			m.Set("Session ID", line[strings.LastIndexByte(line, ' ')+1:])
		}
	}
	if len(summary) > 0 {
		m.Set("Summary", strings.Join(summary, " "))
	}
	return m, nil
}

// inventory returns the dumps that xfsrestore knows, as it nests them, and
// restore_status.
func inventory(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	out, err := looked(c, "xfsrestore", "-I")
	if err != nil {
		return nil, err
	}
	var lines []string
	for line := range strings.SplitSeq(out, "\n") {
		if strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return new(value.Map), nil
	}
	last := lines[len(lines)-1]
	if len(lines) == 1 && strings.Contains(strings.ToLower(last), "restore status") {
		return value.M("restore_status", last), nil
	}
	m := nested(lines[:len(lines)-1])
	m.Set("restore_status", last)
	return m, nil
}

// nested reads lines that tabs nest: "name:" opens a level, "key: value" fills it.
func nested(lines []string) *value.Map {
	top := new(value.Map)
	type level struct {
		tabs int
		m    *value.Map
	}
	stack := []level{{-1, top}}
	for _, line := range lines {
		tabs := strings.Count(line, "\t") - strings.Count(strings.TrimLeft(line, "\t"), "\t")
		key, val, _ := strings.Cut(strings.TrimSpace(line), ":")
		for len(stack) > 1 && stack[len(stack)-1].tabs >= tabs {
			stack = stack[:len(stack)-1]
		}
		in := stack[len(stack)-1].m
		if val = strings.TrimSpace(val); val != "" {
			in.Set(strings.TrimSpace(key), val)
			continue
		}
		m := new(value.Map)
		in.Set(strings.TrimSpace(key), m)
		stack = append(stack, level{tabs, m})
	}
	return top
}

type pruneArgs struct {
	Sessionid string `py:"sessionid"` // the UUID of the dump
}

// pruneDump removes a dump from the inventory and returns what it was.
func pruneDump(c *salt.Ctx, a pruneArgs) (*value.Map, error) {
	out, err := run(c, "xfsinvutil", "-s", a.Sessionid, "-F")
	if err != nil {
		return nil, err
	}
	m := new(value.Map)
	dashes, first := 0, true
	for line := range strings.SplitSeq(out, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "-") {
			dashes++
			continue
		}
		if dashes != 1 || line == "" {
			continue
		}
		if key, val, ok := strings.Cut(line, ":"); ok && !first {
			m.Set(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(key)), " ", "_"), strings.TrimSpace(val))
		}
		first = false
	}
	if m.Str("uuid") != a.Sessionid {
		return nil, salt.CommandError("Session UUID \"%s\" was not found.", a.Sessionid)
	}
	return m, nil
}
