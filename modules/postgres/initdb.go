package postgres

import (
	"io/fs"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type datadirExistsArgs struct {
	Name string `py:"name"` // the folder
}

// datadirExists reports whether a folder is a data directory: it has
// PG_VERSION and postgresql.conf.
func datadirExists(c *salt.Ctx, a datadirExistsArgs) (bool, error) {
	dir := strings.TrimSuffix(a.Name, "/")
	return sys.IsFile(c.Sys, dir+"/PG_VERSION") && sys.IsFile(c.Sys, dir+"/postgresql.conf"), nil
}

type datadirInitArgs struct {
	Name      string `py:"name"`            // the folder
	Auth      any    `py:"auth='password'"` // how users of this machine prove who they are
	User      any    `py:"user=None"`       // the superuser; None: as runas
	Password  any    `py:"password=None"`   // the password of the superuser
	Encoding  any    `py:"encoding='UTF8'"` // its encoding
	Locale    any    `py:"locale=None"`     // the locale
	Waldir    any    `py:"waldir=None"`     // a folder for the write-ahead log
	Checksums any    `py:"checksums=False"` // checksums of data pages
	Runas     any    `py:"runas=None"`      // who initdb runs as; None: postgres
}

// datadirInit makes a data directory with initdb; false if it is there, or if
// initdb fails.
//
//	salt-call postgres.datadir_init /srv/pgdata auth=scram-sha-256 password=secret checksums=True
func datadirInit(c *salt.Ctx, a datadirInitArgs) (bool, error) {
	if there, _ := datadirExists(c, datadirExistsArgs{Name: a.Name}); there {
		return false, nil
	}
	runas := socketUser(c)
	if a.Runas != nil {
		runas = value.Str(a.Runas)
	}
	user := any(runas)
	if a.User != nil {
		user = a.User
	}
	program := binary(c, "initdb")
	if program == "" {
		return false, salt.CommandError("initdb executable not found.")
	}
	argv := []string{program, "--pgdata=" + a.Name, "--username=" + value.Str(user), "--auth=" + value.Str(a.Auth), "--encoding=" + value.Str(a.Encoding)}
	if a.Locale != nil {
		argv = append(argv, "--locale="+value.Str(a.Locale))
	}
	if a.Waldir != nil {
		argv = append(argv, "-X", value.Str(a.Waldir)) // its long name depends on the version
	}
	if value.Truth(a.Checksums) {
		argv = append(argv, "--data-checksums")
	}
	if a.Password != nil {
		file, err := passwordFile(c, value.Str(a.Password), runas)
		if err != nil {
			return false, err
		}
		defer c.Sys.Remove(file)
		argv = append(argv, "--pwfile="+file)
	}
	v, err := c.CallKw("cmd.run_all", value.M("python_shell", false, "runas", runas, "clean_env", true, "timeout", option(c, "timeout")), value.Strings(argv))
	if err != nil {
		return false, err
	}
	ret, _ := v.(*value.Map)
	if !succeeded(ret) {
		c.Log.Error("Error initilizing the postgres data directory")
	}
	return succeeded(ret), nil
}

// passwordFile is a file for initdb that only its user can read.
func passwordFile(c *salt.Ctx, password, runas string) (string, error) {
	c.Run.Hide(password)
	u, err := c.Sys.User(runas)
	if err != nil {
		return "", salt.CommandError("User '%s' is not available", runas)
	}
	file := sys.TempName("", "")
	own := sys.FileAttrs{UID: &u.UID, GID: &u.GID, Mode: new(fs.FileMode)}
	*own.Mode = 0o400
	return file, sys.WriteFile(c.Sys, file, []byte(password+"\n"), own)
}
