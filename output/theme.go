package output

import (
	"fmt"
	"os"

	"pinch/render/yaml"
	"pinch/value"
)

func (o *Options) theme(p *palette) {
	text, err := os.ReadFile(o.Theme)
	if err != nil {
		o.logger().Warn(fmt.Sprintf("The named theme %s if not available", o.Theme))
		return
	}
	v, err := yaml.Load(o.Theme, string(text))
	m, ok := v.(*value.Map)
	switch {
	case err != nil:
		o.logger().Warn("Failed to read the color theme " + o.Theme)
		return
	case !ok:
		o.logger().Warn(fmt.Sprintf("The theme file %s is not a dict", o.Theme))
		return
	}
	for i, n := range colorNames {
		if code, ok := m.Get(n); ok {
			p[i] = "\x1b[" + value.Str(code) + "m"
		}
	}
}
