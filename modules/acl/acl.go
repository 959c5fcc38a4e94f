// Package acl holds Salt's acl module: access control lists of files. Its main
// variable is Module.
//
//	/srv/www:
//	  acl.present:
//	    - acl_type: user
//	    - acl_name: deploy
//	    - perms: rwx
//	    - recurse: True
package acl

import (
	"errors"
	"strings"

	"pinch/command"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's acl module.
var Module = salt.Module{
	Name: "acl",
	States: func() salt.Funcs {
		return salt.Funcs{
			"absent":       salt.State(absent),
			"list_absent":  salt.State(listAbsent),
			"list_present": salt.State(listPresent),
			"present":      salt.State(present),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"delfacl":   salt.Exec(delfacl),
			"getfacl":   salt.Exec(getfacl),
			"modfacl":   salt.Exec(modfacl),
			"version":   salt.Exec(version),
			"wipefacls": salt.Exec(wipefacls),
		}
	},
	Virtual: func(c *salt.Ctx, kind string) error {
		switch {
		case kind == "states" && (c.Sys.LookPath("getfacl") == "" || c.Sys.LookPath("setfacl") == ""):
			return errors.New("The linux_acl state cannot be loaded: the getfacl or setfacl binary is not in the path.")
		case c.Sys.LookPath("getfacl") == "":
			return errors.New("The linux_acl execution module cannot be loaded: the getfacl binary is not in the path.")
		}
		return nil
	},
}

// version returns the version of getfacl.
func version(c *salt.Ctx, _ salt.NoArgs) (string, error) {
	a, err := command.Ask(c, "getfacl", "--version")
	if f := strings.Fields(a.All()); err == nil && len(f) > 1 {
		return f[1], nil
	}
	return "", err
}

type filesArgs struct {
	Args   []any      `py:"*args"`    // files and folders
	Kwargs *value.Map `py:"**kwargs"` // recursive: True for all below folders
}

// words are a command on the files.
func words(files []any, recursive bool, head ...string) ([]string, error) {
	if len(files) == 0 {
		return nil, salt.CommandError("You need to specify at least one file or directory to work with!")
	}
	if recursive {
		head = append([]string{head[0], head[1], "-R"}, head[2:]...)
	}
	for _, f := range files {
		head = append(head, value.Str(f))
	}
	return head, nil
}

// getfacl returns the lists of files by path: comment (file, owner, group,
// flags), user, group, other, mask and defaults, each a list of maps from name
// to permissions and octal.
func getfacl(c *salt.Ctx, a filesArgs) (*value.Map, error) {
	w, err := words(a.Args, a.Kwargs.Truth("recursive"), "getfacl", "--absolute-names")
	if err != nil {
		return nil, err
	}
	r, err := command.Ask(c, w...)
	all, file := new(value.Map), new(value.Map)
	for line := range strings.SplitSeq(r.All(), "\n") {
		switch rest, comment := strings.CutPrefix(line, "# "); {
		case line == "" || strings.HasPrefix(line, "getfacl"):
		case comment:
			key, v, _ := strings.Cut(rest, ": ")
			if key == "file" {
				file = value.M("comment", new(value.Map), "user", value.L(), "group", value.L())
				all.Set(v, file)
			}
			if m := file.Map("comment"); m != nil {
				m.Set(key, v)
			}
			if key == "flags" {
				for i, flag := range []string{"suid", "sgid", "sticky"} {
					if len(v) > i && v[i] != '-' {
						file.Set(flag, true)
					}
				}
			}
		default:
			entry(file, line)
		}
	}
	return all, err
}

// entry reads a line of getfacl: [default:]TYPE:NAME:PERMISSIONS.
func entry(file *value.Map, line string) {
	line, _, _ = strings.Cut(line, "\t") // an effective right behind it
	in := file
	if rest, ok := strings.CutPrefix(line, "default:"); ok {
		line = rest
		if file.Map("defaults") == nil {
			file.Set("defaults", new(value.Map))
		}
		in = file.Map("defaults")
	}
	f := strings.Split(line, ":")
	if len(f) < 3 {
		return
	}
	kind, name, perms := f[0], f[1], f[len(f)-1]
	if name == "" {
		switch kind {
		case "user":
			name = file.Map("comment").Str("owner")
		case "group":
			name = file.Map("comment").Str("group")
		}
	}
	m := value.M("permissions", value.M("read", strings.Contains(perms, "r"), "write", strings.Contains(perms, "w"), "execute", strings.Contains(perms, "x")), "octal", octal(perms))
	if (kind == "user" || kind == "group") && in.List(kind) != nil {
		in.List(kind).Append(value.M(name, m))
	} else {
		in.Set(kind, value.L(value.M(name, m)))
	}
}

// octal is the number of permissions such as rwx or 7.
func octal(perms string) int64 {
	var n int64
	for _, r := range perms {
		switch {
		case r == 'r':
			n += 4
		case r == 'w':
			n += 2
		case r == 'x' || r == 'X':
			n++
		case r >= '0' && r <= '7':
			n += int64(r - '0')
		}
	}
	return n
}

// wipefacls removes all entries beyond the mode of files.
func wipefacls(c *salt.Ctx, a filesArgs) (bool, error) {
	w, err := words(a.Args, a.Kwargs.Truth("recursive"), "setfacl", "-b")
	if err != nil {
		return false, err
	}
	_, err = command.Do(c, w...)
	return err == nil, err
}

// prefix is the type of an entry as setfacl writes it.
func prefix(aclType string) string {
	p := ""
	if strings.HasPrefix(aclType, "d") {
		p = "d:"
		aclType = strings.TrimPrefix(strings.TrimPrefix(aclType, "default:"), "d:")
	}
	switch aclType {
	case "user", "u":
		return p + "u"
	case "group", "g":
		return p + "g"
	case "mask", "m":
		return p + "m"
	case "other", "o":
		return p + "o"
	}
	return p
}

type modfaclArgs struct {
	AclType string     `py:"acl_type"`    // user, group, mask or other, with default: or d: before it for what new files get
	AclName string     `py:"acl_name=''"` // the user or group; the default is the owner
	Perms   string     `py:"perms=''"`    // such as rwx
	Args    []any      `py:"*args"`       // files and folders
	Kwargs  *value.Map `py:"**kwargs"`    // recursive: True for all below folders; raise_err: True for an error when setfacl fails
}

// modfacl adds or changes an entry of files.
//
//	salt-call acl.modfacl user myuser rwx /tmp/house/kitchen recursive=True
func modfacl(c *salt.Ctx, a modfaclArgs) (bool, error) {
	w, err := words(a.Args, false, "setfacl", "-m", prefix(a.AclType)+":"+a.AclName+":"+a.Perms)
	if err != nil {
		return false, err
	}
	r, err := command.Do(c, recursive(w, a.Kwargs)...)
	if err == nil && r.Code != 0 && a.Kwargs.Truth("raise_err") {
		err = salt.CommandError("%s", r.All())
	}
	return err == nil, err
}

func recursive(w []string, kw *value.Map) []string {
	if kw.Truth("recursive") {
		return append([]string{w[0], "-R"}, w[1:]...)
	}
	return w
}

type delfaclArgs struct {
	AclType string     `py:"acl_type"`    // user, group, mask or other, with default: or d: before it for what new files get
	AclName string     `py:"acl_name=''"` // the user or group
	Args    []any      `py:"*args"`       // files and folders
	Kwargs  *value.Map `py:"**kwargs"`    // recursive: True for all below folders
}

// delfacl removes an entry from files.
func delfacl(c *salt.Ctx, a delfaclArgs) (bool, error) {
	w, err := words(a.Args, false, "setfacl", "-x", prefix(a.AclType)+":"+a.AclName)
	if err != nil {
		return false, err
	}
	_, err = command.Do(c, recursive(w, a.Kwargs)...)
	return err == nil, err
}
