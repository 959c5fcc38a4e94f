package deb

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// A Package is what dpkg knows about one package.
type Package struct {
	Name, Version, Arch string
	Want                string // what is wanted of it: install, hold, deinstall, purge, unknown
	Error               string // ok, reinstreq
	State               string // not-installed, config-files, half-installed … installed
	SameArch            bool   // Multi-Arch: same, so that dpkg shows its architecture
	Stanza              Stanza // everything else
}

// A Status is dpkg's database.
type Status struct {
	Packages []Package // sorted by name and architecture
	byName   map[string][]int
}

// ParseStatus reads /var/lib/dpkg/status, and the files of updates/ that dpkg
// did not merge into it yet, in their order. Packages without a trace on the
// machine are left out.
func ParseStatus(main []byte, updates ...[]byte) *Status {
	s := new(Status)
	place := map[[2]string]int{}
	for _, b := range append([][]byte{main}, updates...) {
		for _, st := range Stanzas(b) {
			p := parsePackage(st)
			if p.Name == "" {
				continue
			}
			key := [2]string{p.Name, p.Arch}
			if at, ok := place[key]; ok {
				s.Packages[at] = p
				continue
			}
			if len(updates) > 0 {
				place[key] = len(s.Packages)
			}
			s.Packages = append(s.Packages, p)
		}
	}
	s.Packages = slices.DeleteFunc(s.Packages, func(p Package) bool { return p.State == "not-installed" || p.State == "" })
	slices.SortFunc(s.Packages, func(a, b Package) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Arch, b.Arch))
	})
	s.byName = make(map[string][]int, len(s.Packages))
	for i, p := range s.Packages {
		s.byName[p.Name] = append(s.byName[p.Name], i)
	}
	return s
}

// parsePackage reads the few fields that every question needs; the rest stays
// in the stanza.
func parsePackage(st Stanza) Package {
	p := Package{Stanza: st}
	for rest := []byte(st); len(rest) > 0; {
		line, next := cutLine(rest)
		rest = next
		name, v, ok := bytes.Cut(line, []byte(": "))
		if !ok {
			continue
		}
		switch string(name) {
		case "Package":
			p.Name = string(v)
		case "Status":
			if f := strings.Fields(string(v)); len(f) == 3 {
				p.Want, p.Error, p.State = f[0], f[1], f[2]
			}
		case "Version":
			p.Version = string(v)
		case "Architecture":
			p.Arch = string(v)
		case "Multi-Arch":
			p.SameArch = string(v) == "same"
		}
	}
	return p
}

// Named are the packages of a name: one for each architecture.
func (s *Status) Named(name string) []*Package {
	var all []*Package
	for _, i := range s.byName[name] {
		all = append(all, &s.Packages[i])
	}
	return all
}

// Shown is a package's name as dpkg shows it on a machine of that
// architecture: with its own where it could be mistaken.
func (p *Package) Shown(native string) string {
	if p.SameArch || p.Arch != "all" && p.Arch != native && p.Arch != "" {
		return p.Name + ":" + p.Arch
	}
	return p.Name
}
