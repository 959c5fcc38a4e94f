package config

import (
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"strings"

	"pinch/value"
)

// setID puts the minion's name into Opts: at once where it is given, else so
// that it is found when somebody asks.
func (c *Config) setID() {
	if c.Opts.Truth("id") {
		c.Opts.Set("id", c.withDomain(c.Opts.Str("id")))
		return
	}
	if c.o.ID != "" {
		c.Opts.Set("id", c.withDomain(c.o.ID))
		return
	}
	c.Opts.SetLazy("id", func() (any, bool) { return c.findID(), true })
}

// withDomain adds append_domain, unless the name has it or ends with a dot.
func (c *Config) withDomain(id string) string {
	domain, ok := c.Opts.At("append_domain").(string)
	if !ok || strings.HasSuffix(id, domain) || strings.HasSuffix(id, ".") {
		return id
	}
	return id + "." + domain
}

// IDFile is where a name that was found is kept.
func (c *Config) IDFile() string {
	if c.places.User && !c.set.Truth("root_dir") {
		return filepath.Join(c.places.Config, "minion_id")
	}
	return filepath.Join(c.Opts.Str("root_dir"), "etc/salt/minion_id")
}

// findID is the cached name, or the one that id_function or the host's names
// give, and caches that.
func (c *Config) findID() string {
	caching := c.Opts.Truth("minion_id_caching")
	file := c.IDFile()
	if caching {
		name := strings.TrimSpace(strings.TrimPrefix(firstLine(file), "\ufeff"))
		if name != "" && name != "localhost" {
			c.log.Debug(fmt.Sprintf("Using cached minion ID from %s: %s", file, name))
			return c.withDomain(name)
		}
	}
	id := c.newID()
	if c.Opts.Truth("minion_id_lowercase") {
		id = strings.ToLower(id)
	}
	id = c.withoutDomain(id)
	if caching {
		c.cacheID(file, id)
	}
	if addr, err := netip.ParseAddr(id); err == nil && addr.Is4() {
		return id // a domain makes no sense behind an address
	}
	return c.withDomain(id)
}

func (c *Config) newID() string {
	if !c.Opts.Truth("id_function") {
		return c.hostID()
	}
	id, err := c.callIDFunction()
	if err != nil {
		c.log.Error(err.Error())
		return c.hostID()
	}
	return id
}

// callIDFunction runs id_function: a function's name, or {name: arguments}.
func (c *Config) callIDFunction() (string, error) {
	kwargs := new(value.Map)
	var fun string
	switch f := c.Opts.At("id_function").(type) {
	case string:
		fun = f
	case *value.Map:
		for k, v := range f.All() {
			fun = value.Str(k)
			if m, ok := v.(*value.Map); ok {
				kwargs = m
			}
			break
		}
	default:
		return "", errors.New("'id_function' option is neither a string nor a dictionary")
	}
	if c.Call == nil {
		return "", fmt.Errorf("Failed to load module %s", fun)
	}
	v, err := c.Call(fun, kwargs)
	if err != nil {
		return "", fmt.Errorf("id_function %s: %w", fun, err)
	}
	id, ok := v.(string)
	if !ok || id == "" {
		return "", fmt.Errorf("Function %s returned value \"%s\" of type %s instead of string", fun, value.Str(v), value.TypeName(v))
	}
	c.log.Info(fmt.Sprintf("Evaluated minion ID from module: %s %s", fun, id))
	return id, nil
}

// withoutDomain is minion_id_remove_domain: true cuts every domain, a string
// only that one.
func (c *Config) withoutDomain(id string) string {
	switch d := c.Opts.At("minion_id_remove_domain").(type) {
	case bool:
		if d {
			id, _, _ = strings.Cut(id, ".")
		}
	case string:
		if n := len(id) - len(d) - 1; d != "" && n >= 0 && strings.EqualFold(id[n:], "."+d) {
			id = id[:n]
		}
	}
	return id
}

func (c *Config) cacheID(file, id string) {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		c.log.Error("Failed to create dirs to minion_id file: " + err.Error())
	}
	err := os.WriteFile(file, []byte(id), 0o644)
	if err != nil && (c.places.User || !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrNotExist)) {
		c.log.Error("Could not cache minion ID: " + err.Error())
	}
}

func firstLine(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return line
}
