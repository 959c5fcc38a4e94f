package gem

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type installArgs struct {
	Gems        any  `py:"gems"`               // names, as a list or with spaces between
	Ruby        any  `py:"ruby=None"`          // with rvm or rbenv: the ruby (and gemset) to use
	GemBin      any  `py:"gem_bin=None"`       // the gem command; ruby is not looked at then
	Runas       any  `py:"runas=None"`         // the user to run gem as
	Version     any  `py:"version=None"`       // the version, or what it must satisfy
	Rdoc        bool `py:"rdoc=False"`         // make documentation for the web
	Ri          bool `py:"ri=False"`           // make documentation for ri
	PreReleases bool `py:"pre_releases=False"` // versions with letters count, too
	Proxy       any  `py:"proxy=None"`         // http://host:port
	Source      any  `py:"source=None"`        // the server to take gems from
}

// install installs gems and returns what gem says.
//
//	salt-call gem.install rack version=2.2.8
func install(c *salt.Ctx, a installArgs) (any, error) {
	w := at(a.Ruby, a.Runas, a.GemBin)
	words := append([]string{"install"}, names(a.Gems)...)
	if value.Truth(a.Version) {
		words = append(words, "--version", value.Str(a.Version))
	}
	v, err := w.version(c)
	if err != nil {
		return nil, err
	}
	pre := "--pre"
	if strings.HasPrefix(v, "3.") {
		pre = "--prerelease"
		if !a.Rdoc || !a.Ri {
			words = append(words, "--no-document")
		}
	} else {
		if !a.Rdoc {
			words = append(words, "--no-rdoc")
		}
		if !a.Ri {
			words = append(words, "--no-ri")
		}
	}
	if a.PreReleases {
		words = append(words, pre)
	}
	if value.Truth(a.Proxy) {
		words = append(words, "-p", value.Str(a.Proxy))
	}
	if value.Truth(a.Source) {
		words = append(words, "--source", value.Str(a.Source))
	}
	return answer(c, w, words...)
}

// names are the gems of an argument.
func names(v any) []string {
	l, ok := v.(*value.List)
	if !ok {
		return strings.Fields(value.Str(v))
	}
	var out []string
	for _, it := range l.Items {
		out = append(out, value.Str(it))
	}
	return out
}

type gemsArgs struct {
	Gems   any `py:"gems"`         // names, as a list or with spaces between
	Ruby   any `py:"ruby=None"`    // with rvm or rbenv: the ruby (and gemset) to use
	Runas  any `py:"runas=None"`   // the user to run gem as
	GemBin any `py:"gem_bin=None"` // the gem command; ruby is not looked at then
}

// uninstall removes all versions of gems with their commands, and returns what
// gem says.
func uninstall(c *salt.Ctx, a gemsArgs) (any, error) {
	return answer(c, at(a.Ruby, a.Runas, a.GemBin), append(append([]string{"uninstall"}, names(a.Gems)...), "-a", "-x")...)
}

// update installs the newest versions of gems and returns what gem says.
func update(c *salt.Ctx, a gemsArgs) (any, error) {
	return answer(c, at(a.Ruby, a.Runas, a.GemBin), append([]string{"update"}, names(a.Gems)...)...)
}

type updateSystemArgs struct {
	Version string `py:"version=''"`   // the version of rubygems; the newest by default
	Ruby    any    `py:"ruby=None"`    // with rvm or rbenv: the ruby (and gemset) to use
	Runas   any    `py:"runas=None"`   // the user to run gem as
	GemBin  any    `py:"gem_bin=None"` // the gem command; ruby is not looked at then
}

// updateSystem replaces rubygems itself.
func updateSystem(c *salt.Ctx, a updateSystemArgs) (any, error) {
	words := []string{"update", "--system"}
	if a.Version != "" {
		words = append(words, a.Version)
	}
	return answer(c, at(a.Ruby, a.Runas, a.GemBin), words...)
}

type whereArgs struct {
	Ruby   any `py:"ruby=None"`    // with rvm or rbenv: the ruby (and gemset) to use
	Runas  any `py:"runas=None"`   // the user to run gem as
	GemBin any `py:"gem_bin=None"` // the gem command; ruby is not looked at then
}

// version returns the version of rubygems.
func version(c *salt.Ctx, a whereArgs) (any, error) {
	v, err := at(a.Ruby, a.Runas, a.GemBin).version(c)
	if err != nil || v == "" {
		return new(value.Map), err
	}
	return v, nil
}

// version is the version of rubygems, asked once a run.
func (w where) version(c *salt.Ctx) (string, error) {
	return salt.Once(c.Run, versionKey{w}, func() (string, error) {
		out, err := w.ask(c, "--version")
		for line := range strings.SplitSeq(out, "\n") {
			if line != "" && strings.ContainsRune(".0123456789", rune(line[0])) {
				return line, err
			}
		}
		return "", err
	})
}

type listArgs struct {
	Prefix any `py:"prefix=''"`    // only gems whose names have this in them, as gem understands it
	Ruby   any `py:"ruby=None"`    // with rvm or rbenv: the ruby (and gemset) to use
	Runas  any `py:"runas=None"`   // the user to run gem as
	GemBin any `py:"gem_bin=None"` // the gem command; ruby is not looked at then
}

// list returns the installed gems with their versions, newest first.
//
//	salt-call gem.list rack
func list(c *salt.Ctx, a listArgs) (*value.Map, error) {
	words := []string{"list"}
	if value.Truth(a.Prefix) {
		words = append(words, value.Str(a.Prefix))
	}
	out, err := at(a.Ruby, a.Runas, a.GemBin).ask(c, words...)
	return parseList(out), err
}

// parseList reads lines such as "rack (3.0.1, default: 2.2.8)".
func parseList(out string) *value.Map {
	m := new(value.Map)
	for line := range strings.SplitSeq(out, "\n") {
		name, rest, ok := strings.Cut(line, " (")
		end := strings.LastIndexByte(rest, ')')
		if ok && name != "" && !strings.Contains(name, " ") && end > 0 {
			m.Set(name, value.Strings(strings.Split(rest[:end], ", ")))
		}
	}
	return m
}

// listUpgrades returns the gems that have a newer version, with that.
func listUpgrades(c *salt.Ctx, a whereArgs) (*value.Map, error) {
	out, err := at(a.Ruby, a.Runas, a.GemBin).ask(c, "outdated")
	m := new(value.Map)
	for line := range strings.SplitSeq(out, "\n") {
		name, rest, ok := strings.Cut(line, " (")
		_, newer, less := strings.Cut(rest, " < ")
		newer, _, closed := strings.Cut(newer, ")")
		switch {
		case ok && less && closed:
			m.Set(name, newer)
		case line != "":
			c.Log.Error("Can't parse line '" + line + "'")
		}
	}
	return m, err
}
