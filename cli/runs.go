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
func runReport(p *program, _ context.Context, r *request) int {
	line, err := p.configured(r.opts)
	if err != nil {
		return p.exit(err)
	}
	defer line.Close()
	h, chosen, code := p.kept(line, r.word(0))
	if chosen == nil {
		return code
	}
	page := runs.HTML(line.Opts.Str("id"), h.Recent(), chosen)
	out := r.value("-o")
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
