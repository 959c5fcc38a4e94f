package apply

import (
	"math/big"

	"pinch/value"
)

// A Chunk is one call of one state function: what Salt calls a low chunk.
type Chunk struct {
	// Low is the chunk as functions and state.show_low_sls see it.
	Low *value.Map

	State, Fun, ID, Name, SLS string
	// Tag names the chunk in the results: state_|-id_|-name_|-fun.
	Tag string

	order     number
	nameOrder int
	prereq    bool // its next run is the test run that a prereq asks for
	aggregate bool
	body      *value.Map

	spent map[*value.Map]bool // conditions with a function that was asked
}

// newChunk reads the names of a chunk from its low data.
func newChunk(low *value.Map) *Chunk {
	ch := &Chunk{Low: low, State: low.Str("state"), Fun: low.Str("fun"), ID: low.Str("__id__"), SLS: low.Str("__sls__")}
	ch.Name = text(low.At("name"))
	ch.Tag = ch.tag()
	ch.order = numberOf(low.At("order"))
	return ch
}

func (ch *Chunk) tag() string {
	return ch.State + "_|-" + ch.ID + "_|-" + ch.Name + "_|-" + ch.Fun
}

// with is a copy under another function and ID, for mod_watch and mod_beacon.
func (ch *Chunk) with(fun, id string) *Chunk {
	n := *ch
	n.Low = ch.Low.Shallow()
	n.Low.Set("sfun", ch.Fun)
	n.Low.Set("fun", fun)
	n.Fun, n.ID = fun, id
	n.Low.Set("__id__", id)
	n.Tag = n.tag()
	return &n
}

func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return value.Str(v)
}

// A number is the order of a chunk, if it is one.
type number struct {
	v    float64
	ok   bool
	frac bool // a Python float
}

func numberOf(v any) number {
	switch v := v.(type) {
	case int64:
		return number{float64(v), true, false}
	case bool:
		if v {
			return number{1, true, false}
		}
		return number{0, true, false}
	case float64:
		return number{v, true, true}
	case *big.Int:
		f, _ := new(big.Float).SetInt(v).Float64()
		return number{f, true, false}
	}
	return number{}
}

func (n number) value() any {
	if n.frac {
		return n.v
	}
	return int64(n.v)
}

// setOrder notes the order, also in the low data.
func (ch *Chunk) setOrder(n number) {
	ch.order = n
	ch.Low.Set("order", n.value())
}
