package ini

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"pinch/value"
)

var (
	header   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*\[(.+?)\]\s*$`) })
	remark   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*[#;]`) })
	indented = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s+`) })
)

// A section is a part of an ini file, or the whole. Its items, in their order,
// are texts and sections; comments are #commentN, other lines #unknownN.
type section struct {
	name, sep string
	compact   bool // no spaces around the separator
	items     *value.Map
	option    *regexp.Regexp // indent, name, separator, value
}

func newSection(name, sep string, compact bool) *section {
	// Only the first character is taken literally, as Salt does.
	quoted := sep
	if sep != "" {
		quoted = regexp.QuoteMeta(sep[:1]) + sep[1:]
	}
	re, err := regexp.Compile(`^(\s*)(.+?)\s*(` + quoted + `)\s*(.*)`)
	if err != nil {
		re = regexp.MustCompile(`^(\s*)(.+?)\s*(` + regexp.QuoteMeta(sep) + `)\s*(.*)`)
	}
	return &section{name, sep, compact, new(value.Map), re}
}

// set puts a text into the section.
func (s *section) set(name, text string) { s.update(value.M(name, text)) }

// parse reads the lines of the section.
func (s *section) parse(text string) {
	text = strings.Trim(text, "\n")
	if text == "" {
		return
	}
	comments, unknown, depth, last := 0, 0, "", ""
	for _, line := range strings.Split(text, "\n") {
		if remark().MatchString(line) {
			comments++
			last = "#comment" + strconv.Itoa(comments)
			s.set(last, line)
			continue
		}
		if indent := strings.ReplaceAll(indented().FindString(line), "\t", "    "); indent > depth && s.items.Len() > 0 {
			keys := s.items.Keys()
			last = value.Str(keys[len(keys)-1])
			s.set(last, s.items.Str(last)+"\n"+line)
			continue
		}
		if m := s.option.FindStringSubmatch(line); m != nil {
			depth, s.sep = strings.ReplaceAll(m[1], "\t", "    "), m[3]
			s.set(m[2], m[4])
			continue
		}
		unknown++
		s.set("#unknown"+strconv.Itoa(unknown), line)
	}
}

// update sets options and sections, and tells what changed.
func (s *section) update(with *value.Map) *value.Map {
	changes := new(value.Map)
	for name, v := range with.Items() {
		var next, plain any = value.Str(v), value.Str(v)
		m, isSection := v.(*value.Map)
		if isSection {
			sub := newSection(name, s.sep, s.compact)
			sub.update(m)
			next, plain = sub, sub.plain(false)
		}
		old, there := s.items.Get(name)
		cur, _ := old.(*section)
		switch {
		case !there:
			changes.Set(name, value.M("before", nil, "after", plain))
			if !isSection {
				s.uncomment(name)
			}
			s.items.Set(name, next)
		case cur != nil && isSection:
			if sub := cur.update(m); sub.Len() > 0 {
				changes.Set(name, sub)
			}
		case cur == nil && old != next:
			changes.Set(name, value.M("before", old, "after", plain))
			s.items.Set(name, next)
		}
	}
	return changes
}

// uncomment gives a new option the place of the comment that holds it, if any.
func (s *section) uncomment(name string) {
	out, found := new(value.Map), false
	for k, v := range s.items.Items() {
		if text, ok := v.(string); ok && !found && strings.Contains(k, "#comment") {
			if m := s.option.FindStringSubmatch(strings.TrimLeft(text, "#")); m != nil && m[2] == name {
				out.Set(name, nil)
				found = true
				continue
			}
		}
		out.Set(k, v)
	}
	s.items = out
}

// plain is the section as a mapping, without comments if so wanted.
func (s *section) plain(clean bool) *value.Map {
	out := new(value.Map)
	for k, v := range s.items.Items() {
		if clean && k[0] == '#' {
			continue
		}
		if sub, ok := v.(*section); ok {
			v = sub.plain(clean)
		}
		out.Set(k, v)
	}
	return out
}

// write gives the lines of the section, then its sections.
func (s *section) write(b *strings.Builder) {
	if sep := s.sep; strings.Trim(sep, " ") == "" {
		s.sep = " "
	} else if s.compact {
		s.sep = strings.TrimSpace(sep)
	} else {
		s.sep = " " + strings.TrimSpace(sep) + " "
	}
	for k, v := range s.items.Items() {
		switch _, sub := v.(*section); {
		case remark().MatchString(k):
			b.WriteString(value.Str(v) + "\n")
		case !sub:
			b.WriteString(k + s.sep + value.Str(v) + "\n")
		}
	}
	for k, v := range s.items.Items() {
		if sub, ok := v.(*section); ok && !remark().MatchString(k) {
			b.WriteString("\n[" + sub.name + "]\n")
			sub.write(b)
		}
	}
}
