package render

import (
	"fmt"
	"os"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// naclEngine decrypts texts that are NACL[…] whole, with nacl.dec.
func naclEngine(_ *Renderer, c *salt.Ctx, s *stage, _ string) error {
	return s.secrets("nacl", func(text string) (any, error) {
		rest, ok := strings.CutPrefix(text, "NACL[")
		if text = strings.TrimSuffix(rest, "\n"); !ok || !strings.HasSuffix(text, "]") || strings.Contains(text, "\n") {
			if ok {
				return "NACL[" + rest, nil
			}
			return rest, nil
		}
		return c.Call("nacl.dec", strings.TrimSuffix(text, "]"))
	})
}

// passEngine replaces texts by what the password store pass has under that
// name: those that begin with the option pass_variable_prefix when it is set,
// else all. What is not there stays as it is, unless pass_strict_fetch is set.
func passEngine(_ *Renderer, c *salt.Ctx, s *stage, _ string) error {
	prefix := c.Opts.Str("pass_variable_prefix")
	return s.secrets("pass", func(text string) (any, error) {
		name, ok := strings.CutPrefix(text, prefix)
		if !ok {
			return text, nil
		}
		secret, err := salt.Once(c.Run, plaintext{"pass", name}, func() (string, error) { return passShow(c, strings.TrimRight(name, "\r\n")) })
		switch {
		case err == nil:
			return secret, nil
		case c.Opts.Truth("pass_strict_fetch"):
			return nil, err
		}
		c.Log.Warn(err.Error())
		return text, nil
	})
}

// passShow asks pass; its store is pass_dir, its keys are those of pass_gnupghome.
func passShow(c *salt.Ctx, name string) (string, error) {
	path := c.Sys.LookPath("pass")
	if path == "" {
		return "", fmt.Errorf("pass unavailable")
	}
	cmd := sys.Cmd{Argv: []string{path, "show", name}, Env: os.Environ(), Query: true}
	for option, variable := range map[string]string{"pass_dir": "PASSWORD_STORE_DIR", "pass_gnupghome": "GNUPGHOME"} {
		if dir := c.Opts.Str(option); dir != "" {
			cmd.Env = append(cmd.Env, variable+"="+dir)
		}
	}
	res, err := c.Sys.Run(c, cmd)
	if err != nil {
		return "", err
	}
	if res.Code != 0 {
		return "", fmt.Errorf("Could not fetch secret '%s' from the password store: %s", name, strings.TrimSpace(string(res.Stderr)))
	}
	secret := strings.TrimRight(string(res.Stdout), "\r\n")
	if c.Run != nil {
		c.Run.Seal(secret)
	}
	return secret, nil
}

// msgpackEngine reads data that a program packed.
func msgpackEngine(_ *Renderer, _ *salt.Ctx, s *stage, _ string) error {
	text := headless(s.text)
	if strings.TrimSpace(text) == "" {
		s.data = &salt.Data{Value: new(value.Map)}
		return nil
	}
	v, err := value.ParseMsgpack([]byte(text))
	if err != nil {
		return s.fail("msgpack", err.Error())
	}
	s.data = &salt.Data{Value: v}
	return nil
}
