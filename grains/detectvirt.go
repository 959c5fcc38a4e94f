package grains

import "strings"

// detectVirt answers as systemd-detect-virt does, "none" on bare metal. A
// container is named even when it runs in a virtual machine.
func (c *core) detectVirt() string {
	if s := c.detectContainer(); s != "" {
		return s
	}
	return c.detectVM()
}

// detectContainer is "" outside of containers.
func (c *core) detectContainer() string {
	if c.exists("/proc/vz") && !c.exists("/proc/bc") {
		return "openvz"
	}
	if r := c.line("/proc/sys/kernel/osrelease"); strings.Contains(r, "Microsoft") || strings.Contains(r, "WSL") {
		return "wsl"
	}
	name := c.line("/run/host/container-manager")
	if name == "" {
		name = c.line("/run/systemd/container")
	}
	if name == "" {
		for _, v := range strings.Split(c.read("/proc/1/environ"), "\x00") {
			if val, ok := strings.CutPrefix(v, "container="); ok {
				name = val
			}
		}
	}
	files := c.containerFile()
	switch name {
	case "":
		return files
	case "oci":
		if files != "" {
			return files
		}
	case "systemd-nspawn", "lxc-libvirt", "lxc", "openvz", "docker", "podman", "rkt", "wsl", "proot", "pouch":
		return name
	}
	return "container-other"
}

func (c *core) containerFile() string {
	switch {
	case c.exists("/run/.containerenv"):
		return "podman"
	case c.exists("/.dockerenv"):
		return "docker"
	}
	return ""
}

// detectVM asks firmware first where the processor's answer is less exact.
func (c *core) detectVM() string {
	dmi := c.dmiVM()
	switch dmi {
	case "oracle", "xen", "amazon", "parallels", "google":
		return dmi
	}
	if strings.Contains(c.read("/proc/cpuinfo"), "\nvendor_id\t: User Mode Linux") {
		return "uml"
	}
	if c.isDir("/proc/xen") {
		if c.xenDom0() {
			return "none"
		}
		return "xen"
	}
	signature, other := "", false
	if c.Root == "" {
		signature, other = cpuHypervisor()
	}
	if name := hypervisorName(signature); name != "" {
		return name
	}
	if dmi != "" && dmi != "vm-other" {
		return dmi
	}
	other = other || dmi == "vm-other"
	if t := c.line("/sys/hypervisor/type"); t == "xen" {
		return "xen"
	} else if t != "" {
		other = true
	}
	if name := c.deviceTreeVM(); name != "" {
		return name
	}
	if s := c.read("/proc/sysinfo"); strings.Contains(s, "VM00 Control Program") {
		if strings.Contains(s, "z/VM") {
			return "zvm"
		}
		return "kvm"
	}
	if other {
		return "vm-other"
	}
	return "none"
}

func (c *core) xenDom0() bool {
	const dom0 = 1 << 11
	if f := c.line("/sys/hypervisor/properties/features"); f != "" {
		return parseHex(f)&dom0 != 0
	}
	return strings.Contains(c.read("/proc/xen/capabilities"), "control_d")
}

func hypervisorName(signature string) string {
	switch signature {
	case "XenVMMXenVMM":
		return "xen"
	case "KVMKVMKVM", "Linux KVM Hv":
		return "kvm"
	case "TCGTCGTCGTCG":
		return "qemu"
	case "VMwareVMware":
		return "vmware"
	case "Microsoft Hv":
		return "microsoft"
	case "bhyve bhyve", "bhyve bhyve ":
		return "bhyve"
	case "QNXQVMBSQG":
		return "qnx"
	case "ACRNACRNACRN":
		return "acrn"
	case "SRESRESRESRE":
		return "sre"
	}
	return ""
}

// dmiVM names the hypervisor after the vendor texts of the firmware; "" when
// they say nothing, "vm-other" when they only say that this is a machine of
// some hypervisor (SMBIOS specification 7.1.2.2, bit 4).
func (c *core) dmiVM() string {
	for _, file := range []string{"product_name", "sys_vendor", "board_vendor", "bios_vendor", "product_version"} {
		text := c.dmiID(file)
		if text == "" {
			continue
		}
		for _, v := range [][2]string{
			{"KVM", "kvm"}, {"OpenStack", "kvm"}, {"KubeVirt", "kvm"}, {"Amazon EC2", "amazon"}, {"QEMU", "qemu"},
			{"VMware", "vmware"}, {"VMW", "vmware"}, {"innotek GmbH", "oracle"}, {"VirtualBox", "oracle"},
			{"Oracle Corporation", "oracle"}, {"Xen", "xen"}, {"Bochs", "bochs"}, {"Parallels", "parallels"},
			{"BHYVE", "bhyve"}, {"Hyper-V", "microsoft"}, {"Apple Virtualization", "apple"}, {"Google Compute Engine", "google"},
		} {
			if !strings.HasPrefix(text, v[0]) {
				continue
			}
			if v[1] == "amazon" && (strings.HasSuffix(c.dmiID("product_name"), ".metal") || strings.Contains(c.dmiID("product_name"), ".metal-")) {
				return ""
			}
			return v[1]
		}
	}
	if raw := c.read("/sys/firmware/dmi/entries/0-0/raw"); len(raw) > 19 && raw[19]&(1<<4) != 0 {
		return "vm-other"
	}
	return ""
}

func (c *core) deviceTreeVM() string {
	switch s := strings.TrimRight(c.read("/proc/device-tree/hypervisor/compatible"), "\x00"); {
	case strings.HasPrefix(s, "linux,kvm"):
		return "kvm"
	case strings.Contains(s, "xen"):
		return "xen"
	case strings.Contains(s, "vmware"):
		return "vmware"
	case s != "":
		return "vm-other"
	}
	if c.exists("/proc/device-tree/ibm,partition-name") && c.exists("/proc/device-tree/hmc-managed?") &&
		!c.exists("/proc/device-tree/chosen/qemu,graphic-width") {
		return "powervm"
	}
	for _, name := range c.names("/proc/device-tree") {
		if strings.Contains(name, "fw-cfg") {
			return "qemu"
		}
	}
	if strings.Contains(c.read("/proc/device-tree/compatible"), "qemu,pseries") {
		return "qemu"
	}
	return ""
}
