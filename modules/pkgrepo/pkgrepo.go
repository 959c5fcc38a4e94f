// Package pkgrepo holds Salt's pkgrepo states: the repositories that packages
// come from. Its main variable is Module.
//
//	docker:
//	  pkgrepo.managed:
//	    - name: deb [signed-by=/etc/apt/keyrings/docker.gpg arch=amd64] https://download.docker.com/linux/debian bookworm stable
//	    - file: /etc/apt/sources.list.d/docker.list
//	    - key_url: https://download.docker.com/linux/debian/gpg
//	    - aptkey: False
package pkgrepo

import (
	"slices"
	"strings"

	"pinch/deb"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's pkgrepo module.
var Module = salt.Module{
	Name: "pkgrepo",
	States: func() salt.Funcs {
		return salt.Funcs{
			"managed": salt.State(managed),
			"absent":  salt.State(absent),
		}
	},
}

// expand is what an entry is to be: the line, with what the arguments say
// besides, in the form that pkg.get_repo has.
func expand(c *salt.Ctx, repo string, kw *value.Map) (*value.Map, error) {
	file := kw.Str("file")
	if strings.HasPrefix(repo, "ppa:") && slices.Contains([]string{"Ubuntu", "Mint", "neon"}, c.Grains.Str("os")) {
		dist := c.Grains.Str("oscodename")
		owner, name, _ := strings.Cut(repo[4:], "/")
		base := "deb http://ppa.launchpad.net/"
		if auth := kw.Str("ppa_auth"); auth != "" {
			base = "deb https://" + auth + "@private-ppa.launchpad.net/"
		}
		repo = base + owner + "/" + name + "/ubuntu " + dist + " main"
		if file == "" {
			file = "/etc/apt/sources.list.d/" + owner + "-" + name + "-" + dist + ".list"
		}
	}
	if file == "" {
		file = "/etc/apt/sources.list"
	}
	s, err := deb.ParseLine(repo, file)
	if err != nil {
		return nil, salt.InvocationError("%s", err)
	}
	if kw.Has("comps") {
		s.Comps = words(kw.At("comps"))
	}
	if kw.Has("architectures") {
		s.Arches = words(kw.At("architectures"))
	}
	if kw.Has("uri") {
		s.URIs = []string{kw.Str("uri")}
	}
	if kw.Has("dist") {
		s.Suites = []string{kw.Str("dist")}
	}
	if kw.Has("signedby") {
		s.SignedBy = kw.Str("signedby")
	}
	if kw.Has("disabled") {
		s.Disabled = kw.Truth("disabled")
	}
	out, err := fresh(s, file, kw)
	if err != nil {
		return nil, err
	}
	return value.M("file", out.File, "comps", list(out.Comps), "disabled", out.Disabled, "dist", strings.Join(out.Suites, " "),
		"suites", list(out.Suites), "type", strings.Join(out.Types, " "), "types", list(out.Types), "uri", strings.Join(out.URIs, " "),
		"uris", list(out.URIs), "line", out.String(), "architectures", list(out.Arches), "signedby", s.SignedBy), nil
}

// fresh is the entry that Salt writes: of the options only architectures, key
// and trust, in this order.
func fresh(s *deb.Source, file string, kw *value.Map) (*deb.Source, error) {
	if strings.HasSuffix(file, ".sources") {
		out := deb.ParseStanza("", file)
		pick := func(key string, def []string) []string {
			if l := kw.List(key); l.Len() > 0 {
				return words(l)
			}
			return def
		}
		out.SetTypes(pick("types", s.Types))
		out.SetURIs(pick("uris", s.URIs))
		out.SetSuites(pick("suites", s.Suites))
		out.SetComps(s.Comps)
		if len(s.Arches) > 0 {
			out.SetArches(s.Arches)
		}
		if s.SignedBy != "" {
			out.SetSignedBy(s.SignedBy)
		}
		if v, ok := kw.Get("trusted"); ok && v != false {
			out.SetTrusted(value.Truth(v))
		}
		out.SetDisabled(s.Disabled)
		return out, nil
	}
	var opts []string
	if len(s.Arches) > 0 {
		opts = append(opts, "arch="+strings.Join(s.Arches, ","))
	}
	if s.SignedBy != "" {
		opts = append(opts, "signed-by="+s.SignedBy)
	}
	if kw.Truth("trusted") {
		opts = append(opts, "trusted=yes")
	}
	line := slices.Clone(s.Types)
	if len(opts) > 0 {
		line = append(line, "["+strings.Join(opts, " ")+"]")
	}
	line = slices.Concat(line, s.URIs, s.Suites, s.Comps)
	out, err := deb.ParseLine(strings.Join(line, " "), file)
	if err != nil {
		return nil, salt.InvocationError("%s", err)
	}
	out.Disabled = s.Disabled
	return out, nil
}

func list(items []string) *value.List { return value.Strings(slices.Clone(items)) }

// words are the items of a list, or of a text with commas.
func words(v any) []string {
	var out []string
	if l, ok := v.(*value.List); ok {
		for _, it := range l.Items {
			out = append(out, value.Str(it))
		}
		return out
	}
	for s := range strings.SplitSeq(value.Str(v), ",") {
		out = append(out, strings.TrimSpace(s))
	}
	return out
}
