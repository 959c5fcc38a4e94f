package filters

import (
	"slices"

	"pinch/render/jinja"
	"pinch/value"
	"pinch/value/py"
)

func batch(_ *jinja.Call, a []any) (any, error) {
	var it py.Iterator
	var end bool
	var held []any // the first item of the next row
	return py.NewGenerator("do_batch", func() (any, bool, error) {
		if it == nil {
			var err error
			if it, err = py.Iterate(a[0]); err != nil {
				return nil, false, err
			}
		}
		row := &value.List{Items: held}
		held = nil
		for !end {
			v, ok, err := it.Next()
			if err != nil {
				return nil, false, err
			}
			if end = !ok; end {
				break
			}
			if value.Equal(int64(row.Len()), a[1]) {
				held = []any{v}
				return row, true, nil
			}
			row.Append(v)
		}
		if row.Len() == 0 {
			return nil, false, nil
		}
		if a[2] != nil {
			n, err := py.AsIndex(a[1])
			if err != nil {
				return nil, false, err
			}
			for int64(row.Len()) < min(n, py.MaxBytes/16) {
				row.Append(a[2])
			}
		}
		return row, true, nil
	}), nil
}

func slice(_ *jinja.Call, a []any) (any, error) {
	var items []any
	var n, i, from int
	started := false
	return py.NewGenerator("sync_do_slice", func() (any, bool, error) {
		if !started {
			started = true
			var err error
			if items, err = py.Items(a[0]); err != nil {
				return nil, false, err
			}
			x, err := py.AsIndex(a[1])
			if err != nil {
				return nil, false, value.Errorf("TypeError", "unsupported operand type(s) for //: 'int' and '%s'", py.TypeName(a[1]))
			}
			if x == 0 {
				return nil, false, value.Errorf("ZeroDivisionError", "integer division or modulo by zero")
			}
			n = int(x)
		}
		if i >= n {
			return nil, false, nil
		}
		size, extra := len(items)/n, len(items)%n
		full := i < extra
		if full {
			size++
		}
		row := value.L(slices.Clone(items[from : from+size])...)
		if a[2] != nil && !full {
			row.Append(a[2])
		}
		from += size
		i++
		return row, true, nil
	}), nil
}
