package artifactory

import (
	"net/url"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type latestArgs struct {
	ArtifactoryURL    string `py:"artifactory_url"`            // the server
	Repository        string `py:"repository"`                 // the repository
	GroupID           string `py:"group_id"`                   // the group
	ArtifactID        string `py:"artifact_id"`                // the artifact
	Packaging         string `py:"packaging"`                  // jar, war …
	TargetDir         string `py:"target_dir='/tmp'"`          // the folder for the file
	TargetFile        any    `py:"target_file=None"`           // the file; its own name in target_dir
	Classifier        any    `py:"classifier=None"`            // sources, javadoc …
	Username          any    `py:"username=None"`              // the user
	Password          any    `py:"password=None"`              // the password
	UseLiteralGroupID bool   `py:"use_literal_group_id=False"` // dots of the group stay in the path
}

func text(v any) string {
	if v == nil {
		return ""
	}
	return value.Str(v)
}

func (l *latestArgs) artifact(c *salt.Ctx) *artifact {
	c.Run.Hide(text(l.Password))
	return &artifact{server: l.ArtifactoryURL, repository: l.Repository, group: l.GroupID, name: l.ArtifactID, packaging: l.Packaging, classifier: text(l.Classifier),
		dir: l.TargetDir, file: text(l.TargetFile), user: text(l.Username), password: text(l.Password), literal: l.UseLiteralGroupID}
}

// getLatestSnapshot fetches the newest snapshot. It returns status, changes,
// comment and target_file.
func getLatestSnapshot(c *salt.Ctx, l latestArgs) (any, error) {
	a := l.artifact(c)
	m, err := a.metadata(c, a.base()+"/maven-metadata.xml")
	if err != nil {
		return nil, err
	}
	build, err := a.snapshotVersion(c, m.Latest)
	if err != nil {
		return nil, err
	}
	return a.save(c, a.base()+"/"+m.Latest+"/"+a.fileName(build), a.fileName(build))
}

// getLatestRelease fetches the newest release.
func getLatestRelease(c *salt.Ctx, l latestArgs) (any, error) {
	a := l.artifact(c)
	b, err := a.fetch(c, a.server+"/api/search/latestVersion?g="+url.QueryEscape(a.group)+"&a="+url.QueryEscape(a.name)+"&repos="+url.QueryEscape(a.repository))
	if err != nil {
		return nil, err
	}
	version := strings.TrimSpace(string(b))
	if version == "" {
		return nil, salt.CommandError("Unable to find release version")
	}
	return a.save(c, a.base()+"/"+version+"/"+a.fileName(version), a.fileName(version))
}

type releaseArgs struct {
	ArtifactoryURL    string `py:"artifactory_url"`            // the server
	Repository        string `py:"repository"`                 // the repository
	GroupID           string `py:"group_id"`                   // the group
	ArtifactID        string `py:"artifact_id"`                // the artifact
	Packaging         string `py:"packaging"`                  // jar, war …
	Version           string `py:"version"`                    // the version
	TargetDir         string `py:"target_dir='/tmp'"`          // the folder for the file
	TargetFile        any    `py:"target_file=None"`           // the file; its own name in target_dir
	Classifier        any    `py:"classifier=None"`            // sources, javadoc …
	Username          any    `py:"username=None"`              // the user
	Password          any    `py:"password=None"`              // the password
	UseLiteralGroupID bool   `py:"use_literal_group_id=False"` // dots of the group stay in the path
}

// getRelease fetches a release.
func getRelease(c *salt.Ctx, r releaseArgs) (any, error) {
	l := latestArgs{r.ArtifactoryURL, r.Repository, r.GroupID, r.ArtifactID, r.Packaging, r.TargetDir, r.TargetFile, r.Classifier, r.Username, r.Password, r.UseLiteralGroupID}
	a := l.artifact(c)
	return a.save(c, a.base()+"/"+r.Version+"/"+a.fileName(r.Version), a.fileName(r.Version))
}

type snapshotArgs struct {
	ArtifactoryURL    string `py:"artifactory_url"`            // the server
	Repository        string `py:"repository"`                 // the repository
	GroupID           string `py:"group_id"`                   // the group
	ArtifactID        string `py:"artifact_id"`                // the artifact
	Packaging         string `py:"packaging"`                  // jar, war …
	Version           string `py:"version"`                    // the version, such as 1.2-SNAPSHOT
	SnapshotVersion   any    `py:"snapshot_version=None"`      // the build; the newest
	TargetDir         string `py:"target_dir='/tmp'"`          // the folder for the file
	TargetFile        any    `py:"target_file=None"`           // the file; its own name in target_dir
	Classifier        any    `py:"classifier=None"`            // sources, javadoc …
	Username          any    `py:"username=None"`              // the user
	Password          any    `py:"password=None"`              // the password
	UseLiteralGroupID bool   `py:"use_literal_group_id=False"` // dots of the group stay in the path
}

// getSnapshot fetches a snapshot of a version.
func getSnapshot(c *salt.Ctx, s snapshotArgs) (any, error) {
	l := latestArgs{s.ArtifactoryURL, s.Repository, s.GroupID, s.ArtifactID, s.Packaging, s.TargetDir, s.TargetFile, s.Classifier, s.Username, s.Password, s.UseLiteralGroupID}
	a := l.artifact(c)
	build := text(s.SnapshotVersion)
	if build == "" {
		var err error
		if build, err = a.snapshotVersion(c, s.Version); err != nil {
			return nil, err
		}
	}
	return a.save(c, a.base()+"/"+s.Version+"/"+a.fileName(build), a.fileName(build))
}
