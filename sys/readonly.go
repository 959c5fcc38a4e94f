package sys

import (
	"context"
	"encoding/binary"
	"io"
	"io/fs"
	"slices"
	"syscall"
	"time"
)

// ReadOnly lets reads and commands that only ask (Cmd.Query) through and
// refuses every change with ErrReadOnly.
type ReadOnly struct{ Sys }

func (r ReadOnly) Run(ctx context.Context, c Cmd) (CmdResult, error) {
	if !c.Query {
		return CmdResult{}, ErrReadOnly
	}
	return r.Sys.Run(ctx, c)
}

// Units answers questions only.
func (r ReadOnly) Units() Units { return ReadOnlyUnits{r.Sys.Units()} }

// Bus answers questions only.
func (r ReadOnly) Bus() Bus { return ReadOnlyBus{r.Sys.Bus()} }

func (ReadOnly) Replace(string, FileAttrs, func(io.Writer) error) error { return ErrReadOnly }
func (ReadOnly) Append(string) (io.WriteCloser, error)                  { return nil, ErrReadOnly }
func (ReadOnly) OpenRoot(string) (Root, error)                          { return Root{}, ErrReadOnly }
func (ReadOnly) Mkdir(string, fs.FileMode) error                        { return ErrReadOnly }
func (ReadOnly) Remove(string) error                                    { return ErrReadOnly }
func (ReadOnly) RemoveAll(string) error                                 { return ErrReadOnly }
func (ReadOnly) Rename(string, string) error                            { return ErrReadOnly }
func (ReadOnly) Symlink(string, string) error                           { return ErrReadOnly }
func (ReadOnly) Link(string, string) error                              { return ErrReadOnly }
func (ReadOnly) Chmod(string, fs.FileMode) error                        { return ErrReadOnly }
func (ReadOnly) Lchown(string, int, int) error                          { return ErrReadOnly }
func (ReadOnly) Chtimes(string, time.Time, time.Time) error             { return ErrReadOnly }
func (ReadOnly) Truncate(string, int64) error                           { return ErrReadOnly }
func (ReadOnly) WriteAt(string, []byte, int64) (int, error)             { return 0, ErrReadOnly }
func (ReadOnly) Mknod(string, uint32, uint64) error                     { return ErrReadOnly }
func (ReadOnly) SetAttrs(string, string) error                          { return ErrReadOnly }
func (ReadOnly) Setxattr(string, string, []byte) error                  { return ErrReadOnly }
func (ReadOnly) Removexattr(string, string) error                       { return ErrReadOnly }
func (ReadOnly) Kill(int, syscall.Signal) error                         { return ErrReadOnly }
func (ReadOnly) Mount(string, string, string, uintptr, string) error    { return ErrReadOnly }
func (ReadOnly) Unmount(string, int) error                              { return ErrReadOnly }
func (ReadOnly) Sethostname(string) error                               { return ErrReadOnly }

// Ethtool lets the requests through that Salt's questions need.
func (r ReadOnly) Ethtool(device string, request []byte) error {
	if len(request) < 4 || !slices.Contains([]uint32{0x03, 0x0e, 0x10, 0x18, 0x1e, 0x21, 0x23}, binary.NativeEndian.Uint32(request)) {
		return ErrReadOnly
	}
	return r.Sys.Ethtool(device, request)
}

func (ReadOnly) SetTime(time.Time) error { return ErrReadOnly }
