package output

import (
	"strings"
	"unicode/utf8"

	"pinch/value"
)

// tableSettings are the options that begin with "out.table.".
var tableSettings = []string{"nested_indent", "rows_key", "labels_key", "title",
	"has_header", "row_delimiter", "delim", "justify", "separate_rows", "prefix", "suffix", "width"}

// table prints lists of maps, lists or strings as tables, each under its key.
// With rows_key only the lists under that key are shown.
func table(data any, o *Options) (string, error) {
	t := grid{c: o.colors(), header: true, rule: "-", delim: " | ", prefix: "| ", suffix: " |", separate: true, width: 50, justify: "center"}
	indent := 0
	if s := o.Table; s != nil {
		t.rows, t.labels = s.Str("rows_key"), s.Str("labels_key")
		indent = t.read(s)
		if title := s.Str("title"); title != "" && t.rows != "" {
			t.line(indent, "", title+t.c[white], "\n")
		}
	}
	if err := t.display(data, indent); err != nil {
		return "", err
	}
	return t.b.String(), nil
}

type grid struct {
	b            strings.Builder
	c            *palette
	rows, labels string // keys to look for; "" when everything is shown
	header       bool
	separate     bool // a rule between rows
	rule, delim  string
	prefix       string
	suffix       string
	justify      string
	width        int // of a column, at most
}

// read takes the settings that differ and returns the indentation.
func (t *grid) read(s *value.Map) int {
	text := func(name string, to *string) {
		if v, ok := s.At(name).(string); ok && v != "" {
			*to = v
		}
	}
	text("row_delimiter", &t.rule)
	text("delim", &t.delim)
	text("prefix", &t.prefix)
	text("suffix", &t.suffix)
	text("justify", &t.justify)
	if v, ok := s.Get("has_header"); ok && v != nil {
		t.header = value.Truth(v)
	}
	if v, ok := s.Get("separate_rows"); ok && v != nil {
		t.separate = value.Truth(v)
	}
	if n, ok := s.At("width").(int64); ok {
		t.width = int(n)
	}
	n, _ := s.At("nested_indent").(int64)
	return int(n)
}

func (t *grid) line(indent int, color, text, suffix string) {
	t.b.WriteString(strings.Repeat(" ", max(0, indent)) + color + text + t.c[endc] + suffix + "\n")
}

func items(v any) ([]any, bool) {
	switch v := v.(type) {
	case *value.List:
		return v.Items, true
	case value.Tuple:
		return v, true
	}
	return nil, false
}

