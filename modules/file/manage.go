package file

import (
	"errors"
	"io"
	"io/fs"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// managing is a file as it shall be. file.managed, file.serialize and
// file.manage_file fill it and let it act or foretell.
type managing struct {
	name      string
	content   *content // nil: whatever is there
	inline    bool     // the content was given in the state, not by a source
	perms     perms
	env       string
	backup    string
	makedirs  bool
	dirMode   string
	hide      bool // show_changes: False
	ignore    ignoring
	newDiff   bool // a new file is shown as a diff
	signature any
	sign      signing
	noVerify  bool
}

func (m *managing) showing() showing {
	return showing{hide: m.hide, secret: true, ignore: m.ignore}
}

// run makes the file what it shall be.
func (m *managing) run(c *salt.Ctx) (salt.Result, error) {
	i, err := c.Sys.Lstat(m.name)
	if err == nil && isRegularOrLink(i) {
		return m.update(c, i)
	}
	return m.create(c)
}

// update changes a file, or a link, that is there.
func (m *managing) update(c *salt.Ctx, i fs.FileInfo) (salt.Result, error) {
	res := salt.Result{Result: salt.True(), Changes: new(value.Map)}
	path, link := m.name, i.Mode()&fs.ModeSymlink != 0
	if link && m.perms.follow {
		path = realPath(c.Sys, m.name)
		t, err := c.Sys.Stat(path)
		if err != nil {
			dangling := *m
			dangling.name = path
			return dangling.create(c)
		}
		i = t
	}
	cur := standingOf(i)
	fresh := false
	if link && !m.perms.follow && m.content != nil {
		// The file takes over what the link led to.
		t, err := c.Sys.Stat(path)
		if fresh = err != nil; !fresh {
			cur = standingOf(t)
		}
	}
	matters := false
	if m.content != nil {
		bad, diff, mat, err := m.replace(c, path, i)
		if bad != nil || err != nil {
			return *orResult(bad), err
		}
		matters = mat
		if diff != "" {
			res.Changes.Set("diff", diff)
		}
	}
	if fresh {
		now, err := c.Sys.Lstat(path)
		if err != nil {
			return res, osError(err)
		}
		cur = standingOf(now)
		cur.mode = 0o600 // what replaces a link that leads nowhere counts as private before
	}
	st := applyPerms(c, m.name, cur, &m.perms)
	st.merge(c, &res)
	switch {
	case res.Changes.Len() > 0:
		res.Comment = "File " + m.name + " updated"
		if m.ignore.any() && !matters {
			res.Extra = value.M("skip_req", true)
		}
	case res.OK():
		res.Comment = "File " + m.name + " is in the correct state"
	}
	return res, nil
}

// replacesLink is the change when a file takes the place of a link to its content.
const replacesLink = "Replace symbolic link with regular file"

func orResult(r *salt.Result) *salt.Result {
	if r == nil {
		return new(salt.Result)
	}
	return r
}

// replace puts the content into place if it differs. bad is a failure that
// Salt describes in its own words.
func (m *managing) replace(c *salt.Ctx, path string, i fs.FileInfo) (bad *salt.Result, diff string, matters bool, err error) {
	link := i.Mode()&fs.ModeSymlink != 0
	old := path
	if link && !sys.IsFile(c.Sys, path) {
		old = ""
	}
	if !link {
		if same, err := sameContent(c, path, i.Size(), m.content); same || err != nil {
			return nil, "", false, err
		}
	}
	if bad = m.verify(c, m.content.url, ". If the 'source_hash' value refers to a remote file with multiple possible matches, then it may be necessary to set 'source_hash_name'."); bad != nil {
		return bad, "", false, nil
	}
	if diff, matters, err = difference(c, old, m.content, m.showing()); err != nil {
		return nil, "", false, err
	}
	if link && diff == "" {
		diff = replacesLink
	}
	if backupMode(c, m.backup) && sys.Exists(c.Sys, path) {
		if err := backUp(c, path); err != nil {
			r := salt.Failed("Failed to commit change: %s", osText(err))
			return &r, "", false, nil
		}
	}
	if err := m.write(c, path, m.attrs(c)); err != nil {
		if errors.Is(err, sys.ErrReadOnly) {
			return nil, "", false, err
		}
		r := salt.Failed("Failed to commit change: %s", osText(err))
		r.Changes.Set("diff", diff)
		return &r, "", false, nil
	}
	return nil, diff, matters, nil
}

// attrs are the wanted owner and mode, so that new content is never readable
// to those who must not see it.
func (m *managing) attrs(c *salt.Ctx) (a sys.FileAttrs) {
	if bits, ok := modeBits(m.perms.mode); ok && m.perms.mode != "" {
		a.Mode = &bits
	}
	if c.Sys.Getuid() != 0 {
		return a // others may fail to change it: applyPerms says so
	}
	if uid, ok := userID(c, m.perms.user); ok && given(m.perms.user) {
		a.UID = &uid
	}
	if gid, ok := groupID(c, m.perms.group); ok && given(m.perms.group) {
		a.GID = &gid
	}
	return a
}

func (m *managing) write(c *salt.Ctx, path string, a sys.FileAttrs) error {
	t := m.content
	if t.path == "" || t.data != nil {
		return atPath(sys.WriteFile(c.Sys, path, t.data, a), path)
	}
	f, err := c.Sys.Open(t.path)
	if err != nil {
		return err
	}
	defer f.Close()
	return atPath(c.Sys.Replace(path, a, func(w io.Writer) error {
		_, err := io.Copy(w, f)
		return err
	}), path)
}

// verify checks the digest and the signature that a source must have.
func (m *managing) verify(c *salt.Ctx, what, more string) *salt.Result {
	if t := m.content; t.sum.hex != "" {
		var have string
		var err error
		if t.data != nil {
			have, err = digest(t.data, t.sum.form)
		} else {
			have, err = hashFile(c, t.path, t.sum.form)
		}
		if err != nil {
			r := salt.Failed("Unable to manage file: %s", text(err))
			return &r
		}
		if have != t.sum.hex {
			r := salt.Failed("Specified %s checksum for %s (%s) does not match actual checksum (%s)%s", t.sum.form, what, t.sum.hex, have, more)
			return &r
		}
	}
	if value.Truth(m.signature) && m.content.path != "" {
		if err := checkSignature(c, m.content.path, m.signature, m.sign, m.env, m.noVerify); err != nil {
			r := salt.Failed("Failed checking new file's signature: %s", text(err))
			return &r
		}
	}
	return nil
}

// create makes a file that is not there.
func (m *managing) create(c *salt.Ctx) (salt.Result, error) {
	res := salt.Result{Result: salt.True(), Changes: new(value.Map)}
	if m.content != nil && !m.inline {
		if bad := m.verify(c, m.name, ""); bad != nil {
			return *bad, nil
		}
	}
	if !sys.IsDir(c.Sys, dirName(m.name)) {
		if !m.makedirs {
			return salt.Failed("Parent directory not present"), nil
		}
		mode := m.dirMode
		if mode == "" && m.perms.mode != "" {
			mode = dirMode(m.perms.mode)
		}
		if _, err := makeParents(c, m.name, m.perms.user, m.perms.group, mode); err != nil {
			return res, err
		}
	}
	p := m.perms
	p.follow = false
	if err := m.fill(c, &res, &p); err != nil {
		return res, err
	}
	st, err := lookPerms(c, m.name, &p)
	if err != nil {
		return res, err
	}
	st.merge(c, &res)
	if res.Comment == "" {
		res.Comment = "File " + m.name + " updated"
	}
	if m.ignore.any() {
		res.Extra = value.M("skip_req", true)
	}
	return res, nil
}

// fill writes the new file. Until it has its owner nobody else may read it.
func (m *managing) fill(c *salt.Ctx, res *salt.Result, p *perms) error {
	var a sys.FileAttrs
	private := fs.FileMode(0o600)
	if p.mode != "" {
		a.Mode = &private
	}
	if m.content == nil {
		if err := sys.WriteFile(c.Sys, m.name, nil, a); err != nil {
			return osError(atPath(err, m.name))
		}
		res.Changes.Set("new", "file "+m.name+" created")
		res.Comment = "Empty file"
		return nil
	}
	diff := "New file"
	if m.newDiff {
		var err error
		if diff, _, err = difference(c, "", m.content, showing{}); err != nil {
			return err
		}
	}
	if err := m.write(c, m.name, a); err != nil {
		return osError(err)
	}
	res.Changes.Set("diff", diff)
	if !m.inline && p.mode == "" {
		// Salt makes the file from a private temporary one, so the usual mode is a change.
		i, err := c.Sys.Lstat(m.name)
		if err != nil {
			return osError(err)
		}
		if mode := octal(i.Mode()); mode != "0600" {
			res.Changes.Set("mode", mode)
		}
	}
	return nil
}
