package grains

import (
	"encoding/binary"
	"strings"
)

// cpuid asks the processor (CPUID instruction, subleaf 0).
func cpuid(leaf uint32) (eax, ebx, ecx, edx uint32)

// cpuHypervisor is the signature of the hypervisor ("KVMKVMKVM"); present is
// false on bare metal. The leaves are in Intel's manual and the Linux kernel's
// Documentation/virt/kvm/x86/cpuid.rst.
func cpuHypervisor() (signature string, present bool) {
	if max, _, _, _ := cpuid(0); max < 1 {
		return "", false
	}
	if _, _, ecx, _ := cpuid(1); ecx&(1<<31) == 0 {
		return "", false
	}
	_, ebx, ecx, edx := cpuid(0x40000000)
	b := binary.LittleEndian.AppendUint32(nil, ebx)
	b = binary.LittleEndian.AppendUint32(b, ecx)
	b = binary.LittleEndian.AppendUint32(b, edx)
	return strings.TrimRight(string(b), "\x00"), true
}
