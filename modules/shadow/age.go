package shadow

import (
	"pinch/salt"
	"pinch/value"
)

// A field is an entry's field that chage sets.
type field struct {
	option string
	get    func(entry) int64
	// check says that the file must hold the value afterwards; dates are
	// given in several forms.
	check bool
}

// age sets one field, if it is not as wanted.
func age(c *salt.Ctx, name string, want any, root any, f field) (bool, error) {
	before := find(c, name, root)
	if before.name == "" {
		return false, nil
	}
	if value.Equal(want, f.get(before)) {
		return true, nil
	}
	argv := value.L("chage")
	if root != nil {
		argv.Append("-R", root)
	}
	argv.Append(f.option, want, name)
	code, err := c.CallKw("cmd.retcode", value.M("python_shell", false), argv)
	if err != nil {
		return false, err
	}
	if f.check {
		return value.Equal(want, f.get(find(c, name, root))), nil
	}
	return !value.Truth(code), nil
}

type setInactdaysArgs struct {
	Name      string `py:"name"`      // the user
	Inactdays int64  `py:"inactdays"` // days after the password expired until the account is disabled
	Root      any    `py:"root=None"` // the directory of another system whose /etc/shadow to use
}

// setInactdays sets how many days after the password expired the account is disabled.
func setInactdays(c *salt.Ctx, a setInactdaysArgs) (bool, error) {
	return age(c, a.Name, a.Inactdays, a.Root, field{"-I", func(e entry) int64 { return e.inact }, true})
}

type setMaxdaysArgs struct {
	Name    string `py:"name"`      // the user
	Maxdays int64  `py:"maxdays"`   // days that a password is good for
	Root    any    `py:"root=None"` // the directory of another system whose /etc/shadow to use
}

// setMaxdays sets how many days a password is good for.
func setMaxdays(c *salt.Ctx, a setMaxdaysArgs) (bool, error) {
	return age(c, a.Name, a.Maxdays, a.Root, field{"-M", func(e entry) int64 { return e.max }, true})
}

type setMindaysArgs struct {
	Name    string `py:"name"`      // the user
	Mindays int64  `py:"mindays"`   // days between two changes of the password
	Root    any    `py:"root=None"` // the directory of another system whose /etc/shadow to use
}

// setMindays sets how many days must lie between two changes of the password.
func setMindays(c *salt.Ctx, a setMindaysArgs) (bool, error) {
	return age(c, a.Name, a.Mindays, a.Root, field{"-m", func(e entry) int64 { return e.min }, true})
}

type setWarndaysArgs struct {
	Name     string `py:"name"`      // the user
	Warndays int64  `py:"warndays"`  // days before the password expires to warn the user
	Root     any    `py:"root=None"` // the directory of another system whose /etc/shadow to use
}

// setWarndays sets how many days before its password expires a user is warned.
func setWarndays(c *salt.Ctx, a setWarndaysArgs) (bool, error) {
	return age(c, a.Name, a.Warndays, a.Root, field{"-W", func(e entry) int64 { return e.warn }, true})
}

type setDateArgs struct {
	Name string `py:"name"`      // the user
	Date any    `py:"date"`      // days since 1970-01-01, or YYYY-MM-DD
	Root any    `py:"root=None"` // the directory of another system whose /etc/shadow to use
}

// setDate sets the day of the last change of the password.
func setDate(c *salt.Ctx, a setDateArgs) (bool, error) {
	return age(c, a.Name, a.Date, a.Root, field{"-d", func(e entry) int64 { return e.lastChange }, false})
}

type setExpireArgs struct {
	Name   string `py:"name"`      // the user
	Expire any    `py:"expire"`    // days since 1970-01-01, or YYYY-MM-DD; -1 is never
	Root   any    `py:"root=None"` // the directory of another system whose /etc/shadow to use
}

// setExpire sets the day on which the account expires.
//
//	salt-call shadow.set_expire alice 2031-01-31
func setExpire(c *salt.Ctx, a setExpireArgs) (bool, error) {
	return age(c, a.Name, a.Expire, a.Root, field{"-E", func(e entry) int64 { return e.expires }, false})
}
