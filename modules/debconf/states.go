package debconf

import (
	"pinch/salt"
	"pinch/value"
)

type setStateArgs struct {
	Name   string     `py:"name"`     // the package
	Data   *value.Map `py:"data"`     // for each question a mapping of type and value
	Kwargs *value.Map `py:"**kwargs"` // Salt takes and ignores any other
}

// setState makes sure that questions of a package are answered.
func setState(c *salt.Ctx, a setStateArgs) salt.Result {
	text, err := answers(c)
	if err != nil {
		return salt.Raised(err)
	}
	current := parse(text, true).List(a.Name)
	r := salt.Changed(new(value.Map), "")
	for key, v := range a.Data.Items() {
		args, ok := v.(*value.Map)
		if !ok {
			return salt.Raised(value.Errorf("TypeError", "'%s' object is not subscriptable", value.TypeName(v)))
		}
		kind, want := args.Str("type"), value.Str(args.At("value"))
		// Debconf knows true and false only.
		if kind == "boolean" {
			want = "false"
			if args.Truth("value") {
				want = "true"
			}
		}
		if has(current, value.L(key, kind, want)) {
			if r.Comment == "" {
				r.Comment = "Unchanged answers: "
			}
			r.Comment += key + " "
			continue
		}
		if c.Test {
			r.Result = nil
			r.Changes.Set(key, "New value: "+want)
			continue
		}
		if _, err := set(c, setArgs{Package: a.Name, Question: key, Type: kind, Value: want}); err != nil {
			return salt.Raised(err)
		}
		if kind == "password" {
			want = "(password hidden)"
		}
		r.Changes.Set(key, want)
	}
	if r.Changes.Len() == 0 {
		r.Comment = "All specified answers are already set"
	}
	return r
}

func has(l *value.List, want any) bool {
	if l == nil {
		return false
	}
	for _, it := range l.Items {
		if value.Equal(it, want) {
			return true
		}
	}
	return false
}

type setFileStateArgs struct {
	Name     string     `py:"name"`          // any name
	Source   string     `py:"source"`        // the file with answers: a path or a URL
	Template any        `py:"template=None"` // render it with this engine first, such as jinja
	Context  any        `py:"context=None"`  // variables for the template
	Defaults any        `py:"defaults=None"` // variables that context may override
	Kwargs   *value.Map `py:"**kwargs"`      // saltenv
}

// setFileState takes answers from a file with lines of package, question, type
// and value.
func setFileState(c *salt.Ctx, a setFileStateArgs) salt.Result {
	context, ok := a.Context.(*value.Map)
	if a.Context != nil && !ok {
		return salt.Failed("Context must be formed as a dict")
	}
	defaults, ok := a.Defaults.(*value.Map)
	if a.Defaults != nil && !ok {
		return salt.Failed("Defaults must be formed as a dict")
	}
	if c.Test {
		return salt.Would(nil, "Debconf selections would have been set.")
	}
	env := c.Env
	if s := a.Kwargs.Str("saltenv"); s != "" {
		env = s
	}
	var done bool
	var err error
	if value.Truth(a.Template) {
		done, err = setTemplate(c, setTemplateArgs{Path: a.Source, Template: value.Str(a.Template), Context: context, Defaults: defaults, Saltenv: env})
	} else {
		done, err = setFile(c, setFileArgs{Path: a.Source, Saltenv: env})
	}
	switch {
	case err != nil:
		return salt.Raised(err)
	case !done:
		return salt.Failed("Unable to set debconf selections from file.")
	}
	return salt.Correct("Debconf selections were set.")
}
