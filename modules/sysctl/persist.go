package sysctl

import (
	"path"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type persistArgs struct {
	Name   string `py:"name"`        // the parameter
	Value  any    `py:"value"`       // its value
	Config any    `py:"config=None"` // the file to keep it in; the default is that of sysctl.default_config
}

// persist sets a parameter of the running kernel and keeps it in a file. It
// returns "Updated" or "Already set".
//
//	salt-call sysctl.persist net.ipv4.ip_forward 1
func persist(c *salt.Ctx, a persistArgs) (string, error) {
	config, err := configOf(c, a.Config)
	if err != nil {
		return "", err
	}
	text := header
	if sys.IsFile(c.Sys, config) {
		b, err := c.Sys.ReadFile(config)
		if err != nil {
			return "", salt.CommandError("Could not read from file: %s", config)
		}
		text = string(b)
	}
	val := value.Str(a.Value)
	out, kept := with(text, a.Name, val)
	if kept {
		now, err := get(c, getArgs{a.Name})
		if err != nil || same(now, val) {
			return "Already set", err
		}
	} else {
		if err := sys.MkdirAll(c.Sys, path.Dir(config), 0o755); err != nil {
			return "", err
		}
		if err := sys.WriteFile(c.Sys, config, []byte(out), sys.FileAttrs{}); err != nil {
			return "", salt.CommandError("Could not write to file: %s", config)
		}
	}
	if _, err := assign(c, assignArgs{a.Name, a.Value}); err != nil {
		return "", err
	}
	return "Updated", nil
}

const header = "#\n# Kernel sysctl configuration\n#\n"

func configOf(c *salt.Ctx, config any) (string, error) {
	if config == nil {
		return defaultConfig(c, salt.NoArgs{})
	}
	return value.Str(config), nil
}

// with is the text of a configuration with a parameter set; kept says that it
// was there already.
func with(text, name, val string) (out string, kept bool) {
	var b strings.Builder
	edited := false
	for line := range strings.Lines(text) {
		key, old, ok := setting(line)
		switch {
		case !ok || key != name:
			b.WriteString(line)
			continue
		case same(old, val):
			return text, true
		}
		b.WriteString(name + " = " + val + "\n")
		edited = true
	}
	if !edited {
		if s := b.String(); s != "" && !strings.HasSuffix(s, "\n") {
			b.WriteByte('\n')
		}
		b.WriteString(name + " = " + val + "\n")
	}
	return b.String(), false
}

// same compares two values: the kernel writes a tab where people write blanks.
func same(a, b string) bool {
	return strings.Join(strings.Fields(a), "\t") == strings.Join(strings.Fields(b), "\t")
}
