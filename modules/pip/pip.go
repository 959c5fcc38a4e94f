// Package pip holds Salt's pip module: Python packages. What is installed in a
// virtual environment is read from its files; changes go through pip. Its main
// variable is Module.
//
//	django >= 4.2:
//	  pip.installed:
//	    - bin_env: /opt/venv
package pip

import (
	"regexp"
	"strings"
	"sync"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's pip module.
var Module = salt.Module{
	Name: "pip",
	States: func() salt.Funcs {
		return salt.Funcs{
			"installed":                       salt.State(installed),
			"pip_has_exceptions_mod":          salt.State(pipHasExceptionsMod),
			"pip_has_internal_exceptions_mod": salt.State(pipHasInternalExceptionsMod),
			"purge_pip":                       salt.State(purgePip),
			"removed":                         salt.State(removed),
			"uptodate":                        salt.State(uptodate),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"freeze":            salt.Exec(freeze),
			"install":           salt.Exec(install),
			"is_installed":      salt.Exec(isInstalled),
			"list":              salt.Exec(list).Named("list_"),
			"list_all_versions": salt.Exec(listAllVersions),
			"list_freeze_parse": salt.Exec(listFreezeParse),
			"list_upgrades":     salt.Exec(listUpgrades),
			"normalize":         salt.Exec(normalizeExec),
			"uninstall":         salt.Exec(uninstall),
			"upgrade":           salt.Exec(upgrade),
			"upgrade_available": salt.Exec(upgradeAvailable),
			"version":           salt.Exec(version),
		}
	},
}

var separators = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[-_.]+`) })

// normalize is the name of a package as PEP 503 compares them.
func normalize(name string) string {
	return strings.ToLower(separators().ReplaceAllString(name, "-"))
}

type normalizeArgs struct {
	Name string `py:"name"` // the name of a package
}

// normalizeExec returns the name of a package in the form by which the index
// compares them: lower case, with single dashes.
//
//	salt-call pip.normalize requests_ntlm
func normalizeExec(_ *salt.Ctx, a normalizeArgs) (string, error) { return normalize(a.Name), nil }

// commas splits a text at commas; a list stays as it is.
func commas(v any) []string {
	switch v := v.(type) {
	case nil:
		return nil
	case *value.List:
		return texts(v.Items)
	case value.Tuple:
		return texts(v)
	}
	out := strings.Split(value.Str(v), ",")
	for i := range out {
		out[i] = strings.TrimSpace(out[i])
	}
	return out
}

func texts(items []any) []string {
	out := make([]string, len(items))
	for i, it := range items {
		out[i] = value.Str(it)
	}
	return out
}

// text is a value as text, "" for None.
func text(v any) string {
	if v == nil {
		return ""
	}
	return value.Str(v)
}
