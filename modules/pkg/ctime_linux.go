package pkg

import (
	"io/fs"
	"syscall"
	"time"
)

// changed is when the inode of a file changed last.
func changed(i fs.FileInfo) time.Time {
	if st, ok := i.Sys().(*syscall.Stat_t); ok {
		return time.Unix(int64(st.Ctim.Sec), int64(st.Ctim.Nsec))
	}
	return i.ModTime()
}
