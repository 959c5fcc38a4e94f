package virtualenv

import (
	"fmt"
	"path/filepath"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// ask runs a line of Python in an environment and returns what it prints.
func ask(c *salt.Ctx, venv, code string) (string, error) {
	bin, err := python(c, venv)
	if err != nil {
		return "", err
	}
	v, err := c.Call("cmd.exec_code_all", bin, code)
	ret, _ := v.(*value.Map)
	switch {
	case err != nil:
		return "", err
	case value.Truth(ret.At("retcode")):
		return "", salt.CommandError("%s\n%s", ret.Str("stdout"), ret.Str("stderr"))
	}
	return ret.Str("stdout"), nil
}

type getSitePackagesArgs struct {
	Venv string `py:"venv"` // the virtual environment
}

// getSitePackages returns the directory of an environment that packages are in.
//
//	salt-call virtualenv.get_site_packages /opt/venv
func getSitePackages(c *salt.Ctx, a getSitePackagesArgs) (string, error) {
	if _, err := python(c, a.Venv); err != nil {
		return "", err
	}
	if sys.IsFile(c.Sys, filepath.Join(a.Venv, "pyvenv.cfg")) && filepath.IsAbs(a.Venv) {
		entries, _ := c.Sys.ReadDir(filepath.Join(a.Venv, "lib"))
		var found []string
		for _, e := range entries {
			if p := filepath.Join(a.Venv, "lib", e.Name(), "site-packages"); strings.HasPrefix(e.Name(), "python") && sys.IsDir(c.Sys, p) {
				found = append(found, p)
			}
		}
		if len(found) == 1 {
			return found[0], nil
		}
	}
	return ask(c, a.Venv, `import sysconfig; print(sysconfig.get_path("purelib"))`)
}

// safe refuses texts that would be more than a name inside of Python code.
func safe(args ...any) error {
	for _, a := range args {
		if s := text(a); strings.ContainsAny(s, "=;\"'\n\\()") {
			return salt.InvocationError("Unsafe python code detected in '%s'", s)
		}
	}
	return nil
}

type getDistributionPathArgs struct {
	Venv         string `py:"venv"`         // the virtual environment
	Distribution string `py:"distribution"` // the package
}

// getDistributionPath returns the directory that a package is installed in.
func getDistributionPath(c *salt.Ctx, a getDistributionPathArgs) (string, error) {
	if err := safe(a.Distribution); err != nil {
		return "", err
	}
	return ask(c, a.Venv, fmt.Sprintf(`import sys
try:
    from importlib.metadata import distribution
    print(str(distribution(%[1]s).locate_file("")).rstrip("/"))
except ImportError:
    import pkg_resources
    print(pkg_resources.get_distribution(%[1]s).location)
`, value.Repr(a.Distribution)))
}

type getResourceArgs struct {
	Venv     string `py:"venv"`          // the virtual environment
	Package  any    `py:"package=None"`  // the package
	Resource any    `py:"resource=None"` // a file of the package
}

// getResourcePath returns where a file of a package is.
func getResourcePath(c *salt.Ctx, a getResourceArgs) (string, error) {
	return a.ask(c, "resource_filename")
}

// getResourceContent returns a file of a package, as Python shows bytes.
func getResourceContent(c *salt.Ctx, a getResourceArgs) (string, error) {
	return a.ask(c, "resource_string")
}

func (a getResourceArgs) ask(c *salt.Ctx, what string) (string, error) {
	if err := safe(a.Package, a.Resource); err != nil {
		return "", err
	}
	return ask(c, a.Venv, fmt.Sprintf("import pkg_resources; print(pkg_resources.%s('%s', '%s'))", what, value.Str(a.Package), value.Str(a.Resource)))
}
