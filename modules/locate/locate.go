// Package locate holds Salt's locate module: files by their names out of the
// database of locate. Its main variable is Module.
//
//	salt-call locate.locate '*.conf' limit=10 ignore=True
package locate

import (
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's locate module.
var Module = salt.Module{
	Name: "locate",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"locate":   salt.Exec(locate),
			"stats":    salt.Exec(stats),
			"updatedb": salt.Exec(updatedb),
			"version":  salt.Exec(version),
		}
	},
}

func run(c *salt.Ctx, words ...string) ([]string, error) {
	v, err := c.CallKw("cmd.run", value.M("python_shell", false), value.Strings(words))
	s := value.Str(v)
	if err != nil || s == "" {
		return nil, err
	}
	return strings.Split(s, "\n"), nil
}

// version returns what locate says about itself.
func version(c *salt.Ctx, _ salt.NoArgs) (*value.List, error) {
	l, err := run(c, "locate", "-V")
	return value.Strings(l), err
}

// updatedb brings the database up to date.
func updatedb(c *salt.Ctx, _ salt.NoArgs) (*value.List, error) {
	l, err := run(c, "updatedb")
	return value.Strings(l), err
}

// stats returns the numbers that the database has about itself.
func stats(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	l, err := run(c, "locate", "-S")
	m := new(value.Map)
	for _, line := range l {
		f := strings.Fields(line)
		switch {
		case len(f) < 2:
		case strings.HasPrefix(line, "Database"):
			m.Set("database", strings.ReplaceAll(f[1], ":", ""))
		default:
			m.Set(strings.Join(f[1:], " "), f[0])
		}
	}
	return m, err
}

type locateArgs struct {
	Pattern  string     `py:"pattern"`     // the pattern
	Database string     `py:"database=''"` // another database
	Limit    int        `py:"limit=0"`     // how many files at most, 0 for all
	Kwargs   *value.Map `py:"**kwargs"`    // True for each of: basename, count, existing, follow, ignore (case), nofollow, wholename, regex
}

// locate returns the files whose names match.
func locate(c *salt.Ctx, a locateArgs) (*value.List, error) {
	words := []string{"locate"}
	letters := ""
	for k, v := range a.Kwargs.Items() {
		if l, ok := map[string]string{"basename": "b", "count": "c", "existing": "e", "follow": "L", "ignore": "i", "nofollow": "P", "wholename": "w"}[k]; ok && value.Truth(v) {
			letters += l
		}
	}
	if letters != "" {
		words = append(words, "-"+letters)
	}
	if a.Database != "" {
		words = append(words, "-d", a.Database)
	}
	if a.Limit > 0 {
		words = append(words, "-l", strconv.Itoa(a.Limit))
	}
	if a.Kwargs.Truth("regex") {
		words = append(words, "--regex")
	}
	l, err := run(c, append(words, a.Pattern)...)
	return value.Strings(l), err
}
