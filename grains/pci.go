package grains

import (
	"bufio"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"

	"pinch/value"
)

// A pciDevice is one device of the PCI bus. IDs are four hex digits; the names
// are those of pci.ids, or lspci's words for unknown ones.
type pciDevice struct {
	class          string // class and subclass: "0300"
	vendorID, id   string
	vendor, device string
}

func (c *core) pciDevices() []pciDevice {
	var devs []pciDevice
	for _, slot := range c.names("/sys/bus/pci/devices") {
		dir := "/sys/bus/pci/devices/" + slot
		hex := func(name string) string { return strings.TrimPrefix(c.line(dir+"/"+name), "0x") }
		class, vendor, id := hex("class"), hex("vendor"), hex("device")
		if len(class) >= 4 {
			devs = append(devs, pciDevice{class: class[:4], vendorID: vendor, id: id, vendor: "Vendor " + vendor, device: "Device " + id})
		}
	}
	return devs
}

// gpus has the graphics cards. As in Salt there are none without lspci,
// although only the kernel and pci.ids are asked.
func (c *core) gpus() *value.Map {
	list := new(value.List)
	if c.opt("enable_lspci", true) && c.opt("enable_gpu_grains", true) && c.which("lspci") != "" {
		devs := slices.DeleteFunc(c.pciDevices(), func(d pciDevice) bool {
			return !slices.Contains([]string{"0300", "0302", "0380", "1200"}, d.class)
		})
		c.namePCI(devs)
		for _, d := range devs {
			list.Append(value.M("vendor", gpuVendor(d.vendor), "model", d.device))
		}
	}
	return value.M("num_gpus", int64(list.Len()), "gpus", list)
}

func gpuVendor(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return (r < '0' || r > '9') && (r < 'a' || r > 'z') })
	for _, known := range []string{"nvidia", "amd", "ati", "intel", "vmware", "matrox", "aspeed"} {
		if slices.Contains(words, known) {
			return known
		}
	}
	return "unknown"
}

// namePCI looks the names up in pci.ids.
func (c *core) namePCI(devs []pciDevice) {
	if len(devs) == 0 {
		return
	}
	for _, path := range []string{"/usr/share/misc/pci.ids", "/usr/share/hwdata/pci.ids", "/usr/share/pci.ids",
		"/usr/share/misc/pci.ids.gz", "/usr/share/hwdata/pci.ids.gz"} {
		f, err := c.Sys.Open(c.path(path))
		if err != nil {
			continue
		}
		defer f.Close()
		var r io.Reader = f
		if strings.HasSuffix(path, ".gz") {
			if r, err = gzip.NewReader(f); err != nil {
				continue
			}
		}
		scanPCI(r, devs)
		return
	}
}

// scanPCI reads pci.ids: "10de  NVIDIA Corporation", below it
// "<tab>1db6  GV100GL", and deeper lines for subsystems.
func scanPCI(r io.Reader, devs []pciDevice) {
	vendor := ""
	for s := bufio.NewScanner(r); s.Scan(); {
		line := s.Text()
		switch {
		case line == "" || line[0] == '#' || strings.HasPrefix(line, "\t\t"):
		case strings.HasPrefix(line, "C "):
			return
		case line[0] != '\t':
			id, name, _ := strings.Cut(line, "  ")
			vendor = ""
			for i := range devs {
				if devs[i].vendorID == id {
					devs[i].vendor, vendor = name, id
				}
			}
		case vendor != "":
			id, name, _ := strings.Cut(line[1:], "  ")
			for i := range devs {
				if devs[i].vendorID == vendor && devs[i].id == id {
					devs[i].device = name
				}
			}
		}
	}
}
