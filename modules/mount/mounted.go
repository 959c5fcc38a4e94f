package mount

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
	"pinch/value/pyre"
)

type mountedArgs struct {
	Name                       string     `py:"name"`                               // the mount point
	Device                     string     `py:"device"`                             // /dev/sdb1, UUID=…, LABEL=…, or a folder for a bind mount
	Fstype                     string     `py:"fstype"`                             // the type of the file system: ext4, xfs, nfs, none …
	Mkmnt                      bool       `py:"mkmnt=False"`                        // make the mount point
	Opts                       any        `py:"opts='defaults'"`                    // options: a list, or text with commas
	Dump                       any        `py:"dump=0"`                             // whether dump(8) saves it
	PassNum                    any        `py:"pass_num=0"`                         // when fsck(8) checks it
	Config                     string     `py:"config='/etc/fstab'"`                // the file to keep it in
	Persist                    bool       `py:"persist=True"`                       // keep it in that file
	Mount                      bool       `py:"mount=True"`                         // mount it now
	User                       any        `py:"user=None"`                          // the user who mounts
	MatchOn                    any        `py:"match_on='auto'"`                    // the columns of fstab(5) that tell which line is meant
	DeviceNameRegex            any        `py:"device_name_regex=None"`             // devices, or patterns, that are as good as the wanted one
	ExtraMountInvisibleOptions any        `py:"extra_mount_invisible_options=None"` // more options that /proc does not show
	ExtraMountInvisibleKeys    any        `py:"extra_mount_invisible_keys=None"`    // more options with a value that /proc does not show
	ExtraMountIgnoreFSKeys     any        `py:"extra_mount_ignore_fs_keys=None"`    // options not to compare, by type: {ramfs: [size]}
	ExtraMountTranslateOptions any        `py:"extra_mount_translate_options=None"` // options that are shown in other words: {tcp: proto=tcp}
	HiddenOpts                 any        `py:"hidden_opts=None"`                   // options not to compare
	BindMountCopyActiveOpts    bool       `py:"bind_mount_copy_active_opts=True"`   // a bind mount has the options of what it shows, too
	Kwargs                     *value.Map `py:"**kwargs"`                           // ignored
}

// mounted makes sure that a file system is mounted, and kept in fstab(5).
//
//	/var/lib/big:
//	  mount.mounted:
//	    - device: /srv/big
//	    - fstype: none
//	    - opts: bind
//	    - mkmnt: True
func mounted(c *salt.Ctx, a mountedArgs) salt.Result {
	for _, need := range [][2]string{{"name", a.Name}, {"device", a.Device}, {"fstype", a.Fstype}} {
		if need[1] == "" {
			return salt.Failed("Must provide %s to mount.mounted", need[0])
		}
	}
	a.Name = trimmed(a.Name)
	m := &mounting{c: c, a: &a, opts: options(a.Opts), r: salt.Correct("")}
	r, done := m.bring()
	if done || !a.Persist {
		return r
	}
	return m.persist(r)
}

// A mounting is one run of mount.mounted.
type mounting struct {
	c    *salt.Ctx
	a    *mountedArgs
	opts []string
	r    salt.Result
	path string // the mount point without links
	key  string // as /proc writes it
	wish string // the device that should be there
	// known are names of the device that is there.
	known  []string
	table  *table
	cached bool // the cache of mounts needs writing
}

func (m *mounting) fail(format string, args ...any) (salt.Result, bool) {
	m.r.Result = salt.False()
	return m.says(format, args...), true
}

func (m *mounting) says(format string, args ...any) salt.Result {
	said := salt.Failed(format, args...)
	m.r.Comment = said.Comment
	return m.r
}

func (m *mounting) would(format string, args ...any) (salt.Result, bool) {
	m.r.Result = nil
	return m.says(format, args...), true
}

func (m *mounting) change(key string, v any) { m.r.Changes.Set(key, v) }

