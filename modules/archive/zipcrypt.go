package archive

import (
	"errors"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zip"
)

// zipKeys are the three keys of zip's traditional encryption (APPNOTE 6.1),
// the only one that Salt reads. It is weak: it keeps the curious out, no more.
type zipKeys [3]uint32

func newZipKeys(password string) *zipKeys {
	k := &zipKeys{0x12345678, 0x23456789, 0x34567890}
	for i := range len(password) {
		k.update(password[i])
	}
	return k
}

func (k *zipKeys) update(b byte) {
	k[0] = crc32.IEEETable[byte(k[0])^b] ^ k[0]>>8
	k[1] = (k[1]+k[0]&0xff)*134775813 + 1
	k[2] = crc32.IEEETable[byte(k[2])^byte(k[1]>>24)] ^ k[2]>>8
}

func (k *zipKeys) decrypt(p []byte) {
	for i, c := range p {
		t := k[2]&0xffff | 2
		p[i] = c ^ byte(t*(t^1)>>8)
		k.update(p[i])
	}
}

// checkByte is what the last byte of the encryption header must be.
func checkByte(f *zip.File) byte {
	if f.Flags&8 != 0 {
		//lint:ignore SA1019 the byte is one of the raw time, not of the better one
		return byte(f.ModifiedTime >> 8)
	}
	return byte(f.CRC32 >> 24)
}

var errPassword = errors.New("wrong password")

// decrypt reads the header of an encrypted file, and gives what follows it.
func decrypt(r io.Reader, password string, check byte) (io.Reader, error) {
	d := &decrypted{r, newZipKeys(password)}
	var head [12]byte
	if _, err := io.ReadFull(d, head[:]); err != nil {
		return nil, err
	}
	if head[11] != check {
		return nil, errPassword
	}
	return d, nil
}

type decrypted struct {
	r    io.Reader
	keys *zipKeys
}

func (d *decrypted) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	d.keys.decrypt(p[:n])
	return n, err
}
