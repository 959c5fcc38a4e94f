package selinux

import (
	"pinch/salt"
	"pinch/value"
)

type fcontextPresentArgs struct {
	Name     string `py:"name"`           // the pattern of paths
	SelType  string `py:"sel_type"`       // the type
	Filetype string `py:"filetype='a'"`   // the kind of files: a (all), f (regular file), d, c, b, s, l, p
	SelUser  any    `py:"sel_user=None"`  // the user
	SelLevel any    `py:"sel_level=None"` // the MLS range
}

// fcontextPolicyPresent makes sure that there is a rule for a pattern.
//
//	/srv/www(/.*)?:
//	  selinux.fcontext_policy_present:
//	    - sel_type: httpd_sys_content_t
func fcontextPolicyPresent(c *salt.Ctx, a fcontextPresentArgs) salt.Result {
	kind, err := filetypeIDToString(c, filetypeArgs{a.Filetype})
	if err != nil {
		return salt.Raised(err)
	}
	args := fcontextArgs{a.Name, a.Filetype, a.SelType, a.SelUser, a.SelLevel}
	now, err := fcontextPolicy(c, args)
	switch {
	case err != nil:
		return salt.Raised(err)
	case now != nil:
		return salt.Correct(`SELinux policy for "%s" already present with specified filetype "%s" and sel_type "%s".`, a.Name, kind, a.SelType)
	case c.Test:
		return salt.Would(nil, "")
	}
	m, err := fcontextAddPolicy(c, args)
	switch {
	case err != nil:
		return salt.Raised(err)
	case m.Truth("retcode"):
		return salt.Failed("Error adding new rule: %s", value.Repr(m))
	}
	return salt.Changed(value.M("old", new(value.Map), "new", value.M(a.Name, value.M("filetype", kind, "sel_type", a.SelType))), "")
}

type fcontextAbsentArgs struct {
	Name     string `py:"name"`           // the pattern of paths
	Filetype string `py:"filetype='a'"`   // the kind of files: a (all), f (regular file), d, c, b, s, l, p
	SelType  any    `py:"sel_type=None"`  // the type; None: any
	SelUser  any    `py:"sel_user=None"`  // the user; None: any
	SelLevel any    `py:"sel_level=None"` // the MLS range; None: any
}

// fcontextPolicyAbsent makes sure that there is no rule for a pattern.
func fcontextPolicyAbsent(c *salt.Ctx, a fcontextAbsentArgs) salt.Result {
	args := fcontextArgs{a.Name, a.Filetype, a.SelType, a.SelUser, a.SelLevel}
	now, err := fcontextPolicy(c, args)
	changes := value.M("old", value.M(a.Name, now), "new", new(value.Map))
	switch {
	case err != nil:
		return salt.Raised(err)
	case now == nil:
		return salt.Correct(`SELinux policy for "%s" already absent with specified filetype "%s" and sel_type "%s".`, a.Name, a.Filetype, value.Str(a.SelType))
	case c.Test:
		return salt.Would(changes, "")
	}
	if !value.Truth(args.SelType) {
		args.SelType = now.At("sel_type")
	}
	m, err := fcontextDeletePolicy(c, args)
	switch {
	case err != nil:
		return salt.Raised(err)
	case m.Truth("retcode"):
		return salt.Failed("Error removing policy: %s", value.Repr(m))
	}
	return salt.Changed(changes, "")
}

type fcontextAppliedArgs struct {
	Name      string `py:"name"`            // the path
	Recursive bool   `py:"recursive=False"` // with all below it
}

// fcontextPolicyApplied makes sure that files have the context of their rule.
func fcontextPolicyApplied(c *salt.Ctx, a fcontextAppliedArgs) salt.Result {
	text, err := fcontextPolicyIsApplied(c, appliedArgs(a))
	switch {
	case err != nil:
		return salt.Raised(err)
	case text == "":
		return salt.Correct(`SElinux policies are already applied for filespec "%s"`, a.Name)
	case c.Test:
		return salt.Would(nil, "")
	}
	m, err := fcontextApplyPolicy(c, appliedArgs(a))
	switch {
	case err != nil:
		return salt.Raised(err)
	case m.Truth("retcode"):
		return salt.Failed("%s", value.Repr(m))
	}
	changes := m.Map("changes")
	if changes == nil {
		changes = new(value.Map)
	}
	return salt.Changed(changes, "")
}