// bring mounts what is to be mounted; done says that nothing is left to do.
func (m *mounting) bring() (r salt.Result, done bool) {
	var err error
	if m.table, err = mounts(m.c, true); err != nil {
		return salt.Raised(err), true
	}
	m.path = real(m.c, m.a.Name)
	m.key = escaped(m.path)
	if missing, err := m.resolve(); err != nil {
		return salt.Raised(err), true
	} else if missing != "" {
		return m.fail("Unable to find device with label %s.", missing)
	}
	if m.table.points[m.key] != nil && m.a.Mount {
		if r, done := m.compare(m.table.points[m.key]); done {
			return r, true
		}
	}
	if m.table.points[m.key] == nil {
		return m.add()
	}
	return m.r, false
}

var (
	volume = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^/dev/([^/]+)/([^/]+)$`) })
	fuse   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\w+#(.+)`) })
)

// resolve finds the device that should be mounted; missing is a label that no
// device has.
func (m *mounting) resolve() (missing string, err error) {
	device := m.a.Device
	m.wish = device
	switch upper := strings.ToUpper(device); {
	case strings.HasPrefix(device, "/"):
		m.wish = real(m.c, device)
		if p := m.table.points[m.key]; p != nil && slices.Contains(m.opts, "bind") {
			m.bound(p)
		}
	case strings.HasPrefix(upper, "UUID="):
		m.wish = strings.ToLower(strings.Trim(strings.Split(device, "=")[1], `"`))
	case strings.HasPrefix(upper, "LABEL="):
		label := strings.Split(device, "=")[1]
		found, err := labelled(m.c, label)
		if err != nil || len(found) == 0 {
			return label, err
		}
		m.known = found
		m.wish = found[0]
	}
	// The kernel shows a logical volume by its mapped name, with dashes doubled.
	if g := volume().FindStringSubmatch(device); g != nil {
		if mapped := "/dev/mapper/" + strings.ReplaceAll(g[1], "-", "--") + "-" + strings.ReplaceAll(g[2], "-", "--"); sys.Exists(m.c.Sys, mapped) {
			m.wish = mapped
		}
	}
	if g := fuse().FindStringSubmatch(device); g != nil {
		m.wish = g[1]
	}
	return "", nil
}

// bound finds what a bind mount really shows: the device below the folder.
// Its options are wanted too.
func (m *mounting) bound(p *point) {
	source := escaped(m.a.Device)
	below := m.table.points[source]
	if !strings.HasPrefix(p.device, "/") {
		m.wish = p.device
	} else {
		for below == nil && source != "/" && source != "." {
			source = filepath.Dir(strings.ReplaceAll(source, `\040`, " "))
			below = m.table.points[source]
		}
		if below != nil {
			m.wish = below.device
		}
	}
	if below == nil {
		return
	}
	if m.a.BindMountCopyActiveOpts {
		m.opts = slices.Concat(m.opts, below.opts, below.superopts)
		slices.Sort(m.opts)
		m.opts = slices.Compact(m.opts)
	}
	p.opts = append(p.opts, "bind")
}

// compare looks at a file system that is mounted already.
func (m *mounting) compare(p *point) (r salt.Result, done bool) {
	m.known = append(m.known, p.device)
	m.known = append(m.known, real(m.c, m.known[0]))
	for _, v := range []any{p.alt, p.uuid, p.label} {
		if s, ok := v.(string); ok && s != "" && !slices.Contains(m.known, s) {
			m.known = append(m.known, s)
		}
	}
	if len(m.opts) > 0 {
		if r, done := m.compareOptions(p); done {
			return r, true
		}
	}
	if slices.Contains(m.known, m.wish) {
		m.says("Target was already mounted")
		return m.r, false
	}
	same, err := m.alike()
	switch {
	case err != nil:
		return salt.Raised(err), true
	case same != "":
		m.r.Result = salt.True()
		m.says("An umount will not be forced because device matched device_name_regex: %s", same)
		return m.r, false
	case m.c.Test:
		m.would("An umount would have been forced because devices do not match.  Watched: %s", m.a.Device)
		return m.r, false
	}
	text := "Forced unmount because devices don't match. Wanted: " + m.a.Device
	if m.wish != m.a.Device {
		text += " (" + m.wish + ")"
	}
	m.change("umount", text+", current: "+strings.Join(m.known, ", "))
	if _, err := umount(m.c, umountArgs{Name: m.path, User: m.a.User}); err != nil {
		return salt.Raised(err), true
	}
	if m.table, err = mounts(m.c, true); err != nil {
		return salt.Raised(err), true
	}
	if m.table.points[m.key] != nil {
		return m.fail("Unable to unmount")
	}
	m.cached = true
	return m.r, false
}

