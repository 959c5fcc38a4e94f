package file

import (
	"io/fs"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// foretell is the result under test=True.
func (m *managing) foretell(c *salt.Ctx) salt.Result {
	changes, matters, err := m.predict(c)
	if err != nil {
		return salt.Failed("Unable to manage file: %s", text(err))
	}
	if changes.Len() == 0 {
		return salt.Correct("The file %s is in the correct state", m.name)
	}
	if m.hide && changes.Has("diff") {
		changes.Set("diff", "<show_changes=False>")
	}
	r := salt.Would(changes, "The file %s is set to be changed\nNote: No changes made, actual changes may\nbe different due to other states.", m.name)
	if m.ignore.any() && !matters {
		r.Extra = value.M("skip_req", true)
	}
	return r
}

// predict is what would change: Salt's check_file_meta.
func (m *managing) predict(c *salt.Ctx) (changes *value.Map, matters bool, err error) {
	changes = new(value.Map)
	i, err := info(c, m.name, m.perms.follow)
	if err != nil {
		if !m.newDiff || m.content == nil {
			changes.Set("newfile", m.name)
			return changes, true, nil
		}
		diff, _, err := difference(c, "", m.content, showing{secret: true})
		if diff != "" {
			changes.Set("diff", diff)
		}
		return changes, true, err
	}
	if m.content != nil {
		same := false
		readable := i.Mode().IsRegular()
		if readable {
			if same, err = sameContent(c, m.name, i.Size(), m.content); err != nil {
				return changes, false, err
			}
		}
		if !same {
			old := m.name
			if !readable && !sys.IsFile(c.Sys, m.name) {
				old = ""
			}
			diff, mat, err := difference(c, old, m.content, showing{secret: true, ignore: m.ignore})
			if err != nil {
				return changes, false, err
			}
			if diff == "" && i.Mode()&fs.ModeSymlink != 0 {
				diff = replacesLink
			}
			if diff != "" {
				changes.Set("diff", diff)
			}
			matters = mat
		}
	}
	m.predictPerms(c, i, changes)
	return changes, matters, nil
}

func (m *managing) predictPerms(c *salt.Ctx, i fs.FileInfo, changes *value.Map) {
	uid, gid := sys.Owner(i)
	p := &m.perms
	if ownerDiffers(c, p.user, uid, userID) {
		changes.Set("user", p.user)
	}
	if ownerDiffers(c, p.group, gid, groupID) {
		changes.Set("group", p.group)
	}
	if p.mode != "" && p.mode != octal(i.Mode()) {
		changes.Set("mode", p.mode)
	}
	if p.attrs != nil && *p.attrs != "" {
		old, err := fileAttrs(c, m.name)
		added, removed := attrsDiffer(old, *p.attrs)
		if err == nil && added+removed != "" {
			changes.Set("attrs", *p.attrs)
		}
	}
	if !p.se.any() {
		return
	}
	cur, ok := fileContext(c, m.name)
	if !ok {
		changes.Set("selinux", "Unable to get current selinux attributes")
		return
	}
	for k, w := range p.se.parts() {
		if w.v != "" && w.v != cur.parts()[k].v {
			changes.Set("selinux", value.M(strings.ToLower(w.title), w.v))
		}
	}
}
