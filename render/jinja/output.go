package jinja

import (
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"pinch/diag"
	"pinch/value"
)

// An Output is the text of one render.
type Output struct {
	Text  string
	segs  []segment
	tmpls []*Template // what segments refer to
	lines []diag.Pos  // made at the first Line
}

// A segment says where a part of the output comes from. It is noted when a
// line begins with the part, or the part holds line ends. It has no pointers,
// because there are many of them.
type segment struct {
	out  int32  // offset in the output
	off  int32  // offset in the template
	t    uint16 // which template
	data bool   // template data: its lines are lines of the template
}

// Line gives the template line that output line n (from 1) comes from, with
// the file it is in. Macros, imports and includes are seen through; a line of
// a printed value has the place of the print.
func (o *Output) Line(n int) diag.Pos {
	if o.lines == nil {
		o.lines = o.lineMap()
	}
	if n < 1 || n > len(o.lines) {
		return diag.Pos{}
	}
	return o.lines[n-1]
}

// Lines is Line for all lines.
func (o *Output) Lines() []diag.Pos {
	o.Line(1)
	return o.lines
}

func (o *Output) lineMap() []diag.Pos {
	lines := make([]diag.Pos, 0, strings.Count(o.Text, "\n")+1)
	k := 0
	for start := 0; ; {
		for k+1 < len(o.segs) && int(o.segs[k+1].out) <= start {
			k++
		}
		var p diag.Pos
		if k < len(o.segs) {
			s := o.segs[k]
			p = o.tmpls[s.t].pos(s.off)
			if s.data && start > int(s.out) {
				p.Line += strings.Count(o.Text[s.out:start], "\n")
			}
			p.Col = 0
		}
		lines = append(lines, p)
		nl := strings.IndexByte(o.Text[start:], '\n')
		if nl < 0 {
			return lines
		}
		start += nl + 1
	}
}

// A writer collects output.
type writer struct {
	b     strings.Builder
	track bool // note segments
	bol   bool // the next byte begins a line
	limit int
	segs  []segment
	tmpls []*Template
	cur   uint16 // which of tmpls was used last
}

func newWriter(st *State, track bool) *writer {
	return &writer{track: track, bol: true, limit: st.limits.Output}
}

// write writes the text s that comes from offset off of t.
func (w *writer) write(t *Template, off int32, s string, data bool) error {
	if s == "" {
		return nil
	}
	if w.track && (w.bol || strings.IndexByte(s, '\n') >= 0) {
		w.note(t, off, data)
		w.bol = s[len(s)-1] == '\n'
	}
	if w.b.Cap()-w.b.Len() < len(s) {
		w.b.Grow(len(s)) // doubles: long texts would else grow by quarters
	}
	w.b.WriteString(s)
	return w.tooLong()
}

func (w *writer) tooLong() error {
	if w.b.Len() > w.limit {
		return value.Errorf("MemoryError", "the template's output is longer than %d bytes", w.limit)
	}
	return nil
}

// data writes template text that stands at off.
func (w *writer) data(t *Template, off int32, s string) error { return w.write(t, off, s, true) }

// text writes the text of a value that is printed at off.
func (w *writer) text(t *Template, off int32, s string) error { return w.write(t, off, s, false) }

// number writes an int that is printed at off.
func (w *writer) number(t *Template, off int32, n int64) error {
	if w.track && w.bol {
		w.note(t, off, false)
		w.bol = false
	}
	var room [20]byte
	b := strconv.AppendInt(room[:0], n, 10)
	if w.b.Cap()-w.b.Len() < len(b) {
		w.b.Grow(len(b))
	}
	w.b.Write(b)
	return w.tooLong()
}

func (w *writer) note(t *Template, off int32, data bool) {
	if len(w.tmpls) == 0 || w.tmpls[w.cur] != t {
		i := slices.Index(w.tmpls, t)
		if i < 0 {
			if len(w.tmpls) == math.MaxUint16 {
				return
			}
			i = len(w.tmpls)
			w.tmpls = append(w.tmpls, t)
		}
		w.cur = uint16(i)
	}
	w.segs = append(w.segs, segment{int32(w.b.Len()), off, w.cur, data})
}

// lineText names the line of an offset in messages.
func (t *Template) lineText(off int32) string {
	text := "line " + strconv.Itoa(t.pos(off).Line)
	if t.src.Name != "" {
		text += " in " + value.Quote(t.src.Name)
	}
	return text
}

// pos turns a byte offset of the normalized text into a place.
func (t *Template) pos(off int32) diag.Pos {
	t.linesOnce.Do(func() {
		t.lineStarts = []int32{0}
		for i := range len(t.text) {
			if t.text[i] == '\n' {
				t.lineStarts = append(t.lineStarts, int32(i+1))
			}
		}
	})
	n := sort.Search(len(t.lineStarts), func(i int) bool { return t.lineStarts[i] > off })
	start := t.lineStarts[n-1]
	end := min(int(off), len(t.text))
	col, _ := value.Len(t.text[start:end])
	return diag.Pos{File: t.file(), Line: n, Col: col + 1}
}
