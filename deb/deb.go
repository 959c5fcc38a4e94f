// Package deb reads what dpkg and apt keep in files: the database of installed
// packages, indexes of repositories, preferences and sources. It only parses;
// who calls it opens the files.
//
//	st := deb.ParseStatus(b)
//	st.Packages[0].Version // "1.22.1-9+deb12u1"
package deb

import (
	"bytes"
	"strings"
)

// A Stanza is one paragraph of a control file (deb822), unparsed.
type Stanza []byte

// Field is the value of a field, its lines joined by \n as they stand, "" when
// there is none. Names are compared without case.
func (s Stanza) Field(name string) string {
	for rest := []byte(s); len(rest) > 0; {
		line, next := cutLine(rest)
		if len(line) > len(name) && line[len(name)] == ':' && strings.EqualFold(string(line[:len(name)]), name) {
			v := bytes.TrimLeft(line[len(name)+1:], " \t")
			for len(next) > 0 && (next[0] == ' ' || next[0] == '\t') {
				var more []byte
				more, next = cutLine(next)
				v = append(append(bytes.Clone(v), '\n'), more...)
			}
			return string(v)
		}
		rest = next
	}
	return ""
}

// Fields are all fields in their order: name and value pairs.
func (s Stanza) Fields() (fields [][2]string) {
	for rest := []byte(s); len(rest) > 0; {
		line, next := cutLine(rest)
		rest = next
		switch {
		case len(line) == 0 || line[0] == '#':
		case line[0] == ' ' || line[0] == '\t':
			if n := len(fields); n > 0 {
				fields[n-1][1] += "\n" + string(line)
			}
		default:
			if name, v, ok := strings.Cut(string(line), ":"); ok {
				fields = append(fields, [2]string{name, strings.TrimLeft(v, " \t")})
			}
		}
	}
	return fields
}

func cutLine(b []byte) (line, rest []byte) {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return bytes.TrimSuffix(b[:i], []byte("\r")), b[i+1:]
	}
	return b, nil
}

// Stanzas splits a control file at its empty lines.
func Stanzas(b []byte) (all []Stanza) {
	for len(b) > 0 {
		b = bytes.TrimLeft(b, "\n\r")
		end := bytes.Index(b, []byte("\n\n"))
		if end < 0 {
			if len(bytes.TrimSpace(b)) > 0 {
				all = append(all, Stanza(b))
			}
			break
		}
		all = append(all, Stanza(b[:end+1]))
		b = b[end+2:]
	}
	return all
}
