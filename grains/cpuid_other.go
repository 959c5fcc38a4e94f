//go:build !amd64

package grains

// cpuHypervisor is known on x86 only; elsewhere firmware tells.
func cpuHypervisor() (signature string, present bool) { return "", false }
