package salt

import "errors"

// Needs is the Virtual of a module that loads where a command is; text says
// that it is not there.
//
//	Virtual: salt.Needs("rsync", "the rsync binary is not in the path."),
func Needs(command, text string) func(*Ctx, string) error {
	return func(c *Ctx, _ string) error {
		if c.Sys.LookPath(command) == "" {
			return errors.New(text)
		}
		return nil
	}
}
