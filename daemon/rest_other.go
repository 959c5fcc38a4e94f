//go:build !linux

package daemon

func unmapProgram() {}
