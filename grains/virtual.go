package grains

import (
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"pinch/value"
)

// A virt is what virtual_subtype and virtual are worked out in.
type virt struct{ kind, subtype string }

// virtual says what the machine runs on. Salt asks virt-what,
// systemd-detect-virt, dmidecode and lspci, those that are installed; here
// their sources answer, under the same condition. Then /proc and /sys overrule.
func (c *core) virtual() *value.Map {
	v := virt{kind: "physical"}
	switch {
	case strings.Contains(c.uname().Str("kernelversion"), "BrandZ virtual linux"):
		return value.M("virtual", "zone")
	case c.which("virt-what") != "":
		v.virtWhat(c.detectVirt(), c.dmiID("sys_vendor"))
	case c.which("systemd-detect-virt") != "" && v.detected(c.detectVirt()):
	case c.which("dmidecode") != "" && c.Sys.Getuid() == 0 && c.exists("/sys/firmware/dmi/tables/DMI"):
		v.dmi(c)
	case c.opt("enable_lspci", true) && c.exists("/proc/bus/pci") && c.which("lspci") != "":
		v.pci(c)
	}
	v.proc(c)
	v.xen(c)
	v.product(c)
	v.container(c)
	if v.subtype != "" && v.kind == "physical" {
		v.kind = "virtual"
	}
	v.cloud(c)
	m := value.M("virtual", v.kind)
	if v.subtype != "" {
		m.Set("virtual_subtype", v.subtype)
	}
	return m
}

// detected reads the answer of systemd-detect-virt; false when Salt does not
// know it.
func (v *virt) detected(name string) bool {
	switch {
	case name == "qemu", name == "kvm", name == "oracle", name == "xen", name == "bochs", name == "uml", name == "systemd-nspawn":
		v.kind = name
	case strings.Contains(name, "vmware"):
		v.kind = "VMware"
	case strings.Contains(name, "microsoft"):
		v.kind = "VirtualPC"
	case strings.Contains(name, "lxc"):
		*v = virt{"container", "LXC"}
	case strings.Contains(name, "podman"):
		*v = virt{"container", "Podman"}
	case strings.Contains(name, "docker"):
		*v = virt{"container", "Docker"}
	case strings.Contains(name, "amazon"):
		*v = virt{"Nitro", "Amazon EC2"}
	default:
		return false
	}
	return true
}

// virtWhat translates what virt-what prints in the same places.
func (v *virt) virtWhat(name, vendor string) {
	switch {
	case name == "kvm" && strings.Contains(vendor, "Nutanix"):
		*v = virt{"kvm", "Nutanix AHV"}
	case name == "kvm", name == "qemu", name == "uml", name == "xen":
		v.kind = name
	case name == "amazon", name == "google":
		v.kind = "kvm"
	case strings.Contains(name, "lxc"):
		*v = virt{"container", "LXC"}
	case name == "docker":
		*v = virt{"container", "Docker"}
	case name == "vmware":
		v.kind = "VMware"
	case name == "parallels":
		v.kind = "Parallels"
	case name == "microsoft":
		v.kind = "HyperV"
	case name == "powervm":
		*v = virt{"LPAR", "shared"}
	}
}

