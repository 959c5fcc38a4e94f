package render

import (
	"sync"

	"pinch/render/jinja"
	"pinch/render/jinja/filters"
)

var tables = sync.OnceValue(func() [2]map[string]jinja.Func {
	fs, tests := filters.Builtin()
	return [2]map[string]jinja.Func{fs, tests}
})

// filterTable are all filters by name.
func filterTable() map[string]jinja.Func { return tables()[0] }

// testTable are all tests by name.
func testTable() map[string]jinja.Func { return tables()[1] }
