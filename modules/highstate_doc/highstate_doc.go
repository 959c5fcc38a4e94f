// Package highstate_doc holds Salt's highstate_doc module: notes in SLS files
// for the documentation of a tree. Its main variable is Module.
//
//	who to call:
//	  highstate_doc.note:
//	    - contents: the web team owns this machine
package highstate_doc

import (
	"unicode/utf8"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's highstate_doc module.
var Module = salt.Module{
	Name:   "highstate_doc",
	States: func() salt.Funcs { return salt.Funcs{"note": salt.State(note)} },
	Exec:   func() salt.Funcs { return salt.Funcs{"read_file": salt.Exec(readFile)} },
}

type noteArgs struct {
	Name     string     `py:"name"`          // the name of the state, free to choose
	Source   any        `py:"source=None"`   // the file with the text
	Contents any        `py:"contents=None"` // the text
	Kwargs   *value.Map `py:"**kwargs"`      // ignored
}

// note changes nothing: its text is for readers. A short one is the comment.
func note(_ *salt.Ctx, a noteArgs) salt.Result {
	comment := ""
	if value.Truth(a.Source) {
		comment = "include file: " + value.Str(a.Source) + "\n"
	}
	if s := value.Str(a.Contents); value.Truth(a.Contents) && utf8.RuneCountInString(s) < 200 {
		comment += s
	}
	return salt.Correct("%s", comment)
}

type fileArgs struct {
	Name string `py:"name"` // the file
}

// readFile returns the text of a file on this machine, nothing when it cannot
// be read.
func readFile(c *salt.Ctx, a fileArgs) (any, error) {
	b, err := c.Sys.ReadFile(a.Name)
	if err != nil {
		c.Log.Error(err.Error())
		return nil, nil
	}
	return string(b), nil
}
