package file

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// backupMode reports whether a changed file is saved on this machine.
func backupMode(c *salt.Ctx, backup string) bool {
	if backup == "" {
		backup = c.Opts.Str("backup_mode")
	}
	return backup == "minion" || backup == "both"
}

func backupRoot(c *salt.Ctx) string { return joinPath(c.Opts.Str("cachedir"), "file_backup") }

const backupStamp = "Mon_Jan_02_15:04:05_.000000_2006"

// backUp saves a file as cachedir/file_backup/DIR/NAME_Mon_Jan_02_15:04:05_000000_2006.
func backUp(c *salt.Ctx, path string) error {
	i, err := c.Sys.Stat(path)
	if err != nil {
		return err
	}
	stamp := strings.Replace(c.Sys.Now().Format(backupStamp), "_.", "_", 1)
	dest := joinPath(backupRoot(c), strings.TrimPrefix(dirName(path), "/"), baseName(path)+"_"+stamp)
	if err := sys.MkdirAll(c.Sys, dirName(dest), 0o777); err != nil {
		return err
	}
	return copyAs(c, path, dest, standingOf(i))
}

// copyAs copies the content of a file, with an owner and mode.
func copyAs(c *salt.Ctx, from, to string, s standing) error {
	f, err := c.Sys.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	mode := s.mode & modeMask
	a := sys.FileAttrs{Mode: &mode}
	if c.Sys.Getuid() == 0 {
		a.UID, a.GID = &s.uid, &s.gid
	}
	return c.Sys.Replace(to, a, func(w io.Writer) error {
		_, err := io.Copy(w, f)
		return err
	})
}

// A saved is one backup of a file.
type saved struct {
	time time.Time
	path string
	size int64
}

func (s saved) toMap() *value.Map {
	return value.M("Backup Time", s.time.Format("Mon Jan 02 2006 15:04:05.000000"), "Size", s.size, "Location", s.path)
}

// savedTime reads the time in the name of a backup of name.
func savedTime(name, backup string) (time.Time, bool) {
	stamp, ok := strings.CutPrefix(backup, name+"_")
	if !ok || strings.Count(stamp, "_") != 5 {
		return time.Time{}, false
	}
	f := strings.Split(stamp, "_")
	micro, err := strconv.Atoi((f[4] + "000000")[:6])
	if err != nil || len(f[4]) > 6 || f[4] == "" {
		return time.Time{}, false
	}
	t, err := time.Parse("Mon Jan 2 15:04:05 2006", strings.Join([]string{f[0], f[1], f[2], f[3], f[5]}, " "))
	return t.Add(time.Duration(micro) * time.Microsecond), err == nil
}

// backups are the backups of files in a folder, by name, newest first.
func backups(c *salt.Ctx, dir string) map[string][]saved {
	root := joinPath(backupRoot(c), strings.TrimPrefix(dir, "/"))
	entries, err := c.Sys.ReadDir(root)
	if err != nil {
		return nil
	}
	out := map[string][]saved{}
	for _, e := range entries {
		f := strings.Split(e.Name(), "_")
		if len(f) < 7 {
			continue
		}
		name := strings.Join(f[:len(f)-6], "_")
		t, ok := savedTime(name, e.Name())
		i, err := c.Sys.Stat(joinPath(root, e.Name()))
		if ok && err == nil && i.Mode().IsRegular() {
			out[name] = append(out[name], saved{t, joinPath(root, e.Name()), i.Size()})
		}
	}
	for _, s := range out {
		slices.SortStableFunc(s, func(a, b saved) int { return b.time.Compare(a.time) })
	}
	return out
}

type listBackupsArgs struct {
	Path  string `py:"path"`       // the file
	Limit any    `py:"limit=None"` // how many at most, the newest
}

func numbered(s []saved, limit any) *value.Map {
	m := new(value.Map)
	n, err := intArg(limit)
	for i, b := range s {
		if err == nil && limit != nil && int64(i) >= n {
			break
		}
		m.SetKey(int64(i), b.toMap())
	}
	return m
}

// listBackups lists the backups that backup: minion made of a file, newest
// first, by number.
func listBackups(c *salt.Ctx, a listBackupsArgs) (*value.Map, error) {
	path := expandUser(c, a.Path)
	return numbered(backups(c, dirName(path))[baseName(path)], a.Limit), nil
}

// listBackupsDir lists the backups of all files in a folder, by name.
func listBackupsDir(c *salt.Ctx, a listBackupsArgs) (*value.Map, error) {
	all := backups(c, dirName(expandUser(c, a.Path)))
	names := make([]string, 0, len(all))
	for n := range all {
		names = append(names, n)
	}
	slices.Sort(names)
	m := new(value.Map)
	for _, n := range names {
		m.Set(n, numbered(all[n], a.Limit))
	}
	return m, nil
}

type backupIDArgs struct {
	Path string `py:"path"`      // the file
	ID   any    `py:"backup_id"` // the number that file.list_backups gives
}

// backupByID finds a backup; a text says what is wrong with its number.
func backupByID(c *salt.Ctx, path string, id any) (saved, string) {
	n, err := intArg(id)
	if err != nil || id == nil || value.Str(id) != fmt.Sprint(n) {
		return saved{}, "Invalid backup_id '" + value.Str(id) + "'"
	}
	all := backups(c, dirName(path))[baseName(path)]
	if n < 0 || n >= int64(len(all)) {
		return saved{}, "backup_id '" + value.Str(id) + "' does not exist for " + path
	}
	return all[n], ""
}

func backupReply(ok bool, format string, a ...any) (*value.Map, error) {
	return value.M("result", ok, "comment", fmt.Sprintf(format, a...)), nil
}

// restoreBackup puts a backup back; the file as it is becomes a backup itself.
func restoreBackup(c *salt.Ctx, a backupIDArgs) (*value.Map, error) {
	path := expandUser(c, a.Path)
	b, msg := backupByID(c, path, a.ID)
	if msg != "" {
		return backupReply(false, "%s", msg)
	}
	if err := backUp(c, path); err != nil {
		return nil, osError(err)
	}
	data, err := c.Sys.ReadFile(b.path)
	if err == nil {
		err = writeFile(c, path, string(data))
	}
	if err != nil {
		return backupReply(false, "Unable to restore %s to %s: %s", b.path, path, osText(err))
	}
	return backupReply(true, "Successfully restored %s to %s", b.path, path)
}

// deleteBackup removes a backup.
func deleteBackup(c *salt.Ctx, a backupIDArgs) (*value.Map, error) {
	b, msg := backupByID(c, expandUser(c, a.Path), a.ID)
	if msg != "" {
		return backupReply(false, "%s", msg)
	}
	if err := c.Sys.Remove(b.path); err != nil {
		return backupReply(false, "Unable to remove %s: %s", b.path, osText(err))
	}
	return backupReply(true, "Successfully removed %s", b.path)
}
