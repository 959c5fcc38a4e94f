// Package ret holds Salt's ret module: it asks a returner for what it was
// given. Of the built-in ones local_cache can be asked; custom returners
// answer with their own get_jid, get_fun, get_jids and get_minions. Its main
// variable is Module.
//
//	salt-call ret.get_jid local_cache 20261130120000000000
package ret

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"io"
	"path/filepath"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's ret module.
var Module = salt.Module{
	Name: "ret",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"get_fun":     salt.Exec(getFun),
			"get_jid":     salt.Exec(getJid),
			"get_jids":    salt.Exec(getJids),
			"get_minions": salt.Exec(getMinions),
		}
	},
}

// ask calls a function of a returner.
func ask(c *salt.Ctx, returner, fun string, args ...any) (any, error) {
	if cu := c.Run.Custom; cu != nil {
		file := ""
		switch {
		case cu.Has(c, "returners", returner):
			file = returner
		case returner != "local_cache":
			file = cu.FileOf(c, "returners", returner)
		}
		if file != "" {
			return cu.Call(c, "returners", file, fun, args, nil)
		}
	}
	if returner == "local_cache" {
		switch fun {
		case "get_jid":
			return cachedJob(c, value.Str(args[0]))
		case "get_jids":
			return cachedJobs(c)
		}
	}
	return nil, &salt.LookupError{Name: returner + "." + fun}
}

type jidArgs struct {
	Returner string `py:"returner"` // the returner
	Jid      any    `py:"jid"`      // the job
}

// getJid returns what each minion returned for a job.
func getJid(c *salt.Ctx, a jidArgs) (any, error) { return ask(c, a.Returner, "get_jid", a.Jid) }

type funArgs struct {
	Returner string `py:"returner"` // the returner
	Fun      any    `py:"fun"`      // the function
}

// getFun returns what each minion returned for the last call of a function.
func getFun(c *salt.Ctx, a funArgs) (any, error) { return ask(c, a.Returner, "get_fun", a.Fun) }

type returnerArgs struct {
	Returner string `py:"returner"` // the returner
}

// getJids returns the jobs that a returner knows.
func getJids(c *salt.Ctx, a returnerArgs) (any, error) { return ask(c, a.Returner, "get_jids") }

// getMinions returns the minions that a returner knows.
func getMinions(c *salt.Ctx, a returnerArgs) (any, error) { return ask(c, a.Returner, "get_minions") }

// cachedJob reads the returns of one job from cachedir/jobs.
func cachedJob(c *salt.Ctx, jid string) (any, error) {
	ret := new(value.Map)
	sum := sha256.New()
	switch c.Opts.Str("hash_type") {
	case "md5":
		sum = md5.New()
	case "sha1":
		sum = sha1.New()
	case "sha512":
		sum = sha512.New()
	}
	io.WriteString(sum, jid)
	name := hex.EncodeToString(sum.Sum(nil))
	dir := filepath.Join(c.Opts.Str("cachedir"), "jobs", name[:2], name[2:])
	all, err := c.Sys.ReadDir(dir)
	if err != nil {
		return ret, nil
	}
	for _, e := range all {
		path := filepath.Join(dir, e.Name(), "return.p")
		if strings.HasPrefix(e.Name(), ".") || !sys.IsFile(c.Sys, path) {
			continue
		}
		v, err := packed(c, path)
		if err != nil {
			return nil, err
		}
		m, ok := v.(*value.Map)
		if !ok || !m.Has("return") {
			m = value.M("return", v) // as older versions kept it
		}
		if out, err := packed(c, filepath.Join(dir, e.Name(), "out.p")); err == nil {
			m.Set("out", out)
		}
		ret.Set(e.Name(), m)
	}
	return ret, nil
}

func packed(c *salt.Ctx, path string) (any, error) {
	b, err := c.Sys.ReadFile(path)
	if err != nil {
		return nil, salt.OSError(err)
	}
	v, err := value.ParseMsgpack(b)
	if err != nil {
		return nil, salt.CommandError("%s: %s", path, err)
	}
	return v, nil
}

// cachedJobs reads the jobs that cachedir/jobs says something about.
func cachedJobs(c *salt.Ctx) (any, error) {
	ret := new(value.Map)
	top := filepath.Join(c.Opts.Str("cachedir"), "jobs")
	halves, err := c.Sys.ReadDir(top)
	if err != nil {
		return ret, nil
	}
	for _, half := range halves {
		jobs, err := c.Sys.ReadDir(filepath.Join(top, half.Name()))
		if err != nil {
			continue
		}
		for _, job := range jobs {
			dir := filepath.Join(top, half.Name(), job.Name())
			jid, err := c.Sys.ReadFile(dir + "/jid")
			if err != nil {
				continue
			}
			if v, err := packed(c, dir+"/.load.p"); err == nil {
				ret.Set(string(jid), instance(string(jid), v))
			}
		}
	}
	return ret, nil
}

// instance describes a job.
func instance(jid string, load any) *value.Map {
	m, _ := load.(*value.Map)
	or := func(key, def string) any {
		if v, ok := m.Get(key); ok {
			return v
		}
		return def
	}
	args := m.List("arg")
	if args == nil {
		args = value.L()
	}
	out := value.M("Function", or("fun", "unknown-function"), "Arguments", args, "Target", or("tgt", "unknown-target"),
		"Target-type", or("tgt_type", "list"), "User", or("user", "root"), "StartTime", startTime(jid))
	if v, ok := m.Get("metadata"); ok {
		out.Set("Metadata", v)
	} else if kw := m.Map("kwargs"); kw.Has("metadata") {
		out.Set("Metadata", kw.At("metadata"))
	}
	if m.Has("Minions") {
		out.Set("Minions", m.At("Minions"))
	}
	return out
}

// startTime is the time in the id of a job: 2026, Nov 30 12:00:00.000000.
func startTime(jid string) string {
	digits := strings.TrimRight(jid, "_0123456789")
	if digits != "" || len(jid) < 20 {
		return ""
	}
	months := []string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
	month := int(jid[4]-'0')*10 + int(jid[5]-'0')
	if month < 1 || month > 12 {
		return ""
	}
	return jid[:4] + ", " + months[month-1] + " " + jid[6:8] + " " + jid[8:10] + ":" + jid[10:12] + ":" + jid[12:14] + "." + jid[14:20]
}
