package apply

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
)

// Sizes of the picture in pixels.
const (
	boxHeight = 38
	rowHeight = 84
	boxGap    = 18
	charWidth = 7
	margin    = 16
)

// A box is one state in the picture.
type box struct {
	x, w, row int
	lines     [2]string
}

// SVG is the graph as a picture: a row for each step of the longest chain of
// requisites, what comes first on top.
func (pl *Plan) SVG() string {
	chunks, at := pl.numbered()
	edges := pl.Edges()
	boxes := layout(chunks, at, edges)
	width, rows := 0, 0
	for _, b := range boxes {
		width, rows = max(width, b.x+b.w), max(rows, b.row+1)
	}
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="monospace" font-size="11">`+"\n", width+margin, rows*rowHeight+margin)
	out.WriteString(`<defs><marker id="a" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="#667"/></marker></defs>` + "\n")
	for _, e := range edges {
		from, to := boxes[at[e.From]], boxes[at[e.To]]
		x1, y1, x2, y2 := from.x+from.w/2, from.top()+boxHeight, to.x+to.w/2, to.top()
		fmt.Fprintf(&out, `<path d="M%d %dC%d %d %d %d %d %d" fill="none" stroke="%s" marker-end="url(#a)"><title>%s</title></path>`+"\n",
			x1, y1, x1, y1+30, x2, y2-30, x2, y2, edgeColor(e.Kind), e.Kind)
	}
	for _, b := range boxes {
		fmt.Fprintf(&out, `<rect x="%d" y="%d" width="%d" height="%d" rx="4" fill="#eef2fa" stroke="#446"/>`, b.x, b.top(), b.w, boxHeight)
		for i, l := range b.lines {
			fmt.Fprintf(&out, `<text x="%d" y="%d" fill="#223">%s</text>`, b.x+7, b.top()+15+16*i, escaped(l))
		}
		out.WriteByte('\n')
	}
	out.WriteString("</svg>\n")
	return out.String()
}

func (b box) top() int { return margin + b.row*rowHeight }

func edgeColor(k Kind) string {
	switch k {
	case Watch, WatchAny:
		return "#2a7"
	case Onchanges, OnchangesAny:
		return "#27a"
	case Onfail, OnfailAny, OnfailAll:
		return "#c33"
	case Prereq:
		return "#a5a"
	}
	return "#667"
}

func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder does not fail
	return b.String()
}

// layout puts each chunk below all that it depends on, and in its row near
// those. Chunks come in the order of the run, so one pass settles the rows.
func layout(chunks []*Chunk, at map[*Chunk]int, edges []Edge) []box {
	above := make([][]int, len(chunks))
	for _, e := range edges {
		above[at[e.To]] = append(above[at[e.To]], at[e.From])
	}
	boxes := make([]box, len(chunks))
	var rows [][]int
	for i, ch := range chunks {
		b := &boxes[i]
		b.lines = [2]string{ch.State + "." + ch.Fun, ch.label()}
		b.w = charWidth*max(len(b.lines[0]), len([]rune(b.lines[1]))) + 14
		for _, j := range above[i] {
			b.row = max(b.row, boxes[j].row+1)
		}
		for len(rows) <= b.row {
			rows = append(rows, nil)
		}
		rows[b.row] = append(rows[b.row], i)
	}
	for _, row := range rows {
		middle := make(map[int]int, len(row))
		for n, i := range row {
			sum := 0
			for _, j := range above[i] {
				sum += boxes[j].x + boxes[j].w/2
			}
			if len(above[i]) > 0 {
				middle[i] = sum / len(above[i])
			} else {
				middle[i] = n
			}
		}
		slices.SortStableFunc(row, func(a, b int) int { return middle[a] - middle[b] })
		x := margin
		for _, i := range row {
			boxes[i].x = max(x, middle[i]-boxes[i].w/2)
			if len(above[i]) == 0 {
				boxes[i].x = x
			}
			x = boxes[i].x + boxes[i].w + boxGap
		}
	}
	return boxes
}
