package apply

import (
	"strings"

	"pinch/diag"
	"pinch/value"
)

// A Plan is the ordered low state, ready to run.
type Plan struct {
	// Chunks come in the order of the run. One that a prereq names comes
	// twice, the first time for its test run.
	Chunks []*Chunk

	graph    *graph
	high     *High
	disabled []*Chunk // by state.disable
	why      []string // the patterns they are disabled by
}

// Lows are the low data of all chunks.
func (pl *Plan) Lows() *value.List {
	l := &value.List{Items: make([]any, len(pl.Chunks))}
	for i, ch := range pl.Chunks {
		l.Items[i] = ch.Low
	}
	return l
}

// Dot is the dependency graph in the language of Graphviz.
func (pl *Plan) Dot() string { return pl.graph.dot() }

// Low compiles high data that went through Prepare into low chunks, in order.
func (p *Compiler) Low(h *High) (*Plan, diag.List) {
	all := p.chunks(h)
	pl := &Plan{high: h}
	if pats := p.c.Grains.List("state_runs_disabled"); pats.Len() > 0 {
		kept := all[:0]
		for _, ch := range all {
			if pat := disabledBy(ch, pats); pat != "" {
				pl.disabled = append(pl.disabled, ch)
				pl.why = append(pl.why, pat)
				continue
			}
			kept = append(kept, ch)
		}
		all = kept
	}
	return pl, p.arrange(pl, all)
}

// LowData orders chunks that come from elsewhere (state.pkg).
func (p *Compiler) LowData(lows []*value.Map) (*Plan, diag.List) {
	chunks := make([]*Chunk, len(lows))
	for i, low := range lows {
		chunks[i] = newChunk(low.Shallow())
		chunks[i].aggregate = p.mayAggregate(chunks[i], p.c.Opts.At("state_aggregate"))
	}
	pl := &Plan{high: p.empty()}
	return pl, p.arrange(pl, chunks)
}

// arrange builds the graph and sorts the chunks. The errors are requisites
// that name nothing, and a cycle.
func (p *Compiler) arrange(pl *Plan, all []*Chunk) diag.List {
	g := newGraph(len(all))
	g.hollow, g.strict = pl.high.hollow, pl.high.strict
	pl.graph = g
	for _, ch := range all {
		g.add(ch)
	}
	var errs diag.List
	limit := 1.0
	for _, ch := range all {
		p.watchIsRequire(ch)
		if text, req, k := g.addRequisites(ch, p.disabled); text != "" {
			errs = append(errs, p.badRequisite(pl.high, g, ch, text, req, k))
		} else if o := ch.order; o.ok && !o.frac && o.v > limit-1 && o.v > 0 {
			limit = o.v + 100
		}
	}
	chunks, ok := g.sort(limit)
	if !ok {
		return append(errs, p.recursion(pl.high, g))
	}
	pl.Chunks = chunks
	return errs
}

// badRequisite is the mistake of a requisite that names nothing.
func (p *Compiler) badRequisite(h *High, g *graph, ch *Chunk, text string, req any, k Kind) *diag.Diagnostic {
	var container, key any = ch.Low.List(k.String()), int64(0)
	want, mod := "", "id"
	switch r := req.(type) {
	case *value.Map:
		container, key = r, firstKey(r)
		mod, want = firstKey(r), r.Str(firstKey(r))
	case string:
		want = r
		for i, it := range items(ch.Low.At(k.String())) {
			if it == req {
				key = int64(i)
			}
		}
	}
	pos, src := h.argument(ch.Low.At("__id__"), ch.body, ch.State, container, "")
	if src != nil {
		if q := src.at(container, key); q.Line > 0 {
			pos = q
		}
	}
	d := src.mistake("requisite", pos, "%s", text)
	if mod == "sls" {
		d.Hint = diag.DidYouMean(want, g.files())
	} else if d.Hint = diag.DidYouMean(want, g.words(mod)); d.Hint == "" {
		// The right name under another module is the commonest slip.
		for _, n := range g.find("id", want) {
			if other := g.nodes[n].chunk; other.State != mod {
				d.Hint = "there is a " + other.State + " state of that name: did you mean \"" + other.State + ": " + want + "\"?"
			}
		}
		if d.Hint == "" {
			d.Hint = "a requisite names a state by its ID or name; when it stands in another SLS, include that one"
		}
	}
	return d
}

// watchIsRequire turns watch into require where the module cannot react to a
// change.
func (p *Compiler) watchIsRequire(ch *Chunk) {
	for _, w := range [...][2]string{{"watch", "require"}, {"watch_any", "require_any"}} {
		from, to := w[0], w[1]
		if !ch.Low.Has(from) || p.watcher(ch) != nil {
			continue
		}
		v, _ := ch.Low.Pop(from)
		l := value.L(append(append([]any{}, items(ch.Low.At(to))...), items(v)...)...)
		ch.Low.Set(to, l)
	}
}

// recursion is the mistake of a cycle, with its path.
func (p *Compiler) recursion(h *High, g *graph) *diag.Diagnostic {
	var parts []string
	var notes []diag.Note
	var pos diag.Pos
	var src *source
	for _, e := range g.cycle() {
		from, to := g.nodes[e.from].chunk, g.nodes[e.to].chunk
		k := e.kind
		if k == Require && !to.Low.Has("require") {
			k = Prereq // the edge that a prereq adds behind it
		}
		parts = append(parts, "("+repr(to)+", '"+k.String()+"', "+repr(from)+")")
		at, s := h.place(to.Low.At("__id__"), to.body, to.State)
		if src == nil {
			pos, src = at, s
		}
		notes = append(notes, diag.Note{Pos: at, Text: to.State + ": " + to.Name + " has " + k.String() + " on " + from.State + ": " + from.Name})
	}
	d := src.mistake("requisite", pos, "Recursive requisites were found: %s", strings.Join(parts, ", "))
	d.Notes = notes
	return d
}

func repr(ch *Chunk) string {
	m := value.M("SLS", ch.Low.At("__sls__"), "ID", ch.Low.At("__id__"))
	if ch.ID != ch.Name {
		m.Set("NAME", ch.Low.At("name"))
	}
	return value.Repr(m)
}
