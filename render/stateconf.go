package render

import (
	"path"
	"strings"

	"pinch/diag"
	"pinch/render/stateconf"
	"pinch/salt"
	"pinch/value"
)

// stateconfEngine is "#!stateconf -o yaml . jinja", or at the end of a pipe
// "#!jinja|yaml|stateconf -p". It renders an SLS twice: first what stands above
// the end marker, whose stateconf.set states are variables of the whole.
func stateconfEngine(r *Renderer, c *salt.Ctx, s *stage, arg string) error {
	o, rest, err := stateconf.Arguments(arg)
	o.Name, o.Env = s.t.SLS, s.t.Env
	switch {
	case err != nil:
		return s.fail("stateconf", err.Error())
	case o.Data && s.data == nil:
		return s.fail("stateconf", "stateconf -p needs a renderer before it that makes data")
	case o.Data:
		return r.stateconf(s, o)
	}
	engines, err := r.stateconfEngines(c, s, rest, o.Chain)
	if err != nil {
		return err
	}
	if end := stateconf.EndMarker(s.text); end >= 0 {
		first := *s
		first.text = s.text[:end]
		head := o
		head.First = true
		if err := r.stateconfPass(c, &first, engines, head, nil); err != nil {
			return err
		}
	}
	return r.stateconfPass(c, s, engines, o, r.confs.Context(o.Name))
}

// stateconfEngines reads "yaml . jinja" as the pipe "jinja|yaml"; a dot that
// does not split is written \.
func (r *Renderer) stateconfEngines(c *salt.Ctx, s *stage, words string, chain bool) ([]string, error) {
	data, template, ok := strings.Cut(words+" ", " . ")
	if !ok {
		return nil, s.fail("stateconf", "Invalid use of stateconf.py renderer! Usage: #!stateconf [-GoSp] [<data_renderer> [options] . <template_renderer> [options]]")
	}
	out := []string{template, data}
	for i, e := range out {
		out[i] = strings.TrimSpace(strings.ReplaceAll(e, `\.`, "."))
		if name, _, _ := strings.Cut(out[i], " "); r.engine(c, name) == nil {
			return nil, s.fail("stateconf", "Renderer: '"+name+".render' is not available!")
		}
	}
	if name, _, _ := strings.Cut(out[1], " "); chain && name != "yaml" {
		return nil, s.fail("stateconf", "Implicit ordering is only supported if the yaml renderer is used!")
	}
	return out, nil
}

// stateconfPass runs both engines over the stage and works on the data.
func (r *Renderer) stateconfPass(c *salt.Ctx, s *stage, pipe []string, o stateconf.SLS, vars *value.Map) error {
	dir := o.Name
	if strings.Contains(dir, ".") {
		dir = path.Dir(strings.ReplaceAll(dir, ".", "/"))
	}
	if dir == "" {
		dir = "."
	}
	all := value.M("sls_dir", dir)
	all.Update(s.t.Vars)
	all.Update(vars)
	s.t.Vars = all
	for _, part := range pipe {
		name, arg, _ := strings.Cut(part, " ")
		if err := r.engine(c, name)(r, c, s, strings.TrimSpace(arg)); err != nil {
			return err
		}
	}
	return r.stateconf(s, o)
}

// stateconf works on the data of the stage.
func (r *Renderer) stateconf(s *stage, o stateconf.SLS) error {
	if s.data == nil {
		return s.fail("stateconf", "the first renderer that stateconf is given makes no data")
	}
	data, ok := s.data.Value.(*value.Map)
	if !ok {
		return nil // the compiler says what is wrong
	}
	pos := s.data.Pos
	if pos != nil {
		pos(data, "") // places are looked up in the data as they are now
	}
	moves, err := r.confs.Process(data, o)
	if err != nil {
		return s.fail("stateconf", err.Error())
	}
	if pos != nil {
		s.data.Pos = func(container, key any) diag.Pos { return pos(container, moves.Before(container, key)) }
	}
	return nil
}
