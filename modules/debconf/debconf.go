// Package debconf holds Salt's debconf module: answers to the questions that
// packages ask when they are installed. Its main variable is Module.
//
//	tzdata:
//	  debconf.set:
//	    - data:
//	        tzdata/Areas: {type: select, value: Europe}
package debconf

import (
	"errors"
	"regexp"
	"strings"
	"sync"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's debconf module.
var Module = salt.Module{
	Name: "debconf",
	States: func() salt.Funcs {
		return salt.Funcs{"set": salt.State(setState), "set_file": salt.State(setFileState)}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"get_selections": query(salt.Exec(getSelections)),
			"show":           query(salt.Exec(show)),
			"set":            salt.Exec(set).Named("set_"),
			"set_file":       salt.Exec(setFile),
			"set_template":   salt.Exec(setTemplate),
		}
	},
	Virtual: virtual,
}

// query marks a function that changes nothing.
func query(f *salt.Func) *salt.Func {
	f.Bare = true
	return f
}

func virtual(c *salt.Ctx, kind string) error {
	switch tools := c.Sys.LookPath("debconf-get-selections") != ""; {
	case c.Grains.Str("os_family") != "Debian" && kind == "states":
		return errors.New("debconf state only runs on Debian systems")
	case c.Grains.Str("os_family") != "Debian":
		return errors.New("The debconfmod module could not be loaded: unsupported OS family")
	case !tools && kind == "states":
		return errors.New("debconf module could not be loaded")
	case !tools:
		return errors.New("The debconfmod module could not be loaded: debconf-utils is not installed.")
	}
	return nil
}

var answer = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^([^#]\S+)[\t ]+(\S+)[\t ]+(\S+)[\t ]+([^\n]*)$`)
})

// parse reads the output of debconf-get-selections: for each package a list of
// question, type and value.
func parse(text string, empty bool) *value.Map {
	ret := new(value.Map)
	for _, m := range answer().FindAllStringSubmatch(text, -1) {
		if !empty && m[4] == "" {
			continue
		}
		l := ret.List(m[1])
		if l == nil {
			l = value.L()
			ret.Set(m[1], l)
		}
		l.Append(value.L(m[2], m[3], m[4]))
	}
	return ret
}

type answersKey struct{}

// answers are all answers there are, read once a run.
func answers(c *salt.Ctx) (string, error) {
	return salt.Once(c.Run, answersKey{}, func() (string, error) {
		res, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"debconf-get-selections"}, Query: true})
		// Salt drops white space at the end, and with it an empty last answer.
		return strings.TrimRight(string(res.Stdout), " \t\n"), err
	})
}

type getSelectionsArgs struct {
	Fetchempty bool `py:"fetchempty=True"` // questions without an answer too
}

// getSelections gives all answers: for each package a list of question, type and value.
func getSelections(c *salt.Ctx, a getSelectionsArgs) (*value.Map, error) {
	text, err := answers(c)
	return parse(text, a.Fetchempty), err
}

type showArgs struct {
	Name string `py:"name"` // the package
}

// show gives the answers of a package, None if it has none.
func show(c *salt.Ctx, a showArgs) (any, error) {
	text, err := answers(c)
	return parse(text, true).At(a.Name), err
}

type setArgs struct {
	Package  string `py:"package"`  // the package
	Question string `py:"question"` // the question
	Type     string `py:"type"`     // boolean, string, select, multiselect, note, text or password
	Value    string `py:"value"`    // the answer
	Extra    []any  `py:"*extra"`   // further words of the answer
}

// set answers a question.
func set(c *salt.Ctx, a setArgs) (bool, error) {
	words := []string{a.Value}
	for _, x := range a.Extra {
		words = append(words, value.Str(x))
	}
	return load(c, strings.Join([]string{a.Package, a.Question, a.Type, strings.Join(words, " ")}, " "))
}

// load hands answers to debconf.
func load(c *salt.Ctx, text string) (bool, error) {
	c.Run.Forget(answersKey{})
	res, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"debconf-set-selections"}, Stdin: strings.NewReader(text)})
	if err == nil && res.Code != 0 {
		c.Log.Error(strings.TrimSpace(string(res.Stderr)))
	}
	return err == nil, err
}

type setFileArgs struct {
	Path    string     `py:"path"`           // the file: a path or a URL
	Saltenv string     `py:"saltenv='base'"` // the environment of a salt:// path
	Kwargs  *value.Map `py:"**kwargs"`       // Salt takes and ignores any other
}

// setFile takes answers from a file with lines of package, question, type and value.
func setFile(c *salt.Ctx, a setFileArgs) (bool, error) {
	path, err := c.Files().Cache(c, a.Path, a.Saltenv, salt.GetOptions{})
	if err != nil || path == "" {
		return false, nil
	}
	b, err := c.Sys.ReadFile(path)
	if err != nil {
		return false, err
	}
	return load(c, string(b))
}

type setTemplateArgs struct {
	Path     string     `py:"path"`           // the template: a path or a URL
	Template string     `py:"template"`       // its engine, such as jinja
	Context  *value.Map `py:"context"`        // variables for it
	Defaults *value.Map `py:"defaults"`       // variables that context may override
	Saltenv  string     `py:"saltenv='base'"` // the environment of a salt:// path
	Kwargs   *value.Map `py:"**kwargs"`       // Salt takes and ignores any other
}

// setTemplate takes answers from a template.
func setTemplate(c *salt.Ctx, a setTemplateArgs) (bool, error) {
	f, err := c.Files().Get(c, a.Path, a.Saltenv, salt.GetOptions{})
	if err != nil {
		return false, nil
	}
	b, err := f.Read()
	if err != nil {
		return false, err
	}
	vars := a.Defaults.Shallow()
	vars.Update(a.Context)
	text, err := c.Render(c, salt.Template{Text: string(b), Name: a.Path, File: f.Local, Engine: a.Template, Env: a.Saltenv, Vars: vars})
	if err != nil {
		return false, err
	}
	return load(c, text)
}
