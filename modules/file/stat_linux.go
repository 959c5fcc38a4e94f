package file

import (
	"io/fs"
	"syscall"
	"time"
)

// fileStat is what stat(2) says beyond fs.FileInfo.
type fileStat struct {
	inode, links        uint64
	uid, gid            int
	mode                uint32 // with the type bits
	device              uint64 // of a device node
	atime, mtime, ctime time.Time
}

func statOf(i fs.FileInfo) fileStat {
	st, ok := i.Sys().(*syscall.Stat_t)
	if !ok {
		return fileStat{uid: -1, gid: -1, mtime: i.ModTime(), atime: i.ModTime(), ctime: i.ModTime()}
	}
	return fileStat{st.Ino, uint64(st.Nlink), int(st.Uid), int(st.Gid), st.Mode, st.Rdev,
		time.Unix(st.Atim.Unix()), time.Unix(st.Mtim.Unix()), time.Unix(st.Ctim.Unix())}
}
