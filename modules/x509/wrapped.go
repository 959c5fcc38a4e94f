package x509

import (
	"encoding/base64"

	"pinch/filestate"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// notTold is what a run with test=True says when the wrapper did not know of it.
const notTold = `. The file was not actually updated - please pass test=opts.get("test") into the wrapper to enable proper test mode support.`

type certificateManagedSshArgs struct {
	Name     string     `py:"name"`          // the file
	Result   any        `py:"result"`        // the result of the wrapper
	Comment  any        `py:"comment"`       // the comment of the wrapper
	Changes  any        `py:"changes"`       // the changes of the wrapper
	Encoding any        `py:"encoding=None"` // pem, der, or for certificates pkcs7_pem, pkcs7_der, pkcs12; for keys pkcs12
	Contents any        `py:"contents=None"` // what the wrapper made
	Kwargs   *value.Map `py:"**kwargs"`      // further arguments
}

// certificateManagedSsh puts a certificate into its file that the wrapper of
// salt-ssh made.
func certificateManagedSsh(c *salt.Ctx, a certificateManagedSshArgs) salt.Result {
	m, r := filestate.Wrapped(c, a.Name, a.Result, a.Comment, a.Changes, a.Kwargs)
	if m == nil {
		return r
	}
	existed := sys.IsFile(c.Sys, a.Name)
	sub, err := m.Manage(false, value.M("replace", false))
	if err != nil {
		return salt.Raised(err)
	}
	m.Note(sub)
	r.Extra = m.Subs()
	if sub.Bad() {
		word := "create"
		if existed || sys.IsFile(c.Sys, a.Name) {
			word = "update"
		}
		f := salt.Failed("Could not %s file, see file.managed output", word)
		f.Extra = r.Extra
		return f
	}
	if a.Contents == nil {
		return r
	}
	if c.Test {
		r.Comment += notTold
		return r
	}
	data := []byte(text(a.Contents))
	if e := text(a.Encoding); e != "pem" && e != "pkcs7_pem" {
		if data, err = base64.StdEncoding.DecodeString(text(a.Contents)); err != nil {
			return salt.Failed("contents: %s", err)
		}
	}
	if _, err = m.Manage(false, value.M("contents", data, "contents_newline", false)); err != nil {
		return salt.Raised(err)
	}
	return r
}

type privateKeyManagedSshArgs struct {
	Name     string     `py:"name"`          // the file
	Result   any        `py:"result"`        // the result of the wrapper
	Comment  any        `py:"comment"`       // the comment of the wrapper
	Changes  any        `py:"changes"`       // the changes of the wrapper
	Tempfile any        `py:"tempfile=None"` // where the wrapper put the key
	Kwargs   *value.Map `py:"**kwargs"`      // further arguments
}

// privateKeyManagedSsh moves a private key into its place that the wrapper of
// salt-ssh made.
func privateKeyManagedSsh(c *salt.Ctx, a privateKeyManagedSshArgs) salt.Result {
	m, r := filestate.Wrapped(c, a.Name, a.Result, a.Comment, a.Changes, a.Kwargs)
	if m == nil {
		return r
	}
	sub, err := m.Manage(false, value.M("replace", false))
	if err != nil {
		return salt.Raised(err)
	}
	if a.Tempfile != nil {
		if c.Test {
			r.Comment += notTold
			return r
		}
		if _, err := c.Call("file.move", a.Tempfile, a.Name); err != nil {
			r.Result, r.Changes = salt.False(), new(value.Map)
			r.Comment += ". But: Failed moving the private key into place: " + err.Error()
			return r
		}
	}
	m.Note(sub)
	r.Extra = m.Subs()
	return r
}