func (t *grid) display(v any, indent int) error {
	m, ok := v.(*value.Map)
	if !ok {
		if rows, ok := items(v); ok && t.rows == "" {
			return t.table(rows, nil, indent)
		}
		return nil
	}
	keys, err := sortedKeys(m)
	if err != nil {
		return err
	}
	found := t.rows == "" || m.Has(t.rows)
	for _, k := range keys {
		v, _ := m.GetKey(k)
		switch {
		case !found:
			err = t.display(v, indent)
		case t.rows != "" && k != any(t.rows):
			continue
		default:
			if t.rows == "" {
				t.line(indent, t.c[darkGray], value.Str(k), ":")
				t.line(indent, t.c[darkGray], "----------", "")
			}
			rows, ok := items(v)
			if !ok {
				err = t.display(v, indent+4)
				break
			}
			var labels any
			if t.labels != "" {
				labels = m.At(t.labels)
			}
			err = t.table(rows, labels, indent)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// table prints rows of one type; mixed rows are not shown.
func (t *grid) table(rows []any, labels any, indent int) error {
	if len(rows) == 0 {
		return nil
	}
	for _, r := range rows {
		if value.TypeName(r) != value.TypeName(rows[0]) {
			return nil
		}
	}
	head, err := headings(labels)
	if err != nil {
		return err
	}
	var all [][]string
	for i, r := range rows {
		row, names, err := cells(r)
		if err != nil {
			return err
		}
		if i == 0 && len(head) == 0 {
			head = names
		}
		all = append(all, row)
	}
	if len(head) > 0 {
		all = append([][]string{head}, all...)
	}
	t.draw(all, indent+4, t.header && len(head) > 0)
	return nil
}

func headings(labels any) ([]string, error) {
	list, ok := items(labels)
	if m, isMap := labels.(*value.Map); isMap {
		keys, err := sortedKeys(m)
		if err != nil {
			return nil, err
		}
		for _, k := range keys {
			v, _ := m.GetKey(k)
			list = append(list, v)
		}
	} else if !ok {
		return nil, nil
	}
	return texts(list)
}

// texts are cells that must be strings already.
func texts(list []any) ([]string, error) {
	out := make([]string, len(list))
	for i, it := range list {
		s, ok := it.(string)
		if !ok {
			return nil, attribute(it, "split")
		}
		out[i] = s
	}
	return out, nil
}

// cells are the texts of one row; of a map also the headings.
func cells(row any) (out, names []string, err error) {
	switch row := row.(type) {
	case string:
		return []string{row}, nil, nil
	case *value.Map:
		keys, err := sortedKeys(row)
		if err != nil {
			return nil, nil, err
		}
		for _, k := range keys {
			v, _ := row.GetKey(k)
			out = append(out, value.Str(v))
			names = append(names, title(strings.ReplaceAll(value.Str(k), "_", " ")))
		}
		return out, names, nil
	}
	list, ok := items(row)
	if !ok {
		return nil, nil, value.Errorf("TypeError", "'%s' object is not iterable", value.TypeName(row))
	}
	out, err = texts(list)
	return out, nil, err
}

// draw prints rows of cells. Of a cell that wraps, only the lines that every
// cell of the row has are shown, as in Salt.
func (t *grid) draw(rows [][]string, indent int, header bool) {
	wrapped := make([][][]string, len(rows)) // row, line, column
	var widths []int
	for i, row := range rows {
		wrapped[i] = t.wrapRow(row)
		for _, line := range wrapped[i] {
			if widths == nil {
				widths = make([]int, len(line))
			}
			widths = widths[:min(len(widths), len(line))]
			for c := range widths {
				widths[c] = max(widths[c], utf8.RuneCountInString(line[c]))
			}
		}
	}
	size := utf8.RuneCountInString(t.prefix + t.suffix)
	for _, w := range widths {
		size += w
	}
	size += utf8.RuneCountInString(t.delim) * (len(widths) - 1)
	rule := strings.Repeat(t.rule, max(0, size))
	if t.separate {
		t.line(indent, t.c[lightGray], rule, "")
	}
	for _, row := range wrapped {
		for _, line := range row {
			cells := make([]string, min(len(line), len(widths)))
			for c := range cells {
				cells[c] = t.justified(line[c], widths[c])
			}
			t.line(indent, t.c[white], t.prefix+strings.Join(cells, t.delim)+t.suffix, "")
		}
		if t.separate || header {
			t.line(indent, t.c[lightGray], rule, "")
			header = false
		}
	}
}

func (t *grid) wrapRow(row []string) [][]string {
	var columns [][]string
	height := -1
	for _, cell := range row {
		column := strings.Split(t.wrap(cell), "\n")
		columns = append(columns, column)
		if height < 0 || len(column) < height {
			height = len(column)
		}
	}
	var out [][]string
	for i := range max(0, height) {
		line := make([]string, len(columns))
		for c := range columns {
			line[c] = columns[c][i]
		}
		out = append(out, line)
	}
	return out
}

// wrap breaks text between words where a line would reach the width.
func (t *grid) wrap(text string) string {
	words := strings.Split(text, " ")
	out := words[0]
	for _, w := range words[1:] {
		first, _, _ := strings.Cut(w, "\n")
		line := out[strings.LastIndexByte(out, '\n')+1:]
		if utf8.RuneCountInString(line)+utf8.RuneCountInString(first) >= t.width {
			out += "\n" + w
		} else {
			out += " " + w
		}
	}
	return out
}

func (t *grid) justified(s string, width int) string {
	switch strings.ToLower(t.justify) {
	case "right":
		return padLeft(s, width)
	case "left":
		return padRight(s, width)
	}
	free := max(0, width-utf8.RuneCountInString(s))
	left := free/2 + free&width&1
	return strings.Repeat(" ", left) + s + strings.Repeat(" ", free-left)
}
