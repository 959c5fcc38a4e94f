package cmd

import (
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type execCodeArgs struct {
	Lang   string     `py:"lang"`      // the interpreter, such as bash
	Code   string     `py:"code"`      // the program text
	Cwd    any        `py:"cwd=None"`  // the working directory; None is the home of the user that runs it
	Args   any        `py:"args=None"` // arguments for the program: a list, or one text
	Kwargs *value.Map `py:"**kwargs"`  // pillar and pillarenv for the template, __pub_jid when called from the command line
}

// execCode runs a program text with an interpreter and returns its stdout.
//
//	salt-call cmd.exec_code perl 'print "hello\n"'
func execCode(c *salt.Ctx, a execCodeArgs) (any, error) {
	ret, err := execCodeAll(c, a)
	if err != nil {
		return nil, err
	}
	return ret.At("stdout"), nil
}

// execCodeAll runs a program text with an interpreter and returns what
// cmd.run_all does.
func execCodeAll(c *salt.Ctx, a execCodeArgs) (*value.Map, error) {
	name := sys.TempName("", "")
	argv := []any{a.Lang, name}
	if strings.HasPrefix(strings.ToLower(a.Lang), "powershell") {
		name += ".ps1"
		argv = []any{a.Lang, "-File", name}
	}
	switch args := a.Args.(type) {
	case string:
		argv = append(argv, args)
	case *value.List:
		argv = append(argv, args.Items...)
	}
	uid, mode := c.Sys.Getuid(), sys.Mode(0o600)
	if user := a.Kwargs.Str("runas"); user != "" {
		u, err := c.Sys.User(user)
		if err != nil {
			return nil, salt.CommandError("User '%s' is not available", user)
		}
		uid = u.UID
	}
	if err := sys.WriteFile(c.Sys, name, []byte(a.Code), sys.FileAttrs{UID: &uid, Mode: &mode}); err != nil {
		return nil, err
	}
	defer c.Sys.Remove(name)
	kw := a.Kwargs.Shallow()
	kw.Set("cwd", a.Cwd)
	kw.Set("python_shell", false)
	ret, err := runAllFunc.Call(c, []any{value.L(argv...)}, kw)
	if err != nil {
		return nil, err
	}
	return ret.(*value.Map), nil
}