// alike is a name of the mounted device that device_name_regex accepts.
func (m *mounting) alike() (string, error) {
	patterns := options(m.a.DeviceNameRegex)
	if s, ok := m.a.DeviceNameRegex.(string); ok {
		patterns = []string{s}
	}
	found := ""
	for _, pattern := range patterns {
		re, err := pyre.Compile(pattern, 0)
		if err != nil {
			return "", err
		}
		if i := slices.IndexFunc(m.known, func(s string) bool { return re.Match(s) != nil }); i >= 0 {
			found = m.known[i]
		}
	}
	return found, nil
}

// add mounts what is not mounted.
func (m *mounting) add() (r salt.Result, done bool) {
	name, there := m.a.Name, sys.Exists(m.c.Sys, m.a.Name)
	test, mkmnt := m.c.Test, m.a.Mkmnt
	switch {
	case m.a.Mount && test && there:
		return m.would("%s would be mounted", name)
	case m.a.Mount && test && mkmnt:
		return m.would("%s would be created and mounted", name)
	case m.a.Mount && test:
		return m.would("%s does not exist and would not be created", name)
	case m.a.Mount && !there && !mkmnt:
		return m.fail("Mount directory is not present")
	case m.a.Mount:
		return m.mount()
	case there && test:
		m.says("%s would not be mounted", name)
	case there:
		m.says("%s not mounted", name)
	case test && mkmnt:
		m.would("%s would be created, but not mounted", name)
	case test:
		m.would("%s does not exist and would neither be created nor mounted", name)
	case mkmnt:
		if err := mkdir(m.c, name, m.a.User); err != nil {
			return salt.Raised(err), true
		}
		m.says("%s was created, not mounted", name)
	default:
		m.says("%s not present and not mounted", name)
	}
	return m.r, false
}

func (m *mounting) mount() (r salt.Result, done bool) {
	out, err := mount(m.c, mountArgs{m.a.Name, m.a.Device, m.a.Mkmnt, m.a.Fstype, value.Strings(m.opts), m.a.User, "mount"})
	if err != nil {
		return salt.Raised(err), true
	}
	m.cached = true
	if text, ok := out.(string); ok {
		return m.fail("%s", text)
	}
	if m.table, err = mounts(m.c, true); err != nil {
		return salt.Raised(err), true
	}
	// The folder may only exist now, behind other links.
	if m.table.points[m.key] != nil || m.table.at(real(m.c, m.a.Name)) != nil {
		m.says("Target was successfully mounted")
		m.change("mount", true)
	}
	return m.r, false
}

// persist keeps the file system in fstab(5).
func (m *mounting) persist(r salt.Result) salt.Result {
	a := m.a
	answer, err := setFstab(m.c, setFstabArgs{a.Name, a.Device, a.Fstype, value.Strings(m.opts), a.Dump, a.PassNum, a.Config, m.c.Test, a.MatchOn, false, nil})
	if err != nil {
		return salt.Raised(err)
	}
	if m.c.Test {
		text := map[string]map[bool]string{
			"new": {true: a.Name + " is mounted, but needs to be written to the fstab in order to be made persistent.",
				false: a.Name + " needs to be written to the fstab in order to be made persistent."},
			"change": {true: a.Name + " is mounted, but its fstab entry must be updated.",
				false: "The " + a.Name + " fstab entry must be updated."},
		}[answer]
		if text != nil {
			r.Result = nil
			r.Comment += ". " + text[a.Mount]
		}
		return r
	}
	if m.cached {
		if _, err := writeMountCache(m.c, writeMountCacheArgs{m.path, a.Device, a.Mkmnt, a.Fstype, value.Strings(m.opts)}); err != nil {
			return salt.Raised(err)
		}
	}
	return persisted(r, answer, ". Entry already exists in the fstab.")
}
