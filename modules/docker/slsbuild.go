package docker

import (
	"pinch/salt"
	"pinch/value"
)

type slsBuildArgs struct {
	Repository any        `py:"repository"`             // the image's name
	Tag        any        `py:"tag='latest'"`           // and its tag
	Base       any        `py:"base='opensuse/python'"` // the image to begin with; it needs sleep, nothing else
	Mods       any        `py:"mods=None"`              // SLS files, with commas between them
	Dryrun     bool       `py:"dryrun=False"`           // apply them and make no image: what they do is returned
	Kwargs     *value.Map `py:"**kwargs"`               // of docker.create and docker.sls
}

// slsBuild makes an image: a container of base, with states applied in it.
//
//	salt-call docker.sls_build imgname base=mybase mods=rails,web
func slsBuild(c *salt.Ctx, a slsBuildArgs) (out any, err error) {
	kw := clean(a.Kwargs, "image", "name", "cmd", "interactive", "tty", "extra_filerefs", "saltenv", "pillarenv", "pillar")
	kw.Update(value.M("cmd", "sleep infinity", "interactive", true, "tty", true))
	made, err := create(c, createArgs{Image: value.Str(a.Base), ValidateIPAddrs: true, ClientTimeout: int64(60), Kwargs: kw})
	if err != nil {
		return nil, err
	}
	id := made.Str("Id")
	defer func() {
		d, gone := open(c)
		if gone == nil {
			_, gone = d.rm(id, true, false, false, nil)
		}
		if err == nil {
			err = gone
		}
	}()
	if _, err := start(c, nameArgs{Name: id}); err != nil {
		return nil, err
	}
	v, err := sls(c, slsArgs{Name: id, Mods: a.Mods, Kwargs: a.Kwargs})
	if err != nil {
		return nil, err
	}
	if a.Dryrun {
		return v, nil
	}
	if m, ok := v.(*value.Map); !ok || !succeeded(m) {
		return nil, salt.CommandError("%s", value.Repr(v))
	}
	return commit(c, commitArgs{Name: id, Repository: a.Repository, Tag: a.Tag})
}
