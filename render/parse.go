package render

import (
	"errors"

	"pinch/render/yaml"
	"pinch/value"
)

// parseYAML is Salt's load_yaml.
func parseYAML(text string) (any, error) {
	v, err := yaml.Load("", text)
	if err == nil {
		return v, nil
	}
	var e *yaml.Error
	errors.As(err, &e)
	return nil, value.Errorf("TemplateRuntimeError", "Encountered error loading yaml: %s", e.Message)
}

// parseJSON is Salt's load_json.
func parseJSON(text string) (any, error) {
	v, err := value.ParseJSON(text)
	if err != nil {
		return nil, value.Errorf("TemplateRuntimeError", "Unable to load json from %s", text)
	}
	return v, nil
}

// parseText is Salt's load_text.
func parseText(text string) (any, error) { return text, nil }
