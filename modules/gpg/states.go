package gpg

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type presentArgs struct {
	Name          string     `py:"name"`                 // the key, unless keys says otherwise
	Keys          any        `py:"keys=None"`            // the keys
	User          any        `py:"user=None"`            // whose keys: the home of this user
	Keyserver     any        `py:"keyserver=None"`       // the server
	Gnupghome     any        `py:"gnupghome=None"`       // the directory of the keys instead
	Trust         any        `py:"trust=None"`           // how far to trust the keys
	Keyring       any        `py:"keyring=None"`         // a file of keys instead of the usual ones
	Source        any        `py:"source=None"`          // where else the keys are: URLs, salt://
	SkipKeyserver bool       `py:"skip_keyserver=False"` // don't ask a server
	Text          any        `py:"text=None"`            // the data
	SubkeyMaxage  any        `py:"subkey_maxage=100"`    // refresh keys whose subkeys expired within so many days
	Kwargs        *value.Map `py:"**kwargs"`             // Salt takes and ignores any other
}

// present makes sure that keys are in the keyring, not expired, and trusted as
// trust says.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	p := &presence{c: c, a: a, have: map[string]*value.Map{}, said: map[string][]string{}, r: salt.Correct("")}
	if !value.Truth(a.Text) && a.SkipKeyserver && !value.Truth(a.Source) {
		return salt.Failed("When skipping keyservers, you must provide at least one source")
	}
	if _, ok := levels[text(a.Trust)]; value.Truth(a.Trust) && !ok {
		return salt.Failed("Invalid trust level %s", text(a.Trust))
	}
	now, err := listKeys(c, listKeysArgs{User: a.User, Gnupghome: a.Gnupghome, Keyring: a.Keyring})
	if err != nil {
		return salt.Failed("%s", err)
	}
	for _, it := range now.Items {
		m := it.(*value.Map)
		p.have[m.Str("keyid")] = m
	}
	p.keys = asked(a.Keys, a.Name)
	for _, key := range p.keys {
		p.one(key)
	}
	if value.Truth(a.Trust) {
		for _, key := range p.keys {
			p.trust(key)
		}
	}
	var out []string
	for _, key := range slices.Compact(slices.Clone(p.keys)) {
		if l := p.said[key]; len(l) > 0 {
			out = append(out, "Key "+key+":\n  * "+strings.Join(l, "\n  * "))
		}
	}
	p.r.Comment = strings.Join(out, "\n")
	return p.r
}

func asked(keys any, name string) []string {
	if !value.Truth(keys) {
		return []string{name}
	}
	return signersOf(keys)
}

// A presence is a run of gpg.present.
type presence struct {
	c    *salt.Ctx
	a    presentArgs
	keys []string
	have map[string]*value.Map // by key ID, as listed
	said map[string][]string
	r    salt.Result
}

func (p *presence) say(key, format string, a ...any) {
	p.said[key] = append(p.said[key], fmt.Sprintf(format, a...))
}

// change notes a change of a key.
func (p *presence) change(key, what string, v any) {
	m := p.r.Changes.Map(key)
	if m == nil {
		m = new(value.Map)
		p.r.Changes.Set(key, m)
	}
	m.Set(what, v)
}

// stale are the subkeys that expired not too long ago.
func (p *presence) stale(key *value.Map) []*value.Map {
	days, _ := p.a.SubkeyMaxage.(int64)
	var out []*value.Map
	if key.List("subkeys") == nil || days == 0 {
		return nil
	}
	for _, it := range key.List("subkeys").Items {
		s := it.(*value.Map)
		end, err := time.ParseInLocation("2006-01-02", s.Str("expires"), time.Local)
		if s.Truth("expired") && err == nil && int64(p.c.Sys.Now().Sub(end).Hours()/24) <= days {
			out = append(out, s)
		}
	}
	return out
}

func (p *presence) one(key string) {
	have := p.have[key]
	expired, stale := have.Truth("expired"), p.stale(have)
	refresh := expired || len(stale) > 0
	switch {
	case have != nil && !refresh:
		p.say(key, "GPG Public Key %s already in keychain", key)
		return
	case p.c.Test:
		p.announce(key, expired, stale)
		return
	}
	if err := p.fetch(key, expired, stale); err != nil {
		p.r.Result = salt.False()
		if expired {
			p.say(key, "Existing key is expired, tried to fetch updated one")
		} else if len(stale) > 0 {
			p.say(key, "Existing key has expired subkeys, tried to refresh")
		}
		p.said[key] = append(p.said[key], strings.Split(strings.TrimSuffix(err.Error(), "\n"), "\n")...)
	}
}

