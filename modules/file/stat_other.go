//go:build !linux

package file

import (
	"io/fs"
	"time"

	"pinch/sys"
)

// fileStat is what stat(2) says beyond fs.FileInfo; only Linux tells all of it.
type fileStat struct {
	inode, links        uint64
	uid, gid            int
	mode                uint32
	device              uint64
	atime, mtime, ctime time.Time
}

func statOf(i fs.FileInfo) fileStat {
	uid, gid := sys.Owner(i)
	t := i.ModTime()
	return fileStat{links: 1, uid: uid, gid: gid, mode: sys.Bits(i.Mode()), atime: t, mtime: t, ctime: t}
}