// dmi looks for the words that Salt looks for in dmidecode's output.
func (v *virt) dmi(c *core) {
	bios, product := c.dmiID("bios_vendor"), c.dmiID("product_name")
	makers := []string{c.dmiID("sys_vendor"), c.dmiID("board_vendor"), c.dmiID("chassis_vendor")}
	all := strings.Join(append(makers, bios, product, c.dmiID("product_version"), c.dmiID("bios_version"), c.dmiID("board_name")), "\n")
	maker := func(name string) bool {
		for _, m := range makers {
			if strings.HasPrefix(m, name) {
				return true
			}
		}
		return false
	}
	if strings.HasPrefix(bios, "QEMU") || maker("QEMU") || strings.HasPrefix(bios, "Bochs") || maker("Bochs") {
		v.kind = "kvm"
	}
	switch {
	case strings.Contains(all, "BHYVE"):
		v.kind = "bhyve"
	case maker("oVirt"):
		*v = virt{"kvm", "ovirt"}
	case strings.HasPrefix(product, "RHEV Hypervisor"):
		*v = virt{"kvm", "rhev"}
	case strings.Contains(all, "VirtualBox"):
		v.kind = "VirtualBox"
	case strings.Contains(all, "VMware"):
		v.kind = "VMware"
	case (maker("Microsoft") || strings.HasPrefix(bios, "Microsoft")) && strings.Contains(all, "Virtual Machine"):
		v.kind = "VirtualPC"
	case strings.Contains(all, "Parallels Software"):
		v.kind = "Parallels"
	case maker("Google"):
		v.kind = "kvm"
	case maker("Nutanix") && strings.HasPrefix(product, "AHV"):
		*v = virt{"kvm", "Nutanix AHV"}
	case strings.HasPrefix(bios, "SeaBIOS"):
		v.kind = "kvm"
	}
}

// pci knows hypervisors by the vendors of their devices: VMware, VirtualBox
// (InnoTek), QEMU and virtio (Red Hat).
func (v *virt) pci(c *core) {
	vendors := map[string]bool{}
	for _, d := range c.pciDevices() {
		vendors[d.vendorID] = true
	}
	switch {
	case vendors["15ad"]:
		v.kind = "VMware"
	case vendors["80ee"]:
		v.kind = "VirtualBox"
	case vendors["1234"], vendors["1af4"], vendors["1b36"]:
		v.kind = "kvm"
	}
}

// proc tells a chroot and OpenVZ.
func (v *virt) proc(c *core) {
	var self, first syscall.Stat_t
	if c.Root == "" && syscall.Stat("/", &self) == nil && syscall.Stat("/proc/1/root/.", &first) == nil &&
		(self.Ino != first.Ino || self.Dev != first.Dev) {
		v.subtype = "chroot"
	}
	if c.isDir("/proc/vz") {
		if c.isFile("/proc/vz/version") {
			v.kind = "openvzhn"
		} else if c.isFile("/proc/vz/veinfo") {
			v.kind = "openvzve"
		}
	}
	if m := regexp.MustCompile(`(?m)^envID:\s+(\d+)$`).FindStringSubmatch(c.read("/proc/self/status")); m != nil {
		v.kind = "openvzve"
		if n, _ := strconv.Atoi(m[1]); n == 0 {
			v.kind = "openvzhn"
		}
	}
}

func (v *virt) xen(c *core) {
	if !c.isDir("/proc/sys/xen") && !c.isDir("/sys/bus/xen") && !c.isDir("/proc/xen") {
		return
	}
	capabilities, readable := c.file("/proc/xen/capabilities")
	switch {
	case c.isFile("/proc/xen/xsd_kva"):
		v.subtype = "Xen Dom0"
	case c.hw().Str("productname") == "HVM domU":
		v.subtype = "Xen HVM DomU"
	case readable && strings.Contains(capabilities, "control_d"):
		v.subtype = "Xen Dom0"
	case readable, c.isDir("/sys/bus/xen/drivers/xenconsole"):
		v.subtype = "Xen PV DomU"
	}
	if strings.Contains(strings.ToLower(v.subtype), "dom") {
		v.kind = "xen"
	}
}

func (v *virt) product(c *core) {
	if strings.Contains(c.read("/proc/cpuinfo"), "QEMU Virtual CPU") {
		v.kind = "kvm"
	}
	switch p := c.read("/sys/devices/virtual/dmi/id/product_name"); {
	case strings.Contains(p, "VirtualBox"):
		v.kind = "VirtualBox"
	case strings.Contains(p, "RHEV Hypervisor"):
		*v = virt{"kvm", "rhev"}
	case strings.Contains(p, "oVirt Node"):
		*v = virt{"kvm", "ovirt"}
	case strings.Contains(p, "Google"):
		v.kind = "gce"
	case strings.Contains(p, "BHYVE"):
		v.kind = "bhyve"
	}
}

