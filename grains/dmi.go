package grains

import (
	"strings"

	"pinch/value"
)

// hardware is what firmware tells about the machine: DMI in /sys, or the
// device tree.
func (c *core) hardware() *value.Map {
	m := new(value.Map)
	m.Update(c.dt())
	if !c.exists("/sys/class/dmi/id") {
		return m
	}
	for _, k := range [][2]string{
		{"biosversion", "bios_version"}, {"biosvendor", "bios_vendor"}, {"boardname", "board_name"},
		{"productname", "product_name"}, {"manufacturer", "sys_vendor"}, {"biosreleasedate", "bios_date"},
		{"uuid", "product_uuid"}, {"serialnumber", "product_serial"},
	} {
		text, ok := c.file("/sys/class/dmi/id/" + k[1])
		if !ok {
			continue // only root may read the serial numbers
		}
		text = strings.ToValidUTF8(strings.TrimSpace(text), "\ufffd")
		if k[0] == "uuid" {
			text = strings.ToLower(text)
		}
		m.Set(k[0], text)
	}
	return m
}

// deviceTree reads "manufacturer,model" and the serial number.
func (c *core) deviceTree() *value.Map {
	m := new(value.Map)
	if !c.isDir("/proc/device-tree") {
		return m
	}
	read := func(name string) string { return strings.TrimRight(c.read("/proc/device-tree/"+name), "\x00") }
	if model := read("model"); model != "" {
		if maker, product, ok := strings.Cut(model, ","); ok {
			m.Set("manufacturer", maker)
			m.Set("productname", product)
		} else {
			m.Set("productname", model)
		}
	}
	for _, name := range []string{"system-id", "serial-number"} {
		if s := read(name); s != "" {
			m.Set("serialnumber", s)
		}
	}
	return m
}

// dmiID is a value of /sys/class/dmi/id.
func (c *core) dmiID(name string) string {
	return strings.TrimSpace(c.read("/sys/class/dmi/id/" + name))
}
