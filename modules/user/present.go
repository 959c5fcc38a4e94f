package user

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

const redacted = "XXX-REDACTED-XXX"

type presentArgs struct {
	Name            string `py:"name"`                   // the user
	UID             any    `py:"uid=None"`               // the user's number
	GID             any    `py:"gid=None"`               // the primary group, by number or name
	Usergroup       any    `py:"usergroup=None"`         // True: make a group of the same name as primary group; False: do not; None: as the system does
	Groups          any    `py:"groups=None"`            // the supplementary groups
	OptionalGroups  any    `py:"optional_groups=None"`   // supplementary groups that may be missing
	RemoveGroups    bool   `py:"remove_groups=True"`     // take the user out of all other groups
	Home            any    `py:"home=None"`              // the home directory
	Createhome      bool   `py:"createhome=True"`        // make the home directory
	PersistHome     bool   `py:"persist_home=False"`     // move the content of the old home when home changes
	Password        any    `py:"password=None"`          // the hash of the password, as in /etc/shadow
	HashPassword    bool   `py:"hash_password=False"`    // password is in clear: hash it
	EnforcePassword bool   `py:"enforce_password=True"`  // set the password also when it was changed meanwhile; False sets only a first one
	EmptyPassword   bool   `py:"empty_password=False"`   // take the password away: none is asked for
	Shell           any    `py:"shell=None"`             // the login shell
	Unique          bool   `py:"unique=True"`            // refuse a number that another user has
	System          bool   `py:"system=False"`           // make a system account
	Fullname        any    `py:"fullname=None"`          // the full name
	Roomnumber      any    `py:"roomnumber=None"`        // the room number
	Workphone       any    `py:"workphone=None"`         // the phone at work
	Homephone       any    `py:"homephone=None"`         // the phone at home
	Other           any    `py:"other=None"`             // the other field of the description
	Loginclass      any    `py:"loginclass=None"`        // the login class, on BSD
	Date            any    `py:"date=None"`              // the day of the last change of the password, in days since 1970-01-01
	Mindays         any    `py:"mindays=None"`           // days between two changes of the password
	Maxdays         any    `py:"maxdays=None"`           // days that a password is good for
	Inactdays       any    `py:"inactdays=None"`         // days after the password expired until the account is disabled
	Warndays        any    `py:"warndays=None"`          // days before the password expires to warn the user
	Expire          any    `py:"expire=None"`            // the day on which the account expires, in days since 1970-01-01
	WinHomedrive    any    `py:"win_homedrive=None"`     // for Windows only, ignored here
	WinProfile      any    `py:"win_profile=None"`       // for Windows only, ignored here
	WinLogonscript  any    `py:"win_logonscript=None"`   // for Windows only, ignored here
	WinDescription  any    `py:"win_description=None"`   // for Windows only, ignored here
	Nologinit       bool   `py:"nologinit=False"`        // leave the user out of lastlog and faillog
	AllowUIDChange  bool   `py:"allow_uid_change=False"` // change the number of a user that exists
	AllowGIDChange  bool   `py:"allow_gid_change=False"` // change the primary group of a user that exists
	PasswordLock    any    `py:"password_lock=None"`     // True locks the password, False unlocks it, None leaves it
	Local           bool   `py:"local=False"`            // change the files of this machine, also where accounts come from the network
}

