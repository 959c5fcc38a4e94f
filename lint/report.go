package lint

import (
	"fmt"
	"io"

	"pinch/diag"
	"pinch/value"
)

// Text writes findings for people.
func Text(w io.Writer, found diag.List, color bool) {
	for _, d := range found {
		diag.Print(w, d, color)
	}
	if n := len(found); n == 1 {
		fmt.Fprintln(w, "1 finding")
	} else if n > 1 {
		fmt.Fprintf(w, "%d findings\n", n)
	}
}

// JSON writes a list of objects: id, severity, message, filename, linenumber,
// column, line, hint. The names are salt-lint's where it has them.
func JSON(w io.Writer, found diag.List) error {
	l := new(value.List)
	for _, d := range found {
		l.Append(value.M("id", d.ID, "severity", d.Severity.String(), "message", d.Summary, "filename", d.Pos.File,
			"linenumber", int64(d.Pos.Line), "column", int64(d.Pos.Col), "line", d.Line(), "hint", d.Hint))
	}
	return write(w, l)
}

// SARIF writes the findings in the format of code scanners, SARIF 2.1.0.
func SARIF(w io.Writer, found diag.List, version string) error {
	rules, seen, results := new(value.List), map[string]bool{}, new(value.List)
	for _, d := range found {
		if !seen[d.ID] {
			seen[d.ID] = true
			rules.Append(value.M("id", d.ID))
		}
		place := value.M("artifactLocation", value.M("uri", d.Pos.File))
		if d.Pos.Line > 0 {
			region := value.M("startLine", int64(d.Pos.Line))
			if d.Pos.Col > 0 {
				region.Set("startColumn", int64(d.Pos.Col))
			}
			place.Set("region", region)
		}
		text := d.Summary
		if d.Hint != "" {
			text += "; " + d.Hint
		}
		results.Append(value.M("ruleId", d.ID, "level", d.Severity.String(), "message", value.M("text", text),
			"locations", value.L(value.M("physicalLocation", place))))
	}
	return write(w, value.M(
		"$schema", "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0",
		"runs", value.L(value.M(
			"tool", value.M("driver", value.M("name", "pinch lint", "version", version, "rules", rules)),
			"results", results)),
	))
}

func write(w io.Writer, v any) error {
	text, err := value.JSON(v, value.JSONOptions{Indent: 2, Lines: true})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(w, text)
	return err
}
