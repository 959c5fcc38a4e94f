package ansible

import (
	"strings"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type callArgs struct {
	Module string     `py:"module"`   // Ansible's module
	Args   []any      `py:"*args"`    // arguments without a name
	Kwargs *value.Map `py:"**kwargs"` // arguments by name
}

// call calls a module of Ansible on this machine. A failure is an answer with
// Exitcode and Error.
func call(c *salt.Ctx, a callArgs) (any, error) {
	var words []string
	for _, it := range a.Args {
		s, err := value.JSON(it, value.JSONOptions{ASCII: true})
		if err != nil {
			return nil, err
		}
		words = append(words, s)
	}
	for key, it := range a.Kwargs.Items() {
		if strings.HasPrefix(key, "__pub") {
			continue
		}
		s, err := value.JSON(it, value.JSONOptions{ASCII: true})
		if err != nil {
			return nil, err
		}
		words = append(words, key+"="+s)
	}
	inventory := sys.TempName("", "")
	if err := sys.WriteFile(c.Sys, inventory, nil, sys.FileAttrs{}); err != nil {
		return nil, salt.OSError(err)
	}
	defer c.Sys.Remove(inventory)
	limit := 1200 * time.Second
	if n, ok := c.Opts.At("ansible_timeout").(int64); ok {
		limit = time.Duration(n) * time.Second
	}
	argv := []string{c.Sys.LookPath("ansible"), "localhost", "--limit", "127.0.0.1", "-m", realName(a.Module), "-a", strings.Join(words, " "), "-i", inventory}
	r, err := c.Sys.Run(c, sys.Cmd{Argv: argv, Env: environment(), Timeout: limit})
	switch {
	case err != nil:
		return nil, err
	case r.TimedOut:
		return nil, salt.CommandError("ansible: module %s did not end within %s", a.Module, limit)
	case r.Code != 0:
		return failed(argv, r), nil
	}
	return answer(string(r.Stdout), string(r.Stderr)), nil
}

func failed(argv []string, r sys.CmdResult) *value.Map {
	text := string(r.Stderr)
	if text == "" {
		text = "Command '" + value.Repr(value.Strings(argv)) + "' returned non-zero exit status " + value.Str(int64(r.Code)) + "."
	}
	m := value.M("Exitcode", int64(r.Code), "Error", text)
	if len(r.Stdout) > 0 {
		m.Set("Given JSON output", string(r.Stdout))
	}
	return m
}

// answer reads what ansible prints: "localhost | SUCCESS => {…}", or
// "localhost | CHANGED | rc=0 >>" and text.
func answer(out, errs string) *value.Map {
	first, rest, _ := strings.Cut(out, "\n")
	m := value.M("output", out)
	switch {
	case strings.HasSuffix(first, "{"):
		v, err := value.ParseJSON("{\n" + rest)
		got, ok := v.(*value.Map)
		if err != nil || !ok {
			if errs == "" && err != nil {
				errs = err.Error()
			}
			return value.M("Error", errs, "Output", out)
		}
		m = got
	case strings.HasSuffix(first, ">>"):
		m = value.M("output", strings.TrimSuffix(rest, "\n"))
	}
	m.Pop("invocation")
	m.Pop("changed")
	return m
}

type helpArgs struct {
	Module any   `py:"module=None"` // Ansible's module
	Args   []any `py:"*args"`       // the parts to return: doc, examples, return, metadata
}

// help returns the manual of a module of Ansible.
func help(c *salt.Ctx, a helpArgs) (any, error) {
	if !value.Truth(a.Module) {
		return nil, salt.CommandError(`Please tell me what module you want to have helped with. Or call "ansible.list" to know what is available.`)
	}
	v, err := doc(c, value.Str(a.Module))
	if err != nil {
		return nil, err
	}
	page := new(value.Map)
	for _, it := range v.Items() {
		page, _ = it.(*value.Map)
		break
	}
	if len(a.Args) == 0 {
		ret := page.Map("doc")
		for _, part := range []string{"examples", "return", "metadata"} {
			if ret != nil && page.Truth(part) {
				ret.Set(part, page.At(part))
			}
		}
		return ret, nil
	}
	ret := new(value.Map)
	for _, it := range a.Args {
		if part := page.At(value.Str(it)); part != nil {
			ret.Set(value.Str(it), part)
		}
	}
	return ret, nil
}

// doc asks ansible-doc.
func doc(c *salt.Ctx, words ...string) (*value.Map, error) {
	argv := append([]string{c.Sys.LookPath("ansible-doc"), "--json", "--type=module"}, words...)
	if len(words) == 0 {
		argv = []string{argv[0], "--list", "--json", "--type=module"}
	}
	r, err := c.Sys.Run(c, sys.Cmd{Argv: argv, Env: environment(), Query: true})
	if err != nil {
		return nil, err
	}
	if r.Code != 0 {
		return nil, salt.CommandError("%s", strings.TrimSpace(string(r.Stderr)))
	}
	v, err := value.ParseJSON(string(r.Stdout))
	m, ok := v.(*value.Map)
	if err != nil || !ok {
		return nil, salt.CommandError("ansible-doc gives no JSON: %s", strings.TrimSpace(string(r.Stdout)))
	}
	return m, nil
}
