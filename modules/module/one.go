package module

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

// alias is how an argument is called beside the state's own: those that a state
// has itself get an m_ in front.
func alias(arg string) string {
	switch arg {
	case "name", "fun", "names", "state", "saltenv":
		return "m_" + arg
	}
	return arg
}

// runOne is the older form: the function as name, its arguments beside it.
func runOne(c *salt.Ctx, kw *value.Map) salt.Result {
	name := kw.Str("name")
	f, err := c.Registry().Offered(c, name)
	if err != nil {
		return salt.Failed("Module function %s is not available", name)
	}
	if c.Test {
		return salt.Would(nil, "Module function %s is set to execute", name)
	}
	args, named, problem := oneArgs(f.Signature(), kw)
	if problem != "" {
		return salt.Failed("%s", problem)
	}
	ret, err := c.CallFunc(c, name, args, named)
	if err != nil {
		return salt.Failed("Module function %s threw an exception. Exception: %s", name, err)
	}
	handOver(c, kw.At("returner"), name, ret)
	r := salt.Changed(value.M("ret", ret), "Module function %s executed", name)
	if !succeeded(ret) {
		r.Result = salt.False()
	}
	return r
}

// oneArgs picks the function's arguments out of the state's. With a list for
// *args all others must be positional.
func oneArgs(s *salt.Signature, kw *value.Map) (args []any, named *value.Map, problem string) {
	named = new(value.Map)
	var missing []string
	extra := value.L()
	if s.VarArgs != "" {
		if v, ok := kw.Get(alias(s.VarArgs)); ok {
			if extra, ok = v.(*value.List); !ok {
				return nil, nil, "'" + s.VarArgs + "' must be a list."
			}
		}
	}
	for i := range s.Params {
		p := &s.Params[i]
		if p.KeywordOnly {
			continue
		}
		v, ok := kw.Get(alias(p.Name))
		if !ok && !p.Required && p.Name != "name" {
			v, ok = kw.Get(p.Name)
		}
		switch {
		case !ok && p.Required:
			missing = append(missing, alias(p.Name))
		case extra.Len() > 0 && !ok:
			def, err := salt.Literal(p.Default)
			if err != nil {
				return nil, nil, err.Error()
			}
			args = append(args, def)
		case extra.Len() > 0:
			args = append(args, v)
		case ok:
			named.Set(p.Name, v)
		}
	}
	if len(missing) > 0 {
		return nil, nil, "The following arguments are missing: " + strings.Join(missing, " ")
	}
	args = append(args, extra.Items...)
	if s.Kwargs != "" {
		if v, ok := kw.Get(s.Kwargs); ok {
			m, isMap := v.(*value.Map)
			if !isMap {
				return nil, nil, "'" + s.Kwargs + "' must be a dict."
			}
			named.Update(m)
		}
	}
	return args, named, ""
}
