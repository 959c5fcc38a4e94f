package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"pinch/runs"
	"pinch/sys"
)

// runReport writes the page of a run that is kept.
func runReport(p *program, _ context.Context, words []string) int {
	out, jid := "", ""
	var rest []string
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == "-h" || w == "--help":
			return p.help(verb("report"))
		case w == "-o" && i+1 < len(words):
			i++
			out = words[i]
		case w[:min(1, len(w))] != "-" && jid == "" && (i == 0 || words[i-1] != "-c"):
			jid = w
		default:
			rest = append(rest, w)
		}
	}
	line, err := p.configured(rest)
	if err != nil {
		return p.exit(err)
	}
	defer line.Close()
	h, chosen, code := p.kept(line, jid)
	if chosen == nil {
		return code
	}
	page := runs.HTML(line.Opts.Str("id"), h.Recent(), chosen)
	if out == "" {
		fmt.Fprint(p.stdout, page)
		return 0
	}
	if out, err = filepath.Abs(out); err == nil {
		mode := os.FileMode(0o600)
		err = sys.WriteFile(sys.Real{}, out, []byte(page), sys.FileAttrs{Mode: &mode})
	}
	if err != nil {
		return report(err, p.stdout, p.stderr, p.stderrColor())
	}
	fmt.Fprintln(p.stdout, out)
	return 0
}