func (p *presence) announce(key string, expired bool, stale []*value.Map) {
	p.r.Result = nil
	switch {
	case expired:
		p.say(key, "Would have attempted to update %s because it is expired", key)
		p.change(key, "refresh", true)
	case len(stale) > 0:
		p.say(key, "Would have attempted to update %s because it has expired subkeys:", key)
		for _, s := range stale {
			p.say(key, "  - %s (expired on %s)", s.Str("keyid"), s.Str("expires"))
		}
		p.change(key, "refresh", true)
	default:
		p.say(key, "Would have added %s to GPG keychain", key)
		p.change(key, "added", true)
		p.have[key] = value.M("keyid", key, "trust", "unknown")
	}
}

// fetch gets a key from a text, a server or a source.
func (p *presence) fetch(key string, expired bool, stale []*value.Map) error {
	refresh := expired || len(stale) > 0
	res, msg, err := p.obtain(key, refresh, expired)
	if err != nil {
		return err
	}
	if res == false {
		return salt.CommandError("%s", msg)
	}
	v, err := getKey(p.c, getKeyArgs{Keyid: key, User: p.a.User, Gnupghome: p.a.Gnupghome, Keyring: p.a.Keyring})
	if err != nil {
		return err
	}
	now, ok := v.(*value.Map)
	if !ok {
		return salt.CommandError("%s\nThe new key %s could not be retrieved though.", msg, key)
	}
	if !refresh {
		p.change(key, "added", true)
	}
	if now.Truth("expired") {
		return salt.CommandError("%s\nThe new key %s is expired though.", msg, key)
	}
	old := p.have[key]
	p.have[key] = now
	if !refresh {
		p.say(key, "Added %s to GPG keychain", key)
		return nil
	}
	added, extended := p.renewed(old, now, stale)
	switch {
	case expired:
		p.say(key, "Updated %s because it was expired", key)
		p.change(key, "refresh", true)
	case added.Len()+extended.Len() > 0:
		p.say(key, "Updated %s because it had expired subkeys.", key)
		p.change(key, "refresh", true)
		subs := new(value.Map)
		if added.Len() > 0 {
			subs.Set("added", added)
		}
		if extended.Len() > 0 {
			subs.Set("extended", extended)
		}
		p.change(key, "subkeys", subs)
	default:
		p.say(key, "Attempted to update %s because it has expired subkeys, but no new signatures or keys were found", key)
	}
	return nil
}

// renewed are the subkeys that are new, and those that are valid again.
func (p *presence) renewed(old, now *value.Map, stale []*value.Map) (added, extended *value.List) {
	added, extended = value.L(), value.L()
	ids := func(m *value.Map) (out []string) {
		if l := m.List("subkeys"); l != nil {
			for _, it := range l.Items {
				out = append(out, it.(*value.Map).Str("keyid"))
			}
		}
		return out
	}
	before := ids(old)
	for _, id := range ids(now) {
		if !slices.Contains(before, id) {
			added.Append(id)
		}
	}
	var still []string
	for _, s := range p.stale(now) {
		still = append(still, s.Str("keyid"))
	}
	for _, s := range stale {
		if id := s.Str("keyid"); !slices.Contains(still, id) {
			extended.Append(id)
		}
	}
	return added, extended
}

// obtain imports the key; res is None when a server had nothing new.
func (p *presence) obtain(key string, refresh, expired bool) (res any, msg string, err error) {
	a := p.a
	if value.Truth(a.Text) {
		return p.importFrom(key, refresh, a.Text, nil)
	}
	if !a.SkipKeyserver {
		ret, err := receiveKeys(p.c, receiveKeysArgs{Keyserver: a.Keyserver, Keys: key, User: a.User, Gnupghome: a.Gnupghome, Keyring: a.Keyring})
		if err != nil {
			return nil, "", err
		}
		lines := signersOf(ret.At("message"))
		res, msg = ret.At("res"), strings.Join(lines, "\n")
		if refresh && res == true {
			if !slices.ContainsFunc(lines, func(s string) bool { return strings.Contains(s, "updated: new") }) {
				if res = any(false); !expired {
					res = nil
				}
			}
		}
		if res == true || !value.Truth(a.Source) {
			return res, msg, nil
		}
		msg += "\n"
	}
	for _, src := range signersOf(a.Source) {
		path, err := p.c.Files().Cache(p.c, src, p.c.Env, salt.GetOptions{})
		if salt.IsUnfetched(err) {
			return nil, "", err
		}
		if err != nil {
			continue
		}
		res, imported, err := p.importFrom(key, refresh, nil, path)
		if err == nil {
			return res, imported, nil
		}
		p.c.Log.Warn(err.Error())
	}
	return nil, "", salt.CommandError("%snone of the specified sources were found or contained the (unexpired) key %s.", msg, key)
}

