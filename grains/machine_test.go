package grains_test

import (
	"testing"

	"pinch/grains"
	"pinch/value"
)

// TestMachines has trimmed /proc and /sys trees and the grains that follow
// from them by the rules of systemd-detect-virt(1), dmidecode and Salt.
func TestMachines(t *testing.T) {
	for _, c := range []struct {
		name  string
		tools []string
		files map[string]string
		want  *value.Map
	}{
		{"bare metal", []string{"systemd-detect-virt"}, map[string]string{
			"/sys/class/dmi/id/sys_vendor": "Dell Inc.\n", "/sys/class/dmi/id/product_name": "PowerEdge R640\n",
			"/sys/class/dmi/id/product_uuid": "4C4C4544-0042\n"},
			value.M("virtual", "physical", "manufacturer", "Dell Inc.", "productname", "PowerEdge R640", "uuid", "4c4c4544-0042")},
		{"kvm by firmware", []string{"systemd-detect-virt"}, map[string]string{"/sys/class/dmi/id/sys_vendor": "QEMU\n"},
			value.M("virtual", "qemu")},
		{"docker", []string{"systemd-detect-virt"}, map[string]string{"/.dockerenv": "", "/sys/class/dmi/id/sys_vendor": "QEMU\n"},
			value.M("virtual", "container", "virtual_subtype", "Docker")},
		{"docker without tools, old cgroups", nil, map[string]string{"/proc/1/cgroup": "1:name=systemd:/docker/abc\n"},
			value.M("virtual", "container", "virtual_subtype", "Docker")},
		{"podman", []string{"systemd-detect-virt"}, map[string]string{"/run/.containerenv": ""},
			value.M("virtual", "container", "virtual_subtype", "Podman")},
		{"lxc", []string{"systemd-detect-virt"}, map[string]string{"/proc/1/environ": "container=lxc\x00A=b\x00"},
			value.M("virtual", "container", "virtual_subtype", "LXC")},
		{"vmware", []string{"systemd-detect-virt"}, map[string]string{"/sys/class/dmi/id/product_name": "VMware Virtual Platform\n"},
			value.M("virtual", "VMware")},
		{"hyper-v needs the processor, firmware says Hyper-V", []string{"systemd-detect-virt"},
			map[string]string{"/sys/class/dmi/id/product_version": "Hyper-V UEFI Release v4.0\n"}, value.M("virtual", "VirtualPC")},
		{"kubernetes keeps only the subtype", nil, map[string]string{"/proc/1/cgroup": "1:cpu:/kubepods/x\n"},
			value.M("virtual", "virtual", "virtual_subtype", "kubernetes")},
		{"xen dom0", nil, map[string]string{"/proc/xen/xsd_kva": "", "/proc/xen/capabilities": "control_d\n",
			"/sys/hypervisor/version/major": "4\n", "/sys/hypervisor/version/minor": "17\n", "/sys/hypervisor/version/extra": ".1\n",
			"/sys/hypervisor/properties/features": "00000801\n"},
			value.M("virtual", "xen", "virtual_subtype", "Xen Dom0", "virtual_hv_version", "4.17.1",
				"virtual_hv_features_list", value.L("writable_page_tables", "dom0"))},
		{"google", nil, map[string]string{"/sys/devices/virtual/dmi/id/product_name": "Google Compute Engine\n"}, value.M("virtual", "gce")},
		{"processor and memory", nil, map[string]string{
			"/proc/cpuinfo": "processor\t: 0\nmodel name\t: A\nflags\t\t: fpu vme\nprocessor\t: 1\nmodel name\t: B\nflags\t\t: fpu\n",
			"/proc/meminfo": "MemTotal:       2049 kB\nSwapTotal:      5120 kB\n"},
			value.M("num_cpus", int64(2), "cpu_model", "B", "cpu_flags", value.L("fpu"), "mem_total", int64(2), "swap_total", int64(5))},
		{"arm", nil, map[string]string{"/proc/cpuinfo": "Processor\t: ARMv6-compatible processor rev 7 (v6l)\nFeatures\t: swp half\n"},
			value.M("num_cpus", int64(1), "cpu_model", "ARMv6", "cpu_flags", value.L("swp", "half"))},
		{"device tree", nil, map[string]string{"/proc/device-tree/model": "raspberrypi,model-b\x00", "/proc/device-tree/serial-number": "0001\x00"},
			value.M("manufacturer", "raspberrypi", "productname", "model-b", "serialnumber", "0001")},
		{"graphics card", []string{"lspci"}, map[string]string{
			"/sys/bus/pci/devices/0000:01:00.0/class": "0x030000\n", "/sys/bus/pci/devices/0000:01:00.0/vendor": "0x10de\n",
			"/sys/bus/pci/devices/0000:01:00.0/device": "0x1db6\n", "/sys/bus/pci/devices/0000:02:00.0/class": "0x020000\n",
			"/usr/share/misc/pci.ids": "10dd  Other\n\t1db6  Wrong\n10de  NVIDIA Corporation\n\t1db6  GV100GL [Tesla V100]\n\t\t10de 1246  Sub\nC 03  Display\n"},
			value.M("num_gpus", int64(1), "gpus", value.L(value.M("vendor", "nvidia", "model", "GV100GL [Tesla V100]")))},
		{"no lspci, no graphics card", nil, map[string]string{"/sys/bus/pci/devices/0000:01:00.0/class": "0x030000\n"},
			value.M("num_gpus", int64(0), "gpus", value.L())},
		{"selinux", []string{"selinuxenabled", "getenforce"}, map[string]string{"/sys/fs/selinux/enforce": "1", "/etc/selinux/config": ""},
			value.M("selinux", value.M("enabled", true, "enforced", "Enforcing"))},
		{"systemd library", []string{"systemctl", "localectl"}, map[string]string{
			"/usr/lib/systemd/libsystemd-shared-255.6-1.fc40.so": "x\x00NOPAM here\x00+PAM +AUDIT -SELINUX default-hierarchy=unified\x00y"},
			value.M("systemd", value.M("version", "255", "features", "+PAM +AUDIT -SELINUX default-hierarchy=unified"))},
		{"kernel parameters", nil, map[string]string{"/proc/cmdline": "root=/dev/sda1 quiet a=b=c x=\"1 2\"\n"},
			value.M("kernelparams", value.L(value.Tuple{"root", "/dev/sda1"}, value.Tuple{"quiet", nil}, value.Tuple{"a", nil}, value.Tuple{"x", "1 2"}))},
		{"init is a sysvinit", nil, map[string]string{"/proc/1/cmdline": "/sbin/init\x00", "/sbin/init": "..SysVinit.."}, value.M("init", "sysvinit")},
		{"init is tini", []string{"tini"}, map[string]string{"/proc/1/cmdline": "/usr/bin/tini\x00--\x00app\x00"}, value.M("init", "tini")},
		{"locale", nil, map[string]string{"/usr/lib/locale/de_DE.utf8/LC_CTYPE": ""}, value.M("shell", "/bin/zsh", "locale_info",
			value.M("defaultlanguage", "de_DE", "defaultencoding", "UTF-8", "detectedencoding", "utf-8"))},
		{"locale that is not installed", nil, map[string]string{"/usr/lib/locale/C.utf8/LC_CTYPE": ""}, value.M("locale_info",
			value.M("defaultlanguage", "en_US", "defaultencoding", "UTF-8", "detectedencoding", "utf-8"))},
		{"raid", nil, map[string]string{"/proc/mdstat": "Personalities : [raid1]\nmd1 : active raid1\nmd0 : active raid1\nunused devices: <none>\n"},
			value.M("mdadm", value.L("md0", "md1"))},
		{"secure boot", nil, map[string]string{"/sys/firmware/efi/efivars/SecureBoot-8be4": "\x06\x00\x00\x00\x01"},
			value.M("efi", true, "efi-secure-boot", true)},
		{"armhf user land under a 64-bit kernel", nil, map[string]string{"/etc/os-release": "ID=debian\nNAME=Debian\n",
			"/usr/bin/dpkg": "\x7fELF\x01\x01\x01" + "\x00\x00\x00\x00\x00\x00\x00\x00\x00" + "\x02\x00\x28\x00" + "\x01\x00\x00\x00" +
				"\x00\x00\x00\x00" + "\x34\x00\x00\x00" + "\x00\x00\x00\x00" + "\x00\x04\x00\x05" + "\x34\x00\x20\x00\x00\x00\x28\x00\x00\x00\x00\x00"},
			value.M("osarch", "armhf")},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			for path, text := range c.files {
				write(t, root+path, text, 0o644)
			}
			for _, tool := range c.tools {
				write(t, root+"/usr/bin/"+tool, "", 0o755)
			}
			g := grains.Core(grains.Host{Root: root, Machine: "x86_64", Getenv: func(k string) string {
				return map[string]string{"LANG": "de_DE.UTF-8", "SHELL": "/bin/zsh"}[k]
			}})
			if l := g.Map("locale_info"); l.At("detectedencoding") != "utf-8" {
				t.Errorf("locale_info: %s", value.Repr(l))
			} else {
				l.Pop("timezone")
			}
			for k, w := range c.want.Items() {
				if got := g.At(k); !value.Equal(got, w) {
					t.Errorf("%s: got %s, want %s", k, value.Repr(got), value.Repr(w))
				}
			}
			if !c.want.Has("virtual_subtype") && g.Has("virtual_subtype") && c.want.Has("virtual") {
				t.Errorf("virtual_subtype: %v", g.At("virtual_subtype"))
			}
		})
	}
}
