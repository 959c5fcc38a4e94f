package archive

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	"pinch/salt"
	"pinch/value"
)

// list reads what the archive holds.
func (x *extraction) list() *salt.Result {
	by := listArgs{Name: x.cached, Format: x.format, Options: x.ListOptions}
	if x.strips > 0 {
		by.Strip = int64(x.strips)
	}
	l, err := by.read(x.c, x.cached)
	if x.format == "zip" && err == nil && l.encrypted && !value.Truth(x.Password) {
		return x.fail("Archive %s is password-protected, but no password was specified. Please set the 'password' argument.", redact(x.source))
	}
	if err == nil {
		x.contents = l
		return x.checkContents()
	}
	var hints []string
	if !value.Truth(x.IfMissing) {
		hints = append(hints, "'if_missing' must be set")
	}
	if !value.Truth(x.OwnershipOn) && (value.Truth(x.User) || value.Truth(x.Group)) {
		hints = append(hints, "Ownership cannot be managed without setting 'enforce_ownership_on'.")
	}
	msg := err.Error()
	if hints == nil {
		return x.fail("%s", msg)
	}
	if x.format == "tar" {
		msg += "\n\nIf the source archive is a tar archive compressed using a compression type not natively supported by the tar command, then setting the 'list_options' argument may allow the contents to be listed. Otherwise, if Salt is unable to determine the files/directories in the archive, the following workaround(s) would need to be used for this state to proceed"
	} else {
		msg += "\n\nThe following workarounds must be used for this state to proceed"
	}
	return x.fail("%s", msg+" (assuming the source file is a valid "+x.format+" archive):\n"+bullets(hints))
}

// checkContents refuses archives that do harm, or that spread over the target.
func (x *extraction) checkContents() *salt.Result {
	l := x.contents
	if l.bad != nil {
		return x.fail("%s", strings.Replace(l.bad.Error(), x.cached, redact(x.source), 1))
	}
	if x.Toplevel && (len(l.topDirs) > 1 || len(l.topFiles) > 0) {
		return x.fail("Archive does not have a single top-level directory. To allow this archive to be extracted, set 'enforce_toplevel' to False. To avoid a '%s-bomb' it may also be advisable to set a top-level directory by adding it to the 'name' value (for example, setting 'name' to %s instead of %s).", x.format, x.dir+"some_dir", x.dir)
	}
	if x.Clean && x.CleanParent {
		return x.fail("Only one of 'clean' and 'clean_parent' can be set to True")
	}
	return nil
}

// compare looks for the contents in the target.
func (x *extraction) compare() *salt.Result {
	const (
		isDir = iota
		isFile
		isLink
	)
	for want, names := range [][]string{isDir: x.contents.dirs, isFile: x.contents.files, isLink: x.contents.links} {
		for _, name := range names {
			i, err := x.c.Sys.Lstat(filepath.Join(x.dir, name))
			switch {
			case errors.Is(err, fs.ErrNotExist):
				x.missing = true
			case errors.Is(err, syscall.ENOTDIR):
				// A file is where a folder must be, which is in the list itself.
			case err != nil:
				return x.failed(err)
			case want == isDir && !i.IsDir(), want == isLink && i.Mode()&fs.ModeSymlink == 0, want == isFile && i.Mode()&(fs.ModeSymlink|fs.ModeDir) != 0:
				x.wrong = append(x.wrong, name)
			}
		}
	}
	if x.wrong == nil {
		return nil
	}
	paths := "\n\n- " + strings.Join(x.wrong, "\n- ")
	msg := "The below paths (relative to " + x.dir + ") exist, but are the incorrect type (file instead of directory, symlink instead of file, etc.)."
	would := func(s string) *salt.Result {
		r := salt.Would(nil, "%s", msg+s)
		return &r
	}
	switch {
	case x.c.Test && x.Clean:
		return would(" Since the 'clean' option is enabled, the destination paths would be cleared and the archive would be extracted." + paths)
	case x.c.Test && x.CleanParent:
		return would(" Since the 'clean_parent' option is enabled, the destination parent directory would be removed first and then re-created and the archive would be extracted")
	case !x.Clean && !x.Force:
		return x.fail("%s", msg+" To proceed with extraction, set 'force' to True. Note that this will remove these paths before extracting."+paths)
	}
	return nil
}
