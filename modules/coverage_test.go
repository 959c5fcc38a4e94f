package modules

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pinch/golden"
)

const coveragePage = "../docs/coverage.md"

// covered is one of Salt's modules with what pinch has of it.
type covered struct {
	kind, name string
	all, ours  []string // functions
	loads      bool     // on a plain Debian
}

func (m *covered) missing() []string {
	return slices.DeleteFunc(slices.Clone(m.all), func(f string) bool { return slices.Contains(m.ours, f) })
}

// coverage compares Salt's modules for Linux with the registry.
func coverage(t *testing.T) []*covered {
	var f struct {
		Modules []struct {
			Kind, Virtualname, Platform string
			Loads                       bool
			Functions                   []struct {
				Name string
				Hook bool
			}
		}
	}
	golden.Read(t, "signatures/signatures.json", &f)
	have := map[string]bool{}
	for _, m := range All {
		for name := range m.Functions("states") {
			have["state "+m.Name+"."+name] = true
		}
		for name := range m.Functions("exec") {
			have["exec "+m.Name+"."+name] = true
		}
	}
	by := map[string]*covered{}
	for _, m := range f.Modules {
		if m.Kind != "exec" && m.Kind != "state" {
			continue
		}
		key := m.Kind + " " + m.Virtualname
		if by[key] == nil {
			by[key] = &covered{kind: m.Kind, name: m.Virtualname}
		}
		c := by[key]
		c.loads = c.loads || m.Loads
		for _, fn := range m.Functions {
			switch {
			case strings.HasPrefix(fn.Name, "mod_") && m.Kind == "state" || slices.Contains(c.all, fn.Name):
				continue
			case have[key+"."+fn.Name]:
				c.ours = append(c.ours, fn.Name)
			}
			c.all = append(c.all, fn.Name)
		}
	}
	return slices.SortedFunc(maps.Values(by), func(a, b *covered) int {
		return cmp.Or(-strings.Compare(a.kind, b.kind), strings.Compare(a.name, b.name))
	})
}

// TestManualCoverage keeps the page of what pinch has of Salt honest: it must
// not promise a function that is not there. -update writes it anew.
func TestManualCoverage(t *testing.T) {
	mods := coverage(t)
	if *update {
		if err := os.WriteFile(coveragePage, []byte(page(mods)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(coveragePage)
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| `([^`]+)`(?: \\\\\\*)? \\| \\d+ of \\d+ \\|([^|]*)\\|")
	promised := map[string]string{}
	kind := ""
	for part := range strings.SplitSeq(string(b), "\n## ") {
		kind = strings.ToLower(strings.Fields(part)[0])
		for _, m := range row.FindAllStringSubmatch(part, -1) {
			promised[kind+" "+m[1]] = m[2]
		}
	}
	for _, m := range mods {
		told, ok := promised[map[string]string{"exec": "execution", "state": "state"}[m.kind]+" "+m.name]
		if !ok {
			t.Errorf("%s: no row for the %s module %s", coveragePage, m.kind, m.name)
		}
		if told = strings.TrimSpace(told); told == "all" {
			continue
		}
		for _, f := range m.missing() {
			if !slices.Contains(strings.Split(strings.ReplaceAll(told, "`", ""), ", "), f) {
				t.Errorf("%s promises %s %s.%s: run go test ./modules -run Manual -update", coveragePage, m.kind, m.name, f)
			}
		}
	}
	for key := range notHere() {
		if !slices.ContainsFunc(mods, func(m *covered) bool { return m.kind+" "+m.name == key && len(m.ours) < len(m.all) }) {
			t.Errorf("notHere: %s is here, or not in Salt", key)
		}
	}
}

// page writes a table of state modules and one of execution modules.
func page(mods []*covered) string {
	var b strings.Builder
	b.WriteString("# What pinch has of Salt 3008\n\nAll state and execution modules of Salt's core that exist for Linux, written by `go test ./modules -run Manual -update`. " +
		"\\* marks modules that do not load in Salt on a plain Debian 12 (a command or library is missing, or they are for another distribution). " +
		"As in Salt, a module whose command is not on the machine (rsync, puppet, psql …) does not load there: sys.list_functions lacks it. " +
		"mod_watch and its like, which Salt lists among the functions of a state, are not counted.\n")
	for _, kind := range []struct{ key, title string }{{"state", "State modules"}, {"exec", "Execution modules"}} {
		ours, all, plainOurs, plainAll := 0, 0, 0, 0
		var rows strings.Builder
		for _, m := range mods {
			if m.kind != kind.key || len(m.all) == 0 {
				continue
			}
			ours, all = ours+len(m.ours), all+len(m.all)
			mark := " \\*"
			if m.loads {
				plainOurs, plainAll, mark = plainOurs+len(m.ours), plainAll+len(m.all), ""
			}
			missing, why := "all", notHere()[m.kind+" "+m.name]
			switch gone := m.missing(); {
			case len(gone) == 0:
				missing = ""
			case len(gone) < len(m.all):
				missing = "`" + strings.Join(gone, "`, `") + "`"
			}
			switch {
			case missing == "" || why != "":
			case m.loads:
				why = "functions of Salt's files for other systems"
			default:
				why = "not yet; its command or system is not a plain Debian's"
			}
			fmt.Fprintf(&rows, "| `%s`%s | %d of %d | %s | %s |\n", m.name, mark, len(m.ours), len(m.all), missing, why)
		}
		fmt.Fprintf(&b, "\n## %s\n\n%d of %d functions; %d of %d in the modules that load on a plain Debian 12.\n\n| module | here | missing | why |\n|---|---|---|---|\n%s",
			kind.title, ours, all, plainOurs, plainAll, rows.String())
	}
	b.WriteString("\n## From Salt's extensions\n\nPopular modules, or parts of some, that Salt 3008 has dropped to extensions; here they are built in.\n\n| module | kind | functions |\n|---|---|---|\n")
	for _, row := range extensions(mods) {
		b.WriteString(row)
	}
	return b.String()
}

// extensions are the rows of functions that Salt's core lacks.
func extensions(mods []*covered) []string {
	core := map[string]bool{"exec pkg.homebrew_prefix": true, "exec pkg.pin": true, "exec pkg.unpin": true} // of its module for macOS
	for _, m := range mods {
		for _, f := range m.all {
			core[m.kind+" "+m.name+"."+f] = true
		}
	}
	var rows []string
	for _, m := range All {
		for _, kind := range []struct{ key, name string }{{"state", "states"}, {"exec", "exec"}} {
			var names []string
			for name := range m.Functions(kind.name) {
				if !core[kind.key+" "+m.Name+"."+name] && !strings.HasPrefix(name, "mod_") {
					names = append(names, "`"+name+"`")
				}
			}
			slices.Sort(names)
			if len(names) > 0 {
				rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |\n", m.Name, map[string]string{"state": "state", "exec": "execution"}[kind.key], strings.Join(names, ", ")))
			}
		}
	}
	slices.Sort(rows)
	return rows
}
