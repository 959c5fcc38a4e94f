package render

import (
	"errors"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"pinch/diag"
	"pinch/salt"
	"pinch/value"
)

// tomlEngine reads TOML 1.0. Tables keep the order of their keys.
func tomlEngine(_ *Renderer, _ *salt.Ctx, s *stage, _ string) error {
	v, err := LoadTOML(s.text)
	if err != nil {
		pos := diag.Pos{File: s.t.Place()}
		var d *toml.DecodeError
		if errors.As(err, &d) {
			pos = s.pos(d.Position())
		}
		return fail(s.t, "toml", pos, "", err.Error())
	}
	s.data = &salt.Data{Value: v}
	return nil
}

// LoadTOML reads a TOML document as a map.
func LoadTOML(text string) (*value.Map, error) {
	var raw map[string]any
	if err := toml.Unmarshal([]byte(text), &raw); err != nil {
		return nil, err
	}
	return ordered(raw, keyOrder(text), ""), nil
}

// keyOrder numbers the dotted keys of a document in order of appearance: the
// decoder gives unordered Go maps.
func keyOrder(text string) map[string]int {
	order := map[string]int{}
	note := func(key string) {
		if _, ok := order[key]; !ok {
			order[key] = len(order)
		}
	}
	var p unstable.Parser
	p.Reset([]byte(text))
	table := ""
	for p.NextExpression() {
		e := p.Expression()
		name := table
		if e.Kind != unstable.KeyValue {
			name = ""
		}
		for it := e.Key(); it.Next(); {
			name += "\x00" + string(it.Node().Data)
			note(name)
		}
		if e.Kind != unstable.KeyValue {
			table = name
		} else {
			inline(e.Value(), name, note)
		}
	}
	return order
}

func inline(n *unstable.Node, name string, note func(string)) {
	it := n.Children()
	for it.Next() {
		c := it.Node()
		if c.Kind == unstable.KeyValue {
			sub := name
			for k := c.Key(); k.Next(); {
				sub += "\x00" + string(k.Node().Data)
				note(sub)
			}
			inline(c.Value(), sub, note)
		} else if c.Kind == unstable.InlineTable || c.Kind == unstable.Array {
			inline(c, name, note)
		}
	}
}

func ordered(raw map[string]any, order map[string]int, at string) *value.Map {
	keys := value.Of(raw).(*value.Map).Keys()
	m := value.NewMap(len(keys))
	for range keys {
		best := -1
		for i, k := range keys {
			if k != nil && (best < 0 || order[at+"\x00"+k.(string)] < order[at+"\x00"+keys[best].(string)]) {
				best = i
			}
		}
		k := keys[best].(string)
		keys[best] = nil
		m.Set(k, tomlValue(raw[k], order, at+"\x00"+k))
	}
	return m
}

func tomlValue(v any, order map[string]int, at string) any {
	switch v := v.(type) {
	case map[string]any:
		return ordered(v, order, at)
	case []any:
		l := new(value.List)
		for _, it := range v {
			l.Append(tomlValue(it, order, at))
		}
		return l
	case toml.LocalDate:
		return value.Date{Time: v.AsTime(time.Local)}
	case toml.LocalDateTime:
		return v.AsTime(time.Local)
	case toml.LocalTime:
		return v.String()
	}
	return value.Of(v)
}
