// Package out holds Salt's out module: it shows data as the command line
// would. Its main variable is Module.
//
//	{{ salt['out.string_format'](grains.ipv4, out='yaml') }}
package out

import (
	"strings"

	"pinch/output"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's out module.
var Module = salt.Module{
	Name: "out",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"html_format":   salt.Exec(htmlFormat),
			"out_format":    salt.Exec(outFormat),
			"string_format": salt.Exec(stringFormat),
		}
	},
}

type formatArgs struct {
	Data   any        `py:"data"`         // what to show
	Out    string     `py:"out='nested'"` // the outputter
	Opts   *value.Map `py:"opts=None"`    // options instead of the minion's
	Kwargs *value.Map `py:"**kwargs"`     // more for the outputter
}

// outFormat returns data as the outputter shows them.
func outFormat(c *salt.Ctx, a formatArgs) (string, error) {
	opts := a.Opts
	if opts.Len() == 0 {
		opts = c.Opts
	}
	opts = opts.Shallow()
	opts.Pop("output") // the caller's own
	opts.Pop("output_file")
	if !opts.Has("color") {
		opts.Set("color", false)
	}
	o := output.From(opts, false)
	o.Log = c.Log
	return strings.TrimRight(output.Format(a.Data, a.Out, o), " \t\r\n"), nil
}

// stringFormat returns data as the outputter shows them, without colours.
func stringFormat(c *salt.Ctx, a formatArgs) (string, error) {
	opts := a.Opts
	if opts.Len() == 0 {
		opts = c.Opts
	}
	opts = opts.Shallow()
	opts.Set("color", false)
	opts.Pop("force_color")
	a.Opts = opts
	return outFormat(c, a)
}

// htmlFormat returns data as the outputter shows them, with spaces and line
// ends that HTML keeps.
func htmlFormat(c *salt.Ctx, a formatArgs) (string, error) {
	s, err := stringFormat(c, a)
	return strings.NewReplacer(" ", "&nbsp;", "\n", "<br />").Replace(s), err
}
