package state

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type singleArgs struct {
	Fun    string     `py:"fun"`        // the state function, such as pkg.installed
	Name   any        `py:"name"`       // the name of the state
	Test   any        `py:"test=None"`  // change nothing, tell what would change
	Queue  any        `py:"queue=None"` // wait for a run that is under way
	Kwargs *value.Map `py:"**kwargs"`   // the arguments of the state
}

// ofCall are the keywords that are about the call and not for the state, unless
// its function has such an argument: force of file.rename, pillar of salt.state.
var ofCall = []string{"pillar", "pillar_enc", "pillarenv", "localconfig", "concurrent", "force", "state_events"}

// single runs one state from the command line.
//
//	pinch state.single pkg.installed vim
func single(c *salt.Ctx, a singleArgs) (any, error) {
	leave, busy := enter(c, "state.single", a.Queue, a.Kwargs)
	if busy != nil {
		return busy, nil
	}
	defer leave()
	parts := strings.Split(a.Fun, ".")
	if len(parts) < 2 {
		c.Run.SetRetcode(codeCompile)
		return "Invalid function passed", nil
	}
	s, err := begin(c, a.Test, a.Kwargs)
	if err != nil {
		return nil, err
	}
	low := a.Kwargs.Shallow()
	f, _, _ := c.Registry().State(c, a.Fun)
	for _, k := range ofCall {
		if f == nil || f.Signature().Param(k) == nil {
			low.Pop(k)
		}
	}
	low.Set("state", parts[0])
	low.Set("fun", parts[1])
	low.Set("__id__", a.Name)
	low.Set("name", a.Name)
	ret, bad, err := s.p.RunChunk(low, s.options())
	if err != nil {
		return nil, err
	}
	if len(bad) > 0 {
		c.Run.SetRetcode(codeCompile)
		return value.Strings(bad), nil
	}
	name := value.Str(a.Name)
	return s.finish(value.M(parts[0]+"_|-"+name+"_|-"+name+"_|-"+parts[1], ret), nil), nil
}

type lowArgs struct {
	Data   *value.Map `py:"data"`       // the chunk: state, fun, name and the arguments
	Queue  any        `py:"queue=None"` // wait for a run that is under way
	Kwargs *value.Map `py:"**kwargs"`
}

// low runs one low chunk.
//
//	pinch state.low '{"state": "pkg", "fun": "installed", "name": "vi", "__id__": "vi"}'
func low(c *salt.Ctx, a lowArgs) (any, error) {
	leave, busy := enter(c, "state.low", a.Queue, a.Kwargs)
	if busy != nil {
		return busy, nil
	}
	defer leave()
	s, err := begin(c, nil, a.Kwargs)
	if err != nil {
		return nil, err
	}
	chunk := a.Data.Shallow()
	if !chunk.Has("__id__") {
		chunk.Set("__id__", chunk.At("name"))
	}
	ret, bad, err := s.p.RunChunk(chunk, s.options())
	if err != nil {
		return nil, err
	}
	if len(bad) > 0 {
		c.Run.SetRetcode(codeCompile)
		return value.Strings(bad), nil
	}
	c.Run.SetRetcode(0)
	if ret.At("result") == false {
		c.Run.SetRetcode(codeFailed)
	}
	return c.Run.Sealed(ret), nil
}

type highArgs struct {
	Data   any        `py:"data"`       // high data: what an SLS renders to, with the function in the list
	Test   any        `py:"test=None"`  // change nothing, tell what would change
	Queue  any        `py:"queue=None"` // wait for a run that is under way
	Kwargs *value.Map `py:"**kwargs"`   // pillar, pillar_enc, saltenv, pillarenv
}

// high runs high data.
//
//	pinch state.high '{"vim": {"pkg": ["installed"]}}'
func high(c *salt.Ctx, a highArgs) (any, error) {
	leave, busy := enter(c, "state.high", a.Queue, a.Kwargs)
	if busy != nil {
		return busy, nil
	}
	defer leave()
	s, err := begin(c, a.Test, a.Kwargs)
	if err != nil {
		return nil, err
	}
	data, ok := a.Data.(*value.Map)
	if !ok {
		c.Run.SetRetcode(codeCompile)
		return value.L("High data is not a dictionary and is invalid"), nil
	}
	return s.run(s.p.NewHigh(data), false), nil
}

type templateArgs struct {
	Tem    string     `py:"tem"`        // the path of the SLS, or its text
	Queue  any        `py:"queue=None"` // wait for a run that is under way
	Kwargs *value.Map `py:"**kwargs"`   // saltenv, pillarenv, test
}

// template applies one SLS file from anywhere on the disk.
//
//	pinch state.template /root/try.sls
func template(c *salt.Ctx, a templateArgs) (any, error) {
	s, leave, done, err := look(c, "state.template", a.Kwargs.At("test"), a.Queue, a.Kwargs)
	defer leave()
	if done != nil || err != nil {
		return done, err
	}
	path := a.Tem
	if !isSLS(path) {
		path += ".sls"
	}
	high, errs := s.p.RenderFile(path, a.Kwargs.Str("saltenv"))
	if len(errs) > 0 {
		return s.mistakes(errs), nil
	}
	return s.run(high, false), nil
}

// templateStr applies the text of an SLS.
//
//	pinch state.template_str 'vim: pkg.installed'
func templateStr(c *salt.Ctx, a templateArgs) (any, error) {
	leave, busy := enter(c, "state.template_str", a.Queue, a.Kwargs)
	if busy != nil {
		return busy, nil
	}
	defer leave()
	s, err := begin(c, a.Kwargs.At("test"), a.Kwargs)
	if err != nil {
		return nil, err
	}
	high, errs := s.p.RenderText(a.Tem)
	if len(errs) > 0 {
		return s.mistakes(errs), nil
	}
	return s.run(high, false), nil
}
