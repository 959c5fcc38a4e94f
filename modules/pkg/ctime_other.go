//go:build !linux

package pkg

import (
	"io/fs"
	"time"
)

func changed(i fs.FileInfo) time.Time { return i.ModTime() }
