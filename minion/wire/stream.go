package wire

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// MaxMessage is how many bytes one message may have.
const MaxMessage = 64 << 20

const maxNesting = 200

// A Stream reads messages that follow each other without lengths between them.
type Stream struct {
	r   *bufio.Reader
	max int
	b   []byte
}

// NewStream reads messages of at most max bytes.
func NewStream(r io.Reader, max int) *Stream {
	return &Stream{r: bufio.NewReaderSize(r, 16<<10), max: max}
}

// Next is the next message. It takes no more memory than has arrived.
func (s *Stream) Next() (any, error) {
	s.b = nil
	if err := s.scan(0); err != nil {
		return nil, err
	}
	return Unpack(s.b)
}

// take reads n bytes behind those that are there.
func (s *Stream) take(n uint64) ([]byte, error) {
	if n > uint64(s.max-len(s.b)) {
		return nil, fmt.Errorf("a message of more than %d bytes: refused", s.max)
	}
	start := len(s.b)
	for n > 0 {
		part := min(n, 64<<10)
		at := len(s.b)
		s.b = append(s.b, make([]byte, part)...)
		if _, err := io.ReadFull(s.r, s.b[at:]); err != nil {
			if at > 0 && errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		n -= part
	}
	return s.b[start:], nil
}

// number reads an unsigned number of size bytes.
func (s *Stream) number(size uint64) (uint64, error) {
	p, err := s.take(size)
	if err != nil {
		return 0, err
	}
	var b [8]byte
	copy(b[8-size:], p)
	return binary.BigEndian.Uint64(b[:]), nil
}

// scan reads one value.
func (s *Stream) scan(depth int) error {
	if depth > maxNesting {
		return errors.New("msgpack: nested too deep")
	}
	p, err := s.take(1)
	if err != nil {
		return err
	}
	t := p[0]
	switch {
	case t < 0x80, t >= 0xe0, t == 0xc0, t == 0xc2, t == 0xc3:
		return nil
	case t < 0x90:
		return s.items(2*uint64(t&15), depth)
	case t < 0xa0:
		return s.items(uint64(t&15), depth)
	case t < 0xc0:
		return s.bytes(uint64(t & 31))
	case t >= 0xc4 && t <= 0xc6:
		return s.sized(1<<(t-0xc4), 0)
	case t >= 0xc7 && t <= 0xc9:
		return s.sized(1<<(t-0xc7), 1)
	case t == 0xca || t == 0xcb:
		return s.bytes(4 << (t - 0xca))
	case t >= 0xcc && t <= 0xcf:
		return s.bytes(1 << (t - 0xcc))
	case t >= 0xd0 && t <= 0xd3:
		return s.bytes(1 << (t - 0xd0))
	case t >= 0xd4 && t <= 0xd8:
		return s.bytes(1 + 1<<(t-0xd4))
	case t >= 0xd9 && t <= 0xdb:
		return s.sized(1<<(t-0xd9), 0)
	case t >= 0xdc:
		n, err := s.number(2 << ((t - 0xdc) & 1))
		if err != nil {
			return err
		}
		if t >= 0xde {
			n *= 2
		}
		return s.items(n, depth)
	}
	return fmt.Errorf("msgpack: unknown type 0x%02x", t)
}

func (s *Stream) bytes(n uint64) error { _, err := s.take(n); return err }

// sized reads bytes that have their number in front, and so many more.
func (s *Stream) sized(size, more uint64) error {
	n, err := s.number(size)
	if err != nil {
		return err
	}
	return s.bytes(n + more)
}

func (s *Stream) items(n uint64, depth int) error {
	for range n {
		if err := s.scan(depth + 1); err != nil {
			return err
		}
	}
	return nil
}
