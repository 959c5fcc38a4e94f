package pkg

import (
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// rtag is the file that asks the next installation to refresh first. It is
// part of our cache, and set under test=True too.
func rtag(c *salt.Ctx) string { return filepath.Join(c.Opts.Str("cachedir"), "pkg_refresh") }

func writeRtag(c *salt.Ctx) {
	if sys.LExists(c.Sys, rtag(c)) {
		return
	}
	if err := sys.WriteFile(c.With(false).Sys, rtag(c), nil, sys.FileAttrs{}); err != nil {
		c.Log.Warn("Encountered error writing rtag: " + err.Error())
	}
}

func clearRtag(c *salt.Ctx) { _ = c.With(false).Sys.Remove(rtag(c)) }

// wantsRefresh says whether to refresh: as the caller says, else when the rtag is there.
func wantsRefresh(c *salt.Ctx, refresh any) bool {
	return isTrue(refresh) || refresh != false && sys.IsFile(c.Sys, rtag(c))
}

// refresh runs apt-get update. It changes no packages, so it runs under
// test=True too, as in Salt: the answers depend on it.
func (a apt) refresh(o refreshOptions) (*value.Map, error) {
	clearRtag(a.c)
	if value.Truth(o.cacheValid) {
		valid, err := seconds(o.cacheValid)
		if err != nil {
			a.c.Log.Warn("expected integer for cache_valid_time parameter, failed with: " + err.Error())
		} else if i, err := a.c.Sys.Stat(listsDir); err == nil && a.c.Sys.Now().Before(i.ModTime().Add(valid)) {
			return new(value.Map), nil
		}
	}
	limit := 30 * time.Second
	if v := a.c.Opts.At("aptpkg_refresh_db_timeout"); v != nil {
		limit, _ = seconds(v)
	}
	if o.timeout != nil {
		limit, _ = seconds(o.timeout)
	}
	update := []string{"apt-get", "-q", "update"}
	out, err := a.run(command{argv: update, query: true, timeout: limit})
	if err == nil && out.timedOut {
		// Broken lists may be why it hangs.
		if _, err = a.run(command{argv: []string{"apt-get", "-q", "clean"}, query: true}); err == nil {
			out, err = a.run(command{argv: update, query: true})
		}
	}
	if err != nil {
		return nil, err
	}
	a.c.Run.Forget(listsKey{})
	if out.code != 0 {
		return nil, salt.CommandError("%s", out.stderr)
	}
	ret, failed := parseUpdate(out.stdout)
	if o.failhard && len(failed) > 0 {
		return nil, salt.CommandError("Error getting repos: %s", strings.Join(failed, ", "))
	}
	return ret, nil
}

// listsKey is for what was read of the lists of repositories.
type listsKey struct{}

var fileSize = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` \[.+B\]$`) })

// parseUpdate reads the output of apt-get update: True for an index that was
// fetched, None for one that is current, False for one that failed or is ignored.
func parseUpdate(text string) (ret *value.Map, failed []string) {
	ret = new(value.Map)
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		ident := strings.Join(f[1:], " ")
		switch {
		case strings.Contains(f[0], "Get"):
			ret.Set(fileSize().ReplaceAllString(ident, ""), true)
		case strings.Contains(f[0], "Ign"):
			ret.Set(ident, false)
		case strings.Contains(f[0], "Hit"):
			ret.Set(ident, nil)
		case strings.Contains(f[0], "Err"):
			ret.Set(ident, false)
			failed = append(failed, ident)
		}
	}
	return ret, failed
}

func seconds(v any) (time.Duration, error) {
	switch n := v.(type) {
	case int64:
		return time.Duration(n) * time.Second, nil
	case float64:
		return time.Duration(n * float64(time.Second)), nil
	}
	return 0, value.Errorf("TypeError", "unsupported operand type(s) for +: 'float' and '%s'", value.TypeName(v))
}
