package service

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"pinch/sys"
)

func (r runit) active(name string) (bool, error) {
	dir, err := r.path(name)
	if err != nil || !sys.Exists(r.c.Sys, dir) {
		return false, err
	}
	if runs, known := r.supervised(dir); known {
		return runs, nil
	}
	res, err := r.c.Sys.Run(r.c, sys.Cmd{Argv: []string{"sv", "status", dir}, Query: true})
	return err == nil && bytes.HasPrefix(res.Stdout, []byte("run: ")), nil
}

// supervised reads the status that a supervisor writes: 20 bytes, of which the
// last is 1 while the service runs, and number 12 to 15 are its process. Sv
// prints "run: " for that when the supervisor is there to answer: the parent of
// the process is a runsv at work in the service's folder. Sv is asked where the
// two do not fit together.
func (r runit) supervised(dir string) (runs, known bool) {
	s := r.c.Sys
	b, err := s.ReadFile(filepath.Join(dir, "supervise/status"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, true
	case err != nil:
		return false, false
	case len(b) < 20 || b[19] != 1:
		return false, true
	}
	stat, err := s.ReadFile("/proc/" + strconv.FormatUint(uint64(binary.LittleEndian.Uint32(b[12:])), 10) + "/stat")
	i := bytes.LastIndexByte(stat, ')')
	if err != nil || i < 0 {
		return false, false
	}
	f := strings.Fields(string(stat[i+1:]))
	if len(f) < 2 {
		return false, false
	}
	parent := "/proc/" + f[1]
	comm, err := s.ReadFile(parent + "/comm")
	if err != nil || string(comm) != "runsv\n" {
		return false, false
	}
	at, err := s.Readlink(parent + "/cwd")
	if err != nil {
		return false, false
	}
	real, err := s.EvalSymlinks(dir)
	yes := err == nil && real == at
	return yes, yes
}
