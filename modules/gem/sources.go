package gem

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type sourceArgs struct {
	SourceURI string `py:"source_uri"`   // the server's URL
	Ruby      any    `py:"ruby=None"`    // with rvm or rbenv: the ruby (and gemset) to use
	Runas     any    `py:"runas=None"`   // the user to run gem as
	GemBin    any    `py:"gem_bin=None"` // the gem command; ruby is not looked at then
}

// sourcesAdd adds a server to take gems from.
//
//	salt-call gem.sources_add https://gems.example.com/
func sourcesAdd(c *salt.Ctx, a sourceArgs) (any, error) {
	return answer(c, at(a.Ruby, a.Runas, a.GemBin), "sources", "--add", a.SourceURI)
}

// sourcesRemove drops a server.
func sourcesRemove(c *salt.Ctx, a sourceArgs) (any, error) {
	return answer(c, at(a.Ruby, a.Runas, a.GemBin), "sources", "--remove", a.SourceURI)
}

// sourcesList returns the servers.
func sourcesList(c *salt.Ctx, a whereArgs) ([]string, error) {
	return at(a.Ruby, a.Runas, a.GemBin).sources(c)
}

func (w where) sources(c *salt.Ctx) ([]string, error) {
	out, err := w.ask(c, "sources")
	lines := slices.Collect(strings.Lines(out))
	if len(lines) < 3 { // a heading and an empty line
		return []string{}, err
	}
	lines = lines[2:]
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, "\r\n")
	}
	return lines, err
}

type sourceStateArgs struct {
	Name string `py:"name"`      // the server's URL
	Ruby any    `py:"ruby=None"` // with rvm or rbenv: the ruby (and gemset) to use
	User any    `py:"user=None"` // the user to run gem as
}

// known reports whether a server is among those of a gem, which are asked for
// once a run.
func (a sourceStateArgs) known(c *salt.Ctx) (bool, error) {
	w := at(a.Ruby, a.User, nil)
	all, err := salt.Once(c.Run, sourcesKey{w}, func() ([]string, error) { return w.sources(c) })
	return slices.Contains(all, a.Name), err
}

// addedSource makes sure that gems are taken from a server, too.
//
//	https://gems.example.com/:
//	  gem.sources_add
func addedSource(c *salt.Ctx, a sourceStateArgs) salt.Result {
	ok, err := a.known(c)
	switch {
	case err != nil:
		return salt.Raised(err)
	case ok:
		return salt.Correct("Gem source is already added.")
	case c.Test:
		return salt.Would(nil, "The gem source %s would have been added.", a.Name)
	}
	v, err := sourcesAdd(c, sourceArgs{SourceURI: a.Name, Ruby: a.Ruby, Runas: a.User})
	return ended(v, err, value.M(a.Name, "Installed"), "Gem source was successfully added.", "Could not add gem source.")
}

// removedSource makes sure that no gems are taken from a server.
func removedSource(c *salt.Ctx, a sourceStateArgs) salt.Result {
	ok, err := a.known(c)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !ok:
		return salt.Correct("Gem source is already removed.")
	case c.Test:
		return salt.Would(nil, "The gem source would have been removed.")
	}
	v, err := sourcesRemove(c, sourceArgs{SourceURI: a.Name, Ruby: a.Ruby, Runas: a.User})
	return ended(v, err, value.M(a.Name, "Removed"), "Gem source was successfully removed.", "Could not remove gem source.")
}

// ended is the result of a call that returned what gem said: nothing is a
// failure, as in Salt.
func ended(said any, err error, changes *value.Map, did, failed string) salt.Result {
	switch {
	case err != nil:
		return salt.Raised(err)
	case !value.Truth(said):
		return salt.Failed("%s", failed)
	}
	return salt.Changed(changes, "%s", did)
}
