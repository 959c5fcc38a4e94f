// Package pam holds Salt's pam module: it reads the rules of PAM. Its main
// variable is Module.
//
//	salt-call pam.read_file /etc/pam.d/login
package pam

import (
	"fmt"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's pam module.
var Module = salt.Module{
	Name: "pam",
	Exec: func() salt.Funcs { return salt.Funcs{"read_file": salt.Exec(readFile)} },
}

type fileArgs struct {
	FileName string `py:"file_name"` // the file
}

// readFile returns the rules of a file as mappings of interface, control_flag,
// module and arguments; False when there is no such file. Includes (@include)
// are rules with the file as control_flag.
func readFile(c *salt.Ctx, a fileArgs) (any, error) {
	b, err := c.Sys.ReadFile(a.FileName)
	if err != nil {
		c.Log.Error(fmt.Sprintf("File %q does not exist", a.FileName))
		return false, nil
	}
	return rules(string(b)), nil
}

func rules(text string) *value.List {
	out := value.L()
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 2 || f[0][0] == '#' {
			continue
		}
		flag, rest := f[1], f[2:]
		if strings.HasPrefix(flag, "[") {
			flag = flag[1:]
			for !strings.HasSuffix(flag, "]") && len(rest) > 0 {
				flag, rest = flag+" "+rest[0], rest[1:]
			}
			flag = strings.TrimSuffix(flag, "]")
		}
		module := ""
		if len(rest) > 0 {
			module, rest = rest[0], rest[1:]
		}
		out.Append(value.M("interface", f[0], "control_flag", flag, "module", module, "arguments", value.Strings(rest)))
	}
	return out
}
