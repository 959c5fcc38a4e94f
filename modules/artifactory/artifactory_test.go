package artifactory

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type hasher struct{ salt.Host }

func (hasher) CallFunc(_ *salt.Ctx, _ string, _ []any, kw *value.Map) (any, error) {
	b, err := os.ReadFile(kw.Str("path"))
	sum := sha1.Sum(b)
	return hex.EncodeToString(sum[:]), err
}

const snapshots = `<metadata><groupId>com.example</groupId><artifactId>app</artifactId><version>1.1-SNAPSHOT</version><versioning><snapshotVersions>
<snapshotVersion><extension>jar</extension><value>1.1-20261130.1</value></snapshotVersion>
<snapshotVersion><classifier>sources</classifier><extension>jar</extension><value>1.1-20261130.2</value></snapshotVersion></snapshotVersions></versioning></metadata>`

// A server as Artifactory's; comments are those of Salt.
func TestArtifactory(t *testing.T) {
	pages := map[string]string{
		"/libs/com/example/app/1.0/app-1.0.jar":                             "one",
		"/api/search/latestVersion?g=com.example&a=app&repos=libs":          "1.0",
		"/snap/com/example/app/maven-metadata.xml":                          "<metadata><groupId>com.example</groupId><artifactId>app</artifactId><versioning><latest>1.1-SNAPSHOT</latest></versioning></metadata>",
		"/snap/com/example/app/1.1-SNAPSHOT/maven-metadata.xml":             snapshots,
		"/snap/com/example/app/1.1-SNAPSHOT/app-1.1-20261130.1.jar":         "snap",
		"/snap/com/example/app/1.1-SNAPSHOT/app-1.1-20261130.2-sources.jar": "src",
		"/libs/com/example/app/1.0/app-1.0.jar.sha1":                        "fe05bcdcdc4928012781a5f1a2a77cbb5398e106",
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if u, p, _ := r.BasicAuth(); u != "me" || p != "secret1" {
			w.WriteHeader(http.StatusConflict)
			return
		}
		text, ok := pages[r.URL.String()]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		io.WriteString(w, text)
	}))
	defer srv.Close()
	dir := t.TempDir()
	c := &salt.Ctx{Context: context.Background(), Sys: sys.Real{}, Host: hasher{}, Run: salt.NewRun(), Log: slog.New(slog.DiscardHandler)}
	call := func(fun, repo string, kw *value.Map) string {
		kw.Set("target_dir", dir)
		kw.Set("username", "me")
		if !kw.Has("password") {
			kw.Set("password", "secret1")
		}
		got, err := Module.Exec()[fun].Call(c, []any{srv.URL, repo, "com.example", "app", "jar"}, kw)
		if err != nil {
			return strings.ReplaceAll(err.Error(), srv.URL, "URL")
		}
		return strings.NewReplacer(srv.URL, "URL", dir, "DIR").Replace(value.Repr(got))
	}
	done := "{'status': True, 'changes': {'downloaded_file': 'DIR/NAME'}, 'comment': '\\nArtifact downloaded from URL: URL/PATH', 'target_file': 'DIR/NAME'}"
	saved := func(repo, version, name string) string {
		return strings.NewReplacer("PATH", repo+"/com/example/app/"+version+"/"+name, "NAME", name).Replace(done)
	}
	for _, tt := range []struct {
		fun, repo string
		kw        *value.Map
		want      string
	}{
		{"get_release", "libs", value.M("version", "1.0"), saved("libs", "1.0", "app-1.0.jar")},
		{"get_release", "libs", value.M("version", "1.0"), "{'status': True, 'changes': {}, 'comment': 'File DIR/app-1.0.jar already exists, checksum matches with Artifactory.\\nChecksum URL: URL/libs/com/example/app/1.0/app-1.0.jar.sha1', 'target_file': 'DIR/app-1.0.jar'}"},
		{"get_latest_release", "libs", new(value.Map), "{'status': True, 'changes': {}, 'comment': 'File DIR/app-1.0.jar already exists, checksum matches with Artifactory.\\nChecksum URL: URL/libs/com/example/app/1.0/app-1.0.jar.sha1', 'target_file': 'DIR/app-1.0.jar'}"},
		{"get_release", "libs", value.M("version", "2"), "{'status': False, 'changes': {}, 'comment': 'HTTP Error 404. Request URL: URL/libs/com/example/app/2/app-2.jar'}"},
		{"get_release", "libs", value.M("version", "2", "password", "wrong-one"), "{'status': False, 'changes': {}, 'comment': 'HTTP Error 409: Conflict. Requested URL: URL/libs/com/example/app/2/app-2.jar. \\nThis error may be caused by reading snapshot artifact from non-snapshot repository.'}"},
		{"get_latest_snapshot", "snap", new(value.Map), saved("snap", "1.1-SNAPSHOT", "app-1.1-20261130.1.jar")},
		{"get_snapshot", "snap", value.M("version", "1.1-SNAPSHOT", "classifier", "sources"), saved("snap", "1.1-SNAPSHOT", "app-1.1-20261130.2-sources.jar")},
		{"get_snapshot", "snap", value.M("version", "1.1-SNAPSHOT", "classifier", "docs"), "Cannot find requested classifier 'docs' in the snapshot version metadata of URL/snap/com/example/app/1.1-SNAPSHOT"},
		{"get_latest_snapshot", "nope", new(value.Map), "Could not fetch data from url: URL/nope/com/example/app/maven-metadata.xml. ERROR: HTTP Error 404: Not Found"},
	} {
		if got := call(tt.fun, tt.repo, tt.kw); got != tt.want {
			t.Errorf("%s %s\n got %s\nwant %s", tt.fun, value.Repr(tt.kw), got, tt.want)
		}
	}
	if b, _ := os.ReadFile(dir + "/app-1.0.jar"); string(b) != "one" {
		t.Errorf("%q", b)
	}
}
