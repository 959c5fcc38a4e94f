package render

import (
	"reflect"
	"text/template"
	"text/template/parse"
)

// namesIn are the fields that a template may read of its data, with the fields
// of those that it reads; nil where it may read all of them. So .grains.os needs
// one grain only.
func namesIn(t *template.Template) map[string]map[string]bool {
	w := &fieldWalk{names: map[string]map[string]bool{}}
	for _, each := range t.Templates() {
		if each.Tree != nil {
			w.walk(reflect.ValueOf(each.Root))
		}
	}
	return w.names
}

type fieldWalk struct{ names map[string]map[string]bool }

func (w *fieldWalk) note(ident []string) {
	if len(ident) == 0 {
		return
	}
	fields, seen := w.names[ident[0]]
	switch {
	case len(ident) == 1:
		w.names[ident[0]] = nil
	case !seen:
		w.names[ident[0]] = map[string]bool{ident[1]: true}
	case fields != nil:
		fields[ident[1]] = true
	}
}

// walk visits all nodes of a parse tree, whatever holds them.
func (w *fieldWalk) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
		switch n := v.Interface().(type) {
		case *parse.Tree:
			return
		case *parse.FieldNode:
			w.note(n.Ident)
		case *parse.VariableNode:
			w.note(n.Ident[1:])
		case *parse.ChainNode:
			w.note(n.Field)
		case *parse.DotNode:
			w.whole()
		}
		w.walk(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				w.walk(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			w.walk(v.Index(i))
		}
	}
}

// whole notes that the template hands its data on as they are.
func (w *fieldWalk) whole() {
	for _, name := range []string{"pillar", "saltenv", "sls", "slspath", "slsdotpath", "slscolonpath", "sls_path", "tplpath", "tplfile", "tpldir", "tpldot"} {
		if _, ok := w.names[name]; !ok {
			w.names[name] = nil
		}
	}
}
