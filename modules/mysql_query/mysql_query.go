// Package mysql_query holds Salt's mysql_query states: statements that MySQL
// and MariaDB servers run. Its main variable is Module.
//
//	query_id:
//	  mysql_query.run:
//	    - database: my_database
//	    - query: "SELECT * FROM table;"
//	    - output: /tmp/query_id.txt
package mysql_query

import (
	"strings"

	"pinch/mysqldb"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's mysql_query module.
var Module = salt.Module{
	Name:    "mysql_query",
	Virtual: mysqldb.Usable,
	States:  func() salt.Funcs { return salt.Funcs{"run": salt.State(run), "run_file": salt.State(runFile)} },
}

type runArgs struct {
	Name          string     `py:"name"`                 // a name for the state
	Database      string     `py:"database"`             // the database
	Query         string     `py:"query"`                // the statement
	Output        any        `py:"output=None"`          // where the result goes: a file, or grain; None: only into the comment
	Grain         any        `py:"grain=None"`           // with output: grain, the grain
	Key           any        `py:"key=None"`             // a key of it
	Overwrite     bool       `py:"overwrite=True"`       // also when the file or grain is there
	CheckDbExists bool       `py:"check_db_exists=True"` // do nothing without the database
	ClientFlags   any        `py:"client_flags=None"`    // a list of flags of the connection
	Conn          *value.Map `py:"**connection_args"`    // the server, as in mysql.version
}

// run runs a statement, each time unless overwrite is False.
func run(c *salt.Ctx, a runArgs) salt.Result {
	s := step{c, a, a.Name}
	if r := s.prepare(); r != nil {
		return *r
	}
	v, err := c.CallKw("mysql.query", a.Conn, a.Database, a.Query)
	return s.done(v, err)
}

type runFileArgs struct {
	Name          string     `py:"name"`                 // a name for the state
	Database      string     `py:"database"`             // the database
	QueryFile     string     `py:"query_file=None"`      // the file of statements, or a URL of it
	Output        any        `py:"output=None"`          // where the result goes: a file, or grain; None: only into the comment
	Grain         any        `py:"grain=None"`           // with output: grain, the grain
	Key           any        `py:"key=None"`             // a key of it
	Overwrite     bool       `py:"overwrite=True"`       // also when the file or grain is there
	Saltenv       any        `py:"saltenv=None"`         // the environment of query_file
	CheckDbExists bool       `py:"check_db_exists=True"` // do nothing without the database
	ClientFlags   any        `py:"client_flags=None"`    // a list of flags of the connection
	Conn          *value.Map `py:"**connection_args"`    // the server, as in mysql.version
}

// runFile runs the statements of a file, each time unless overwrite is False.
//
//	query_id:
//	  mysql_query.run_file:
//	    - database: my_database
//	    - query_file: salt://mysql/schema.sql
//	    - output: grain
//	    - grain: my_grain
func runFile(c *salt.Ctx, a runFileArgs) salt.Result {
	path := a.QueryFile
	if strings.Contains(path, "://") {
		env := c.Env
		if value.Truth(a.Saltenv) {
			env = value.Str(a.Saltenv)
		}
		v, err := c.With(false).CallKw("cp.cache_file", value.M("saltenv", env), path)
		if err != nil {
			return salt.Raised(err)
		}
		path = value.Str(v)
	}
	if !sys.Exists(c.Sys, path) {
		return salt.Failed("File %s does not exist", path)
	}
	s := step{c, runArgs{a.Name, a.Database, "", a.Output, a.Grain, a.Key, a.Overwrite, a.CheckDbExists, a.ClientFlags, a.Conn}, a.Database}
	if r := s.prepare(); r != nil {
		return *r
	}
	v, err := c.CallKw("mysql.file_query", a.Conn, a.Database, path)
	return s.done(v, err)
}

// A step is one statement or file to run.
type step struct {
	c *salt.Ctx
	runArgs
	missing string // what the comment calls a database that is not there
}

// prepare looks whether something is to be run; nil: it is.
func (s *step) prepare() *salt.Result {
	say := func(r salt.Result) *salt.Result { return &r }
	flags, ok := s.ClientFlags.(*value.List)
	switch {
	case s.ClientFlags == nil:
		flags = value.L()
	case !ok:
		return say(salt.Failed("Error: client_flags must be a list."))
	}
	s.Conn.Set("client_flags", flags)
	if s.CheckDbExists {
		v, err := s.c.CallKw("mysql.db_exists", s.Conn, s.Database)
		if err != nil {
			return say(salt.Raised(err))
		}
		if !value.Truth(v) {
			if text := mysqldb.Error(s.c); text != "" {
				return say(salt.Failed("%s", text))
			}
			return say(salt.Would(nil, "Database %s is not present", s.missing))
		}
	}
	switch {
	case s.Output == "grain":
		return s.grain()
	case s.Output != nil:
		path := value.Str(s.Output)
		if !s.Overwrite && sys.IsFile(s.c.Sys, path) {
			return say(salt.Correct("No execution needed. File %s already set", path))
		}
		if s.c.Test {
			return say(salt.Would(nil, "Query would execute, storing result in file: %s", path))
		}
	case s.c.Test:
		return say(salt.Would(nil, "Query would execute, not storing result"))
	}
	return nil
}

// place is the grain, with the key if there is one.
func (s *step) place() string {
	if s.Key == nil {
		return value.Str(s.Grain)
	}
	return value.Str(s.Grain) + ":" + value.Str(s.Key)
}

func (s *step) grain() *salt.Result {
	var r salt.Result
	now, has := s.c.Grains.Get(value.Str(s.Grain))
	if m, ok := now.(*value.Map); s.Key != nil {
		has = ok && m.Has(value.Str(s.Key))
	}
	switch {
	case s.Grain == nil:
		r = salt.Failed("Error: output type 'grain' needs the grain parameter\n")
	case has && !s.Overwrite:
		r = salt.Correct("No execution needed. Grain %s already set", s.place())
	case s.c.Test:
		r = salt.Would(nil, "Query would execute, storing result in grain: %s", s.place())
	default:
		return nil
	}
	return &r
}

// done stores the result.
func (s *step) done(v any, err error) salt.Result {
	if err != nil {
		return salt.Raised(err)
	}
	m, ok := v.(*value.Map)
	if !ok {
		if text := mysqldb.Error(s.c); text != "" {
			return salt.Failed("%s", text)
		}
		return salt.Failed("%s", value.Str(v))
	}
	byColumn(m)
	r := salt.Changed(value.M("query", "Executed"), "%s", value.Repr(m))
	switch {
	case s.Output == "grain":
		var data any = m
		if s.Key != nil {
			all, _ := s.c.Grains.At(value.Str(s.Grain)).(*value.Map)
			all = all.Shallow()
			all.Set(value.Str(s.Key), m)
			data = all
		}
		if _, err := s.c.Call("grains.setval", s.Grain, data); err != nil {
			return salt.Raised(err)
		}
		r.Changes.Set("query", "Executed. Output into grain: "+s.place())
	case s.Output != nil:
		path := value.Str(s.Output)
		if err := sys.WriteFile(s.c.Sys, path, []byte(text(m)), sys.FileAttrs{}); err != nil {
			return salt.Raised(salt.OSError(err))
		}
		r.Changes.Set("query", "Executed. Output into "+path)
	}
	return r
}

// byColumn makes maps of the rows, of several statements too.
func byColumn(m *value.Map) {
	l := value.L()
	if all := m.List("results"); all != nil {
		for i, rows := range all.Items {
			mapped(l, m.List("columns").Items[i], rows)
		}
	} else if m.Has("results") {
		mapped(l, m.At("columns"), m.At("results"))
	} else {
		return
	}
	m.Set("results", l)
}

func mapped(l *value.List, columns, results any) {
	cols, _ := columns.(value.Tuple)
	rows, _ := results.(value.Tuple)
	for _, row := range rows {
		line := new(value.Map)
		for i, v := range row.(value.Tuple) {
			line.Set(value.Str(cols[i]), v)
		}
		l.Append(line)
	}
}

// text is what a file gets: lines COLUMN:VALUE of the rows, or of the result.
func text(m *value.Map) string {
	var b strings.Builder
	lines := func(m *value.Map) {
		for key, v := range m.Items() {
			b.WriteString(key + ":" + value.Str(v) + "\n")
		}
	}
	if l := m.List("results"); l != nil {
		for _, it := range l.Items {
			if row, ok := it.(*value.Map); ok {
				lines(row)
			}
		}
		return b.String()
	}
	lines(m)
	return b.String()
}