func (p *presence) importFrom(key string, refresh bool, txt, path any) (any, string, error) {
	a := p.a
	found, err := readKey(p.c, readKeyArgs{Text: txt, Path: path, Keyid: key, User: a.User, Gnupghome: a.Gnupghome})
	switch {
	case err != nil:
		return nil, "", err
	case found.Len() == 0:
		return nil, "", salt.CommandError("Passed text did not contain the requested key %s", key)
	case refresh && found.Items[0].(*value.Map).Truth("expired"):
		return nil, "", salt.CommandError("Passed text contained the key %s, but it's expired", key)
	}
	ret, err := importKey(p.c, importKeyArgs{Text: txt, Filename: path, User: a.User, Gnupghome: a.Gnupghome, Keyring: a.Keyring, Select: key})
	if err != nil {
		return nil, "", err
	}
	return ret.At("res"), ret.Str("message"), nil
}

func (p *presence) trust(key string) {
	have := p.have[key]
	level := text(p.a.Trust)
	switch {
	case have == nil:
		return
	case have.Str("trust") == levels[level].shown:
		p.say(key, "GPG Public Key %s already in correct trust state", key)
		return
	case p.c.Test:
		p.r.Result = nil
		p.say(key, "Would have set trust level for %s to %s", key, level)
		p.change(key, "trust", level)
		return
	}
	ret, err := trustKey(p.c, trustKeyArgs{Keyid: key, TrustLevel: level, User: p.a.User, Gnupghome: p.a.Gnupghome, Keyring: p.a.Keyring})
	switch {
	case err != nil:
		p.r.Result = salt.False()
		p.say(key, "%s", err)
	case ret.At("res") == false:
		p.r.Result = salt.False()
		p.say(key, "%s", ret.Str("message"))
	default:
		p.say(key, "Set trust level for %s to %s", key, level)
		p.change(key, "trust", level)
	}
}

type absentArgs struct {
	Name                 string     `py:"name"`                          // the key, unless keys says otherwise
	Keys                 any        `py:"keys=None"`                     // the keys
	User                 any        `py:"user=None"`                     // whose keys: the home of this user
	Gnupghome            any        `py:"gnupghome=None"`                // the directory of the keys instead
	Keyring              any        `py:"keyring=None"`                  // a file of keys instead of the usual ones
	KeyringAbsentIfEmpty bool       `py:"keyring_absent_if_empty=False"` // remove the keyring when it is empty
	Kwargs               *value.Map `py:"**kwargs"`                      // Salt takes and ignores any other
}

// absent makes sure that keys are not in the keyring.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	ids := func() (out []string, err error) {
		l, err := listKeys(c, listKeysArgs{User: a.User, Gnupghome: a.Gnupghome, Keyring: a.Keyring})
		if err != nil {
			return nil, err
		}
		for _, it := range l.Items {
			out = append(out, it.(*value.Map).Str("keyid"))
		}
		return out, nil
	}
	have, err := ids()
	if err != nil {
		return salt.Raised(err)
	}
	r := salt.Correct("")
	var said []string
	deleted := value.L()
	keys := asked(a.Keys, a.Name)
	for _, key := range keys {
		switch {
		case !slices.Contains(have, key):
			said = append(said, key+" not found in GPG keychain")
			continue
		case c.Test:
			r.Result = nil
			said = append(said, "Would have deleted "+key+" from GPG keychain")
		default:
			ret, err := deleteKey(c, deleteKeyArgs{Keyid: key, User: a.User, Gnupghome: a.Gnupghome, Keyring: a.Keyring, UsePassphrase: true})
			if err != nil {
				return salt.Raised(err)
			}
			if ret.At("res") == false {
				r.Result = salt.False()
				said = append(said, ret.Str("message"))
				continue
			}
			said = append(said, "Deleted "+key+" from GPG keychain")
		}
		deleted.Append(key)
		r.Changes.Set("deleted", deleted)
	}
	if !c.Test && !r.Bad() {
		left, err := ids()
		if err != nil {
			return salt.Raised(err)
		}
		var remaining []string
		for _, key := range keys {
			if slices.Contains(left, key) {
				remaining = append(remaining, key)
			}
		}
		switch {
		case len(remaining) > 0:
			r.Result = salt.False()
			said = append(said, "State check revealed the following keys could not be deleted: "+strings.Join(remaining, ", "))
		case len(left) == 0 && value.Truth(a.Keyring) && a.KeyringAbsentIfEmpty && sys.IsFile(c.Sys, text(a.Keyring)):
			if err := c.Sys.Remove(text(a.Keyring)); err != nil {
				return salt.Raised(err)
			}
			said = append(said, "Removed empty keyring file "+text(a.Keyring))
			r.Changes.Set("removed", a.Keyring)
		}
	}
	r.Comment = strings.Join(said, "\n")
	return r
}
