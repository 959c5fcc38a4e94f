package mount

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pinch/salt"
	"pinch/value"
)

// invisible are options that /proc never shows, hiddenKeys those with a value.
const (
	invisible  = " _netdev actimeo bg comment defaults delay_connect direct-io-mode intr loop nointr nobootwait nofail password reconnect retry soft auto users bind nonempty transform_symlinks port backup-volfile-servers "
	hiddenKeys = " actimeo comment credentials direct-io-mode password port retry secretfile "
)

func among(words, s string) bool {
	return s != "" && !strings.Contains(s, " ") && strings.Contains(words, " "+s+" ")
}

var size = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^size=([0-9]+)([kmg])`) })

// kilobytes writes size=1m as the kernel shows it; ok is false for other options.
func kilobytes(opt string) (text string, ok bool) {
	g := size().FindStringSubmatch(opt)
	if g == nil {
		return opt, false
	}
	n, err := strconv.ParseUint(g[1], 10, 40)
	if err != nil {
		return opt, false
	}
	return "size=" + strconv.FormatUint(n<<map[string]int{"k": 0, "m": 10, "g": 20}[g[2]], 10) + "k", true
}

// compareOptions mounts again when options are wanted that are not in force:
// as the kernel shows them, and as the cache remembers them.
func (m *mounting) compareOptions(p *point) (r salt.Result, done bool) {
	missing, last := m.lacking(p)
	if len(missing) > 0 {
		slices.Sort(missing)
		text := strings.Join(missing, ",")
		if m.c.Test {
			return m.would("Remount would be forced because options (%s) changed", text)
		}
		if r, done := m.again(text, true); done {
			return r, true
		}
	}
	cache, err := readMountCache(m.c, readMountCacheArgs{m.path})
	if err != nil {
		return salt.Raised(err), true
	}
	if !cache.Has("opts") {
		m.cached = true
		return m.r, false
	}
	var gone []string
	for _, opt := range options(cache.At("opts")) {
		if !slices.Contains(m.opts, opt) {
			gone = append(gone, opt)
		}
	}
	if len(gone) == 0 {
		return m.r, false
	}
	if m.c.Test {
		return m.would("Remount would be forced because options (%s)changed", strings.Join(gone, ","))
	}
	return m.again(last, false)
}

// lacking are the wanted options that are not in force; last is the last
// wanted one in the kernel's words.
func (m *mounting) lacking(p *point) (missing []string, last string) {
	translate := value.M("tcp", "proto=tcp", "udp", "proto=udp")
	if more, ok := m.a.ExtraMountTranslateOptions.(*value.Map); ok {
		translate.Update(more)
	}
	ignore := value.M("ramfs", value.L("size"))
	if more, ok := m.a.ExtraMountIgnoreFSKeys.(*value.Map); ok {
		ignore.Update(more)
	}
	ignored := options(ignore.At(m.a.Fstype))
	hidden := slices.Concat(options(m.a.ExtraMountInvisibleOptions), options(m.a.HiddenOpts))
	keys := options(m.a.ExtraMountInvisibleKeys)
	has := func(opt string) bool { return slices.Contains(p.opts, opt) || slices.Contains(p.superopts, opt) }
	for _, opt := range m.opts {
		if v, ok := translate.Get(opt); ok {
			opt = value.Str(v)
		}
		key, val, _ := strings.Cut(opt, "=")
		if among(hiddenKeys, key) || slices.Contains(keys, key) {
			opt = key
		}
		opt, _ = kilobytes(opt)
		if m.a.Fstype == "cifs" && key == "user" && opt != key {
			opt = "username=" + val
		}
		if slices.Contains(ignored, key) {
			opt = key
		}
		opt = numeric(m.c, opt)
		// Where the kernel shows a size (tmpfs) it shows the other options in
		// too many ways of its own; the cache tells what changed.
		for i, active := range p.superopts {
			if text, ok := kilobytes(active); ok {
				p.superopts[i], opt = text, text
			}
		}
		last = opt
		if !has(opt) && !among(invisible, opt) && !slices.Contains(hidden, opt) && !slices.Contains(ignored, opt) && !among(hiddenKeys, opt) && !slices.Contains(keys, opt) {
			missing = append(missing, opt)
		}
	}
	return missing, last
}

// again mounts with other options. Some file systems cannot change them while
// they are mounted.
func (m *mounting) again(changed string, first bool) (r salt.Result, done bool) {
	m.cached = true
	opts := value.Strings(m.opts)
	why := "options (" + changed + ") changed"
	if m.a.Fstype != "nfs" && m.a.Fstype != "cvfs" && !strings.HasPrefix(m.a.Fstype, "fuse") {
		m.change("umount", "Forced remount because "+why)
		out, err := remount(m.c, remountArgs{m.path, m.a.Device, m.a.Mkmnt, m.a.Fstype, opts, nil})
		m.opts = slices.DeleteFunc(m.opts, func(s string) bool { return s == "remount" })
		return m.outcome(out, err)
	}
	m.change("umount", "Forced unmount and mount because "+why)
	out, err := umount(m.c, umountArgs{Name: m.path, Util: "mount"})
	if err == nil && out != true {
		if first {
			m.change("umount", "Forced a lazy unmount and mount because the previous unmount failed and because the "+why)
		}
		out, err = umount(m.c, umountArgs{Name: m.path, Util: "mount", Lazy: true})
	}
	if err != nil {
		return salt.Raised(err), true
	}
	if out != true {
		return m.fail("Unable to unmount %s: %s.", m.path, value.Str(out))
	}
	out, err = mount(m.c, mountArgs{m.path, m.a.Device, m.a.Mkmnt, m.a.Fstype, opts, nil, "mount"})
	return m.outcome(out, err)
}

// outcome takes what a mount answered: an error text ends the state.
func (m *mounting) outcome(out any, err error) (r salt.Result, done bool) {
	if err != nil {
		return salt.Raised(err), true
	}
	if text, ok := out.(string); ok {
		return m.fail("%s", text)
	}
	m.r.Result = salt.True()
	return m.r, false
}
