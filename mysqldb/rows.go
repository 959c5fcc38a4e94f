package mysqldb

import (
	"context"
	"database/sql"
	"strconv"
	"strings"

	"pinch/value"
)

// Rows asks for rows: numbers and texts, nil for NULL.
func (d *DB) Rows(c context.Context, query string, args ...any) (cols []string, rows [][]any, err error) {
	r, err := d.DB.QueryContext(c, query, args...)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = r.Close() }()
	types, err := r.ColumnTypes()
	if err != nil {
		return nil, nil, err
	}
	for _, t := range types {
		cols = append(cols, t.Name())
	}
	for r.Next() {
		row := make([]any, len(types))
		into := make([]any, len(types))
		for i := range row {
			into[i] = &row[i]
		}
		if err := r.Scan(into...); err != nil {
			return nil, nil, err
		}
		for i := range row {
			row[i] = plain(row[i], types[i])
		}
		rows = append(rows, row)
	}
	return cols, rows, r.Err()
}

// plain is a column as a value.
func plain(v any, t *sql.ColumnType) any {
	switch v := v.(type) {
	case []byte:
		return number(string(v), t.DatabaseTypeName())
	case string:
		return number(v, t.DatabaseTypeName())
	case uint64:
		return int64(v)
	case float32:
		return float64(v)
	case int64, float64, nil:
		return v
	}
	return value.Of(v)
}

func number(text, kind string) any {
	switch {
	case strings.Contains(kind, "INT") || kind == "YEAR":
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n
		}
	case kind == "FLOAT" || kind == "DOUBLE":
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return f
		}
	}
	return text
}

// Maps are the rows by column.
func Maps(cols []string, rows [][]any) *value.List {
	l := value.L()
	for _, row := range rows {
		m := value.NewMap(len(cols))
		for i, name := range cols {
			m.Set(name, row[i])
		}
		l.Append(m)
	}
	return l
}

// Quote writes a name as an identifier; with pattern in the form that GRANT
// takes for a database, where an underscore stands for any character.
func Quote(name string, pattern bool) string {
	name = strings.ReplaceAll(name, "`", "``")
	if pattern {
		name = strings.ReplaceAll(name, "_", `\_`)
	}
	return "`" + name + "`"
}

// AtLeast compares a server's version, of which leading numbers count.
func AtLeast(version string, want ...int) bool {
	for _, w := range want {
		digits := strings.IndexFunc(version, func(r rune) bool { return r < '0' || r > '9' })
		if digits < 0 {
			digits = len(version)
		}
		n, _ := strconv.Atoi(version[:digits])
		if n != w {
			return n > w
		}
		version = strings.TrimPrefix(version[digits:], ".")
	}
	return true
}
