package render

import (
	"context"
	"net"
	"slices"
	"sync"

	"pinch/render/jinja"
	"pinch/render/jinja/filters"
	"pinch/render/saltfilters"
	"pinch/value"
)

var tables = sync.OnceValue(func() [2]map[string]jinja.Func {
	fs, tests := filters.Builtin()
	saltfilters.Add(fs, tests, filterHost)
	return [2]map[string]jinja.Func{fs, tests}
})

// filterTable are all filters by name.
func filterTable() map[string]jinja.Func { return tables()[0] }

// testTable are all tests by name.
func testTable() map[string]jinja.Func { return tables()[1] }

// filterHost is the machine as filters of a running template reach it.
func filterHost(st *jinja.State) saltfilters.Host {
	sc, ok := st.Data.(*scope)
	if !ok {
		return saltfilters.Host{}
	}
	return saltfilters.Host{
		Sys: sc.c.Sys,
		Query: func(_ context.Context, args []any, kw *value.Map) (any, error) {
			return sc.c.CallFunc(sc.c, "http.query", args, kw)
		},
		Resolve: resolve,
	}
}

// resolve gives the addresses of a name, of one family or both.
func resolve(ctx context.Context, name string, _ int64, ipv6 *bool) ([]string, error) {
	network := "ip"
	if ipv6 != nil {
		network = map[bool]string{true: "ip6", false: "ip4"}[*ipv6]
	}
	ips, err := net.DefaultResolver.LookupIP(ctx, network, name)
	var out []string
	for _, ip := range ips {
		if s := ip.String(); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out, err
}
