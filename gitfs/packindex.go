package gitfs

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"os"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

// A packed object is one entry of a pack.
type packed struct {
	at   int64 // offset of the entry
	data int64 // offset of its compressed data
	size int64 // of the data
	kind plumbing.ObjectType
	base int64         // offset of the base of an ofs-delta
	ref  plumbing.Hash // the base of a ref-delta
	hash plumbing.Hash
	crc  uint32
}

// An indexer finds the hashes of a pack's objects. Git's library keeps up to
// 96 MB of them meanwhile; this one keeps the objects on the way from a base
// to the delta at hand.
type indexer struct {
	f       *os.File
	objects []packed
	ofs     map[int64][]int32         // deltas by the offset of their base
	refs    map[plumbing.Hash][]int32 // deltas by the hash of their base
	z       io.ReadCloser
	done    int
}

var errPack = errors.New("malformed pack")

// indexPack reads a whole pack and makes its index.
func indexPack(f *os.File) (*idxfile.MemoryIndex, error) {
	x := &indexer{f: f, ofs: map[int64][]int32{}, refs: map[plumbing.Hash][]int32{}}
	sum, err := x.scan()
	if err != nil {
		return nil, err
	}
	for i := range x.objects {
		if o := &x.objects[i]; !o.kind.IsDelta() {
			if err := x.resolve(int32(i)); err != nil {
				return nil, err
			}
		}
	}
	if x.done != len(x.objects) {
		return nil, fmt.Errorf("%w: %d deltas without their base", errPack, len(x.objects)-x.done)
	}
	w := new(idxfile.Writer)
	if err := w.OnHeader(uint32(len(x.objects))); err != nil {
		return nil, err
	}
	for _, o := range x.objects {
		w.Add(o.hash, uint64(o.at), o.crc)
	}
	if err := w.OnFooter(sum); err != nil {
		return nil, err
	}
	return w.Index()
}

// scan reads the pack from its start: where the entries are, and the hashes of
// those that are no deltas. The result is the pack's checksum.
func (x *indexer) scan() (sum plumbing.Hash, err error) {
	r := &packReader{r: x.f, buf: make([]byte, 64<<10), sum: sha1.New()}
	head := make([]byte, 12)
	if _, err := io.ReadFull(r, head); err != nil || string(head[:8]) != "PACK\x00\x00\x00\x02" {
		return sum, errPack
	}
	n := binary.BigEndian.Uint32(head[8:])
	for i := range n {
		o, err := x.entry(r)
		if err != nil {
			return sum, fmt.Errorf("object %d of %d: %w", i+1, n, err)
		}
		x.objects = append(x.objects, o)
		switch o.kind {
		case plumbing.OFSDeltaObject:
			x.ofs[o.base] = append(x.ofs[o.base], int32(i))
		case plumbing.REFDeltaObject:
			x.refs[o.ref] = append(x.refs[o.ref], int32(i))
		}
	}
	r.flush()
	own := r.sum.Sum(nil)
	if _, err := io.ReadFull(r, sum[:]); err != nil || !bytes.Equal(own, sum[:]) {
		return sum, fmt.Errorf("%w: its checksum is wrong", errPack)
	}
	return sum, nil
}

func (x *indexer) entry(r *packReader) (o packed, err error) {
	r.begin()
	o.at = r.offset()
	b, err := r.ReadByte()
	o.kind, o.size = plumbing.ObjectType(b>>4&7), int64(b&15)
	for shift := 4; b&0x80 != 0 && err == nil && shift < 60; shift += 7 {
		b, err = r.ReadByte()
		o.size |= int64(b&0x7f) << shift
	}
	if err != nil {
		return o, err
	}
	switch o.kind {
	case plumbing.OFSDeltaObject:
		back, err := binaryOffset(r)
		if err != nil || back <= 0 || back > o.at {
			return o, errPack
		}
		o.base = o.at - back
	case plumbing.REFDeltaObject:
		_, err = io.ReadFull(r, o.ref[:])
	case plumbing.CommitObject, plumbing.TreeObject, plumbing.BlobObject, plumbing.TagObject:
	default:
		return o, errPack
	}
	if err != nil {
		return o, err
	}
	o.data = r.offset()
	if err := x.inflate(r); err != nil {
		return o, err
	}
	to := io.Discard
	var h plumbing.Hasher
	if !o.kind.IsDelta() {
		h = plumbing.NewHasher(o.kind, o.size)
		to = h
	}
	n, err := io.Copy(to, x.z)
	if err == nil && n != o.size {
		err = errPack
	}
	if !o.kind.IsDelta() {
		o.hash = h.Sum()
	}
	o.crc = r.end()
	return o, err
}

