package file

import (
	"os"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// tempName is the path of a new temporary file, which only its owner can read.
func tempName(c *salt.Ctx, dir, ext string) (string, error) {
	path := sys.TempName(dir, ext)
	private := os.FileMode(0o600)
	return path, osError(sys.WriteFile(c.Sys, path, nil, sys.FileAttrs{Mode: &private}))
}

// checkWith runs check_cmd on the file as it will be, in a temporary place.
// The result is that of a refusal, nil when the command agrees or nothing changes.
func (m *managing) checkWith(c *salt.Ctx, cmd, dir, ext string) *salt.Result {
	fail := func(err error) *salt.Result {
		r := salt.Failed("Unable to check_cmd file: %s", text(err))
		return &r
	}
	if changes, _, err := m.predict(c); err != nil {
		return fail(err)
	} else if changes.Len() == 0 {
		return nil
	}
	tmp, err := tempName(c, dir, ext)
	if err != nil {
		return fail(err)
	}
	defer c.Sys.Remove(tmp)
	t := *m
	if t.name = tmp; t.content == nil && sys.IsFile(c.Sys, m.name) {
		t.content = &content{path: m.name}
	}
	if t.content != nil {
		if err := t.write(c, tmp, t.attrs(c)); err != nil {
			return fail(err)
		}
	}
	r, err := runCheck(c, cmd, tmp, checkOptions(c))
	if err != nil {
		return fail(err)
	}
	return r
}

func checkOptions(c *salt.Ctx) *value.Map {
	opts := new(value.Map)
	if sh, ok := c.Grains.Get("shell"); ok {
		opts.Set("shell", sh)
	}
	return opts
}

// runCheck runs a command with the path of a file behind it; the result is
// that of a command that failed.
func runCheck(c *salt.Ctx, cmd, path string, opts *value.Map) (*salt.Result, error) {
	v, err := c.CallKw("cmd.run_all", opts, cmd+" "+path)
	if err != nil {
		return nil, err
	}
	m, _ := v.(*value.Map)
	if code, err := intArg(m.At("retcode")); err == nil && code == 0 {
		return nil, nil
	}
	r := salt.Failed("check_cmd execution failed")
	for _, k := range []string{"stdout", "stderr"} {
		if s := m.Str(k); s != "" {
			r.Comment += "\n" + s
		}
	}
	r.Extra = value.M("skip_watch", true)
	return &r, nil
}

type checkCmdArgs struct {
	Cmd  string     `py:"cmd"`              // the command
	File string     `py:"filename"`         // the file whose path is put behind it
	Opts *value.Map `py:"**check_cmd_opts"` // passed on to cmd.run_all
}

// modRunCheckCmd runs the check_cmd of a state. It is called by the states
// that have this argument, not written in a tree.
func modRunCheckCmd(c *salt.Ctx, a checkCmdArgs) salt.Result {
	r, err := runCheck(c, a.Cmd, a.File, a.Opts)
	switch {
	case err != nil:
		return salt.Failed("%s", text(err))
	case r != nil:
		return *r
	}
	return salt.Correct("")
}
