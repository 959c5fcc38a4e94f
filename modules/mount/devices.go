package mount

import (
	"path/filepath"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// devices are the UUIDs and labels of block devices, read when the first is
// asked for, from the links that udev keeps.
type devices struct {
	read          bool
	uuids, labels map[string]string // by the real path of the device
}

func (d *devices) of(c *salt.Ctx, device string) (uuid, label any) {
	if !d.read {
		d.read = true
		d.uuids, d.labels = links(c, "/dev/disk/by-uuid"), links(c, "/dev/disk/by-label")
	}
	if len(d.uuids)+len(d.labels) == 0 {
		return nil, nil
	}
	path, err := c.Sys.EvalSymlinks(device)
	if err != nil {
		return nil, nil
	}
	if s := d.uuids[path]; s != "" {
		uuid = s
	}
	if s := d.labels[path]; s != "" {
		label = s
	}
	return uuid, label
}

// links are the names of the links in a folder, by what they lead to.
func links(c *salt.Ctx, dir string) map[string]string {
	entries, _ := c.Sys.ReadDir(dir)
	m := make(map[string]string, len(entries))
	for _, e := range entries {
		if path, err := c.Sys.EvalSymlinks(filepath.Join(dir, e.Name())); err == nil {
			m[path] = unescape(e.Name())
		}
	}
	return m
}

// unescape reads udev's \x20.
func unescape(s string) string {
	head, tail, ok := strings.Cut(s, `\x`)
	if !ok {
		return s
	}
	var b strings.Builder
	for ; ok; head, tail, ok = strings.Cut(tail, `\x`) {
		b.WriteString(head)
		if len(tail) > 1 {
			if n, err := strconv.ParseUint(tail[:2], 16, 8); err == nil {
				b.WriteByte(byte(n))
				tail = tail[2:]
				continue
			}
		}
		b.WriteString(`\x`)
	}
	b.WriteString(head)
	return b.String()
}

// labelled are the devices with a label.
func labelled(c *salt.Ctx, label string) ([]string, error) {
	var found []string
	for path, l := range links(c, "/dev/disk/by-label") {
		if l == label {
			found = append(found, path)
		}
	}
	if found != nil {
		return found, nil
	}
	v, err := c.CallKw("disk.blkid", value.M("token", "LABEL="+label))
	m, _ := v.(*value.Map)
	for device := range m.Items() {
		found = append(found, device)
	}
	return found, err
}

// convertTo is what names a device in fstab(5): as it is, or by its device,
// UUID, label …; "" when it is not known.
func convertTo(c *salt.Ctx, device string, by any) (string, error) {
	kind := value.Str(by)
	key := strings.ToUpper(kind)
	if !value.Truth(by) || kind == "device" && strings.HasPrefix(device, "/") || strings.HasPrefix(device, key+"=") {
		return device, nil
	}
	kw := value.M("token", device)
	if strings.HasPrefix(device, "/") {
		kw = value.M("device", device)
	}
	v, err := c.CallKw("disk.blkid", kw)
	m, _ := v.(*value.Map)
	if err != nil || m.Len() != 1 {
		return "", err
	}
	for name, info := range m.Items() {
		if kind == "device" {
			return name, nil
		}
		if info, ok := info.(*value.Map); ok && info.Has(key) {
			return key + "=" + info.Str(key), nil
		}
	}
	return "", nil
}
