package saltutil

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pinch/bridge"
	"pinch/extmods"
	"pinch/jobs"
	"pinch/salt"
	"pinch/value"
)

type cmdArgs struct {
	Tgt     any        `py:"tgt"`             // which minions
	Fun     string     `py:"fun"`             // the function to call
	Arg     any        `py:"arg=()"`          // its positional arguments
	Timeout any        `py:"timeout=None"`    // taken and ignored: nobody has to be waited for
	TgtType string     `py:"tgt_type='glob'"` // how tgt is meant: glob, list, grain, compound …
	Ret     any        `py:"ret=''"`          // a returner for the result
	Kwarg   *value.Map `py:"kwarg=None"`      // its keyword arguments
	SSH     bool       `py:"ssh=False"`       // needs salt-ssh, which is not here
	Kwargs  *value.Map `py:"**kwargs"`        // more options of a master's client, which are ignored
}

// cmd calls a function on the minions that are meant. Without a master that is
// this one, or an error.
//
//	salt-call saltutil.cmd '*' test.ping
func cmd(c *salt.Ctx, a cmdArgs) (*value.Map, error) {
	if a.SSH {
		return nil, salt.CommandError("saltutil.cmd with ssh=True needs salt-ssh: run it on the master")
	}
	ok, err := matches(c, a.Tgt, a.TgtType)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, salt.CommandError("the target %s (%s) does not match this minion, and no other can be reached without a master", value.Str(a.Tgt), a.TgtType)
	}
	var args []any
	switch l := a.Arg.(type) {
	case *value.List:
		args = l.Items
	case value.Tuple:
		args = l
	case nil:
	default:
		args = []any{l}
	}
	v, err := c.CallFunc(c, a.Fun, args, a.Kwarg)
	if err != nil {
		return nil, err
	}
	ret := value.M("ret", v, "retcode", int64(c.Run.Retcode()), "jid", jobs.NewJID(time.Now()))
	if o := c.Registry().Outputter(c, a.Fun); o != "" {
		ret.Set("out", o)
	}
	return value.M(c.Opts.Str("id"), ret), nil
}

// matches reports whether this minion is meant.
func matches(c *salt.Ctx, tgt any, kind string) (bool, error) {
	kind = strings.ReplaceAll(kind, "-", "_")
	if kind == "nodegroup" {
		tgt, kind = "N@"+value.Str(tgt), "compound"
	}
	if kind == "" {
		kind = "glob"
	}
	if l, ok := tgt.(*value.List); ok && kind == "list" {
		return slices.Contains(l.Items, any(c.Opts.Str("id"))), nil
	}
	v, err := c.Call("match."+kind, tgt)
	return value.Truth(v), err
}

// cmdIter is saltutil.cmd, one minion after the other: a list of results.
//
//	salt-call saltutil.cmd_iter '*' test.ping
func cmdIter(c *salt.Ctx, a cmdArgs) (*value.List, error) {
	m, err := cmd(c, a)
	if err != nil {
		return nil, err
	}
	return value.L(m), nil
}

type mmoduleArgs struct {
	SaltEnv string     `py:"saltenv"`  // the environment
	Fun     string     `py:"fun"`      // the function
	Args    []any      `py:"*args"`    // its arguments
	Kwargs  *value.Map `py:"**kwargs"` // its keyword arguments
}

// mmodule calls a function with the custom modules of an environment, whatever
// was synced.
//
//	salt-call saltutil.mmodule dev mymodule.check
func mmodule(c *salt.Ctx, a mmoduleArgs) (any, error) {
	known, err := c.Files().Envs(c)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(known, a.SaltEnv) {
		return nil, salt.CommandError("there is no environment %s", a.SaltEnv)
	}
	root := filepath.Join(cachedir(c), "mmodule", a.SaltEnv)
	for _, kind := range []string{"modules", "utils"} {
		if _, err := extmods.Sync(c, extmods.Options{Kind: kind, Envs: []string{a.SaltEnv}, Root: root}); err != nil {
			return nil, err
		}
	}
	opts := c.Opts.Shallow()
	opts.Set("extension_modules", root)
	b := bridge.New(bridge.Options{Opts: opts, Log: c.Log})
	defer b.Close()
	n := *c
	n.Opts, n.Run = opts, salt.NewRun()
	n.Run.Custom = b
	kw := new(value.Map)
	for k, v := range a.Kwargs.Items() {
		if !strings.HasPrefix(k, "__pub_") {
			kw.Set(k, v)
		}
	}
	return n.CallFunc(&n, a.Fun, a.Args, kw)
}
