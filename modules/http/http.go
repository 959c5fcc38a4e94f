// Package http holds Salt's http module: it asks web servers, once or until
// they answer well. Its main variable is Module.
//
//	the shop is up:
//	  http.wait_for_successful_query:
//	    - name: https://localhost/health
//	    - match: '"ok"'
//	    - request_interval: 2
package http

import (
	"strings"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's http module.
var Module = salt.Module{
	Name: "http",
	States: func() salt.Funcs {
		return salt.Funcs{
			"query":                     salt.State(queryState),
			"wait_for_successful_query": salt.State(waitState),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"query":                     salt.Exec(query),
			"update_ca_bundle":          salt.Exec(updateCABundle),
			"wait_for_successful_query": salt.Exec(waitForSuccessfulQuery),
		}
	},
}

type queryArgs struct {
	URL    string     `py:"url"`      // what to ask
	Kwargs *value.Map `py:"**kwargs"` // method, params, data, header_dict, username, password, status, text, decode, verify_ssl … as below
}

// query asks a web server and returns the body of its answer and what else is
// wanted of it. A status that is no success is returned as error.
//
//	{% set r = salt['http.query']('https://api.example/v1', header_dict={'X-Token': t}, decode=True) %}
//
// The keywords: method (GET); params, a mapping for the URL; data or data_file
// (data_render, data_renderer, template_dict); formdata, formdata_fieldname,
// formdata_filename; header_dict, header_list, header_file (header_render,
// header_renderer); agent; username and password, or auth; decode and
// decode_type (auto, json, xml, yaml, plain); status, headers, text: return
// them, too; text_out, headers_out, decode_out: write them to files; cookies,
// cookie_jar, cookie_format (lwp, mozilla); persist_session,
// session_cookie_jar; verify_ssl, ca_bundle, cert (a file or a pair); backend
// (tornado, requests, urllib2: only the form of errors differs); raise_error;
// decode_body; hide_fields; test and test_url; opts, options of the minion to
// replace for the call (proxy_host, proxy_port, http_request_timeout …).
func query(c *salt.Ctx, a queryArgs) (*value.Map, error) {
	r, err := newRequest(c, a.URL, a.Kwargs)
	if err == nil {
		var out *value.Map
		if out, err = r.run(); err == nil {
			return out, nil
		}
	}
	if _, ok := err.(*value.Exception); ok {
		return nil, err
	}
	return nil, salt.CommandError("%s", err)
}

type waitArgs struct {
	URL     string     `py:"url"`          // what to ask
	WaitFor float64    `py:"wait_for=300"` // seconds after which to give up
	Kwargs  *value.Map `py:"**kwargs"`     // as of http.query, and request_interval: seconds between two tries
}

// waitForSuccessfulQuery asks until there is an answer without error, and
// returns the last one.
func waitForSuccessfulQuery(c *salt.Ctx, a waitArgs) (*value.Map, error) {
	end := c.Sys.Now().Add(time.Duration(a.WaitFor * float64(time.Second)))
	for {
		out, err := query(c, queryArgs{a.URL, a.Kwargs})
		if err == nil && !out.Truth("Error") && !out.Truth("error") {
			return out, nil
		}
		if c.Sys.Now().After(end) {
			return out, err
		}
		if err := pause(c, a.Kwargs); err != nil {
			return nil, err
		}
	}
}

// pause waits between two tries: the request_interval, or a moment.
func pause(c *salt.Ctx, kw *value.Map) error {
	d := 100 * time.Millisecond
	if v, ok := kw.Get("request_interval"); ok {
		d = seconds(v, d)
	}
	return c.Sys.Sleep(c, d)
}

type bundleArgs struct {
	Target     any `py:"target=None"`      // where to, that of the option ca_bundle by default
	Source     any `py:"source=None"`      // where from, that of the option ca_bundle_url by default
	MergeFiles any `py:"merge_files=None"` // files with more certificates to put behind it: a path or a list
}

// updateCABundle downloads a file of certificates of authorities. What comes
// has to look like one, or the old file stays.
func updateCABundle(c *salt.Ctx, a bundleArgs) (any, error) {
	target, source := value.Str(a.Target), value.Str(a.Source)
	if a.Target == nil {
		if target = bundle(c, c.Opts); target == "" {
			target = system(c)
		}
		if target == "" {
			c.Log.Error("Unable to detect location to write CA bundle to")
			return nil, nil
		}
	}
	if a.Source == nil {
		if source = c.Opts.Str("ca_bundle_url"); source == "" {
			source = "https://curl.se/ca/cacert.pem"
		}
	}
	out, err := query(c, queryArgs{source, value.M("text", true)})
	if err != nil {
		return nil, err
	}
	text := out.Str("text")
	if !strings.Contains(text, "-----BEGIN CERTIFICATE-----") {
		return nil, salt.CommandError("%s has no certificates: %s stays as it is", source, target)
	}
	var files []any
	switch m := a.MergeFiles.(type) {
	case string:
		files = []any{m}
	case *value.List:
		files = m.Items
	case nil:
	default:
		c.Log.Error("A value was passed as merge_files which was not either a string or a list")
	}
	for i, f := range files {
		b, err := c.Sys.ReadFile(value.Str(f))
		if err != nil {
			c.Log.Error("Reading from " + value.Str(f) + " caused the following error: " + err.Error())
			continue
		}
		if i == 0 {
			text += "\n"
		}
		text += "\n" + string(b)
	}
	return nil, sys.WriteFile(c.Sys, target, []byte(text), sys.FileAttrs{})
}
