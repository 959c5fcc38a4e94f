package shadow

import (
	"fmt"
	"path/filepath"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type genPasswordArgs struct {
	Password  any `py:"password"`           // the password in clear
	CryptSalt any `py:"crypt_salt=None"`    // the salt, rounds=N$salt for another number of rounds; None makes one
	Algorithm any `py:"algorithm='sha512'"` // sha512, sha256, blowfish, md5 or crypt
}

// genPassword returns the hash of a password, for use in /etc/shadow. Without
// a password it makes one up, which only locks the account.
//
//	salt-call shadow.gen_password 'hello' crypt_salt=saltsalt algorithm=sha512
func genPassword(c *salt.Ctx, a genPasswordArgs) (any, error) {
	algorithm := "sha512"
	if a.Algorithm != nil {
		algorithm = value.Str(a.Algorithm)
	}
	password := randomText(20, printable)
	if a.Password != nil {
		password = value.Str(a.Password)
	}
	setting := ""
	if a.CryptSalt != nil {
		setting = value.Str(a.CryptSalt)
	}
	hash, err := crypt(password, algorithm, setting, a.CryptSalt == nil)
	if err != nil {
		return nil, err
	}
	if hash == "" {
		return nil, nil
	}
	return hash, nil
}

type setPasswordArgs struct {
	Name       string `py:"name"`              // the user
	Password   string `py:"password"`          // the hash, as it stands in /etc/shadow
	UseUsermod bool   `py:"use_usermod=False"` // set it with usermod instead of writing /etc/shadow
	Root       any    `py:"root=None"`         // the directory of another system whose /etc/shadow to use
}

// setPassword sets the hash of a user's password, and today as the day of the
// change.
func setPassword(c *salt.Ctx, a setPasswordArgs) (any, error) {
	if _, err := c.Sys.User(a.Name); err != nil {
		c.Log.Warn("user " + a.Name + " does not exist, cannot set password")
		return false, nil
	}
	if a.UseUsermod {
		argv := value.L("usermod")
		if a.Root != nil {
			argv.Append("-R", a.Root)
		}
		argv.Append("-p", a.Password, a.Name)
		if _, err := c.CallKw("cmd.run", value.M("python_shell", false, "output_loglevel", "quiet"), argv); err != nil {
			return nil, err
		}
		return find(c, a.Name, a.Root).passwd == a.Password, nil
	}
	file := path(a.Root)
	if c.Grains.Str("os") == "ALT" {
		file = filepath.Join(strings.TrimSuffix(file, "shadow"), "tcb", a.Name, "shadow")
	}
	old, err := c.Sys.ReadFile(file)
	if err != nil {
		return new(value.Map), nil
	}
	today := c.Sys.Now().Unix() / 86400
	text, found := withPassword(string(old), a.Name, a.Password, today)
	if !found {
		c.Log.Warn("shadow entry not present for user " + a.Name + ", adding")
	}
	if err := sys.WriteFile(c.Sys, file, []byte(text), sys.FileAttrs{Sync: true}); err != nil {
		return nil, err
	}
	return find(c, a.Name, a.Root).passwd == a.Password, nil
}

// withPassword is the text of shadow(5) with a new hash for a user, whose line
// is added when there is none.
func withPassword(text, name, hash string, day int64) (out string, found bool) {
	var b strings.Builder
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSpace(line), ":")
		if f[0] != name {
			b.WriteString(line)
			continue
		}
		found = true
		for len(f) < 9 {
			f = append(f, "")
		}
		f[1], f[2] = hash, fmt.Sprint(day)
		b.WriteString(strings.Join(f[:9], ":") + "\n")
	}
	if !found {
		fmt.Fprintf(&b, "%s:%s:%d::::::\n", name, hash, day)
	}
	return b.String(), found
}

// passwd calls passwd(1) with one option.
func passwd(c *salt.Ctx, option, name string, root any) error {
	argv := value.L("passwd")
	if root != nil {
		argv.Append("-R", root)
	}
	argv.Append(option, name)
	_, err := c.CallKw("cmd.run", value.M("python_shell", false, "output_loglevel", "quiet"), argv)
	return err
}

type delPasswordArgs struct {
	Name string `py:"name"`      // the user
	Root any    `py:"root=None"` // the directory of another system whose /etc/shadow to use
}

// delPassword takes a user's password away: no password is asked for.
func delPassword(c *salt.Ctx, a delPasswordArgs) (bool, error) {
	if err := passwd(c, "-d", a.Name, a.Root); err != nil {
		return false, err
	}
	e := find(c, a.Name, a.Root)
	return e.passwd == "" && e.name == a.Name, nil
}

type lockPasswordArgs struct {
	Name string `py:"name"`      // the user
	Root any    `py:"root=None"` // the directory of another system whose /etc/shadow to use
}

// lockPassword locks a user's password.
func lockPassword(c *salt.Ctx, a lockPasswordArgs) (bool, error) {
	return lock(c, a.Name, a.Root, "-l", true)
}

type unlockPasswordArgs struct {
	Name string `py:"name"`      // the user
	Root any    `py:"root=None"` // the directory of another system whose /etc/shadow to use
}

// unlockPassword unlocks a user's password.
func unlockPassword(c *salt.Ctx, a unlockPasswordArgs) (bool, error) {
	return lock(c, a.Name, a.Root, "-u", false)
}

func lock(c *salt.Ctx, name string, root any, option string, want bool) (bool, error) {
	locked := func() bool { return strings.HasPrefix(find(c, name, root).passwd, "!") }
	if find(c, name, root).name == "" {
		return false, nil
	}
	if locked() == want {
		return true, nil
	}
	if err := passwd(c, option, name, root); err != nil {
		return false, err
	}
	return locked() == want, nil
}
