package diag

import (
	"fmt"
	"io"
	"strings"
)

// Print writes d for a person, with the lines around its place. Colour uses
// ANSI escapes.
func Print(w io.Writer, d *Diagnostic, color bool) {
	paint := func(code, s string) string {
		if !color {
			return s
		}
		return "\x1b[" + code + "m" + s + "\x1b[0m"
	}
	head := "1;31"
	if d.Severity == Warning {
		head = "1;33"
	}
	fmt.Fprintf(w, "%s %s", paint(head, d.Severity.String()+":"), paint("1", strings.TrimRight(d.Summary, "\n")))
	if d.ID != "" {
		fmt.Fprintf(w, "  %s", paint("2", "["+d.ID+"]"))
	}
	fmt.Fprintln(w)
	if d.Pos.File != "" {
		fmt.Fprintf(w, "  %s\n", paint("36", d.Pos.String()))
	}
	snippet(w, d, paint)
	for _, l := range lines(d.Detail) {
		fmt.Fprintf(w, "  %s\n", l)
	}
	for _, n := range d.Notes {
		at := ""
		if n.Pos.File != "" {
			at = n.Pos.String() + ": "
		}
		fmt.Fprintf(w, "  %s %s%s\n", paint("2", "note:"), at, n.Text)
	}
	if d.Hint != "" {
		fmt.Fprintf(w, "  %s %s\n", paint("1;32", "hint:"), d.Hint)
	}
}

func lines(s string) []string {
	s = strings.TrimRight(s, "\n")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// snippet prints the bad line between its neighbours, with a caret under the column.
func snippet(w io.Writer, d *Diagnostic, paint func(string, string) string) {
	src := strings.Split(d.Source, "\n")
	if d.Source == "" || d.Pos.Line < 1 || d.Pos.Line > len(src) {
		return
	}
	width := len(fmt.Sprint(d.Pos.Line + 1))
	for n := max(1, d.Pos.Line-1); n <= min(len(src), d.Pos.Line+1); n++ {
		if n > d.Pos.Line && strings.TrimSpace(src[n-1]) == "" {
			break
		}
		fmt.Fprintf(w, "  %s %s\n", paint("2", fmt.Sprintf("%*d |", width, n)), strings.ReplaceAll(src[n-1], "\t", "→"))
		if n == d.Pos.Line && d.Pos.Col > 0 {
			fmt.Fprintf(w, "  %s %s%s\n", paint("2", strings.Repeat(" ", width)+" |"), strings.Repeat(" ", d.Pos.Col-1), paint("1;31", "^"))
		}
	}
}

// Nearest returns the candidate that was probably meant by a misspelt word, or "".
func Nearest(word string, candidates []string) string {
	best, dist := "", len(word)/3+1
	for _, c := range candidates {
		if n := distance(word, c, dist); n <= dist && (best == "" || n < dist) {
			best, dist = c, n
		}
	}
	return best
}

// DidYouMean is a hint that names the nearest candidate, or "".
func DidYouMean(word string, candidates []string) string {
	if n := Nearest(word, candidates); n != "" && n != word {
		return fmt.Sprintf("did you mean %q?", n)
	}
	return ""
}

// distance is the Damerau-Levenshtein distance (adjacent letters swapped count
// once), or more than limit when it exceeds that.
func distance(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) > limit || len(y)-len(x) > limit {
		return limit + 1
	}
	var two []int
	one := make([]int, len(y)+1)
	for j := range one {
		one[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row := make([]int, len(y)+1)
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(row[j-1]+1, one[j]+1, one[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], two[j-2]+1)
			}
		}
		two, one = one, row
	}
	return one[len(y)]
}
