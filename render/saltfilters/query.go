package saltfilters

import (
	"pinch/render/jinja"
	"pinch/value/jmespath"
	"pinch/value/py"
)

func jsonQuery(_ *jinja.Call, a []any) (any, error) {
	expr, ok := py.Text(a[1])
	if !ok {
		return nil, typeError("'%s' object is not subscriptable", py.TypeName(a[1]))
	}
	return jmespath.Search(expr, py.Plain(a[0]))
}
