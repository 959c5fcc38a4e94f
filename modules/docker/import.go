package docker

import (
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"syscall"
	"time"

	"pinch/modules/docker/engine"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type importArgs struct {
	Source      any  `py:"source"`             // an archive of files: a path, salt://, or a URL that the daemon reads
	Repository  any  `py:"repository"`         // the image's name
	Tag         any  `py:"tag='latest'"`       // and its tag
	APIResponse bool `py:"api_response=False"` // API_Response is what the daemon said
}

// importImage makes an image of an archive of files.
//
//	salt-call docker.import /tmp/rootfs.tar.gz myrepo/base 1.0
func importImage(c *salt.Ctx, a importArgs) (*value.Map, error) {
	source, ok := a.Source.(string)
	if !ok {
		return nil, salt.InvocationError("Invalid source file %s", value.Str(a.Source))
	}
	file, err := cached(c, source)
	if err != nil {
		return nil, err
	}
	return ask(c, func(d daemon) (*value.Map, error) {
		began := time.Now()
		repository, tag := value.Str(a.Repository), value.Str(a.Tag)
		r := engine.Request{Op: "import_image", Method: http.MethodPost, Path: "/images/create", Query: engine.Query("repo", repository, "tag", tag, "fromSrc", file)}
		if sys.IsFile(c.Sys, file) {
			f, err := c.Sys.Open(file)
			if err != nil {
				return nil, salt.OSError(err)
			}
			defer f.Close()
			r.Query.Set("fromSrc", "-")
			r.Body, r.Header = io.Reader(f), http.Header{"Content-Type": {"application/tar"}}
		} else if path.IsAbs(file) {
			return nil, salt.OSError(&fs.PathError{Op: "open", Path: file, Err: syscall.ENOENT})
		}
		events, err := d.Events(r)
		if err != nil {
			return nil, err
		}
		out := value.M("Time_Elapsed", time.Since(began).Seconds())
		if a.APIResponse {
			out.Set("API_Response", events)
		}
		bad := progress(events, func(kind string, m *value.Map) {
			if id := m.Str("status"); kind == "status" && strings.Trim(strings.TrimPrefix(id, "sha256:"), "0123456789abcdefABCDEF") == "" {
				out.Set("Image", repository+":"+tag)
				out.Set("Id", id)
			}
		})
		if !out.Has("Id") {
			return nil, salt.CommandError("%s", follows("Import failed for "+source, bad))
		}
		return out, nil
	})
}

// follows is a message with the errors of a stream, if there are any.
func follows(msg string, errs []string) string {
	if errs == nil {
		return msg
	}
	return msg + ". Error(s) follow:\n\n" + strings.Join(errs, "\n\n")
}

// progress hands out the events of a stream with what they are of (the first
// key), and gives the errors among them.
func progress(events *value.List, f func(kind string, m *value.Map)) []string {
	var bad []string
	for _, it := range events.Items {
		m, ok := it.(*value.Map)
		if !ok || m.Len() == 0 {
			continue
		}
		kind := value.Str(m.Keys()[0])
		if kind == "errorDetail" {
			e := m.Map("errorDetail")
			msg := e.Str("message")
			if e.Has("code") {
				msg = e.Str("code") + ": " + msg
			}
			bad = append(bad, msg)
			continue
		}
		f(kind, m)
	}
	return bad
}
