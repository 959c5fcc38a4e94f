package output

import (
	"fmt"
	"strings"

	"pinch/value"
)

// plan prints what a run would do, or did: for each state that changes
// something its diff, its packages with their versions or whatever else it
// tells, and one line of counts.
//
//	~ file.managed /etc/motd (base)
//	    -old
//	    +new
//	~ pkg.installed tools (web)
//	    + curl 7.88.1
//	    ~ nginx 1.22.0 -> 1.22.1
//	local: 2 of 5 states would change, 3 are as they should be
func plan(data any, o *Options) (string, error) {
	c := o.colors()
	var b strings.Builder
	err := hostsOf(data, func(host string, states []state, errors []string) {
		for _, e := range errors {
			fmt.Fprintf(&b, "%s%s: %s%s\n", c[lightRed], host, o.safe(strip(e)), c[endc])
		}
		if errors != nil {
			return
		}
		var n [failed + 1]int
		for i := range states {
			s := &states[i]
			k := s.planned(o.Test)
			n[k]++
			switch k {
			case failed, unmet:
				fmt.Fprintf(&b, "%s! %s%s\n%s", c[lightRed], o.safe(s.planTitle()), c[endc], indented(o.safe(s.comment)))
			case changed, pending:
				fmt.Fprintf(&b, "%s~ %s%s\n", c[outcomeColor(k)], o.safe(s.planTitle()), c[endc])
				planChanges(&b, s, o, c)
			}
		}
		planCounts(&b, host, n, len(states), c)
	})
	return b.String(), err
}

// planned is the outcome; what a test run calls changed would change.
func (s *state) planned(test bool) outcome {
	if test && s.outcome == changed {
		return pending
	}
	return s.outcome
}

func (s *state) planTitle() string {
	title := s.title()
	if s.sls != "" && s.sls != "None" {
		title += " [" + s.sls + "]"
	}
	return title
}

func planChanges(b *strings.Builder, s *state, o *Options, c *palette) {
	if s.changes.Len() == 0 {
		b.WriteString(indented(o.safe(s.comment)))
		return
	}
	rest := s.changes.Shallow()
	if text, ok := rest.At("diff").(string); ok {
		rest.Pop("diff")
		for line := range strings.Lines(strings.TrimSuffix(text, "\n") + "\n") {
			b.WriteString("    " + c.diffLine(o.safe(strings.TrimSuffix(line, "\n"))) + "\n")
		}
	}
	if len(rest.Keys()) == 0 {
		return
	}
	if strings.HasPrefix(s.fun, "pkg.") {
		if lines, ok := packages(rest); ok {
			for _, l := range lines {
				b.WriteString("    " + o.safe(l) + "\n")
			}
			return
		}
	}
	b.WriteString(indented(nestedAt(rest, o, c, 0, 0)))
}

// packages are changes of versions: "+ name new", "- name old", "~ name old -> new".
func packages(changes *value.Map) ([]string, bool) {
	var out []string
	for name, v := range changes.Items() {
		m, ok := v.(*value.Map)
		if !ok || !m.Has("old") && !m.Has("new") {
			return nil, false
		}
		was, is := value.Str(orText(m.At("old"))), value.Str(orText(m.At("new")))
		switch {
		case was == "" && is == "installed":
			out = append(out, "+ "+name)
		case was == "":
			out = append(out, "+ "+name+" "+is)
		case is == "":
			out = append(out, "- "+name+" "+was)
		default:
			out = append(out, "~ "+name+" "+was+" -> "+is)
		}
	}
	return out, true
}

func orText(v any) any {
	if v == nil {
		return ""
	}
	return v
}

func indented(text string) string {
	if text = strings.TrimRight(text, "\n"); text == "" {
		return ""
	}
	return "    " + strings.ReplaceAll(text, "\n", "\n    ") + "\n"
}

// agree is the word for one thing or for several.
func agree(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func planCounts(b *strings.Builder, host string, n [failed + 1]int, total int, c *palette) {
	var parts []string
	add := func(k int, color int, text string) {
		if k > 0 {
			parts = append(parts, fmt.Sprintf("%s%d %s%s", c[color], k, text, c[endc]))
		}
	}
	add(n[pending], lightYellow, "would change")
	add(n[changed], cyan, "changed")
	add(n[failed], lightRed, "failed")
	add(n[unmet], lightRed, agree(n[unmet], "waits for one that failed", "wait for one that failed"))
	add(n[unchanged]+n[skipped], green, agree(n[unchanged]+n[skipped], "is as it should be", "are as they should be"))
	if len(parts) == 0 {
		parts = append(parts, "nothing to do")
	}
	fmt.Fprintf(b, "%s: %d %s: %s\n", host, total, agree(total, "state", "states"), strings.Join(parts, ", "))
}
