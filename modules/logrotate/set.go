package logrotate

import (
	"errors"

	"pinch/salt"
	"pinch/value"
)

type setStateArgs struct {
	Name     string `py:"name"`                            // only a name for the state
	Key      string `py:"key"`                             // a setting, or the log files of a block
	Value    any    `py:"value"`                           // its value, or a setting of the block
	Setting  any    `py:"setting=None"`                    // the value of that setting
	ConfFile string `py:"conf_file='/etc/logrotate.conf'"` // the configuration
}

// setState makes sure that a setting, or one of a block, has a value.
//
//	logrotate-rotate:
//	  logrotate.set:
//	    - key: rotate
//	    - value: 2
func setState(c *salt.Ctx, a setStateArgs) salt.Result {
	g := getArgs{Key: a.Key, ConfFile: a.ConfFile}
	want, what := integer(a.Value), "command '"+a.Key+"'"
	if a.Setting != nil {
		g.Value = a.Value
		want, what = integer(a.Setting), "block '"+a.Key+"' command '"+value.Str(a.Value)+"'"
	}
	now, err := get(c, g)
	var e *value.Exception
	switch {
	case errors.As(err, &e) && (e.Class == "AttributeError" || e.Class == "KeyError"):
		now = false
	case err != nil:
		return salt.Raised(err)
	}
	upper := string(what[0]-'a'+'A') + what[1:]
	changes := value.M("old", now, "new", want)
	switch {
	case value.Equal(now, want):
		return salt.Correct("%s already has value: %s", upper, value.Str(want))
	case c.Test:
		return salt.Would(changes, "%s will be set to value: %s", upper, value.Str(want))
	}
	s := setArgs{Key: a.Key, Value: want, ConfFile: a.ConfFile}
	if a.Setting != nil {
		s.Value, s.Setting = a.Value, want
	}
	done, err := set(c, s)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !done:
		r := salt.Failed("Unable to set %s value: %s", what, value.Str(want))
		r.Changes = changes
		return r
	}
	return salt.Changed(changes, "Set %s value: %s", what, value.Str(want))
}
