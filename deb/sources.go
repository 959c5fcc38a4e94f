package deb

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A Source is an entry of apt's sources (sources.list(5)): a line, or a stanza
// of a .sources file. Change it with its methods: they keep the text in step.
type Source struct {
	File     string
	Line     string // the line, or stanza, as it was read
	Invalid  bool   // a comment, an empty line, or a mistake: kept as it is
	Disabled bool   // commented out, or Enabled: no
	Types    []string
	URIs     []string
	Suites   []string
	Comps    []string
	Arches   []string
	SignedBy string
	Trusted  *bool
	Comment  string // behind a line, without #

	options []option // of a line, in their order
	stanza  bool
	fields  [][2]string
	header  []string // comments above the fields of a stanza, and below
	footer  []string
}

type option struct{ name, full string }

// Deb822 says that the entry is a stanza.
func (s *Source) Deb822() bool { return s.stanza }

// An InvalidError says that a line is no repository.
type InvalidError struct{ Line string }

// Error is Salt's text.
func (e *InvalidError) Error() string { return "Invalid repository definition: " + e.Line }

var sourceTypes = []string{"deb", "deb-src", "rpm", "rpm-src"}

var cdrom = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(.*)(cdrom:.*/)(.*)`) })

// ParseLine reads a line of sources.list. A line that is no entry is Invalid; the
// error is for one that begins like an entry and lacks something.
func ParseLine(line, file string) (*Source, error) {
	s := &Source{File: file, Line: line}
	text := strings.TrimSpace(line)
	if text == "" {
		s.Invalid = true
		return s, nil
	}
	if strings.HasPrefix(text, "#") {
		s.Disabled, text = true, text[1:]
	}
	if i := strings.IndexByte(text, '#'); i > 0 {
		text, s.Comment = text[:i], text[i+1:]
	}
	words := strings.Fields(text)
	if m := cdrom().FindStringSubmatch(strings.TrimSpace(text)); m != nil {
		words = slices.Concat(strings.Fields(m[1]), []string{strings.TrimSpace(m[2])}, strings.Fields(m[3]))
	}
	if len(words) < 3 || !slices.Contains(sourceTypes, words[0]) {
		s.Invalid = true
		return s, nil
	}
	if strings.HasPrefix(words[1], "[") {
		end := slices.IndexFunc(words, func(w string) bool { return strings.HasSuffix(w, "]") })
		if end < 1 {
			s.Invalid = true
			return s, nil
		}
		s.readOptions(strings.Fields(strings.Trim(strings.Join(words[1:end+1], " "), "[]")))
		words = append(words[:1:1], words[end+1:]...)
	}
	if len(words) < 3 {
		return s, &InvalidError{strings.Join(words, " ")}
	}
	s.Types, s.URIs, s.Suites, s.Comps = words[:1:1], words[1:2:2], words[2:3:3], words[3:]
	return s, nil
}

func (s *Source) readOptions(opts []string) {
	for _, full := range opts {
		name, v, ok := strings.Cut(full, "=")
		if !ok {
			continue
		}
		switch {
		case strings.HasPrefix(name, "arch"):
			name = "arch"
			s.Arches = append(s.Arches, strings.Split(v, ",")...)
		case strings.HasPrefix(name, "signed-by"):
			name, s.SignedBy = "signed-by", v
		case name == "trusted":
			t := truth(v)
			s.Trusted = &t
		}
		s.setOption(name, full)
	}
}

func (s *Source) setOption(name, full string) {
	for i, o := range s.options {
		if o.name == name {
			s.options[i].full = full
			return
		}
	}
	s.options = append(s.options, option{name, full})
}

func truth(v string) bool {
	return slices.Contains([]string{"yes", "true", "with", "on", "enable", "1"}, strings.ToLower(v))
}

// ParseSources reads a file of sources: stanzas where its name ends in
// .sources, else lines.
func ParseSources(text, file string) ([]*Source, error) {
	var all []*Source
	if strings.HasSuffix(file, ".sources") {
		section := ""
		end := func() {
			if section != "" {
				all = append(all, ParseStanza(section, file))
			}
			section = ""
		}
		for line := range strings.Lines(text) {
			if strings.TrimSpace(line) == "" {
				end()
			} else {
				section += line
			}
		}
		end()
		return all, nil
	}
	for line := range strings.Lines(text) {
		s, err := ParseLine(line, file)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// ParseStanza reads a stanza of a .sources file.
func ParseStanza(text, file string) *Source {
	s := &Source{File: file, Line: text, stanza: true}
	var body []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case !strings.HasPrefix(line, "#"):
			body = append(body, line)
		case len(body) > 0:
			s.footer = append(s.footer, line)
		default:
			s.header = append(s.header, line)
		}
	}
	for _, f := range Stanza(strings.Join(body, "\n")).Fields() {
		s.fields = append(s.fields, [2]string{f[0], strings.TrimSpace(f[1])})
	}
	s.Invalid = len(s.fields) == 0
	s.Types, s.URIs = strings.Fields(s.field("Types")), strings.Fields(s.field("URIs"))
	s.Suites, s.Comps = strings.Fields(s.field("Suites")), strings.Fields(s.field("Components"))
	s.Arches, s.SignedBy = strings.Fields(s.field("Architectures")), s.field("Signed-By")
	if v := s.field("Enabled"); v != "" {
		s.Disabled = !truth(v)
	}
	if v := s.field("Trusted"); v != "" {
		t := truth(v)
		s.Trusted = &t
	}
	return s
}

func (s *Source) field(name string) string {
	for _, f := range s.fields {
		if strings.EqualFold(f[0], name) {
			return f[1]
		}
	}
	return ""
}

func (s *Source) setField(name, v string) {
	if !s.stanza {
		return
	}
	for i, f := range s.fields {
		if strings.EqualFold(f[0], name) {
			s.fields[i][1] = v
			return
		}
	}
	s.fields = append(s.fields, [2]string{name, v})
}

// SetURIs, and the methods below, change the entry.
func (s *Source) SetURIs(v []string)  { s.URIs = v; s.setField("URIs", strings.Join(v, " ")) }
func (s *Source) SetTypes(v []string) { s.Types = v; s.setField("Types", strings.Join(v, " ")) }
func (s *Source) SetComps(v []string) { s.Comps = v; s.setField("Components", strings.Join(v, " ")) }

// SetSuites sets the releases.
func (s *Source) SetSuites(v []string) { s.Suites = v; s.setField("Suites", strings.Join(v, " ")) }

// SetArches sets the architectures.
func (s *Source) SetArches(v []string) {
	s.Arches = v
	s.setField("Architectures", strings.Join(v, " "))
}

// SetSignedBy sets the file, or the text, of the key.
func (s *Source) SetSignedBy(v string) { s.SignedBy = v; s.setField("Signed-By", v) }

// SetDisabled switches the entry off or on.
func (s *Source) SetDisabled(off bool) {
	s.Disabled = off
	if off {
		s.setField("Enabled", "no")
		return
	}
	s.fields = slices.DeleteFunc(s.fields, func(f [2]string) bool { return strings.EqualFold(f[0], "Enabled") })
}

// SetTrusted says whether packages need no signature.
func (s *Source) SetTrusted(on bool) {
	s.Trusted = &on
	if on {
		s.setField("Trusted", "yes")
	} else {
		s.setField("Trusted", "no")
	}
}

// SetComment sets the comment of a line, or the one above a stanza.
func (s *Source) SetComment(text string) {
	if !s.stanza {
		s.Comment = text
		return
	}
	s.header = nil
	for _, line := range strings.Split(text, "\n") {
		if !strings.HasPrefix(line, "#") {
			line = "#" + line
		}
		s.header = append(s.header, line)
	}
}

// String is the entry as it stands in a file, without the line's end.
func (s *Source) String() string {
	if s.stanza {
		var lines []string
		lines = append(lines, s.header...)
		for _, f := range s.fields {
			if f[1] != "" {
				lines = append(lines, f[0]+": "+f[1])
			}
		}
		return strings.TrimSpace(strings.Join(append(lines, s.footer...), "\n"))
	}
	if s.Invalid {
		return strings.TrimSpace(s.Line)
	}
	var words []string
	if s.Disabled {
		words = append(words, "#")
	}
	words = append(words, s.Types...)
	if len(s.Arches) > 0 {
		s.setOption("arch", "arch="+strings.Join(s.Arches, ","))
	}
	if s.SignedBy != "" {
		s.setOption("signed-by", "signed-by="+s.SignedBy)
	}
	if s.Trusted != nil && *s.Trusted {
		s.setOption("trusted", "trusted=yes")
	}
	var opts []string
	for _, o := range s.options {
		if o.name != "trusted" || s.Trusted == nil || *s.Trusted {
			opts = append(opts, o.full)
		}
	}
	if len(opts) > 0 {
		words = append(words, fmt.Sprintf("[%s]", strings.Join(opts, " ")))
	}
	words = append(words, s.URIs...)
	words = append(words, s.Suites...)
	words = append(words, strings.Join(s.Comps, " "))
	if s.Comment != "" {
		words = append(words, "#"+s.Comment)
	}
	return strings.TrimSpace(strings.Join(words, " "))
}
