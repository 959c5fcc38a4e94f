package cli

import (
	"pinch/salt"
	"pinch/value"
)

// customOutput finds the outputters of custom modules.
func customOutput(c *salt.Ctx) func(name string) func(any) (string, error) {
	return func(name string) func(any) (string, error) {
		cu := c.Run.Custom
		if cu == nil || name == "" || !cu.Has(c, "output", name) {
			return nil
		}
		return func(data any) (string, error) {
			v, err := cu.Call(c, "output", name, "output", []any{data}, value.M("_retcode", int64(c.Run.Retcode())))
			if err != nil {
				return "", failure(c, "output "+name, err)
			}
			text, ok := v.(string)
			if !ok {
				return "", value.Errorf("TypeError", "the outputter %s gave a %s, not a text", name, value.TypeName(v))
			}
			return text, nil
		}
	}
}
