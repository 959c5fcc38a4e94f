package translate

import (
	"strings"

	"pinch/value"
	"pinch/value/py"
)

// configArgs are the arguments that creation takes beside HostConfig's.
var configArgs = []string{
	"command", "hostname", "user", "detach", "stdin_open", "tty", "ports", "environment", "volumes", "network_disabled",
	"entrypoint", "working_dir", "domainname", "host_config", "mac_address", "labels", "stop_signal", "networking_config",
	"healthcheck", "stop_timeout", "use_config_proxy", "platform",
}

// config makes the body of all but the arguments of HostConfig, which are one
// by now. Keys without a value are left out.
func config(image string, kw *value.Map, c Client) (*value.Map, error) {
	env := environment(kw.At("environment"))
	if proxy, ok := kw.Get("use_config_proxy"); !ok || value.Truth(proxy) {
		env = withProxy(env, c.ProxyEnv)
	}
	if kw.At("stop_timeout") != nil && older(c.Version, "1.25") {
		return nil, clientErrorf("stop_timeout was only introduced in API version 1.25")
	}
	health, err := healthcheck(kw.At("healthcheck"), c.Version)
	if err != nil {
		return nil, err
	}
	command, err := shellWords(kw.At("command"))
	if err != nil {
		return nil, err
	}
	entrypoint, err := shellWords(kw.At("entrypoint"))
	if err != nil {
		return nil, err
	}
	attach := !kw.Truth("detach")
	stdin := attach && kw.Truth("stdin_open")
	user := kw.At("user")
	if user != nil {
		user = value.Str(user)
	}
	body := new(value.Map)
	for _, f := range []struct {
		name string
		v    any
	}{
		{"Hostname", kw.At("hostname")}, {"Domainname", kw.At("domainname")}, {"ExposedPorts", exposed(kw.At("ports"))},
		{"User", user}, {"Tty", or(kw, "tty")}, {"OpenStdin", or(kw, "stdin_open")}, {"StdinOnce", stdin},
		{"AttachStdin", stdin}, {"AttachStdout", attach}, {"AttachStderr", attach}, {"Env", env}, {"Cmd", command},
		{"Image", image}, {"Volumes", emptyMaps(kw.At("volumes"))}, {"NetworkDisabled", or(kw, "network_disabled")},
		{"Entrypoint", entrypoint}, {"WorkingDir", kw.At("working_dir")}, {"HostConfig", kw.At("host_config")},
		{"NetworkingConfig", kw.At("networking_config")}, {"MacAddress", kw.At("mac_address")}, {"Labels", emptyTexts(kw.At("labels"))},
		{"StopSignal", kw.At("stop_signal")}, {"Healthcheck", health}, {"StopTimeout", kw.At("stop_timeout")},
	} {
		if f.v != nil {
			body.Set(f.name, f.v)
		}
	}
	return body, nil
}

// or is a flag, false when it is not given.
func or(kw *value.Map, name string) any {
	if v, ok := kw.Get(name); ok {
		return v
	}
	return false
}

// environment writes a map as NAME=VALUE, or NAME for None.
func environment(v any) any {
	m, ok := v.(*value.Map)
	if !ok {
		return v
	}
	out := value.L()
	for k, it := range m.Items() {
		switch it := it.(type) {
		case nil:
			out.Append(k)
		case []byte:
			out.Append(k + "=" + string(it))
		default:
			out.Append(k + "=" + value.Str(it))
		}
	}
	return out
}

// withProxy puts the client's own settings first; an empty environment is none.
func withProxy(env any, proxy []string) any {
	l, ok := env.(*value.List)
	if ok && len(proxy) > 0 {
		return value.L(append(value.Strings(proxy).Items, l.Items...)...)
	}
	if !value.Truth(env) {
		if len(proxy) > 0 {
			return value.Strings(proxy)
		}
		return nil
	}
	return env
}

func shellWords(v any) (any, error) {
	s, ok := v.(string)
	if !ok {
		return v, nil
	}
	words, err := py.ShellSplit(s)
	return value.Strings(words), err
}

// exposed writes ports as PORT/PROTO: {}.
func exposed(v any) any {
	l, ok := v.(*value.List)
	if !ok {
		return v
	}
	out := new(value.Map)
	for _, it := range l.Items {
		proto := "tcp"
		if t, ok := it.(value.Tuple); ok && len(t) > 0 {
			if it = t[0]; len(t) == 2 {
				proto = value.Str(t[1])
			}
		}
		out.Set(value.Str(it)+"/"+proto, new(value.Map))
	}
	return out
}

func emptyMaps(v any) any {
	if s, ok := v.(string); ok {
		v = value.L(s)
	}
	l, ok := v.(*value.List)
	if !ok {
		return v
	}
	out := new(value.Map)
	for _, it := range l.Items {
		out.Set(value.Str(it), new(value.Map))
	}
	return out
}

func emptyTexts(v any) any {
	l, ok := v.(*value.List)
	if !ok {
		return v
	}
	out := new(value.Map)
	for _, it := range l.Items {
		out.Set(value.Str(it), "")
	}
	return out
}

// healthcheck reads a map with test, interval, timeout, retries and
// start_period, times in nanoseconds; a test that is text runs in a shell.
func healthcheck(v any, version string) (any, error) {
	m, ok := v.(*value.Map)
	switch {
	case v == nil:
		return nil, nil
	case older(version, "1.29") && (m.Has("StartPeriod") || !ok && strings.Contains(value.Str(v), "StartPeriod")):
		return nil, clientErrorf("healthcheck start period was introduced in API version 1.29")
	case !ok || m.Len() == 0:
		return v, nil
	}
	test := either(m, "test", "Test")
	if s, ok := test.(string); ok {
		test = value.L("CMD-SHELL", s)
	}
	return value.M("Test", test, "Interval", either(m, "interval", "Interval"), "Timeout", either(m, "timeout", "Timeout"),
		"Retries", either(m, "retries", "Retries"), "StartPeriod", either(m, "start_period", "StartPeriod")), nil
}
