// Package output prints what a function returned: one outputter a format, as
// Salt's. The rules that hold for all of them:
//
//   - Options.Output (--out) wins over the outputter that the function asks
//     for; "highstate" alone does not force itself on other data.
//   - An outputter that is not known is an error in the log, and the data are
//     printed by nested. So are data that an outputter cannot show.
//   - White space at the end is cut, and an empty text prints nothing at all.
//   - Maps print with sorted keys in nested, pprint and yaml; json, txt and raw
//     keep the order of the data.
//
// The main type is Options, made from the configuration by From:
//
//	o := output.From(opts, isTerminal)
//	err := output.Print(os.Stdout, value.M("local", true), "nested", o)
package output

import (
	"fmt"
	"io"
	"log/slog"
	"os"

	"pinch/value"
)

// Options are the settings that outputters read. The zero value prints without
// colour, terse where a mode is not set; From fills in Salt's defaults.
type Options struct {
	Output string // --out; "" when not given
	File   string // --out-file: Print appends to it instead of writing to w

	Indent    any  // output_indent: int64, "pretty" or nil (one line)
	HasIndent bool // output_indent is set at all

	Color       any    // bool, or the name of the one colour for everything
	Theme       string // color_theme: a YAML file, name: SGR codes
	StripColors bool   // replace ESC in the data by "?"

	StateOutput   string // full, terse, mixed, changes, filter; also with _id
	StateVerbose  bool
	StateDiff     bool // state_output_diff: only states with changes
	StateProfile  bool // start time and duration
	StatePct      bool
	StateCompress bool // state_compress_ids
	StateTabular  any  // true, or a format string of Python
	StateExclude  any  // filter: results to leave out, list or "True,None"
	StateTerse    any  // filter: results to print in one line
	Args          *value.List

	NestedIndent int
	MultiKey     bool       // __multi_key: the key outputter indents by 4
	Table        *value.Map // settings of the table outputter, without "out.table."

	Test bool // the run was a test

	// Custom is the outputter of a custom module, nil if there is none of that
	// name.
	Custom func(name string) func(data any) (string, error)

	Retcode int
	Log     *slog.Logger
}

// From reads the settings out of the configuration. Without "color" in it,
// colour is on for a terminal; force_color and no_color decide first.
func From(opts *value.Map, terminal bool) *Options {
	o := &Options{StripColors: true, StateVerbose: opts.Truth("state_verbose"), StateOutput: "full"}
	o.Output, o.File = opts.Str("output"), opts.Str("output_file")
	o.Indent, o.HasIndent = opts.Get("output_indent")
	o.Color = terminal
	if c, ok := opts.Get("color"); ok {
		o.Color = c
	}
	switch {
	case opts.Truth("force_color"):
		o.Color = true
	case opts.Truth("no_color"):
		o.Color = false
	}
	o.Theme = opts.Str("color_theme")
	if v, ok := opts.Get("strip_colors"); ok {
		o.StripColors = value.Truth(v)
	}
	if v, ok := opts.Get("state_output"); ok {
		o.StateOutput = value.Str(v)
	}
	o.StateDiff = opts.Truth("state_output_diff")
	o.StateProfile = opts.Truth("state_output_profile")
	o.StatePct = opts.Truth("state_output_pct")
	o.StateCompress = opts.Truth("state_compress_ids")
	o.StateTabular = opts.At("state_tabular")
	o.StateExclude = opts.At("state_output_exclude")
	o.StateTerse = opts.At("state_output_terse")
	o.Args = opts.List("arg")
	if n, ok := opts.At("nested_indent").(int64); ok {
		o.NestedIndent = int(n)
	}
	o.MultiKey = opts.Truth("__multi_key")
	o.Table = new(value.Map)
	for _, name := range tableSettings {
		if v, ok := opts.Get("out.table." + name); ok {
			o.Table.Set(name, v)
		}
	}
	return o
}

// An outputter gives the text of data; an error means that it cannot show
// them, and nested is to try.
type outputter func(data any, o *Options) (string, error)

// lookup finds an outputter by name; nil for an unknown one. summary, diff,
// plan and junit are ours, the others Salt's.
func lookup(name string) outputter {
	switch name {
	case "", "nested":
		return nested
	case "highstate":
		return highstate
	case "json":
		return jsonText
	case "yaml":
		return yamlText
	case "txt", "text":
		return txt
	case "raw":
		return raw
	case "pprint":
		return pprint
	case "key":
		return key
	case "table":
		return table
	case "no_return":
		return noReturn
	case "summary":
		return summary
	case "diff":
		return diff
	case "junit":
		return junit
	case "plan":
		return plan
	case "progress": // draws a bar on a master; a plain return has no bar
		return nested
	}
	return nil
}

// Names are the outputters, sorted.
func Names() []string {
	return []string{"diff", "highstate", "json", "junit", "key", "nested", "no_return", "plan", "pprint", "raw", "summary", "table", "txt", "yaml"}
}

// choose is the outputter to use for data that asks for out.
func (o *Options) choose(out string) string {
	if o.Output != "" && o.Output != "highstate" {
		return o.Output
	}
	return out
}

// ForPeople reports whether data that asks for out are printed for people to
// read, not for programs.
func (o *Options) ForPeople(out string) bool {
	switch o.choose(out) {
	case "highstate", "summary", "diff", "plan":
		return true
	}
	return false
}

// Format gives the text for data by the outputter out, or by nested when that
// one is not known or cannot show the data. "" means that nothing is printed.
func Format(data any, out string, o *Options) string {
	out, data = o.choose(out), value.Plain(data)
	f := lookup(out)
	if f == nil {
		if out != "grains" { // gone, and still asked for by old minions
			o.logger().Error(fmt.Sprintf("Invalid outputter %s specified, fall back to nested", out))
		}
		f = nested
	}
	text, err := f(data, o)
	if err != nil {
		o.logger().Debug("outputter " + out + ": " + err.Error())
		text, _ = nested(data, o)
	}
	return rstrip(text)
}

// Print writes data as Format gives it, with a line end, to w or to the end of
// Options.File. An empty text writes nothing.
func Print(w io.Writer, data any, out string, o *Options) error {
	var text [][]byte
	if f := o.custom(out); f != nil {
		s, err := f(data)
		if err != nil {
			return err
		}
		if s = rstrip(s); s != "" {
			text = [][]byte{[]byte(s + "\n")}
		}
	} else if o.choose(out) == "json" { // never empty, no white space at its end
		text = append(jsonPieces(data, o), []byte("\n"))
	} else if s := Format(data, out, o); s != "" {
		text = [][]byte{[]byte(s + "\n")}
	}
	if o.File == "" {
		return writeAll(w, text)
	}
	f, err := os.OpenFile(o.File, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	err = writeAll(f, text)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// custom is the custom outputter that data which asks for out get, nil if they
// get one that is built in.
func (o *Options) custom(out string) func(any) (string, error) {
	name := o.choose(out)
	if o.Custom == nil || lookup(name) != nil {
		return nil
	}
	return o.Custom(name)
}

func writeAll(w io.Writer, pieces [][]byte) error {
	for _, p := range pieces {
		if _, err := w.Write(p); err != nil {
			return err
		}
	}
	return nil
}

func (o *Options) logger() *slog.Logger {
	if o.Log != nil {
		return o.Log
	}
	return slog.New(slog.DiscardHandler)
}
