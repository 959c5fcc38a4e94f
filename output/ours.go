package output

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"

	"pinch/value"
)

// summary prints one line of counts, and a line for each state that failed,
// changed something or would.
func summary(data any, o *Options) (string, error) {
	c := o.colors()
	var b strings.Builder
	err := hostsOf(data, func(host string, states []state, errors []string) {
		if errors != nil {
			fmt.Fprintf(&b, "%s%s: failed to compile%s\n", c[lightRed], host, c[endc])
			for _, e := range errors {
				b.WriteString("  " + strings.ReplaceAll(o.safe(strip(e)), "\n", "\n  ") + "\n")
			}
			return
		}
		var n [failed + 1]int
		ms := 0.0
		for i := range states {
			n[states[i].outcome]++
			ms += states[i].ms
		}
		fmt.Fprintf(&b, "%s: %d states", host, len(states))
		for k := range n {
			if n[k] > 0 {
				fmt.Fprintf(&b, ", %s%d %s%s", c[outcomeColor(outcome(k))], n[k], outcome(k), c[endc])
			}
		}
		fmt.Fprintf(&b, ", %s\n", seconds(ms))
		for i := range states {
			s := &states[i]
			if s.outcome == unchanged || s.outcome == skipped {
				continue
			}
			fmt.Fprintf(&b, "  %s%-12s%s %s", c[outcomeColor(s.outcome)], s.outcome, c[endc], o.safe(s.title()))
			if s.outcome != changed && s.comment != "" {
				b.WriteString(": " + o.safe(s.firstLine()))
			}
			b.WriteByte('\n')
		}
	})
	return b.String(), err
}

func outcomeColor(o outcome) int {
	return [...]int{green, cyan, lightYellow, green, lightRed, red}[o]
}

func seconds(ms float64) string {
	if ms > 999 {
		return strconv.FormatFloat(ms/1000, 'f', 3, 64) + " s"
	}
	return strconv.FormatFloat(ms, 'f', 1, 64) + " ms"
}

func (o *Options) safe(s string) string {
	if o.StripColors {
		return noEscapes(s)
	}
	return s
}

// diff prints what changed, or would, and nothing else: the state, then its
// diff as it is, and other changes as nested prints them.
func diff(data any, o *Options) (string, error) {
	c := o.colors()
	var b strings.Builder
	err := hostsOf(data, func(host string, states []state, errors []string) {
		for _, e := range errors {
			fmt.Fprintf(&b, "%s%s: %s%s\n", c[lightRed], host, o.safe(strip(e)), c[endc])
		}
		for i := range states {
			s := &states[i]
			if s.changes.Len() == 0 {
				if s.outcome == failed || s.outcome == pending {
					fmt.Fprintf(&b, "%s# %s: %s%s\n", c[outcomeColor(s.outcome)], o.safe(s.title()), o.safe(s.firstLine()), c[endc])
				}
				continue
			}
			fmt.Fprintf(&b, "%s# %s%s\n", c[outcomeColor(s.outcome)], o.safe(s.title()), c[endc])
			rest := s.changes
			if text, ok := rest.At("diff").(string); ok {
				rest = rest.Shallow()
				rest.Pop("diff")
				for line := range strings.Lines(strings.TrimSuffix(text, "\n") + "\n") {
					b.WriteString(c.diffLine(o.safe(strings.TrimSuffix(line, "\n"))) + "\n")
				}
			}
			if rest.Len() > 0 {
				b.WriteString(nestedAt(rest, o, c, 0, 0) + "\n")
			}
		}
	})
	return b.String(), err
}

// diffLine colours a line of a unified diff.
func (c *palette) diffLine(line string) string {
	switch {
	case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"):
		return c[white] + line + c[endc]
	case strings.HasPrefix(line, "+"):
		return c[green] + line + c[endc]
	case strings.HasPrefix(line, "-"):
		return c[red] + line + c[endc]
	case strings.HasPrefix(line, "@@"):
		return c[cyan] + line + c[endc]
	}
	return line
}

type (
	junitSuites struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Time     string      `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string     `xml:"classname,attr"`
		Name    string     `xml:"name,attr"`
		Time    string     `xml:"time,attr"`
		Failure *junitText `xml:"failure"`
		Error   *junitText `xml:"error"`
		Skipped *junitText `xml:"skipped"`
		Out     string     `xml:"system-out,omitempty"`
	}
	junitText struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// junit prints the states as test cases in the XML that CI systems read: one
// suite a minion, SLS as class, a failed state as failure.
func junit(data any, _ *Options) (string, error) {
	var all junitSuites
	err := hostsOf(data, func(host string, states []state, errors []string) {
		suite := junitSuite{Name: host, Tests: len(states) + len(errors), Errors: len(errors)}
		for _, e := range errors {
			line, _, _ := strings.Cut(e, "\n")
			suite.Cases = append(suite.Cases, junitCase{Class: "compile", Name: line, Time: "0", Error: &junitText{line, e}})
		}
		ms := 0.0
		for i := range states {
			s := &states[i]
			ms += s.ms
			c := junitCase{Class: s.sls, Name: s.title(), Time: inSeconds(s.ms)}
			text := &junitText{s.firstLine(), s.comment}
			switch s.outcome {
			case failed, unmet:
				suite.Failures++
				c.Failure = text
			case skipped:
				suite.Skipped++
				c.Skipped = text
			}
			if s.changes.Len() > 0 {
				c.Out, _ = value.JSON(s.changes, value.JSONOptions{Indent: 2, Default: func(v any) (any, error) { return value.Repr(v), nil }})
			}
			suite.Cases = append(suite.Cases, c)
		}
		suite.Time = inSeconds(ms)
		all.Suites = append(all.Suites, suite)
	})
	if err != nil {
		return "", err
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	return xml.Header + string(text), err
}

func inSeconds(ms float64) string { return strconv.FormatFloat(ms/1000, 'f', 6, 64) }
