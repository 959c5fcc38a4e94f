// Package jinja holds Salt's jinja module: it shows what a template gets from
// a map file or an import. Its main variable is Module.
//
//	salt-call jinja.load_map nginx/map.jinja nginx
package jinja

import (
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's jinja module.
var Module = salt.Module{
	Name: "jinja",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"import_json": salt.Exec(importJSON),
			"import_yaml": salt.Exec(importYAML),
			"load_map":    salt.Exec(loadMap),
		}
	},
}

// data renders a template that writes JSON.
func data(c *salt.Ctx, text string) (any, error) {
	d, err := c.RenderData(c, salt.Template{Text: text, Name: "<template>", Env: c.Env, Engine: "jinja|yaml"})
	if err != nil {
		return nil, err
	}
	return value.Plain(d.Value), nil
}

type loadMapArgs struct {
	Path  string `py:"path"`  // the file in the state tree
	Value string `py:"value"` // the name that it defines
}

// loadMap returns what a variable of a Jinja file holds, as an import with
// context would see it.
func loadMap(c *salt.Ctx, a loadMapArgs) (any, error) {
	return data(c, `{% from "`+a.Path+`" import `+a.Value+" with context %}\n{{ "+a.Value+" | tojson }}\n")
}

type pathArgs struct {
	Path string `py:"path"` // the file in the state tree
}

// importYAML returns what import_yaml gives for a file.
func importYAML(c *salt.Ctx, a pathArgs) (any, error) {
	return data(c, `{% import_yaml "`+a.Path+"\" as imported %}\n{{ imported | tojson }}\n")
}

// importJSON returns what import_json gives for a file.
func importJSON(c *salt.Ctx, a pathArgs) (any, error) {
	return data(c, `{% import_json "`+a.Path+"\" as imported %}\n{{ imported | tojson }}\n")
}
