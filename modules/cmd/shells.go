package cmd

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type whichArgs struct {
	Cmd string `py:"cmd"` // the program
}

// which returns the path of a program, or None.
func which(c *salt.Ctx, a whichArgs) (any, error) { return lookup(c, a.Cmd), nil }

func lookup(c *salt.Ctx, name string) any {
	if p := c.Sys.LookPath(name); p != "" {
		return p
	}
	return nil
}

type whichBinArgs struct {
	Cmds any `py:"cmds"` // a list of programs
}

// whichBin returns the path of the first of several programs that is there, or None.
func whichBin(c *salt.Ctx, a whichBinArgs) (any, error) {
	names, isList := words(a.Cmds)
	if s, ok := a.Cmds.(string); ok && !isList {
		names = strings.Split(s, ",")
	}
	for _, n := range names {
		if p := lookup(c, n); p != nil {
			return p, nil
		}
	}
	return nil, nil
}

type hasExecArgs struct {
	Cmd string `py:"cmd"` // the program
}

// hasExec says whether a program is there.
func hasExec(c *salt.Ctx, a hasExecArgs) (bool, error) { return lookup(c, a.Cmd) != nil, nil }

// shells lists the login shells of /etc/shells.
func shells(c *salt.Ctx, a salt.NoArgs) (*value.List, error) {
	return value.Strings(loginShells(c)), nil
}

type shellsKey struct{}

func loginShells(c *salt.Ctx) []string {
	read := func() ([]string, error) {
		list := []string{}
		b, err := c.Sys.ReadFile("/etc/shells")
		for line := range strings.Lines(string(b)) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				list = append(list, line)
			}
		}
		return list, err
	}
	if c.Run == nil {
		list, _ := read()
		return list
	}
	list, _ := salt.Once(c.Run, shellsKey{}, read)
	return list
}

// invalidShell says that /etc/shells exists and does not list the shell.
func invalidShell(c *salt.Ctx, shell string) bool {
	list := loginShells(c)
	return len(list) > 0 && !slices.Contains(list, shell)
}

// A probe is how to ask an interpreter for its version.
type probe struct {
	pattern string
	argv    []string
}

var probes = map[string]probe{
	"bash":       {`(?i)version (\d\S*)`, []string{"bash", "--version"}},
	"zsh":        {`(?i)^zsh (\d\S*)`, []string{"zsh", "--version"}},
	"tcsh":       {`(?i)^tcsh (\d\S*)`, []string{"tcsh", "--version"}},
	"powershell": {`(?i)PSVersion\s+(\d\S*)`, []string{"powershell", "-NonInteractive", "$PSVersionTable"}},
	"perl":       {`(?i)^(\d\S*)`, []string{"perl", "-e", `printf "%vd\n", $^V;`}},
	"python":     {`(?i)^Python (\d\S*)`, []string{"python", "-V"}},
	"ruby":       {`(?i)^ruby (\d\S*)`, []string{"ruby", "-v"}},
	"php":        {`(?i)^PHP (\d\S*)`, []string{"php", "-v"}},
}

type shellInfoArgs struct {
	Shell       string `py:"shell"`              // bash, zsh, tcsh, perl, python, ruby, php or powershell
	ListModules bool   `py:"list_modules=False"` // also list the modules of PowerShell
}

// shellInfo returns the path and version of a shell or interpreter.
func shellInfo(c *salt.Ctx, a shellInfoArgs) (*value.Map, error) {
	p, ok := probes[a.Shell]
	if !ok {
		return value.M("error", "Salt does not know how to get the version number for "+a.Shell, "installed", nil), nil
	}
	line := strings.Join(p.argv, " ")
	path := c.Sys.LookPath(p.argv[0])
	if path == "" {
		return value.M("error", fmt.Sprintf("Unable to run command '%s' Reason: [Errno 2] No such file or directory: '%s'", line, p.argv[0]), "installed", false), nil
	}
	res, err := c.Sys.Run(c, sys.Cmd{Argv: p.argv, Merge: true, Query: true, Timeout: 10 * time.Second})
	switch {
	case err != nil:
		return value.M("error", fmt.Sprintf("Unable to run command '%s' Reason: %s", line, err), "installed", false), nil
	case res.TimedOut:
		return value.M("error", fmt.Sprintf("Unable to run command '%s' Reason: Timed out.", line), "installed", false), nil
	}
	ret := value.M("installed", nil, "path", path)
	m := regexp.MustCompile(p.pattern).FindSubmatch(res.Stdout)
	if m == nil {
		ret.Set("error", "The version regex pattern for shell "+a.Shell+", could not find the version string")
		ret.Set("stdout", string(res.Stdout))
		return ret, nil
	}
	raw := string(m[1])
	ret.Set("version_raw", raw)
	ret.Set("installed", true)
	parts := strings.Split(regexp.MustCompile(`^\d[\d.]*`).FindString(raw), ".")
	if len(parts) == 1 {
		parts = append(parts, "0")
	}
	ret.Set("version", strings.Join(parts[:min(len(parts), 3)], "."))
	if a.Shell == "powershell" {
		ret.Set("psversion", raw)
		if a.ListModules {
			res, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"powershell", "-NonInteractive", "(Get-Module -ListAvailable).Name"}, Query: true, Timeout: time.Minute})
			if err == nil {
				ret.Set("modules", value.Strings(strings.Fields(string(res.Stdout))))
			}
		}
	}
	return ret, nil
}
