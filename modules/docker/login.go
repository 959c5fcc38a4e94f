package docker

import (
	"fmt"
	"strings"

	"pinch/modules/docker/engine"
	"pinch/salt"
	"pinch/value"
)

type loginArgs struct {
	Registries []any `py:"*registries"` // names from docker-registries; none: all
}

// login tries the credentials of the pillar (docker-registries, and all keys
// that end in -docker-registries) and keeps them in ~/.docker/config.json, or
// with the helper that it names.
//
//	docker-registries:
//	  hub:
//	    username: foo
//	    password: s3cr3t
func login(c *salt.Ctx, a loginArgs) (*value.Map, error) {
	return eachRegistry(c, a.Registries, true, func(d daemon, name string, conf *value.Map) error {
		return d.Login(serverAddress(name), conf.Str("username"), conf.Str("password"))
	})
}

// logout forgets the credentials of registries.
func logout(c *salt.Ctx, a loginArgs) (*value.Map, error) {
	return eachRegistry(c, a.Registries, false, func(d daemon, name string, _ *value.Map) error { return d.Logout(serverAddress(name)) })
}

// serverAddress is what credentials are kept under.
func serverAddress(name string) string {
	if strings.EqualFold(name, "hub") {
		return engine.Index
	}
	if strings.HasSuffix(name, "://index.docker.io/v1/") {
		return engine.Index
	}
	name = strings.TrimPrefix(strings.TrimPrefix(name, "https://"), "http://")
	name, _, _ = strings.Cut(name, "/")
	if name == "docker.io" || name == "index.docker.io" {
		return engine.Index
	}
	return name
}

// registries are the credentials of the configuration, and what is wrong in it.
func registries(c *salt.Ctx) (*value.Map, []string, error) {
	var bad []string
	v, err := c.Call("config.get", "docker-registries", new(value.Map))
	if err != nil {
		return nil, nil, err
	}
	all, ok := v.(*value.Map)
	if !ok {
		bad = append(bad, "'docker-registries' Pillar value must be a dictionary")
	}
	all = all.Shallow()
	if all == nil {
		all = new(value.Map)
	}
	v, err = c.CallKw("config.option", value.M("wildcard", true), "*-docker-registries")
	if err != nil {
		return nil, nil, err
	}
	more, _ := v.(*value.Map)
	for name, v := range more.Items() {
		m, ok := v.(*value.Map)
		if !ok {
			bad = append(bad, "Docker registry '"+name+"' was not specified as a dictionary")
			continue
		}
		all.Update(m)
	}
	return all, bad, nil
}

func eachRegistry(c *salt.Ctx, names []any, credentials bool, do func(daemon, string, *value.Map) error) (*value.Map, error) {
	all, bad, err := registries(c)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		names = all.Keys()
	}
	results := new(value.Map)
	for _, it := range names {
		name := value.Str(it)
		if !all.Has(name) {
			bad = append(bad, "No match found for registry '"+name+"'")
			continue
		}
		conf, ok := all.At(name).(*value.Map)
		if problem := incomplete(name, conf, ok); credentials && problem != "" {
			bad = append(bad, problem)
			continue
		}
		d, err := open(c)
		if err == nil {
			err = do(d, name, conf)
		}
		results.Set(name, err == nil)
		if err != nil {
			bad = append(bad, refusal(err))
			c.Run.SetRetcode(1)
		}
	}
	out := value.M("retcode", int64(0), "Errors", value.Strings(bad), "Results", results)
	if bad != nil {
		out.Set("retcode", int64(1))
	}
	return out, nil
}

// incomplete says what credentials lack, "" when they are whole.
func incomplete(name string, conf *value.Map, ok bool) string {
	if !ok {
		return "Invalid configuration for registry '" + name + "'"
	}
	for _, key := range []string{"username", "password"} {
		if !conf.Has(key) {
			return "Missing '" + key + "' for registry '" + name + "'"
		}
	}
	return ""
}

// refusal is a daemon's message, as the docker command shows it.
func refusal(err error) string {
	if s := engine.Status(err); s != 0 {
		return "Error response from daemon: " + strings.TrimPrefix(err.Error(), fmt.Sprintf("Error %d: ", s))
	}
	return err.Error()
}
