package mysql

import (
	"database/sql"
	"strconv"
	"strings"
	"time"

	"pinch/mysqldb"
	"pinch/salt"
	"pinch/value"
)

type queryArgs struct {
	Database any        `py:"database"`          // the database
	Query    string     `py:"query"`             // the statement
	Conn     *value.Map `py:"**connection_args"` // the server, as in mysql.version
}

// query runs a statement. It returns "query time", and "rows affected" or, for
// SELECT, SHOW and DESC, "rows returned", columns and results: all values are
// texts.
//
//	salt-call mysql.query mydb "SELECT id,name,cash from users limit 3"
func query(c *salt.Ctx, a queryArgs) (any, error) {
	conn := a.Conn.Shallow()
	conn.Set("connection_db", a.Database)
	s, ok := open(c, conn)
	if !ok {
		return new(value.Map), nil
	}
	m, ok := s.run(a.Query)
	if !ok {
		return false, nil
	}
	return m, nil
}

// run runs one statement.
func (s server) run(q string) (*value.Map, bool) {
	begin := s.c.Sys.Now()
	words := strings.ToUpper(strings.TrimSpace(q))
	if !strings.HasPrefix(words, "SELECT") && !strings.HasPrefix(words, "SHOW") && !strings.HasPrefix(words, "DESC") {
		n, ok := s.do(q)
		return value.M("query time", s.took(begin), "rows affected", n), ok
	}
	rows, err := s.DB.QueryContext(s.c, q)
	if err != nil {
		mysqldb.Fail(s.c, err)
		return nil, false
	}
	defer func() { _ = rows.Close() }()
	cols, results, err := all(rows)
	if err != nil {
		mysqldb.Fail(s.c, err)
		return nil, false
	}
	return value.M("query time", s.took(begin), "rows returned", int64(len(results)), "columns", cols, "results", results), true
}

// all reads rows as texts.
func all(rows *sql.Rows) (cols, results value.Tuple, err error) {
	names, err := rows.Columns()
	if err != nil {
		return nil, nil, err
	}
	cols, results = make(value.Tuple, len(names)), value.Tuple{}
	for i, name := range names {
		cols[i] = name
	}
	for rows.Next() {
		texts, into, row := make([]sql.NullString, len(names)), make([]any, len(names)), make(value.Tuple, len(names))
		for i := range into {
			into[i] = &texts[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, nil, err
		}
		for i, t := range texts {
			if t.Valid {
				row[i] = t.String
			}
		}
		results = append(results, row)
	}
	return cols, results, rows.Err()
}

// took is how long something took: human, and raw seconds as a text.
func (s server) took(begin time.Time) *value.Map {
	d := s.c.Sys.Now().Sub(begin).Seconds()
	human := round(d, 2) + "s"
	if d < 0.2 {
		human = round(d*1000, 1) + "ms"
	}
	return value.M("human", human, "raw", round(d, 5))
}

// round writes a number as Python's round does.
func round(f float64, digits int) string {
	f, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'f', digits, 64), 64)
	return value.FormatFloat(f)
}

type fileQueryArgs struct {
	Database any        `py:"database"`          // the database
	FileName string     `py:"file_name"`         // a file, or a URL of one
	Conn     *value.Map `py:"**connection_args"` // the server, as in mysql.version
}

// fileQuery runs the statements of a file. It returns what they did all
// together, False when there is no such file or one of them fails.
func fileQuery(c *salt.Ctx, a fileQueryArgs) (any, error) {
	path := a.FileName
	if strings.Contains(path, "://") {
		v, err := c.Call("cp.cache_file", path)
		if err != nil {
			return nil, err
		}
		path = value.Str(v)
	}
	b, err := c.Sys.ReadFile(path)
	if err != nil {
		c.Log.Error("File \"" + path + "\" does not exist")
		return false, nil
	}
	conn := a.Conn.Shallow()
	conn.Set("connection_db", a.Database)
	s, ok := open(c, conn)
	if !ok {
		return false, nil
	}
	var returned, affected int64
	columns, results := value.L(), value.L()
	begin := c.Sys.Now()
	for _, q := range statements(string(b)) {
		m, ok := s.run(q)
		if !ok {
			return false, nil
		}
		if m.Has("columns") {
			columns.Append(m.At("columns"))
			results.Append(m.At("results"))
		}
		n, _ := m.At("rows returned").(int64)
		returned += n
		n, _ = m.At("rows affected").(int64)
		affected += n
	}
	d := c.Sys.Now().Sub(begin).Seconds()
	raw, _ := strconv.ParseFloat(round(d, 5), 64)
	ret := new(value.Map)
	for _, kv := range []struct {
		key string
		v   any
	}{{"rows returned", returned}, {"columns", columns}, {"results", results}, {"rows affected", affected}, {"query time", value.M("raw", raw, "human", round(d, 2)+"s")}} {
		if value.Truth(kv.v) {
			ret.Set(kv.key, kv.v)
		}
	}
	return ret, nil
}

// statements splits a text at the semicolons that end statements, without its
// comments.
func statements(text string) []string {
	var out []string
	var b strings.Builder
	done := func() {
		if q := strings.TrimSpace(b.String()); q != "" {
			out = append(out, q)
		}
		b.Reset()
	}
	for i := 0; i < len(text); i++ {
		rest := text[i:]
		switch ch := text[i]; {
		case ch == '\'' || ch == '"' || ch == '`':
			end := quoted(rest)
			b.WriteString(rest[:end])
			i += end - 1
		case ch == '#' || strings.HasPrefix(rest, "-- ") || strings.HasPrefix(rest, "--\n"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			i += end - 1
		case strings.HasPrefix(rest, "/*") && !strings.HasPrefix(rest, "/*!"):
			end := strings.Index(rest, "*/")
			if end < 0 {
				end = len(rest) - 2
			}
			i += end + 1
		case ch == ';':
			done()
		default:
			b.WriteByte(ch)
		}
	}
	done()
	return out
}

// quoted is the length of the quoted text that s begins with.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && s[0] != '`':
			i++
		case s[i] == s[0] && i+1 < len(s) && s[i+1] == s[0]:
			i++
		case s[i] == s[0]:
			return i + 1
		}
	}
	return len(s)
}
