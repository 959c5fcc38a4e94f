package lint

import (
	"path/filepath"
	"strings"
)

// A role is what a file of a tree is for.
type role int

const (
	states  role = iota // compiled as states
	topFile             // top.sls, and others whose name ends so
	pillars             // data: in a folder whose name begins with pillar
	reactor             // what the daemon or a master runs on an event: sees tag and data
	tests               // a formula's own tests, which come with a tree of their own
)

// roleOf tells it by the names of the folders below the root.
func roleOf(root, path string) role {
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return states
	}
	dirs := strings.Split(filepath.ToSlash(strings.ToLower(rel)), "/")
	base := dirs[len(dirs)-1]
	dirs = append(dirs[:len(dirs)-1], strings.ToLower(filepath.Base(root)))
	if strings.HasPrefix(base, "pillar") && strings.HasSuffix(base, ".sls") && !strings.HasSuffix(base, "top.sls") && len(dirs) == 1 {
		return pillars
	}
	for _, d := range dirs {
		switch {
		case strings.HasPrefix(d, "pillar"):
			return pillars
		case d == "reactor" || d == "reactors":
			return reactor
		}
	}
	if strings.HasSuffix(base, "top.sls") {
		return topFile
	}
	for _, d := range dirs[:len(dirs)-1] {
		if d == "test" || d == "tests" {
			return tests
		}
	}
	return states
}
