package py

import (
	"fmt"

	"pinch/value"
)

// A Range is Python's range object.
type Range struct{ Start, Stop, Step int64 }

// NewRange is range(*args): stop, or start, stop and a step.
func NewRange(args ...any) (Range, error) {
	r := Range{Step: 1}
	var n [3]int64
	switch {
	case len(args) == 0:
		return r, typeError("range expected at least 1 argument, got 0")
	case len(args) > 3:
		return r, typeError("range expected at most 3 arguments, got %d", len(args))
	}
	for i, a := range args {
		var err error
		if n[i], err = AsIndex(a); err != nil {
			return r, err
		}
	}
	switch len(args) {
	case 1:
		r.Stop = n[0]
	case 3:
		if n[2] == 0 {
			return r, valueError("range() arg 3 must not be zero")
		}
		r.Step = n[2]
		fallthrough
	default:
		r.Start, r.Stop = n[0], n[1]
	}
	return r, nil
}

// Len is the number of ints.
func (r Range) Len() int {
	switch {
	case r.Step > 0 && r.Start < r.Stop:
		return int((uint64(r.Stop-r.Start)-1)/uint64(r.Step)) + 1
	case r.Step < 0 && r.Start > r.Stop:
		return int((uint64(r.Start-r.Stop)-1)/uint64(-r.Step)) + 1
	}
	return 0
}

// Truth reports whether there is any int.
func (r Range) Truth() bool { return r.Len() > 0 }

// TypeName is "range".
func (r Range) TypeName() string { return "range" }

// Repr is Python's repr.
func (r Range) Repr() string {
	if r.Step == 1 {
		return fmt.Sprintf("range(%d, %d)", r.Start, r.Stop)
	}
	return fmt.Sprintf("range(%d, %d, %d)", r.Start, r.Stop, r.Step)
}

// String is the repr.
func (r Range) String() string { return r.Repr() }

// Equal compares the ints.
func (r Range) Equal(o any) bool {
	x, ok := o.(Range)
	n := r.Len()
	return ok && n == x.Len() && (n == 0 || r.Start == x.Start && (n == 1 || r.Step == x.Step))
}

// Item is r[key].
func (r Range) Item(key any) (any, error) {
	i, err := place(key, r.Len(), "range")
	return r.Start + int64(i)*r.Step, err
}

// Contains is v in r.
func (r Range) Contains(v any) (bool, error) {
	h, err := value.HashKey(v)
	if err != nil {
		return false, nil // equal to no int
	}
	i, ok := h.(int64)
	if !ok || r.Len() == 0 {
		return false, nil
	}
	if r.Step > 0 && (i < r.Start || i >= r.Stop) || r.Step < 0 && (i > r.Start || i <= r.Stop) {
		return false, nil
	}
	return (i-r.Start)%r.Step == 0, nil
}

type rangeIter struct {
	at, step int64
	left     int
}

func (r *rangeIter) Next() (any, bool, error) {
	if r.left == 0 {
		return nil, false, nil
	}
	v := r.at
	r.left--
	r.at += r.step
	return v, true, nil
}

// Iter iterates over the ints.
func (r Range) Iter() Iterator { return &rangeIter{r.Start, r.Step, r.Len()} }

func (r Range) slice(pick func(int) (int, int, int, error)) (any, error) {
	from, to, by, err := pick(r.Len())
	return Range{r.Start + int64(from)*r.Step, r.Start + int64(to)*r.Step, r.Step * int64(by)}, err
}
