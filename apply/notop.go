package apply

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"pinch/diag"
	"pinch/value"
)

// NoTop says why the top files give this machine nothing: there is none, or
// none of its targets matches. It is nil when a top file is broken, which is
// told elsewhere.
func (p *Compiler) NoTop() *diag.Diagnostic {
	switch {
	case p.topsFound < 0:
		return nil
	case p.topsFound > 0:
		d := &diag.Diagnostic{ID: "top", Summary: "the top file names no SLS for this machine, " + p.c.Opts.Str("id")}
		if len(p.topSources) > 0 {
			d.Pos, d.Source = diag.Pos{File: p.topSources[0].file, Line: 1}, p.topSources[0].text
		}
		return d.Hinting("'*' is every machine; pinch apply SLS applies one without the top file")
	}
	d := &diag.Diagnostic{ID: "top", Summary: fmt.Sprintf("there is no %s: it says which SLS this machine gets", p.topName())}
	d.Detail = "file_roots: " + strings.Join(p.roots(), ", ")
	return d.Hinting("write one, or name an SLS (pinch apply web), or the folder of the tree (--file-root=DIR)")
}

// missingHint says which SLS was probably meant by one that is not there: a
// name has periods and no suffix, and counts from the top of the tree.
func (p *Compiler) missingHint(sls, env string) string {
	all := p.states(env)
	name := strings.TrimSuffix(strings.TrimSuffix(sls, ".sls"), "/init")
	name = strings.ReplaceAll(strings.TrimPrefix(name, "./"), "/", ".")
	for name != sls && name != "" {
		if slices.Contains(all, name) {
			return fmt.Sprintf("an SLS is named without its suffix and with periods: did you mean %q?", name)
		}
		_, name, _ = strings.Cut(name, ".") // the folder of the tree before it
	}
	if len(all) == 0 {
		return "no file root of this environment has an SLS: " + strings.Join(p.roots(), ", ")
	}
	return diag.DidYouMean(sls, all)
}

// roots are the folders of file_roots, with what is wrong with them.
func (p *Compiler) roots() []string {
	var out []string
	for _, it := range p.c.Opts.Map("file_roots").Items() {
		for _, dir := range items(it) {
			text := value.Str(dir)
			if _, err := p.c.Sys.Stat(text); os.IsNotExist(err) {
				text += " is not there"
			}
			out = append(out, text)
		}
	}
	return out
}
