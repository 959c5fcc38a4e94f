package file

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

// seContext is an SELinux seContext; empty parts stay as they are.
type seContext struct{ user, role, typ, rng string }

func (x seContext) any() bool { return x != seContext{} }

func (x seContext) String() string { return x.user + ":" + x.role + ":" + x.typ + ":" + x.rng }

// fileContext reads the context of a file; ok is false without SELinux.
func fileContext(c *salt.Ctx, path string) (x seContext, ok bool) {
	b, err := c.Sys.Getxattr(path, "security.selinux")
	if err != nil {
		return x, false
	}
	f := strings.SplitN(strings.TrimRight(string(b), "\x00"), ":", 4)
	if len(f) != 4 {
		return x, false
	}
	return seContext{f[0], f[1], f[2], f[3]}, true
}

// contextParts are the names that changes, comments and arguments use.
func (x seContext) parts() []struct{ title, arg, v string } {
	return []struct{ title, arg, v string }{{"User", "seuser", x.user}, {"Role", "serole", x.role}, {"Type", "setype", x.typ}, {"Range", "serange", x.rng}}
}

// setContext is the part of check_perms for SELinux.
func (r *permState) setContext(c *salt.Ctx, name string, want seContext) {
	cur, ok := fileContext(c, name)
	if !ok {
		r.problem("Failed to get selinux attributes")
		return
	}
	var old, now []string
	next, asked := cur, seContext{}
	for i, w := range want.parts() {
		have := cur.parts()[i].v
		if w.v == "" || w.v == have {
			continue
		}
		old, now = append(old, w.title+": "+have), append(now, w.title+": "+w.v)
		next.set(i, w.v)
		asked.set(i, w.v)
	}
	if old == nil {
		return
	}
	changes := value.M("Old", strings.Join(old, " "), "New", strings.Join(now, " "))
	if c.Test {
		s := "File " + name + " selinux context to be updated"
		r.skipped = &s
		r.note(true, "selinux", changes)
		return
	}
	if asked.typ == "" {
		asked.typ = cur.typ
	}
	if err := setFileContext(c, name, next, asked, true); err != nil {
		r.problem("Failed to set selinux attributes")
		return
	}
	r.problems = append(r.problems, "The file "+name+" is set to be changed")
	got, _ := fileContext(c, name)
	for i, w := range next.parts() {
		if w.v != got.parts()[i].v {
			r.problem("Unable to update " + w.arg + " context")
		}
	}
	r.note(true, "selinux", changes)
}

func (x *seContext) set(i int, v string) { *[]*string{&x.user, &x.role, &x.typ, &x.rng}[i] = v }

// setFileContext writes a context, and with persist the policy that a relabel uses.
func setFileContext(c *salt.Ctx, path string, x, asked seContext, persist bool) error {
	if persist {
		kw := new(value.Map)
		for _, p := range []struct{ name, v string }{{"sel_type", asked.typ}, {"sel_user", asked.user}, {"sel_level", asked.rng}} {
			kw.Set(p.name, nil)
			if p.v != "" {
				kw.Set(p.name, p.v)
			}
		}
		res, err := c.CallKw("selinux.fcontext_add_policy", kw, path)
		if err != nil {
			return err
		}
		if m, ok := res.(*value.Map); !ok || !value.Equal(m.At("retcode"), int64(0)) {
			return salt.CommandError("Problem setting fcontext: %s", value.Str(res))
		}
	}
	return c.Sys.Setxattr(path, "security.selinux", append([]byte(x.String()), 0))
}

// getSelinuxContext is the SELinux seContext of a file, user:role:type:range.
func getSelinuxContext(c *salt.Ctx, a pathArgs) (string, error) {
	b, err := c.Sys.Getxattr(a.Path, "security.selinux")
	if err != nil {
		return "No selinux context information is available for " + a.Path, nil
	}
	return strings.TrimRight(string(b), "\x00"), nil
}

type setSelinuxArgs struct {
	Path    string `py:"path"`          // the file
	User    string `py:"user=None"`     // SELinux user
	Role    string `py:"role=None"`     // SELinux role
	Type    string `py:"type=None"`     // SELinux type
	Range   string `py:"range=None"`    // SELinux range
	Persist bool   `py:"persist=False"` // also tells the policy, so that a relabel keeps it
}

// setSelinuxContext changes parts of a file's SELinux seContext and returns it.
func setSelinuxContext(c *salt.Ctx, a setSelinuxArgs) (any, error) {
	asked := seContext{a.User, a.Role, a.Type, a.Range}
	if !asked.any() {
		return false, nil
	}
	cur, ok := fileContext(c, a.Path)
	for i, p := range asked.parts() {
		if p.v != "" {
			cur.set(i, p.v)
		}
	}
	if a.Persist {
		if err := setFileContext(c, a.Path, cur, asked, true); err != nil {
			return nil, err
		}
	} else if !ok || setFileContext(c, a.Path, cur, asked, false) != nil {
		return false, nil
	}
	return getSelinuxContext(c, pathArgs{a.Path})
}

type restoreconArgs struct {
	Path      string `py:"path"`            // the file or folder
	Recursive bool   `py:"recursive=False"` // also all below it
}

// restorecon gives a file the SELinux seContext that the policy has for it.
func restorecon(c *salt.Ctx, a restoreconArgs) (bool, error) {
	flag := "-F"
	if a.Recursive {
		flag = "-FR"
	}
	code, err := c.CallKw("cmd.retcode", value.M("python_shell", false), value.L("restorecon", flag, a.Path))
	return !value.Truth(code), err
}
