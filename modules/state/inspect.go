package state

import (
	"path"
	"slices"
	"strings"

	"pinch/apply"
	"pinch/diag"
	"pinch/salt"
	"pinch/value"
)

// An Inspection is a tree compiled for somebody who looks at it: pinch's own
// commands why, graph and check. Nothing is run and no lock is taken.
type Inspection struct {
	Ctx     *salt.Ctx // with the call's pillar and environment
	Tops    []apply.TopLine
	Errors  diag.List
	Plan    *apply.Plan // nil when the tree does not compile
	Origins []apply.Origin
}

// Inspect compiles SLS files, or the highstate when mods is empty. id is an ID
// or name whose origins are wanted, "" for none. kw are the keywords of
// state.apply: pillar, saltenv and the like.
func Inspect(c *salt.Ctx, mods []string, kw *value.Map, id string) (*Inspection, error) {
	s, err := begin(c, nil, kw)
	if err != nil {
		return nil, err
	}
	in := &Inspection{Ctx: s.c}
	if err := s.pillarError(); err != nil {
		return nil, err
	}
	var high *apply.High
	if len(mods) > 0 {
		high, in.Errors = s.p.Render(apply.Names(s.base(), mods))
	} else if high, in.Errors, err = s.fromTop(true); err != nil {
		return nil, err
	}
	in.Tops = s.p.TopLines()
	if len(mods) == 0 && len(in.Errors) == 0 && len(in.Tops) == 0 {
		if d := s.p.NoTop(); d != nil {
			in.Errors = diag.List{d}
		}
	}
	if id != "" {
		in.Origins = s.p.Origins(high, id)
	}
	if len(in.Errors) > 0 {
		return in, nil
	}
	if in.Errors = s.p.Prepare(high); len(in.Errors) > 0 {
		return in, nil
	}
	plan, errs := s.p.Low(high)
	if len(errs) == 0 {
		in.Plan = plan
	}
	// Who looks for mistakes wants all of them at once.
	in.Errors = slices.Concat(errs, s.p.CheckArguments(plan), missingSources(s.c, s.p, plan))
	return in, nil
}

// missingSources are the files of the trees that states name and that are not
// there.
func missingSources(c *salt.Ctx, p *apply.Compiler, plan *apply.Plan) diag.List {
	var errs diag.List
	seen := map[string]bool{}
	for _, ch := range plan.Chunks {
		env := ch.Low.Str("__env__")
		for _, list := range []any{ch.Low.At("source"), ch.Low.At("sources")} {
			found, urls := false, treeFiles(list)
			for _, u := range urls {
				found = found || inTree(c, u, env, ch.State+"."+ch.Fun == "file.recurse")
			}
			// A list of sources is satisfied by one of them.
			key := ch.Tag + strings.Join(urls, " ")
			if len(urls) > 0 && !found && !seen[key] {
				seen[key] = true
				errs = append(errs, p.MissingSource(plan, ch, urls))
			}
		}
	}
	return errs
}

// treeFiles are the salt:// URLs in a source argument; none when there is
// something else that may serve as well.
func treeFiles(v any) []string {
	switch v := v.(type) {
	case string:
		if rest, ok := strings.CutPrefix(v, "salt://"); ok {
			return []string{rest}
		}
	case *value.List:
		var out []string
		for _, it := range v.Items {
			if m, ok := it.(*value.Map); ok {
				for _, x := range m.Items() {
					it = x
				}
			}
			l := treeFiles(it)
			if l == nil {
				return nil
			}
			out = append(out, l...)
		}
		return out
	}
	return nil
}

func inTree(c *salt.Ctx, url, env string, folder bool) bool {
	url, query, _ := strings.Cut(url, "?")
	if e, ok := strings.CutPrefix(query, "saltenv="); ok {
		env = e
	}
	if f, err := c.Files().Find(c, url, env); err == nil && f != nil {
		return true
	}
	if !folder {
		return false
	}
	files, err := c.Files().List(c, env, path.Clean(url)+"/")
	return err == nil && len(files) > 0
}
