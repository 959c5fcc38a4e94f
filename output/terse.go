package output

import (
	"strings"
	"unicode/utf8"

	"pinch/value"
	"pinch/value/py"
)

// terse prints a state on one line.
func (p *page) terse(r *result) error {
	ret, name, fun := r.ret, r.tag[2], r.tag[len(r.tag)-1]
	word := "Clean"
	switch {
	case r.result == false:
		word = "Failed"
	case r.result == nil:
		word = "Differs"
	case value.Truth(r.changes):
		word = "Changed"
	}
	if format, ok := p.o.StateTabular.(string); ok {
		text, err := py.StrFormat(format, []any{r.color, name, r.tag[0], fun, word, p.c[endc], ret}, nil, nil)
		p.b = append(append(p.b, text...), '\n')
		return err
	}
	if w, ok := ret.Get("warnings"); ok {
		text, err := join(w)
		if err != nil {
			return err
		}
		p.b = append(p.b, p.c[lightRed]+"Warnings:\n"+text+p.c[endc]...)
		if p.o.StateTabular == true {
			p.b = append(p.b, '\n')
		}
	}
	start, timed := ret.Get("start_time")
	timed = timed && p.o.StateProfile
	if timed && !ret.Has("duration") {
		return missing("duration")
	}
	if p.o.StateTabular == true {
		p.b = append(p.b, r.color...)
		if timed {
			p.b = append(p.b, value.Str(start)+" ["+padLeft(value.Str(ret.At("duration")), 7)+" ms] "...)
		}
		p.line("", padLeft(r.tag[0], 10)+"."+padRight(fun, 10)+" "+padRight(word, 7)+"   Name: "+name)
		return nil
	}
	p.b = append(p.b, " "+r.color+" Name: "+name+" - Function: "+r.tag[0]+"."+fun+" - Result: "+word...)
	if timed {
		p.b = append(p.b, " - Started: "+value.Str(start)+" - Duration: "+value.Str(ret.At("duration"))+" ms"...)
	}
	p.line("", "")
	return nil
}

func padLeft(s string, width int) string {
	return strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s))) + s
}

func padRight(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

// filter tells for a result whether it is to be terse, or left out: by
// exclude= and terse= on the command line or the options of these names.
func (p *page) filter(result any) (terse, hide bool, err error) {
	exclude, short := p.o.StateExclude, p.o.StateTerse
	if p.o.Args != nil {
		for _, it := range p.o.Args.Items {
			kw, ok := it.(*value.Map)
			if !ok || !kw.Has("__kwarg__") {
				continue
			}
			exclude, short = p.o.StateExclude, p.o.StateTerse
			if v, ok := kw.Get("exclude"); ok {
				exclude = v
			}
			if v, ok := kw.Get("terse"); ok {
				short = v
			}
		}
	}
	name := value.Str(result)
	if terse, err = listed(short, name); err != nil || terse {
		return terse, false, err
	}
	hide, err = listed(exclude, name)
	return false, hide, err
}

func listed(v any, name string) (bool, error) {
	if v == nil { // the option is not set
		return false, nil
	}
	if s, ok := v.(string); ok {
		for part := range strings.SplitSeq(s, ",") {
			if part == name {
				return true, nil
			}
		}
		return false, nil
	}
	return py.Contains(v, name)
}