// present makes sure that a user exists, with its groups, home, shell,
// description, password and ages.
//
//	deploy:
//	  user.present:
//	    - system: True
//	    - home: /srv/deploy
//	    - shell: /usr/sbin/nologin
//	    - optional_groups: [docker]
func present(c *salt.Ctx, a presentArgs) salt.Result {
	if err := a.hash(c); err != nil {
		return salt.Raised(err)
	}
	described := a.description()
	for _, v := range described[:3] {
		if s, ok := v.(string); ok && strings.Contains(s, ",") {
			return salt.Failed("Unsupported char ',' in %s", s)
		}
	}
	groups, missing := existing(c, names(a.Groups))
	if len(missing) > 0 && !c.Test {
		return salt.Failed("The following group(s) are not present: %s", strings.Join(missing, ","))
	}
	optional, absent := existing(c, names(a.OptionalGroups))
	for _, g := range absent {
		c.Log.Debug("Optional group \"" + g + "\" for user \"" + a.Name + "\" is not present")
	}
	gid := a.GID
	if value.Truth(a.Usergroup) {
		if _, err := c.Sys.Group(a.Name); err == nil {
			gid = a.Name
		}
	}
	now, exists, err := look(c, a.Name, a.Local)
	if err != nil {
		return salt.Raised(err)
	}
	if !exists {
		if c.Test {
			comment := "User " + a.Name + " set to be added"
			if len(missing) > 0 {
				comment += " (pending groups: " + strings.Join(missing, ",") + ")"
			}
			return salt.Would(nil, "%s", comment)
		}
		return a.create(c, append(groups, optional...))
	}
	changes, err := a.plan(c, now, gid, groups, optional)
	switch {
	case err != nil:
		return salt.Failed("%s", err)
	case changes.Len() == 0:
		return salt.Correct("User %s is present and up to date", a.Name)
	case c.Test:
		return salt.Would(nil, "%s", preview(changes, missing))
	}
	if err := a.apply(c, now, changes); err != nil {
		return salt.Raised(err)
	}
	return a.verify(c, now, gid, groups, optional)
}

// existing splits groups into those that are there and those that are not.
func existing(c *salt.Ctx, groups []string) (there, missing []string) {
	for _, g := range groups {
		if _, err := c.Sys.Group(g); err == nil {
			there = append(there, g)
		} else {
			missing = append(missing, g)
		}
	}
	return there, missing
}

// preview is the comment under test=True.
func preview(changes *value.Map, missing []string) string {
	comment := "The following user attributes are set to be changed:\n"
	for k, v := range changes.Items() {
		if k == "passwd" {
			v = redacted
		}
		comment += k + ": " + value.Str(v) + "\n"
	}
	if len(missing) > 0 {
		comment += "groups (pending creation): " + strings.Join(missing, ",") + "\n"
	}
	return comment
}

// hash turns a password in clear into a hash, with the salt of the one that is
// set, so that the same password gives the same hash.
func (a *presentArgs) hash(c *salt.Ctx) error {
	if !value.Truth(a.Password) || !a.HashPassword {
		return nil
	}
	v, err := c.Call("shadow.info", a.Name)
	if err != nil {
		return err
	}
	kw := new(value.Map)
	old, _ := v.(*value.Map)
	if parts := strings.SplitN(old.Str("passwd"), "$", 5); len(parts) == 4 {
		kw.Set("crypt_salt", parts[2])
		kw.Set("algorithm", nil)
		if algo := map[string]string{"1": "md5", "2a": "blowfish", "5": "sha256", "6": "sha512"}[parts[1]]; algo != "" {
			kw.Set("algorithm", algo)
		}
		if parts[1] == "1" {
			c.Log.Warn("Using MD5 for hashing passwords is considered insecure!")
		}
	}
	a.Password, err = c.CallKw("shadow.gen_password", kw, a.Password)
	return err
}

// verify reads the account again: what differs now is what changed.
func (a *presentArgs) verify(c *salt.Ctx, before account, gid any, groups, optional []string) salt.Result {
	after, _, err := look(c, a.Name, a.Local)
	if err != nil {
		return salt.Raised(err)
	}
	changes := new(value.Map)
	for k, v := range after.info.Items() {
		if !value.Equal(v, before.info.At(k)) {
			changes.Set(k, v)
		}
	}
	if before.shadow.At("passwd") != a.Password {
		for k, v := range after.shadow.Items() {
			if value.Equal(v, before.shadow.At(k)) {
				continue
			}
			if k == "passwd" {
				v = redacted
			}
			changes.Set(k, v)
		}
	}
	r := salt.Changed(changes, "User %s is present and up to date", a.Name)
	if changes.Len() > 0 {
		r.Comment = "Updated user " + a.Name
	}
	a.AllowUIDChange, a.AllowGIDChange = true, true
	left, err := a.plan(c, after, gid, groups, optional)
	if err != nil {
		return salt.Raised(err)
	}
	if left.Len() > 0 {
		if left.Has("passwd") {
			left.Set("passwd", redacted)
		}
		r.Comment, r.Result = "These values could not be changed: "+value.Repr(left), salt.False()
	}
	return r
}
