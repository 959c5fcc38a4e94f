package file

import "pinch/value/codec"

// encode is Python's str.encode.
func encode(s, name, errors string) ([]byte, error) {
	e, err := codec.Lookup(name)
	if err != nil {
		return nil, err
	}
	return e.Encode(s, errors)
}

// decodeAs is Python's bytes.decode.
func decodeAs(data []byte, name string) (string, error) {
	e, err := codec.Lookup(name)
	if err != nil {
		return "", err
	}
	return e.Decode(data, "strict")
}
