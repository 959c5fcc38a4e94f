package grains

import (
	"cmp"
	"debug/elf"
	"encoding/binary"
	"io"
	"slices"
	"strconv"
	"strings"

	"pinch/value"
)

// osarch is the architecture as the package manager of the family names it.
func (c *core) osarch() any {
	switch c.osData().Str("os_family") {
	case "Debian":
		if a := c.debianArch(); a != "" {
			return a
		}
	case "RedHat", "Suse":
		if c.machine() == "" {
			return "unknown"
		}
	case "NILinuxRT", "Poky":
		return c.opkgArchs()
	}
	return c.machine()
}

// debianArch is dpkg's own architecture, which the header of its program
// shows: a 64-bit kernel may run a 32-bit system. Without dpkg it is guessed
// from the kernel's.
func (c *core) debianArch() string {
	if a := c.elfArch("/usr/bin/dpkg"); a != "" {
		return a
	}
	switch m := c.machine(); m {
	case "x86_64":
		return "amd64"
	case "aarch64":
		return "arm64"
	case "i386", "i486", "i586", "i686":
		return "i386"
	case "armv7l", "armv8l":
		return "armhf"
	case "armv5tel", "armv6l":
		return "armel"
	case "ppc64le":
		return "ppc64el"
	case "loongarch64":
		return "loong64"
	default:
		return m
	}
}

func (c *core) elfArch(path string) string {
	f, err := c.Sys.Open(c.path(path))
	if err != nil {
		return ""
	}
	defer f.Close()
	h := make([]byte, 64)
	if n, _ := io.ReadFull(f, h); n < 52 || string(h[:4]) != elf.ELFMAG {
		return ""
	}
	var order binary.ByteOrder = binary.LittleEndian
	big := elf.Data(h[elf.EI_DATA]) == elf.ELFDATA2MSB
	if big {
		order = binary.BigEndian
	}
	wide := elf.Class(h[elf.EI_CLASS]) == elf.ELFCLASS64
	flags := order.Uint32(h[36:])
	if wide {
		flags = order.Uint32(h[48:])
	}
	return debianNames(elf.Machine(order.Uint16(h[18:])), wide, big, flags)
}

func debianNames(m elf.Machine, wide, big bool, flags uint32) string {
	pick := func(yes bool, a, b string) string {
		if yes {
			return a
		}
		return b
	}
	switch m {
	case elf.EM_X86_64:
		return pick(wide, "amd64", "x32")
	case elf.EM_386:
		return "i386"
	case elf.EM_AARCH64:
		return "arm64"
	case elf.EM_ARM:
		const hardFloat = 0x400
		return pick(flags&hardFloat != 0, "armhf", "armel")
	case elf.EM_PPC64:
		return pick(big, "ppc64", "ppc64el")
	case elf.EM_PPC:
		return "powerpc"
	case elf.EM_S390:
		return pick(wide, "s390x", "s390")
	case elf.EM_RISCV:
		return pick(wide, "riscv64", "riscv32")
	case elf.EM_LOONGARCH:
		return "loong64"
	case elf.EM_MIPS:
		return pick(wide, pick(big, "mips64", "mips64el"), pick(big, "mips", "mipsel"))
	}
	return ""
}

// opkgArchs are opkg's architectures, the preferred one first.
func (c *core) opkgArchs() any {
	type arch struct {
		name     string
		priority int
	}
	var archs []arch
	for _, name := range c.names("/etc/opkg") {
		if !strings.HasSuffix(name, ".conf") {
			continue
		}
		for line := range strings.Lines(c.read("/etc/opkg/" + name)) {
			if f := strings.Fields(line); len(f) == 3 && f[0] == "arch" {
				p, _ := strconv.Atoi(f[2])
				archs = append(archs, arch{f[1], p})
			}
		}
	}
	slices.SortStableFunc(archs, func(a, b arch) int { return cmp.Compare(b.priority, a.priority) })
	l := new(value.List)
	for _, a := range archs {
		l.Append(a.name)
	}
	return l
}
