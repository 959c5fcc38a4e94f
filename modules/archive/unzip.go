package archive

import (
	"errors"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type isEncryptedArgs struct {
	Name       string `py:"name"`             // the archive: a path or a URL
	Clean      bool   `py:"clean=False"`      // removes the archive afterwards
	Env        string `py:"saltenv='base'"`   // the environment of salt:// URLs
	SourceHash any    `py:"source_hash=None"` // a cached copy with this digest is not downloaded again
	UseETag    bool   `py:"use_etag=False"`   // downloads again only when the server's ETag changed
}

// isEncrypted reports whether a zip archive needs a password.
func isEncrypted(c *salt.Ctx, a isEncryptedArgs) (bool, error) {
	cached, err := cache(c, a.Name, a.Env, a.SourceHash, a.UseETag)
	if err != nil {
		return false, err
	}
	z, err := openZip(c, cached, "")
	switch {
	case errors.Is(err, errFormat):
		return false, withInfo(a.Name+" is not a ZIP file", "archive location", cached)
	case err != nil:
		return false, withInfo(osText(err), "archive location", cached)
	}
	defer z.Close()
	if a.Clean {
		if err := c.Sys.Remove(cached); err != nil {
			c.Log.Warn("Failed to clean cached archive " + cached + ": " + err.Error())
		}
	}
	return z.encrypted(), nil
}

type unzipArgs struct {
	ZipFile    any  `py:"zip_file"`           // the archive
	Dest       any  `py:"dest"`               // the folder to unpack into
	Excludes   any  `py:"excludes=None"`      // what to leave out: a list, or a text with commas
	Options    any  `py:"options=None"`       // ignored
	Template   any  `py:"template=None"`      // renders the two paths, such as with jinja
	Runas      any  `py:"runas=None"`         // the user to unpack as
	TrimOutput any  `py:"trim_output=False"`  // how many files to name; True is 100
	Password   any  `py:"password=None"`      // the archive's password
	Perms      bool `py:"extract_perms=True"` // False: files get the usual modes
}

// unzip unpacks a zip archive and returns the names of its files.
//
//	salt-call archive.unzip /srv/app.zip /opt/app
func unzip(c *salt.Ctx, a unzipArgs) (*value.List, error) {
	from, to, err := rendered(c, a.Template, a.ZipFile, a.Dest)
	if err != nil {
		return nil, err
	}
	return unpackAs(c, a.Runas, from, to, "zip", argText(a.Password), options{usual: !a.Perms, skip: texts(a.Excludes)}, a.TrimOutput, "Exception encountered unpacking zipfile: ")
}

type unrarArgs struct {
	Rarfile    any `py:"rarfile"`           // the archive
	Dest       any `py:"dest"`              // the folder to unpack into
	Excludes   any `py:"excludes=None"`     // what to leave out: a list, or a text with commas
	Template   any `py:"template=None"`     // renders the two paths, such as with jinja
	Runas      any `py:"runas=None"`        // the user to unpack as
	TrimOutput any `py:"trim_output=False"` // how many files to name; True is 100
}

// unrar unpacks a rar archive and returns the names of its files.
func unrar(c *salt.Ctx, a unrarArgs) (*value.List, error) {
	from, to, err := rendered(c, a.Template, a.Rarfile, a.Dest)
	if err != nil {
		return nil, err
	}
	return unpackAs(c, a.Runas, from, to, "rar", "", options{skip: texts(a.Excludes)}, a.TrimOutput, "Failed to extract "+from+": ")
}

// rendered renders paths that are templates.
func rendered(c *salt.Ctx, engine any, one, two any) (string, string, error) {
	paths := []string{value.Str(one), value.Str(two)}
	if !value.Truth(engine) {
		return paths[0], paths[1], nil
	}
	for i, p := range paths {
		s, err := c.Render(c, salt.Template{Text: p, Name: "archive path", Engine: value.Str(engine), Env: c.Env})
		if err != nil {
			return "", "", salt.CommandError("Failed to render file path with error: %s", err)
		}
		paths[i] = s
	}
	return paths[0], paths[1], nil
}

// identity is who runas names, nil for ourselves.
func identity(c *salt.Ctx, runas any) (*sys.Identity, error) {
	if !value.Truth(runas) {
		return nil, nil
	}
	u, err := c.Sys.User(value.Str(runas))
	if err != nil {
		return nil, salt.InvocationError("User '%s' does not exist", value.Str(runas))
	}
	return &sys.Identity{UID: u.UID, GID: u.GID, Groups: sys.GroupsOf(c.Sys, u)}, nil
}

// as runs f with the file rights of a user.
func as(id *sys.Identity, f func() error) error {
	if id == nil {
		return f()
	}
	var inner error
	if err := sys.WithIdentity(*id, func() { inner = f() }); err != nil {
		return err
	}
	return inner
}

// unpackAs unpacks a whole archive and returns the names of what it holds.
func unpackAs(c *salt.Ctx, runas any, from, to, format, password string, o options, by any, complaint string) (*value.List, error) {
	id, err := identity(c, runas)
	if err != nil {
		return nil, err
	}
	files := []string{}
	err = as(id, func() error {
		src, err := open(c, from, format, nil, password)
		if err != nil {
			return err
		}
		defer src.Close()
		if err := fits(c, src, from, to); err != nil {
			return err
		}
		if err := sys.MkdirAll(c.Sys, to, 0o777); err != nil {
			return err
		}
		u := &unpacker{c: c, archive: from, options: o}
		return u.place(src, to, false, nil, func(e *entry) { files = append(files, e.name) })
	})
	switch {
	case errors.Is(err, errFormat):
		return nil, salt.CommandError("%sFile is not a %s file", complaint, format)
	case err != nil:
		return nil, salt.CommandError("%s%s", complaint, osText(err))
	}
	return value.Strings(trim(files, by)), nil
}

// fits checks that there is room for a zip archive, which says how much it
// holds without being read.
func fits(c *salt.Ctx, src source, from, to string) error {
	z, ok := src.(*zipSource)
	if !ok {
		return nil
	}
	var bytes int64
	for _, f := range z.zip.File {
		bytes += int64(f.UncompressedSize64)
	}
	return room(c, from, to, bytes, int64(len(z.zip.File)))
}
