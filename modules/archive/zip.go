package archive

import (
	"bufio"
	"compress/bzip2"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"strings"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz/lzma"
	"golang.org/x/text/encoding/charmap"

	"pinch/salt"
)

// zipSource reads zip archives.
type zipSource struct {
	file     io.Closer
	zip      *zip.Reader
	at       int // the next file
	password string
	now      io.Reader // the content of the entry, nil when it is not open yet
}

// A seekReaderAt makes an io.ReaderAt of a file that can seek.
type seekReaderAt struct {
	io.ReadSeeker
}

func (s seekReaderAt) ReadAt(p []byte, off int64) (int, error) {
	if _, err := s.Seek(off, io.SeekStart); err != nil {
		return 0, err
	}
	n, err := io.ReadFull(s.ReadSeeker, p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}

// openRandom opens a file that is read in any order.
func openRandom(c *salt.Ctx, name string) (io.ReaderAt, int64, io.Closer, error) {
	f, err := c.Sys.Open(name)
	if err != nil {
		return nil, 0, nil, err
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		f.Close()
		return nil, 0, nil, err
	}
	if r, ok := f.(io.ReaderAt); ok {
		return r, size, f, nil
	}
	return seekReaderAt{f}, size, f, nil
}

func openZip(c *salt.Ctx, name, password string) (*zipSource, error) {
	r, size, f, err := openRandom(c, name)
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(r, size)
	if err != nil {
		f.Close()
		if errors.Is(err, zip.ErrFormat) {
			err = errFormat
		}
		return nil, err
	}
	z.RegisterDecompressor(bzip2Method, func(r io.Reader) io.ReadCloser { return io.NopCloser(bzip2.NewReader(r)) })
	z.RegisterDecompressor(zstdMethod, zstd.ZipDecompressor())
	z.RegisterDecompressor(lzmaMethod, unlzma)
	return &zipSource{file: f, zip: z, password: password}, nil
}

// Methods of compression that not every reader knows (APPNOTE 4.4.5).
const (
	bzip2Method = 12
	lzmaMethod  = 14
	zstdMethod  = 93
	aesMethod   = 99
)

// unlzma reads the LZMA of zip: a version, the size of the properties, the
// properties, and the data without a size.
func unlzma(r io.Reader) io.ReadCloser {
	var head [9]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return failing{err}
	}
	if n := binary.LittleEndian.Uint16(head[2:]); n != 5 {
		return failing{fmt.Errorf("LZMA properties of %d bytes", n)}
	}
	classic := append(head[4:9:9], 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)
	l, err := lzma.NewReader(bufio.NewReader(io.MultiReader(strings.NewReader(string(classic)), r)))
	if err != nil {
		return failing{err}
	}
	return io.NopCloser(l)
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
func (f failing) Close() error             { return nil }

// encrypted reports whether any file of the archive needs a password.
func (z *zipSource) encrypted() bool {
	for _, f := range z.zip.File {
		if f.Flags&1 != 0 {
			return true
		}
	}
	return false
}

func (z *zipSource) next() (*entry, error) {
	if z.now = nil; z.at == len(z.zip.File) {
		return nil, io.EOF
	}
	f := z.zip.File[z.at]
	z.at++
	bits := f.ExternalAttrs >> 16
	e := &entry{name: zipName(f), size: int64(f.UncompressedSize64), mode: fs.FileMode(bits & 0o777)}
	e.mode |= specialBits(bits)
	e.plain = bits == 0
	switch {
	case bits&0o170000 == 0o120000:
		e.kind, e.size = symlink, 0
		b, err := io.ReadAll(io.LimitReader(z, 4096))
		if err != nil {
			return nil, err
		}
		e.link = string(b)
	case strings.HasSuffix(e.name, "/"):
		e.kind, e.size = folder, 0
	}
	return e, nil
}

// specialBits are setuid, setgid and sticky of a Unix mode.
func specialBits(bits uint32) (m fs.FileMode) {
	for bit, flag := range map[uint32]fs.FileMode{0o4000: fs.ModeSetuid, 0o2000: fs.ModeSetgid, 0o1000: fs.ModeSticky} {
		if bits&bit != 0 {
			m |= flag
		}
	}
	return m
}

// zipName is the name of a file, which is not in UTF-8 unless it says so.
func zipName(f *zip.File) string {
	if f.Flags&0x800 == 0 {
		if s, err := charmap.CodePage437.NewDecoder().String(f.Name); err == nil {
			return s
		}
	}
	return f.Name
}

// Read reads the file that next gave.
func (z *zipSource) Read(p []byte) (int, error) {
	if z.now == nil {
		f := z.zip.File[z.at-1]
		r, err := z.open(f)
		if err != nil {
			return 0, err
		}
		z.now = r
	}
	return z.now.Read(p)
}

func (z *zipSource) open(f *zip.File) (io.Reader, error) {
	switch {
	case f.Flags&1 == 0:
		r, err := f.Open()
		if errors.Is(err, zip.ErrAlgorithm) {
			err = errors.New("That compression method is not supported")
		}
		return r, err
	case z.password == "":
		return nil, fmt.Errorf("File '%s' is encrypted, password required for extraction", zipName(f))
	case f.Method == aesMethod || f.Flags&0x40 != 0:
		return nil, fmt.Errorf("File '%s' is encrypted by a method that is not supported", zipName(f))
	}
	raw, err := f.OpenRaw()
	if err != nil {
		return nil, err
	}
	plain, err := decrypt(raw, z.password, checkByte(f))
	if err != nil {
		return nil, fmt.Errorf("Bad password for file '%s'", zipName(f))
	}
	switch f.Method {
	case zip.Store:
	case zip.Deflate:
		plain = flate.NewReader(plain)
	case bzip2Method:
		plain = bzip2.NewReader(plain)
	case lzmaMethod:
		plain = unlzma(plain)
	default:
		return nil, errors.New("That compression method is not supported")
	}
	return &checked{r: plain, crc: crc32.NewIEEE(), want: f.CRC32, name: zipName(f)}, nil
}

// checked verifies the checksum at the end of a file.
type checked struct {
	r    io.Reader
	crc  hash.Hash32
	want uint32
	name string
}

func (c *checked) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.crc.Write(p[:n])
	if errors.Is(err, io.EOF) && c.crc.Sum32() != c.want {
		err = fmt.Errorf("Bad CRC-32 for file '%s'", c.name)
	}
	return n, err
}

func (z *zipSource) Close() error { return z.file.Close() }
