//go:build !linux

package cli

// adrift is not known here.
func adrift() bool { return false }
