package ansible

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type listArgs struct {
	Pattern any `py:"pattern=None"` // a pattern such as *win*
}

// list returns the names of Ansible's modules, and of the functions here.
func list(c *salt.Ctx, a listArgs) ([]string, error) {
	all, err := doc(c)
	if err != nil {
		return nil, err
	}
	own := []string{"help", "list_", "call", "playbooks", "discover_playbooks", "targets"}
	names := map[string]bool{}
	for _, n := range own {
		names[n] = true
	}
	for key := range all.Items() {
		alias, ok := strings.CutPrefix(key, "ansible.")
		names[alias] = true
		if !ok {
			continue
		}
		for _, prefix := range []string{"builtin.", "system."} {
			if short, ok := strings.CutPrefix(alias, prefix); ok {
				names[short] = true
			}
		}
	}
	out := slices.Sorted(maps.Keys(names))
	if a.Pattern == nil {
		return out, nil
	}
	return slices.DeleteFunc(out, func(n string) bool { return !value.Fnmatch(n, value.Str(a.Pattern)) }), nil
}

type targetsArgs struct {
	Inventory   any  `py:"inventory=None"`   // the file; None: /etc/ansible/hosts
	Inventories any  `py:"inventories=None"` // several files
	Yaml        bool `py:"yaml=False"`       // the text as YAML
	Export      bool `py:"export=False"`     // in the form for export
}

// targets returns an inventory, or several by file.
func targets(c *salt.Ctx, a targetsArgs) (any, error) {
	l, many := a.Inventories.(*value.List)
	var files []any
	if many {
		files = slices.Clone(l.Items)
	}
	if a.Inventory == nil && a.Inventories == nil {
		a.Inventory = "/etc/ansible/hosts"
	}
	if a.Inventory != nil && !slices.Contains(files, a.Inventory) {
		files = append(files, a.Inventory)
	}
	ret := new(value.Map)
	for _, it := range files {
		file := value.Str(it)
		switch {
		case !sys.IsFile(c.Sys, file):
			return nil, salt.CommandError("Inventory file not found: %s", file)
		case !filepath.IsAbs(file):
			return nil, salt.CommandError("Path to inventory file must be an absolute path: %s", file)
		}
		got, err := inventory(c, a, file)
		if err != nil || !many {
			return got, err
		}
		ret.Set(file, got)
	}
	return ret, nil
}

func inventory(c *salt.Ctx, a targetsArgs, file string) (any, error) {
	argv := []string{"ansible-inventory", "-i", file, "--list"}
	if a.Export {
		argv = append(argv, "--export")
	}
	if a.Yaml {
		argv = append(argv, "--yaml")
	}
	r, err := c.Sys.Run(c, sys.Cmd{Argv: argv, Env: environment(), Query: true})
	if err != nil {
		return nil, err
	}
	text := strings.TrimSuffix(string(r.Stdout), "\n")
	if a.Yaml {
		return text, nil
	}
	v, err := value.ParseJSON(text)
	if err != nil {
		return nil, salt.CommandError("Error processing the inventory %s: %s", file, strings.Trim(text+"\n"+strings.TrimSpace(string(r.Stderr)), "\n"))
	}
	return v, nil
}
