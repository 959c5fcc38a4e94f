package state

import (
	"pinch/extmods"
	"pinch/salt"
	"pinch/value"
)

type autoloadKey struct{}

// autoload brings the custom modules of the environment before anything is
// compiled, once a run, so that custom grains and states are there in the very
// first one (autoload_dynamic_modules). It removes none: that is left to the
// sync of a highstate, which knows all environments.
func (s *session) autoload() {
	if v, ok := s.c.Opts.Get("autoload_dynamic_modules"); ok && !value.Truth(v) || s.c.Run.Custom == nil || s.c.Opts.Str("cachedir") == "" {
		return
	}
	_, _ = salt.Once(s.c.Run, autoloadKey{}, func() (bool, error) {
		env := s.c.Opts.Str("saltenv")
		if env == "" {
			env = "base"
		}
		for _, k := range extmods.Kinds {
			r, err := extmods.Sync(s.c, extmods.Options{Kind: k.Folder, Envs: []string{env}, Keep: true})
			if err != nil {
				s.c.Log.Error("Failed to sync " + k.Folder + " module: " + err.Error())
				continue
			}
			if len(r.Changed) == 0 {
				continue
			}
			s.c.Run.Custom.Forget("modules")
			if k.Folder == "grains" && s.c.Run.Regather != nil {
				s.c.Run.Regather()
				s.c.Run.Custom.Forget("grains")
			}
		}
		return true, nil
	})
}
