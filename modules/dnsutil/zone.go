package dnsutil

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type parseZoneArgs struct {
	Zonefile string `py:"zonefile=None"` // the file
	Zone     string `py:"zone=None"`     // its text instead
}

// parseZone returns the records of a zone file by type and name.
func parseZone(c *salt.Ctx, a parseZoneArgs) (any, error) {
	text := a.Zone
	if a.Zonefile != "" {
		if b, err := c.Sys.ReadFile(a.Zonefile); err == nil {
			text = string(b)
		}
	}
	if text == "" {
		return "Error: Zone data was not found", nil
	}
	return zone(text)
}

// zone reads records one by one; a record in parentheses may have many lines.
func zone(text string) (*value.Map, error) {
	m := new(value.Map)
	open := ""
	number := 0
	for line := range strings.Lines(text) {
		number++
		line, _, _ = strings.Cut(line, ";")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if line[0] == '$' {
			if k, v, ok := strings.Cut(line[1:], " "); ok {
				m.Set(k, strings.Fields(v)[0])
			}
			continue
		}
		if open != "" || strings.Contains(line, "(") && !strings.Contains(line, ")") {
			open += " " + line
			if !strings.Contains(line, ")") {
				continue
			}
			line, open = strings.NewReplacer("(", "", ")", "").Replace(open), ""
		}
		if err := record(m, line); err != nil {
			return nil, fmt.Errorf("line %d: %w: %s", number, err, line)
		}
	}
	return m, nil
}

func record(m *value.Map, line string) error {
	if m.Has("ORIGIN") {
		line = strings.ReplaceAll(line, "@", m.Str("ORIGIN"))
	}
	f := strings.Fields(line)
	short := fmt.Errorf("a record of a zone with too few words")
	if strings.Contains(line, "SOA") {
		if len(f) > 1 && f[1] != "IN" {
			f = slices.Delete(f, 1, 2)
		}
		if len(f) < 10 {
			return short
		}
		m.Set("ORIGIN", f[0])
		m.Set("NETWORK", f[1])
		m.Set("SOURCE", f[3])
		m.Set("CONTACT", strings.Replace(f[4], ".", "@", 1))
		m.Set("SERIAL", f[5])
		for i, k := range []string{"REFRESH", "RETRY", "EXPIRE", "MINTTL"} {
			m.Set(k, seconds(f[6+i]))
		}
		return nil
	}
	if f[0] == "IN" {
		f = slices.Insert(f, 0, m.Str("ORIGIN"))
	}
	if !strings.HasSuffix(f[0], ".") && !strings.Contains(line, "NS") {
		f[0] += "." + m.Str("ORIGIN")
	}
	if len(f) < 4 {
		return short
	}
	switch {
	case f[2] == "NS":
		list(m, "NS").Append(f[3])
	case f[2] == "MX":
		if !m.Has("MX") && len(f) > 4 {
			list(m, "MX").Append(value.M("priority", f[3], "host", f[4]))
		}
	case (f[3] == "A" || f[3] == "AAAA") && len(f) > 4:
		child(m, f[3]).Set(f[0], value.M("TARGET", f[4], "TTL", f[1]))
	default:
		child(m, f[2]).Set(f[0], f[3])
	}
	return nil
}

func list(m *value.Map, key string) *value.List {
	if l := m.List(key); l != nil {
		return l
	}
	l := value.L()
	m.Set(key, l)
	return l
}

func child(m *value.Map, key string) *value.Map {
	if in := m.Map(key); in != nil {
		return in
	}
	in := new(value.Map)
	m.Set(key, in)
	return in
}

// seconds reads a time of a SOA record, at most a week.
func seconds(s string) int64 {
	const week = 604800
	s = strings.ToUpper(s)
	factor := int64(1)
	switch {
	case strings.Contains(s, "H"):
		s, factor = strings.ReplaceAll(s, "H", ""), 3600
	case strings.Contains(s, "D"):
		s, factor = strings.ReplaceAll(s, "D", ""), 86400
	case strings.Contains(s, "W"):
		return week
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return week
	}
	return min(n*factor, week)
}
