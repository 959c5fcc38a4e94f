package py

import "pinch/value/codec"

func codecArgs(a args, name string) (enc, errs string, err error) {
	enc, errs = "utf-8", "strict"
	for i, to := range []*string{&enc, &errs} {
		if !a.has(i) {
			continue
		}
		s, ok := Text(a[i])
		if !ok {
			return "", "", typeError("%s() argument '%s' must be str, not %s", name, []string{"encoding", "errors"}[i], TypeName(a[i]))
		}
		*to = s
	}
	return enc, errs, nil
}

func strEncode(s string, a args) (any, error) {
	enc, errs, err := codecArgs(a, "encode")
	if err != nil {
		return nil, err
	}
	return Encode(s, enc, errs)
}

func bytesDecode(b []byte, a args) (any, error) {
	enc, errs, err := codecArgs(a, "decode")
	if err != nil {
		return nil, err
	}
	return Decode(b, enc, errs)
}

// Encode is s.encode(enc, errs).
func Encode(s, enc, errs string) ([]byte, error) {
	c, err := codec.Lookup(enc)
	if err != nil {
		return nil, err
	}
	return c.Encode(s, errs)
}

// Decode is b.decode(enc, errs).
func Decode(b []byte, enc, errs string) (string, error) {
	c, err := codec.Lookup(enc)
	if err != nil {
		return "", err
	}
	return c.Decode(b, errs)
}
