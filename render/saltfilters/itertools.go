package saltfilters

import (
	"slices"

	"pinch/render/jinja"
	"pinch/value"
	"pinch/value/py"
)

// addItertools adds zip and the functions of Python's itertools. All give
// one-shot iterators that work as they are read.
func addItertools(fs map[string]jinja.Func) {
	for name, f := range map[string]func(c *jinja.Call) (any, error){
		"zip": zip, "zip_longest": zipLongest, "product": product, "permutations": permutations,
		"combinations": combinations(false), "combinations_with_replacement": combinations(true), "compress": compress,
	} {
		fs[name] = func(c *jinja.Call) (any, error) {
			if u := undefinedOf(c, c.Args[0]); u != nil {
				return u, nil
			}
			return f(c)
		}
	}
}

// keywords checks the names of keyword arguments.
func keywords(c *jinja.Call, fn string, allowed ...string) error {
	for k := range c.Kwargs.Items() {
		if !slices.Contains(allowed, k) {
			return typeError("'%s' is an invalid keyword argument for %s()", k, fn)
		}
	}
	return nil
}

func iterators(args []any) ([]py.Iterator, error) {
	its := make([]py.Iterator, len(args))
	for i, a := range args {
		var err error
		if its[i], err = py.Iterate(a); err != nil {
			return nil, err
		}
	}
	return its, nil
}

func zip(c *jinja.Call) (any, error) {
	if err := keywords(c, "zip", "strict"); err != nil {
		return nil, err
	}
	its, err := iterators(c.Args)
	if err != nil {
		return nil, err
	}
	exact := c.Kwargs.Truth("strict")
	done := false
	return py.NewIterator("zip", func() (any, bool, error) {
		t := make(value.Tuple, len(its))
		for i, it := range its {
			if done {
				return nil, false, nil
			}
			v, ok, err := it.Next()
			if err != nil {
				return nil, false, err
			}
			if !ok {
				done = true
				if exact {
					return nil, false, unequal(its, i)
				}
				return nil, false, nil
			}
			t[i] = v
		}
		return t, true, c.State.Step()
	}), nil
}

// unequal is the error of zip(strict=True) when iterator i ended first, if any
// other goes on.
func unequal(its []py.Iterator, i int) error {
	before := func(n int) string {
		if n == 1 {
			return "argument 1"
		}
		return "arguments 1-" + value.Str(int64(n))
	}
	if i > 0 {
		return value.Errorf("ValueError", "zip() argument %d is shorter than %s", i+1, before(i))
	}
	for j := 1; j < len(its); j++ {
		if _, more, err := its[j].Next(); more || err != nil {
			return value.Errorf("ValueError", "zip() argument %d is longer than %s", j+1, before(j))
		}
	}
	return nil
}

func zipLongest(c *jinja.Call) (any, error) {
	if err := keywords(c, "zip_longest", "fillvalue"); err != nil {
		return nil, err
	}
	its, err := iterators(c.Args)
	if err != nil {
		return nil, err
	}
	fill := c.Kwargs.At("fillvalue")
	return py.NewIterator("itertools.zip_longest", func() (any, bool, error) {
		t := make(value.Tuple, len(its))
		any := false
		for i, it := range its {
			v, ok, err := it.Next()
			if err != nil {
				return nil, false, err
			}
			if t[i] = fill; ok {
				t[i], any = v, true
			}
		}
		return t, any, c.State.Step()
	}), nil
}

// places makes an iterator of tuples from one that steps through places in
// pools; step reports whether there are more.
func places(c *jinja.Call, name string, pool func(i int) []any, at []int, step func() bool) any {
	first, done := true, false
	return py.NewIterator(name, func() (any, bool, error) {
		if !first && !done {
			done = !step()
		}
		first = false
		if done {
			return nil, false, nil
		}
		t := make(value.Tuple, len(at))
		for i, p := range at {
			t[i] = pool(i)[p]
		}
		return t, true, c.State.Step()
	})
}

func product(c *jinja.Call) (any, error) {
	if err := keywords(c, "product", "repeat"); err != nil {
		return nil, err
	}
	repeat := int64(1)
	if v, ok := c.Kwargs.Get("repeat"); ok {
		var err error
		if repeat, err = py.AsIndex(v); err != nil {
			return nil, err
		}
		if repeat < 0 {
			return nil, value.Errorf("ValueError", "repeat argument cannot be negative")
		}
	}
	if repeat > 10000 {
		return nil, &value.Exception{Class: "MemoryError"}
	}
	var pools [][]any
	for _, a := range c.Args {
		items, err := py.Items(a)
		if err != nil {
			return nil, err
		}
		pools = append(pools, slices.Clone(items))
	}
	pools = slices.Repeat(pools, int(repeat))
	at := make([]int, len(pools))
	for _, p := range pools {
		if len(p) == 0 {
			return py.NewIterator("itertools.product", py.SliceIter(nil).Next), nil
		}
	}
	return places(c, "itertools.product", func(i int) []any { return pools[i] }, at, func() bool {
		for i := len(at) - 1; i >= 0; i-- {
			if at[i]++; at[i] < len(pools[i]) {
				return true
			}
			at[i] = 0
		}
		return false
	}), nil
}

