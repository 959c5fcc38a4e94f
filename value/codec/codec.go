// Package codec holds the character encodings that Python knows, by Python's
// names for them, and turns text into bytes and back as str.encode and
// bytes.decode do, with the same errors.
//
//	c, err := codec.Lookup("latin-1")
//	b, err := c.Encode("café", "strict")
package codec

import (
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"pinch/value"
)

// A Codec is one encoding.
type Codec struct {
	name  string            // as Python's errors call it
	limit rune              // encodings of one byte a character that hold the first code points as they are; 0: others
	enc   encoding.Encoding // nil: UTF-8 and those with a limit
	mark  bool              // UTF-8 with a byte order mark
	c1    bool              // a code page that holds the control characters 0x80 to 0x9f as they are
}

// UTF8 is whether the codec is plain UTF-8.
func (c *Codec) UTF8() bool { return c.enc == nil && c.limit == 0 && !c.mark }

// Lookup finds an encoding by any of Python's spellings of its name. The error
// is Python's LookupError. The tables of Chinese, Japanese and Korean encodings
// are those of the web, which hold some more characters than Python's.
func Lookup(name string) (*Codec, error) {
	n := normal(name)
	switch n {
	case "utf8", "u8", "utf", "cp65001", "utf8ucs2", "utf8ucs4":
		return &Codec{name: "utf-8"}, nil
	case "utf8sig":
		return &Codec{name: "utf-8", mark: true}, nil
	case "ascii", "usascii", "us", "646", "iso646us", "cp367", "ibm367", "csascii", "ansix341968", "ansix341986", "isoir6":
		return &Codec{name: "ascii", limit: 0x80}, nil
	case "latin1", "latin", "l1", "iso88591", "8859", "iso8859", "cp819", "ibm819", "isoir100", "csisolatin1", "iso885911987":
		return &Codec{name: "latin-1", limit: 0x100}, nil
	}
	for _, find := range []func(string) (string, encoding.Encoding){wide, oneByte, asian} {
		if own, e := find(n); e != nil {
			return &Codec{name: own, enc: e, c1: iso8859(n) != nil}, nil
		}
	}
	return nil, value.Errorf("LookupError", "unknown encoding: %s", name)
}

// normal brings the spellings of a name together.
func normal(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		}
		return -1
	}, name)
}

func wide(n string) (string, encoding.Encoding) {
	switch n {
	case "utf16", "u16":
		return "utf-16", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case "utf16le", "unicodelittleunmarked":
		return "utf-16-le", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case "utf16be", "unicodebigunmarked":
		return "utf-16-be", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	case "utf32", "u32":
		return "utf-32", utf32.UTF32(utf32.LittleEndian, utf32.UseBOM)
	case "utf32le":
		return "utf-32-le", utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)
	case "utf32be":
		return "utf-32-be", utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)
	}
	return "", nil
}

// oneByte finds the code pages; Python's errors call each of them charmap.
func oneByte(n string) (string, encoding.Encoding) {
	if e := page(n); e != nil {
		return "charmap", e
	}
	return "", nil
}

func page(n string) encoding.Encoding {
	for _, prefix := range []string{"windows", "ibm", "csibm", "cp"} {
		if number, ok := strings.CutPrefix(n, prefix); ok {
			n = number
			break
		}
	}
	switch n {
	case "037", "039":
		return charmap.CodePage037
	case "437":
		return charmap.CodePage437
	case "850":
		return charmap.CodePage850
	case "852":
		return charmap.CodePage852
	case "855":
		return charmap.CodePage855
	case "858":
		return charmap.CodePage858
	case "860":
		return charmap.CodePage860
	case "862":
		return charmap.CodePage862
	case "863":
		return charmap.CodePage863
	case "865":
		return charmap.CodePage865
	case "866":
		return charmap.CodePage866
	case "1140":
		return charmap.CodePage1140
	case "874":
		return charmap.Windows874
	case "1250":
		return charmap.Windows1250
	case "1251":
		return charmap.Windows1251
	case "1252":
		return charmap.Windows1252
	case "1253":
		return charmap.Windows1253
	case "1254":
		return charmap.Windows1254
	case "1255":
		return charmap.Windows1255
	case "1256":
		return charmap.Windows1256
	case "1257":
		return charmap.Windows1257
	case "1258":
		return charmap.Windows1258
	case "koi8r", "cskoi8r":
		return charmap.KOI8R
	case "koi8u":
		return charmap.KOI8U
	case "macroman", "macintosh":
		return charmap.Macintosh
	case "maccyrillic":
		return charmap.MacintoshCyrillic
	}
	return iso8859(n)
}

func iso8859(n string) encoding.Encoding {
	switch strings.TrimPrefix(n, "iso8859") {
	case "2", "latin2", "l2", "isoir101":
		return charmap.ISO8859_2
	case "3", "latin3", "l3", "isoir109":
		return charmap.ISO8859_3
	case "4", "latin4", "l4", "isoir110":
		return charmap.ISO8859_4
	case "5", "cyrillic", "isoir144":
		return charmap.ISO8859_5
	case "6", "arabic", "isoir127":
		return charmap.ISO8859_6
	case "7", "greek", "greek8", "isoir126":
		return charmap.ISO8859_7
	case "8", "hebrew", "isoir138":
		return charmap.ISO8859_8
	case "9", "latin5", "l5", "isoir148":
		return charmap.ISO8859_9
	case "10", "latin6", "l6", "isoir157":
		return charmap.ISO8859_10
	case "13", "latin7", "l7":
		return charmap.ISO8859_13
	case "14", "latin8", "l8", "isoir199":
		return charmap.ISO8859_14
	case "15", "latin9", "l9":
		return charmap.ISO8859_15
	case "16", "latin10", "l10", "isoir226":
		return charmap.ISO8859_16
	}
	return nil
}

func asian(n string) (string, encoding.Encoding) {
	switch n {
	case "shiftjis", "sjis", "shiftjisx0213", "csshiftjis":
		return "shift_jis", japanese.ShiftJIS
	case "cp932", "932", "ms932", "mskanji", "windows31j":
		return "cp932", japanese.ShiftJIS
	case "eucjp", "ujis":
		return "euc_jp", japanese.EUCJP
	case "iso2022jp", "csiso2022jp":
		return "iso2022_jp", japanese.ISO2022JP
	case "euckr", "korean", "ksc5601", "ksx1001", "ksc56011987":
		return "euc_kr", korean.EUCKR
	case "cp949", "949", "ms949", "uhc":
		return "cp949", korean.EUCKR
	case "gbk", "936", "cp936", "ms936":
		return "gbk", simplifiedchinese.GBK
	case "gb2312", "chinese", "euccn", "gb231280":
		return "gb2312", simplifiedchinese.GBK
	case "gb18030", "gb180302000":
		return "gb18030", simplifiedchinese.GB18030
	case "hz", "hzgb", "hzgb2312":
		return "hz", simplifiedchinese.HZGB2312
	case "big5", "big5tw", "csbig5":
		return "big5", traditionalchinese.Big5
	case "cp950", "950", "ms950":
		return "cp950", traditionalchinese.Big5
	case "big5hkscs", "hkscs":
		return "big5hkscs", traditionalchinese.Big5
	}
	return "", nil
}
