// Package artifactory holds Salt's artifactory module: it fetches artifacts
// from an Artifactory server. Its main variable is Module.
//
//	salt-call artifactory.get_release https://repo.example/artifactory libs-release com.example app jar 1.2 target_dir=/srv
package artifactory

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's artifactory module.
var Module = salt.Module{
	Name: "artifactory",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"get_latest_release":  salt.Exec(getLatestRelease),
			"get_latest_snapshot": salt.Exec(getLatestSnapshot),
			"get_release":         salt.Exec(getRelease),
			"get_snapshot":        salt.Exec(getSnapshot),
			"set_basic_auth":      salt.Exec(setBasicAuth),
		}
	},
}

// An artifact is what all functions name.
type artifact struct {
	server, repository, group, name, packaging, classifier string
	dir, file                                              string
	user, password                                         string
	literal                                                bool
}

type authArgs struct {
	URL      string `py:"url"`      // the server
	Username string `py:"username"` // the user
	Password string `py:"password"` // and the password
}

type authKey string

type login struct{ user, password string }

// setBasicAuth sets the user and password for a server, for later calls of the
// same run.
func setBasicAuth(c *salt.Ctx, a authArgs) (any, error) {
	c.Run.Hide(a.Password)
	c.Run.Forget(authKey(a.URL))
	_, err := salt.Once(c.Run, authKey(a.URL), func() (login, error) { return login{a.Username, a.Password}, nil })
	return nil, err
}

// groupPath is the group in a path: its dots are folders.
func (a *artifact) groupPath() string {
	if a.literal {
		return a.group
	}
	return strings.ReplaceAll(a.group, ".", "/")
}

func (a *artifact) base() string {
	return a.server + "/" + a.repository + "/" + a.groupPath() + "/" + a.name
}

// fileName is what an artifact of a version is called.
func (a *artifact) fileName(version string) string {
	name := a.name + "-" + version
	if a.classifier != "" {
		name += "-" + a.classifier
	}
	return name + "." + a.packaging
}

// A statusError is an answer other than 200.
type statusError struct{ code int }

func (e statusError) Error() string {
	return "HTTP Error " + value.Str(int64(e.code)) + ": " + http.StatusText(e.code)
}

// open asks the server; the caller closes the answer.
func (a *artifact) open(c *salt.Ctx, address string) (io.ReadCloser, error) {
	r, err := http.NewRequestWithContext(context.Context(c), "GET", address, nil)
	if err != nil {
		return nil, err
	}
	user, password := a.user, a.password
	if user == "" {
		l, err := salt.Once(c.Run, authKey(a.server), func() (login, error) { return login{}, nil })
		if err != nil {
			return nil, err
		}
		user, password = l.user, l.password
	}
	if user != "" && password != "" {
		r.SetBasicAuth(user, password)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // without the address, which may have a password
		}
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		res.Body.Close()
		return nil, statusError{res.StatusCode}
	}
	return res.Body, nil
}

// fetch reads a short answer.
func (a *artifact) fetch(c *salt.Ctx, address string) ([]byte, error) {
	body, err := a.open(c, address)
	if err == nil {
		defer body.Close()
		var b []byte
		if b, err = io.ReadAll(io.LimitReader(body, 64<<20)); err == nil {
			return b, nil
		}
	}
	return nil, salt.CommandError("Could not fetch data from url: %s. ERROR: %s", address, err)
}

// A metadata is a maven-metadata.xml.
type metadata struct {
	Group    string `xml:"groupId"`
	Artifact string `xml:"artifactId"`
	Version  string `xml:"version"`
	Latest   string `xml:"versioning>latest"`
	Versions []struct {
		Extension  string `xml:"extension"`
		Classifier string `xml:"classifier"`
		Value      string `xml:"value"`
	} `xml:"versioning>snapshotVersions>snapshotVersion"`
}

func (a *artifact) metadata(c *salt.Ctx, address string) (*metadata, error) {
	b, err := a.fetch(c, address)
	if err != nil {
		return nil, err
	}
	var m metadata
	if err := xml.Unmarshal(b, &m); err != nil {
		return nil, salt.CommandError("%s: %s", address, err)
	}
	if m.Group != a.group || m.Artifact != a.name {
		return nil, salt.CommandError("%s is of %s:%s, not of %s:%s", address, m.Group, m.Artifact, a.group, a.name)
	}
	return &m, nil
}

// snapshotVersion is the version of the newest build of a snapshot.
func (a *artifact) snapshotVersion(c *salt.Ctx, version string) (string, error) {
	m, err := a.metadata(c, a.base()+"/"+version+"/maven-metadata.xml")
	if err != nil {
		c.Log.Error("Could not fetch maven-metadata.xml. Assuming snapshot_version=" + version + ".")
		return version, nil
	}
	for _, v := range m.Versions {
		if v.Extension == a.packaging && v.Classifier == a.classifier {
			return v.Value, nil
		}
	}
	what, name := "packaging", a.packaging
	if a.classifier != "" {
		what, name = "classifier", a.classifier
	}
	return "", salt.CommandError("Cannot find requested %s '%s' in the snapshot version metadata of %s/%s", what, name, a.base(), version)
}

// save downloads an artifact, unless the file is there and has the right
// checksum.
func (a *artifact) save(c *salt.Ctx, address, name string) (*value.Map, error) {
	target := a.file
	if target == "" {
		target = filepath.Join(a.dir, name)
	}
	comment := ""
	if sys.IsFile(c.Sys, target) {
		sum, err := a.open(c, address+".sha1")
		if err != nil {
			return failed(err, address+".sha1"), nil
		}
		want, err := io.ReadAll(io.LimitReader(sum, 1024))
		sum.Close()
		if err != nil {
			return failed(err, address+".sha1"), nil
		}
		have, err := c.CallKw("file.get_hash", value.M("path", target, "form", "sha1"))
		if err != nil {
			return nil, err
		}
		if have == string(want) {
			return value.M("status", true, "changes", new(value.Map), "comment", "File "+target+" already exists, checksum matches with Artifactory.\nChecksum URL: "+address+".sha1",
				"target_file", target), nil
		}
		comment = "File " + target + " already exists, checksum does not match with Artifactory!\nChecksum URL: " + address + ".sha1"
	}
	body, err := a.open(c, address)
	if err != nil {
		return failed(err, address), nil
	}
	defer body.Close()
	if err := c.Sys.Replace(target, sys.FileAttrs{}, func(w io.Writer) error { _, err := io.Copy(w, body); return err }); err != nil {
		return nil, salt.OSError(err)
	}
	return value.M("status", true, "changes", value.M("downloaded_file", target), "comment", comment+"\nArtifact downloaded from URL: "+address, "target_file", target), nil
}

// failed says why an address gave nothing.
func failed(err error, address string) *value.Map {
	comment := err.Error() + ". Request URL: " + address
	var s statusError
	if errors.As(err, &s) {
		comment = "HTTP Error " + value.Str(int64(s.code)) + ". Request URL: " + address
		if s.code == http.StatusConflict {
			comment = "HTTP Error 409: Conflict. Requested URL: " + address + ". \nThis error may be caused by reading snapshot artifact from non-snapshot repository."
		}
	}
	return value.M("status", false, "changes", new(value.Map), "comment", comment)
}
