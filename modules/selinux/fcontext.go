package selinux

import (
	"strings"

	"pinch/command"
	"pinch/salt"
	"pinch/value"
	"pinch/value/pyre"
)

type filetypeArgs struct {
	Filetype string `py:"filetype='a'"` // a letter
}

// filetypeIDToString returns the kind of files that a letter of semanage
// stands for: a, f, d, c, b, s, l or p.
func filetypeIDToString(_ *salt.Ctx, a filetypeArgs) (string, error) {
	switch a.Filetype {
	case "a":
		return "all files", nil
	case "f":
		return "regular file", nil
	case "d":
		return "directory", nil
	case "c":
		return "character device", nil
	case "b":
		return "block device", nil
	case "s":
		return "socket", nil
	case "l":
		return "symbolic link", nil
	case "p":
		return "named pipe", nil
	}
	return "", salt.InvocationError("Invalid file type code %s; expected one of: a, f, d, c, b, s, l, p", value.Quote(a.Filetype))
}

// parts are those of a context.
func parts(context string) (*value.Map, error) {
	p := strings.SplitN(context, ":", 4)
	if len(p) < 4 || p[0] == "" || p[1] == "" || p[2] == "" || p[3] == "" {
		return nil, salt.InvocationError(`Invalid SELinux context string: %s. Expected "sel_user:sel_role:sel_type:sel_level"`, context)
	}
	return value.M("sel_user", p[0], "sel_role", p[1], "sel_type", p[2], "sel_level", p[3]), nil
}

type fcontextArgs struct {
	Name     string `py:"name"`           // the pattern of paths
	Filetype any    `py:"filetype=None"`  // the kind of files: a (all), f (regular file), d, c, b, s, l, p
	SelType  any    `py:"sel_type=None"`  // the type
	SelUser  any    `py:"sel_user=None"`  // the user
	SelLevel any    `py:"sel_level=None"` // the MLS range
}

// fcontextGetPolicy returns the rule for a pattern: filespec, filetype,
// sel_user, sel_role, sel_type and sel_level; None without one.
func fcontextGetPolicy(c *salt.Ctx, a fcontextArgs) (any, error) { return orNone(fcontextPolicy(c, a)) }

// fcontextPolicy is the rule, nil without one.
func fcontextPolicy(c *salt.Ctx, a fcontextArgs) (*value.Map, error) {
	kind := ""
	if value.Truth(a.Filetype) {
		var err error
		if kind, err = filetypeIDToString(c, filetypeArgs{value.Str(a.Filetype)}); err != nil {
			return nil, err
		}
	}
	all, err := lines(c, "semanage", "fcontext", "--list")
	if err != nil {
		return nil, err
	}
	for _, line := range all {
		rest, ok := strings.CutPrefix(line, a.Name+" ")
		f := strings.Fields(rest)
		if !ok || len(f) < 2 {
			continue
		}
		is := strings.Join(f[:len(f)-1], " ")
		m, err := parts(f[len(f)-1])
		if err != nil || kind != "" && is != kind {
			continue
		}
		same := true
		for key, want := range map[string]any{"sel_type": a.SelType, "sel_user": a.SelUser, "sel_level": a.SelLevel} {
			same = same && (!value.Truth(want) || m.At(key) == want)
		}
		if same {
			out := value.M("filespec", a.Name, "filetype", is)
			out.Update(m)
			return out, nil
		}
	}
	return nil, nil
}

// words are the options of a rule.
func (a *fcontextArgs) words(action string) ([]string, error) {
	w := []string{"semanage", "fcontext", "--" + action}
	if a.Filetype != nil && a.Filetype != "a" {
		if _, err := filetypeIDToString(nil, filetypeArgs{value.Str(a.Filetype)}); err != nil {
			return nil, err
		}
		w = append(w, "--ftype", value.Str(a.Filetype))
	}
	for _, o := range []struct {
		flag string
		v    any
	}{{"--type", a.SelType}, {"--seuser", a.SelUser}, {"--range", a.SelLevel}} {
		if o.v != nil {
			w = append(w, o.flag, value.Str(o.v))
		}
	}
	return append(w, a.Name), nil
}

// fcontextAddPolicy adds a rule or changes the one that is there. It returns
// the answer of semanage, as cmd.run_all does.
func fcontextAddPolicy(c *salt.Ctx, a fcontextArgs) (*value.Map, error) {
	all, err := lines(c, "semanage", "fcontext", "--list")
	if err != nil {
		return nil, err
	}
	action := "add"
	for _, line := range all {
		if strings.HasPrefix(line, a.Name+" ") {
			action = "modify"
		}
	}
	words, err := a.words(action)
	if err != nil {
		return nil, err
	}
	r, err := command.Do(c, words...)
	return r.Map(), err
}

// fcontextDeletePolicy removes a rule. It returns the answer of semanage, as
// cmd.run_all does.
func fcontextDeletePolicy(c *salt.Ctx, a fcontextArgs) (*value.Map, error) {
	words, err := a.words("delete")
	if err != nil {
		return nil, err
	}
	r, err := command.Do(c, words...)
	return r.Map(), err
}

type appliedArgs struct {
	Name      string `py:"name"`            // the path
	Recursive bool   `py:"recursive=False"` // with all below it
}

func (a *appliedArgs) words(options ...string) []string {
	w := append([]string{"restorecon"}, options...)
	if a.Recursive {
		w = append(w, "-R")
	}
	return append(w, a.Name)
}

// fcontextPolicyIsApplied returns what restorecon would change, "" for
// nothing.
func fcontextPolicyIsApplied(c *salt.Ctx, a appliedArgs) (string, error) {
	r, err := command.Ask(c, a.words("-n", "-v")...)
	return r.Out, err
}

// fcontextApplyPolicy gives files the context of their rule. It returns the
// answer of restorecon, as cmd.run_all does, with changes: by path what was
// old and is new.
func fcontextApplyPolicy(c *salt.Ctx, a appliedArgs) (*value.Map, error) {
	text, err := fcontextPolicyIsApplied(c, a)
	if err != nil {
		return nil, err
	}
	r, err := command.Do(c, a.words("-v", "-F")...)
	ret := r.Map()
	if err != nil || r.Code != 0 {
		return ret, err
	}
	pattern := ""
	switch {
	case strings.HasPrefix(text, "Would relabel"):
		pattern = `Would relabel (.*) from (.*) to (.*)$`
	case strings.HasPrefix(text, "restorecon reset"):
		pattern = `restorecon reset (.*) context (.*)->(.*)$`
	default:
		ret.Set("retcode", int64(1))
		ret.Set("error", "Unrecognized response from restorecon command.")
		return ret, nil
	}
	re, err := pyre.Compile(pattern, pyre.Multiline)
	if err != nil {
		return nil, err
	}
	changes := new(value.Map)
	for line := range strings.SplitSeq(text, "\n") {
		m := re.Search(line)
		if m == nil {
			continue
		}
		path, _ := m.Group(1)
		from, _ := m.Group(2)
		to, _ := m.Group(3)
		old, err := parts(from)
		if err != nil {
			return nil, err
		}
		is, err := parts(to)
		if err != nil {
			return nil, err
		}
		for _, key := range []string{"sel_user", "sel_role", "sel_type", "sel_level"} {
			if old.At(key) == is.At(key) {
				old.Pop(key)
				is.Pop(key)
			}
		}
		changes.Set(path, value.M("old", old, "new", is))
	}
	if changes.Len() > 0 {
		ret.Set("changes", changes)
	}
	return ret, nil
}
