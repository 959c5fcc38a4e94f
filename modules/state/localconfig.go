package state

import (
	"pinch/salt"
	"pinch/value"
)

// localConfig lays the options of a minion configuration file over those of
// the run (localconfig=).
func localConfig(c *salt.Ctx, path string) error {
	b, err := c.Sys.ReadFile(path)
	if err != nil {
		return salt.CommandError("localconfig: %s", err)
	}
	d, err := c.RenderData(c, salt.Template{Text: string(b), Name: path, File: path, Engine: "yaml"})
	if err != nil {
		return err
	}
	if m, ok := d.Value.(*value.Map); ok {
		m.Pop("test") // only the call itself makes a run a test
		c.Opts.Update(m)
	}
	return nil
}
