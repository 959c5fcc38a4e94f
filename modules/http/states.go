package http

import (
	"strings"
	"time"

	"pinch/salt"
	"pinch/value"
	"pinch/value/py"
	"pinch/value/pyre"
)

type queryStateArgs struct {
	Name       string     `py:"name"`                 // the URL
	Match      any        `py:"match=None"`           // a text that the body must hold
	MatchType  string     `py:"match_type='string'"`  // string, or pcre for a regular expression
	Status     any        `py:"status=None"`          // the status code
	StatusType string     `py:"status_type='string'"` // string, pcre, or list: one of several codes
	WaitFor    any        `py:"wait_for=None"`        // seconds to try until there is an answer without error
	Kwargs     *value.Map `py:"**kwargs"`             // as of the execution function http.query
}

// queryState checks what a web server answers. Under test=True nothing is
// asked, or test_url instead.
//
//	https://example.com/login:
//	  http.query:
//	    - status: 200
//	    - match: Password
func queryState(c *salt.Ctx, a queryStateArgs) salt.Result {
	r, err := a.check(c)
	if err != nil {
		return salt.Raised(err)
	}
	return r
}

func (a queryStateArgs) check(c *salt.Ctx) (salt.Result, error) {
	if a.Match == nil && a.Status == nil {
		r := salt.Failed(" Either match text (match) or a status code (status) is required.")
		r.Extra = value.M("data", new(value.Map))
		return r, nil
	}
	kw := a.Kwargs.Shallow()
	if !kw.Has("decode") {
		kw.Set("decode", false)
	}
	kw.Set("text", true)
	kw.Set("status", true)
	if c.Test {
		kw.Set("test", true)
	}
	fun := "http.query"
	if value.Truth(a.WaitFor) {
		fun = "http.wait_for_successful_query"
		kw.Set("wait_for", a.WaitFor)
	}
	v, err := c.CallKw(fun, kw, a.Name)
	if err != nil {
		return salt.Result{}, err
	}
	data, _ := v.(*value.Map)
	f := new(findings)
	if a.Match != nil {
		if err := f.match(a, data.Str("text")); err != nil {
			return salt.Result{}, err
		}
	}
	if a.Status != nil {
		if err := f.status(a, data.Str("status")); err != nil {
			return salt.Result{}, err
		}
	}
	r := salt.Result{Result: f.result, Comment: strings.TrimSpace(f.comment), Changes: new(value.Map), Extra: value.M("data", data)}
	if c.Test {
		r.Result = nil
		r.Comment += " (TEST MODE"
		if u, ok := kw.Get("test_url"); ok {
			r.Comment += ", TEST URL WAS: " + value.Str(u)
		}
		r.Comment += ")"
	}
	return r, nil
}

// findings are the result so far.
type findings struct {
	result  *bool
	comment string
}

func (f *findings) note(ok bool, good, bad string) {
	if ok {
		f.comment += " " + good
		if f.result == nil {
			f.result = salt.True()
		}
		return
	}
	f.comment += " " + bad
	f.result = salt.False()
}

func found(pattern any, text string) (bool, error) {
	re, err := pyre.Compile(value.Str(pattern), 0)
	if err != nil {
		return false, err
	}
	return re.Search(text) != nil, nil
}

func (f *findings) match(a queryStateArgs, text string) error {
	want := value.Str(a.Match)
	switch a.MatchType {
	case "string":
		f.note(strings.Contains(text, want), `Match text "`+want+`" was found.`, `Match text "`+want+`" was not found.`)
	case "pcre":
		ok, err := found(a.Match, text)
		f.note(ok, `Match pattern "`+want+`" was found.`, `Match pattern "`+want+`" was not found.`)
		return err
	}
	return nil
}

func (f *findings) status(a queryStateArgs, status string) error {
	want := value.Str(a.Status)
	switch a.StatusType {
	case "list":
		codes, err := py.Items(a.Status)
		if err != nil {
			return err
		}
		for _, code := range codes {
			if s := value.Str(code); s == status {
				f.note(true, "Status "+s+" was found.", "")
			}
		}
		if f.result == nil || !*f.result {
			f.note(false, "", "Statuses "+want+" were not found.")
		}
	case "pcre":
		ok, err := found(a.Status, status)
		f.note(ok, `Status pattern "`+want+`" was found.`, `Status pattern "`+want+`" was not found.`)
		return err
	case "string":
		f.note(want == status, "Status "+want+" was found.", "Status "+want+" was not found.")
	}
	return nil
}

type waitStateArgs struct {
	Name    string     `py:"name"`         // the URL
	WaitFor float64    `py:"wait_for=300"` // seconds after which to give up
	Kwargs  *value.Map `py:"**kwargs"`     // as of the state http.query, and request_interval: seconds between two tries
}

// waitState is http.query that asks again until the answer is as wanted.
//
//	https://localhost/health:
//	  http.wait_for_successful_query:
//	    - status: 200
//	    - wait_for: 60
//	    - request_interval: 1
func waitState(c *salt.Ctx, a waitStateArgs) salt.Result {
	end := c.Sys.Now().Add(time.Duration(a.WaitFor * float64(time.Second)))
	kw := a.Kwargs.Shallow()
	kw.Set("name", a.Name)
	for {
		r, err := c.CallState(c, "http.query", kw)
		if err == nil && r.OK() {
			return r
		}
		if c.Test || c.Sys.Now().After(end) {
			if err != nil {
				return salt.Raised(err)
			}
			return r
		}
		if err := pause(c, a.Kwargs); err != nil {
			return salt.Raised(err)
		}
	}
}