// container comes after the hypervisors: a container in a virtual machine is
// a container.
func (v *virt) container(c *core) {
	switch g := c.read("/proc/1/cgroup"); {
	case strings.Contains(g, ":/lxc/"):
		*v = virt{"container", "LXC"}
	case strings.Contains(g, ":/kubepods/"):
		v.subtype = "kubernetes"
	case strings.Contains(g, ":/libpod_parent/"):
		v.subtype = "libpod"
	case strings.Contains(g, ":/system.slice/docker"), strings.Contains(g, ":/docker/"), strings.Contains(g, ":/docker-ce/"):
		*v = virt{"container", "Docker"}
	}
	if v.subtype != "LXC" && strings.Contains(c.read("/proc/1/environ"), "container=lxc") {
		*v = virt{"container", "LXC"}
	}
}

// cloud refines what dmidecode shows about Amazon and Nutanix.
func (v *virt) cloud(c *core) {
	switch v.kind {
	case "qemu", "kvm", "xen", "amazon":
	default:
		return
	}
	if c.which("dmidecode") == "" || c.Sys.Getuid() != 0 {
		return
	}
	maker, product := c.dmiID("sys_vendor"), c.dmiID("product_name")
	switch {
	case strings.HasPrefix(maker, "Amazon EC2"):
		if v.kind != "xen" {
			v.kind = "Nitro"
		}
		v.subtype = "Amazon EC2 (" + product + ")"
	case strings.Contains(c.dmiID("product_version"), ".amazon"), strings.Contains(c.dmiID("bios_version"), ".amazon"):
		v.subtype = "Amazon EC2"
	case strings.HasPrefix(maker, "Nutanix") && strings.HasPrefix(product, "AHV"):
		v.subtype = "Nutanix AHV"
	}
}

// xenFeatures are the bits of /sys/hypervisor/properties/features (Xen's
// public/features.h).
var xenFeatures = [...]string{0: "writable_page_tables", 1: "writable_descriptor_tables", 2: "auto_translated_physmap",
	3: "supervisor_mode_kernel", 4: "pae_pgdir_above_4gb", 5: "mmu_pt_update_preserve_ad", 7: "gnttab_map_avail_bits",
	8: "hvm_callback_vector", 9: "hvm_safe_pvclock", 10: "hvm_pirqs", 11: "dom0", 12: "grant_map_identity",
	13: "memory_op_vnode_supported", 14: "ARM_SMCCC_supported"}

// hypervisor has version and features of Xen.
func (c *core) hypervisor() *value.Map {
	m := new(value.Map)
	if !strings.Contains(c.virt().Str("virtual"), "xen") {
		return m
	}
	major, ok := c.file("/sys/hypervisor/version/major")
	if minor, extra := c.line("/sys/hypervisor/version/minor"), c.line("/sys/hypervisor/version/extra"); ok {
		major = strings.TrimSpace(major)
		m.Set("virtual_hv_version", major+"."+minor+extra)
		m.Set("virtual_hv_version_info", value.L(major, minor, extra))
	}
	if f, ok := c.file("/sys/hypervisor/properties/features"); ok {
		f = strings.TrimSpace(f)
		list := new(value.List)
		for bit, name := range xenFeatures {
			if name != "" && parseHex(f)&(1<<bit) != 0 {
				list.Append(name)
			}
		}
		m.Set("virtual_hv_features", f)
		m.Set("virtual_hv_features_list", list)
	}
	return m
}

func parseHex(s string) uint64 {
	n, _ := strconv.ParseUint(strings.TrimPrefix(s, "0x"), 16, 64)
	return n
}
