package output

import (
	"bytes"

	"pinch/render/yaml"
	"pinch/value"
)

// jsonText is what jsonPieces gives, in one.
func jsonText(data any, o *Options) (string, error) {
	return string(bytes.Join(jsonPieces(data, o), nil)), nil
}

// jsonPieces prints JSON: four columns a level, as --out-indent says, or on one
// line for a negative number. Values that JSON has no form for are their
// Python repr; keys that it has none for make the answer {}.
func jsonPieces(data any, o *Options) [][]byte {
	j := value.JSONOptions{Indent: 4, Default: func(v any) (any, error) { return value.Repr(v), nil }}
	if o.HasIndent {
		switch n := o.Indent.(type) {
		case nil:
			j.Indent = 0
		case int64:
			j.Indent, j.Lines = max(0, int(n)), n >= 0
		case bool:
			j.Indent, j.Lines = 0, true
			if n {
				j.Indent = 1
			}
		case string:
			if n == "pretty" {
				j.SortKeys = true
			}
		}
	}
	pieces, err := value.JSONPieces(data, j)
	if err != nil {
		o.logger().Debug("An error occurred while outputting JSON: " + err.Error())
		return [][]byte{[]byte("{}")}
	}
	return pieces
}

// yamlText prints YAML in blocks, or on one line for a negative --out-indent.
func yamlText(data any, o *Options) (string, error) {
	var indent *int
	if o.HasIndent {
		var n int
		switch v := o.Indent.(type) {
		case int64:
			n = int(v)
		case bool:
			if v {
				n = 1
			}
		default:
			return "", value.Errorf("TypeError", "'>=' not supported between instances of '%s' and 'int'", value.TypeName(v))
		}
		indent = &n
	}
	text, err := yaml.Output(data, indent)
	if err != nil {
		o.logger().Error("Exception " + err.Error() + " encountered when trying to serialize " + pformat(data, 1))
		return "", nil
	}
	return text, nil
}
