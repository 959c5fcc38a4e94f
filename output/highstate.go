package output

import (
	"strings"

	"pinch/value"
)

// highstate prints the results of a state run: each state, then the counts.
// Compile errors are a list in red; other data fall back to nested.
func highstate(data any, o *Options) (string, error) {
	h := run{o: o, c: o.colors()}
	return h.output(data, 1)
}

// A run prints the results of one call.
type run struct {
	o *Options
	c *palette
}

func (h *run) output(data any, level int) (string, error) {
	hosts, err := unwrap(data)
	if err != nil {
		return "", err
	}
	switch hosts := hosts.(type) {
	case nil:
		return "None", nil
	case string:
		return hosts, nil
	case *value.Map:
		if hosts, err = h.withoutRetcode(hosts); err != nil {
			return "", err
		}
		if h.o.StateCompress {
			hosts = h.compress(hosts)
		}
		var b strings.Builder
		for name, states := range hosts.All() {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			text, _, err := h.host(name, states, level)
			if err != nil {
				return "", err
			}
			b.WriteString(text)
		}
		if b.Len() == 0 {
			h.o.logger().Error("Data passed to highstate outputter is not a valid highstate return: " + value.Str(hosts))
		}
		return b.String(), nil
	}
	return "", attribute(data, "keys")
}

// unwrap takes off the envelopes that jobs and orchestration put around the
// results: return, data, and {id: {jid, fun, return}}.
func unwrap(data any) (any, error) {
	if m, ok := data.(*value.Map); ok && m.Has("return") {
		data = m.At("return")
	}
	if m, ok := data.(*value.Map); ok && m.Has("data") {
		data = m.At("data")
	}
	m, ok := data.(*value.Map)
	if !ok || m.Len() != 1 {
		return data, nil
	}
	for _, only := range m.All() {
		job, ok := only.(*value.Map)
		if !ok || !job.Has("jid") || !job.Has("fun") {
			break
		}
		ret, ok := job.Get("return")
		if !ok {
			break
		}
		r, ok := ret.(*value.Map)
		if !ok {
			return nil, attribute(ret, "get")
		}
		if inner, ok := r.Get("data"); ok {
			return inner, nil
		}
	}
	return data, nil
}

// withoutRetcode drops the retcode that stands beside the one NAME_master of
// an orchestration.
func (h *run) withoutRetcode(m *value.Map) (*value.Map, error) {
	masters := 0
	for k := range m.All() {
		s, ok := k.(string)
		if !ok {
			return nil, attribute(k, "endswith")
		}
		if strings.HasSuffix(s, "_master") {
			masters++
		}
	}
	if masters != 1 || !m.Has("retcode") {
		return m, nil
	}
	m = m.Shallow()
	m.Pop("retcode")
	return m, nil
}

// host prints what one minion returned and reports whether anything changed.
func (h *run) host(name, data any, level int) (string, bool, error) {
	p := page{run: h, level: level, color: h.c[green]}
	switch data := data.(type) {
	case bool, int64:
		p.changes = 1
		p.line(h.c[green], "    "+value.Str(data))
		p.color = h.c[cyan]
	case string:
		p.changes = 1
		for _, line := range lines(data, false) {
			p.line(h.c[green], "    "+line)
		}
		p.color = h.c[cyan]
	case *value.List:
		p.color = h.c[lightRed]
		p.compileErrors(data)
	case *value.Map:
		if err := p.states(data); err != nil {
			return "", false, err
		}
		p.summary(value.Str(name))
	}
	title := value.Str(name)
	if h.o.StripColors {
		title = noEscapes(title)
	}
	text := p.color + title + ":" + h.c[endc] + p.head + "\n" + string(p.b)
	return strings.TrimSuffix(text, "\n"), p.changes > 0, nil
}

// A page is the text of one minion, in the making.
type page struct {
	*run
	b       []byte
	head    string // before everything else: what is wrong with the data
	level   int    // depth in an orchestration, from 1
	color   string // of the minion's name
	changes int
	counts  counts
	spent   float64 // ms, of states that ran one after the other
	longest float64 // ms, of those that ran in parallel
	any     bool    // a parallel state was there
}

func (p *page) line(color, text string) {
	p.b = append(p.b, color...)
	p.b = append(p.b, text...)
	p.b = append(p.b, p.c[endc]...)
	p.b = append(p.b, '\n')
}

func (p *page) compileErrors(errors *value.List) {
	p.b = append(p.b, "    "...)
	p.line(p.color, "Data failed to compile:")
	for _, e := range errors.Items {
		text := value.Str(e)
		if p.o.StripColors {
			text = noEscapes(text)
		}
		p.line(p.color, "----------\n    "+text)
	}
}

// states prints the results in the order in which they ran.
func (p *page) states(m *value.Map) error {
	var shown []any
	for tag, v := range m.All() {
		ret, ok := v.(*value.Map)
		if !ok {
			continue
		}
		if ret.Len() > 0 && !ret.Has("__run_num__") && tag != "changes" {
			p.head = "\nThe State execution failed to record the order in which all states were executed. The state return missing data is:\n" +
				pformat(ret, 1) + p.head
		}
		if ret.Has("result") {
			shown = append(shown, tag)
		}
	}
	err := sortValues(shown, func(tag any) any {
		v, _ := m.GetKey(tag)
		if n, ok := v.(*value.Map).Get("__run_num__"); ok {
			return n
		}
		return int64(0)
	})
	if err != nil {
		return err
	}
	for _, tag := range shown {
		v, _ := m.GetKey(tag)
		name, ok := tag.(string)
		if !ok {
			return attribute(tag, "split")
		}
		if err := p.state(name, v.(*value.Map)); err != nil {
			return err
		}
	}
	return nil
}

func attribute(v any, name string) error {
	return value.Errorf("AttributeError", "'%s' object has no attribute '%s'", value.TypeName(v), name)
}

func missing(key string) error { return value.Errorf("KeyError", "'%s'", key) }