// pick reads (iterable, r) for permutations and combinations.
func pick(c *jinja.Call, fn string, need bool) (pool []any, r int, err error) {
	if err := keywords(c, fn, "r"); err != nil {
		return nil, 0, err
	}
	if len(c.Args) > 2 {
		return nil, 0, typeError("%s() takes at most 2 arguments (%d given)", fn, len(c.Args)+c.Kwargs.Len())
	}
	n, given := c.Kwargs.Get("r")
	if len(c.Args) == 2 {
		n, given = c.Args[1], true
	}
	if !given && need {
		return nil, 0, typeError("%s() missing required argument 'r' (pos 2)", fn)
	}
	items, err := py.Items(c.Args[0])
	if err != nil {
		return nil, 0, err
	}
	pool = slices.Clone(items)
	if n == nil && !need {
		return pool, len(pool), nil
	}
	if _, ok := n.(int64); !ok && !need {
		return nil, 0, typeError("Expected int as r")
	}
	k, err := py.AsIndex(n)
	switch {
	case err != nil:
		return nil, 0, err
	case k < 0:
		return nil, 0, value.Errorf("ValueError", "r must be non-negative")
	}
	return pool, int(min(k, 1<<20)), nil
}

func permutations(c *jinja.Call) (any, error) {
	pool, r, err := pick(c, "permutations", false)
	if err != nil {
		return nil, err
	}
	n := len(pool)
	if r > n {
		return py.NewIterator("itertools.permutations", py.SliceIter(nil).Next), nil
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	cycles := make([]int, r)
	for i := range cycles {
		cycles[i] = n - i
	}
	return places(c, "itertools.permutations", func(int) []any { return pool }, order[:r], func() bool {
		for i := r - 1; i >= 0; i-- {
			if cycles[i]--; cycles[i] > 0 {
				j := n - cycles[i]
				order[i], order[j] = order[j], order[i]
				return true
			}
			first := order[i]
			copy(order[i:], order[i+1:])
			order[n-1] = first
			cycles[i] = n - i
		}
		return false
	}), nil
}

func combinations(replace bool) func(c *jinja.Call) (any, error) {
	name := "combinations"
	if replace {
		name = "combinations_with_replacement"
	}
	return func(c *jinja.Call) (any, error) {
		pool, r, err := pick(c, name, true)
		if err != nil {
			return nil, err
		}
		n := len(pool)
		if !replace && r > n || replace && n == 0 && r > 0 {
			return py.NewIterator("itertools."+name, py.SliceIter(nil).Next), nil
		}
		at := make([]int, r)
		for i := range at {
			if !replace {
				at[i] = i
			}
		}
		return places(c, "itertools."+name, func(int) []any { return pool }, at, func() bool {
			for i := r - 1; i >= 0; i-- {
				limit := n - 1
				if !replace {
					limit = i + n - r
				}
				if at[i] == limit {
					continue
				}
				at[i]++
				for j := i + 1; j < r; j++ {
					at[j] = at[j-1]
					if !replace {
						at[j]++
					}
				}
				return true
			}
			return false
		}), nil
	}
}

func compress(c *jinja.Call) (any, error) {
	if err := keywords(c, "compress", "selectors"); err != nil {
		return nil, err
	}
	args := c.Args
	if v, ok := c.Kwargs.Get("selectors"); ok {
		args = append(args, v)
	}
	switch {
	case len(args) < 2:
		return nil, typeError("compress() missing required argument 'selectors' (pos 2)")
	case len(args) > 2:
		return nil, typeError("compress() takes at most 2 arguments (%d given)", len(args))
	}
	its, err := iterators(args)
	if err != nil {
		return nil, err
	}
	return py.NewIterator("itertools.compress", func() (any, bool, error) {
		for {
			v, ok, err := its[0].Next()
			if err != nil || !ok {
				return nil, false, err
			}
			s, ok, err := its[1].Next()
			if err != nil || !ok {
				return nil, false, err
			}
			if err := c.State.Step(); err != nil {
				return nil, false, err
			}
			if value.Truth(s) {
				return v, true, nil
			}
		}
	}), nil
}
