package archive

import (
	"path/filepath"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// sumFile is where the digest is kept of an archive that was extracted with
// source_hash_update.
func sumFile(c *salt.Ctx, path string) string {
	dir := c.Opts.Str("cachedir")
	rel, err := filepath.Rel(dir, path)
	if err != nil || strings.HasPrefix(rel, "../") {
		// The archive is no download but a file of this machine.
		return filepath.Join(dir, "archive_hash", "local", path)
	}
	return filepath.Join(dir, "archive_hash", rel+".hash")
}

func hashType(c *salt.Ctx) string {
	if s := c.Opts.Str("hash_type"); s != "" {
		return s
	}
	return "sha256"
}

// keptSum is the digest that is kept, "" if there is none.
func keptSum(c *salt.Ctx, path string) string {
	b, err := c.Sys.ReadFile(sumFile(c, path))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(b)) {
		form, hex, ok := strings.Cut(strings.TrimRight(line, "\n"), ":")
		if !ok {
			return ""
		}
		if form == hashType(c) {
			return hex
		}
	}
	return ""
}

// sumOf is the digest that the archive has now.
func sumOf(c *salt.Ctx, path string) (string, error) {
	v, err := c.Call("file.get_hash", path, hashType(c))
	if err != nil {
		return "", err
	}
	return value.Str(v), nil
}

// keepSum keeps the digest for the next run, beside those of other algorithms.
func keepSum(c *salt.Ctx, path, hex string) error {
	name, form := sumFile(c, path), hashType(c)
	if keptSum(c, path) == hex {
		return nil
	}
	var out strings.Builder
	if b, err := c.Sys.ReadFile(name); err == nil {
		for line := range strings.Lines(string(b)) {
			if strings.Contains(line, ":") && !strings.HasPrefix(line, form+":") {
				out.WriteString(strings.TrimRight(line, "\n") + "\n")
			}
		}
	}
	out.WriteString(form + ":" + hex + "\n")
	if err := sys.MkdirAll(c.Sys, filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return sys.WriteFile(c.Sys, name, []byte(out.String()), sys.FileAttrs{})
}
