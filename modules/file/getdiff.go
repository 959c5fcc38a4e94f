package file

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type getDiffArgs struct {
	File1      string `py:"file1"`                          // the one
	File2      string `py:"file2"`                          // the other
	Env        string `py:"saltenv='base'"`                 // the environment of salt:// URLs
	Names      bool   `py:"show_filenames=True"`            // puts the paths into the header
	Show       bool   `py:"show_changes=True"`              // False hides the diff
	Template   bool   `py:"template=False"`                 // hides it when the minion has obfuscate_templates
	Hash1      any    `py:"source_hash_file1=None"`         // the digest of the one, which spares a download
	Hash2      any    `py:"source_hash_file2=None"`         // the digest of the other
	IgnOrder   bool   `py:"ignore_ordering=False"`          // tells whether more than the order differs
	IgnSpace   bool   `py:"ignore_whitespace=False"`        // tells whether more than white space differs
	IgnComment any    `py:"ignore_comment_characters=None"` // tells whether more than comments differ
}

// getDiff is the unified diff of two files, which may be salt:// or other URLs.
func getDiff(c *salt.Ctx, a getDiffArgs) (any, error) {
	var paths [2]string
	var data [2]string
	var errs []string
	for i, f := range []struct {
		name string
		hash any
	}{{a.File1, a.Hash1}, {a.File2, a.Hash2}} {
		p, err := cachedPath(c, f.name, a.Env, f.hash)
		if err != nil {
			errs = append(errs, "File "+f.name+" not found")
			continue
		}
		paths[i] = p
		b, err := c.Sys.ReadFile(p)
		if err != nil {
			return nil, salt.CommandError("Failed to read %s: %s", p, strError(err))
		}
		data[i] = string(b)
	}
	if errs != nil {
		return nil, salt.CommandError("Failed to cache one or more files:\n%s", strings.Join(errs, "\n"))
	}
	ignore := ignoring{a.IgnOrder, a.IgnSpace, a.IgnComment}
	if data[0] == data[1] {
		if ignore.any() {
			return value.Tuple{false, ""}, nil
		}
		return "", nil
	}
	switch bin := binaryReplace([]byte(data[0]), []byte(data[1])); {
	case a.Template && c.Opts.Truth("obfuscate_templates"):
		return "<Obfuscated Template>", nil
	case !a.Show:
		return "<show_changes=False>", nil
	case bin != "":
		return bin, nil
	}
	if !a.Names {
		paths = [2]string{}
	}
	diff, matters := textDiff(data[0], data[1], paths[0], paths[1], showing{ignore: ignore})
	if ignore.any() {
		return value.Tuple{matters, diff}, nil
	}
	return diff, nil
}

// cachedPath is where a file lies; one of the tree is put into the cache.
func cachedPath(c *salt.Ctx, name, env string, hash any) (string, error) {
	if isAbs(name) {
		return name, nil
	}
	return c.Files().Cache(c, name, env, salt.GetOptions{Hash: argText(hash)})
}