// inflate makes z read from r.
func (x *indexer) inflate(r io.Reader) (err error) {
	if x.z == nil {
		x.z, err = zlib.NewReader(r)
		return err
	}
	return x.z.(zlib.Resetter).Reset(r, nil)
}

// binaryOffset reads the distance to the base of an ofs-delta.
func binaryOffset(r io.ByteReader) (int64, error) {
	b, err := r.ReadByte()
	n := int64(b & 0x7f)
	for b&0x80 != 0 && err == nil && n < 1<<55 {
		b, err = r.ReadByte()
		n = (n+1)<<7 | int64(b&0x7f)
	}
	return n, err
}

// A step is an object whose deltas are being resolved.
type step struct {
	content []byte
	todo    []int32
}

// resolve finds the hashes of all deltas upon a base. An object is given up
// before the last of its deltas is gone down into, so that a long chain needs
// two at a time.
func (x *indexer) resolve(base int32) error {
	kind := x.objects[base].kind
	x.done++
	todo := x.children(base)
	if len(todo) == 0 {
		return nil
	}
	b, err := x.content(base)
	if err != nil {
		return err
	}
	stack := []step{{b, todo}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		i := top.todo[0]
		top.todo = top.todo[1:]
		delta, err := x.content(i)
		if err != nil {
			return err
		}
		b, err := packfile.PatchDelta(top.content, delta)
		if err != nil {
			return fmt.Errorf("object at %d: %w", x.objects[i].at, err)
		}
		if len(top.todo) == 0 {
			stack = slices.Delete(stack, len(stack)-1, len(stack))
		}
		h := plumbing.NewHasher(kind, int64(len(b)))
		h.Write(b)
		x.objects[i].hash = h.Sum()
		x.done++
		if todo := x.children(i); len(todo) > 0 {
			stack = append(stack, step{b, todo})
		}
	}
	return nil
}

// children are the deltas upon an object, once.
func (x *indexer) children(i int32) []int32 {
	o := &x.objects[i]
	all := append(x.ofs[o.at], x.refs[o.hash]...)
	delete(x.refs, o.hash)
	return all
}

// content is the data of an entry: an object, or a delta.
func (x *indexer) content(i int32) ([]byte, error) {
	o := &x.objects[i]
	if err := x.inflate(bufio.NewReader(io.NewSectionReader(x.f, o.data, 1<<62))); err != nil {
		return nil, err
	}
	b := make([]byte, o.size)
	_, err := io.ReadFull(x.z, b)
	return b, err
}

// A packReader reads a pack: it knows where it is and sums up what it gives.
type packReader struct {
	r                io.Reader
	buf              []byte
	pos, limit, sums int // sums: up to where crc and sum are
	before           int64
	crc              uint32
	sum              hash.Hash
}

func (r *packReader) offset() int64 { return r.before + int64(r.pos) }

// begin starts the check sum of an entry.
func (r *packReader) begin() {
	r.flush()
	r.crc = 0
}

// end is the check sum of the entry.
func (r *packReader) end() uint32 {
	r.flush()
	return r.crc
}

func (r *packReader) flush() {
	b := r.buf[r.sums:r.pos]
	r.crc = crc32.Update(r.crc, crc32.IEEETable, b)
	r.sum.Write(b)
	r.sums = r.pos
}

func (r *packReader) fill() error {
	if r.pos < r.limit {
		return nil
	}
	r.flush()
	r.before += int64(r.pos)
	r.pos, r.sums, r.limit = 0, 0, 0
	n, err := r.r.Read(r.buf)
	if r.limit = n; n > 0 {
		return nil
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

func (r *packReader) ReadByte() (byte, error) {
	if err := r.fill(); err != nil {
		return 0, err
	}
	b := r.buf[r.pos]
	r.pos++
	return b, nil
}

func (r *packReader) Read(p []byte) (int, error) {
	if err := r.fill(); err != nil {
		return 0, err
	}
	n := copy(p, r.buf[r.pos:r.limit])
	r.pos += n
	return n, nil
}
