package cmd

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type ttyArgs struct {
	Device string `py:"device"`  // tty1, pts3 …
	Echo   any    `py:"echo=''"` // what to write
}

// tty writes a text to a terminal of this machine.
//
//	salt-call cmd.tty tty0 'this is a test'
func tty(c *salt.Ctx, a ttyArgs) (*value.Map, error) {
	path := "/dev/" + a.Device
	switch {
	case strings.HasPrefix(a.Device, "tty"):
	case strings.HasPrefix(a.Device, "pts"):
		path = "/dev/" + strings.ReplaceAll(a.Device, "pts", "pts/")
	default:
		return value.M("Error", "The specified device is not a valid TTY"), nil
	}
	failed := value.M("Error", "Echoing to "+path+" returned error")
	if _, err := c.Sys.Stat(path); err != nil {
		return failed, nil
	}
	w, err := c.Sys.Append(path)
	if err != nil {
		return failed, nil
	}
	defer w.Close()
	if _, err := w.Write([]byte(value.Str(a.Echo))); err != nil {
		return failed, nil
	}
	return value.M("Success", "Message was successfully echoed to "+path), nil
}
