package serializers

import (
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"pinch/value"
)

const plistHead = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
`

// dumpPlist writes an XML property list as Python's plistlib does: bytes.
func dumpPlist(v any, o *value.Map) (any, error) {
	if f := o.Str("fmt"); f != "" && f != "FMT_XML" {
		return nil, fmt.Errorf("only XML property lists can be written, not %s", f)
	}
	w := &plistWriter{sort: !o.Has("sort_keys") || o.Truth("sort_keys"), skip: o.Truth("skipkeys")}
	w.WriteString(plistHead)
	if err := w.value(v, 0); err != nil {
		return nil, err
	}
	w.WriteString("</plist>\n")
	return []byte(w.String()), nil
}

type plistWriter struct {
	strings.Builder
	sort, skip bool
}

func (w *plistWriter) line(depth int, format string, a ...any) {
	w.WriteString(strings.Repeat("\t", depth))
	fmt.Fprintf(w, format, a...)
	w.WriteByte('\n')
}

var plistEscapes = strings.NewReplacer("\r\n", "\n", "\r", "\n", "&", "&amp;", "<", "&lt;", ">", "&gt;")

func (w *plistWriter) value(v any, depth int) error {
	switch v := v.(type) {
	case string:
		w.line(depth, "<string>%s</string>", plistEscapes.Replace(v))
	case bool:
		w.line(depth, "<%t/>", v)
	case int64, *big.Int:
		w.line(depth, "<integer>%s</integer>", value.Str(v))
	case float64:
		w.line(depth, "<real>%s</real>", value.Repr(v))
	case time.Time:
		w.line(depth, "<date>%s</date>", v.Format("2006-01-02T15:04:05Z"))
	case []byte:
		w.data(v, depth)
	case *value.Map:
		return w.dict(v, depth)
	case *value.List:
		return w.array(v.Items, depth)
	case value.Tuple:
		return w.array(v, depth)
	default:
		return value.Errorf("TypeError", "unsupported type: <class '%s'>", value.TypeName(v))
	}
	return nil
}

func (w *plistWriter) data(b []byte, depth int) {
	w.line(depth, "<data>")
	text := base64.StdEncoding.EncodeToString(b)
	for width := max(16, 76-8*depth); len(text) > 0; {
		n := min(len(text), width/4*4)
		w.line(depth, "%s", text[:n])
		text = text[n:]
	}
	w.line(depth, "</data>")
}

func (w *plistWriter) dict(m *value.Map, depth int) error {
	if m.Len() == 0 {
		w.line(depth, "<dict/>")
		return nil
	}
	keys := m.Keys()
	if w.sort {
		slices.SortStableFunc(keys, func(a, b any) int { return strings.Compare(value.Str(a), value.Str(b)) })
	}
	w.line(depth, "<dict>")
	for _, k := range keys {
		v, _ := m.GetKey(k)
		name, ok := k.(string)
		if !ok {
			if w.skip {
				continue
			}
			return value.Errorf("TypeError", "keys must be strings")
		}
		w.line(depth+1, "<key>%s</key>", plistEscapes.Replace(name))
		if err := w.value(v, depth+1); err != nil {
			return err
		}
	}
	w.line(depth, "</dict>")
	return nil
}

func (w *plistWriter) array(items []any, depth int) error {
	if len(items) == 0 {
		w.line(depth, "<array/>")
		return nil
	}
	w.line(depth, "<array>")
	for _, it := range items {
		if err := w.value(it, depth+1); err != nil {
			return err
		}
	}
	w.line(depth, "</array>")
	return nil
}

// loadPlist reads an XML property list.
func loadPlist(s string, _ *value.Map) (any, error) {
	if strings.HasPrefix(s, "bplist") {
		return nil, errors.New("only XML property lists can be read")
	}
	d := xml.NewDecoder(strings.NewReader(s))
	for {
		t, err := d.Token()
		if err == io.EOF {
			return nil, errors.New("the property list holds no value")
		}
		if err != nil {
			return nil, err
		}
		if e, ok := t.(xml.StartElement); ok && e.Name.Local != "plist" {
			return plistValue(d, e, 0)
		}
	}
}

func plistValue(d *xml.Decoder, e xml.StartElement, depth int) (any, error) {
	if depth > 500 {
		return nil, errors.New("the property list is nested too deeply")
	}
	switch e.Name.Local {
	case "dict", "array":
		return plistItems(d, e, depth)
	}
	var text string
	if err := d.DecodeElement(&text, &e); err != nil {
		return nil, err
	}
	switch e.Name.Local {
	case "string", "key":
		return text, nil
	case "true":
		return true, nil
	case "false":
		return false, nil
	case "integer":
		i, ok := new(big.Int).SetString(strings.TrimSpace(text), 0)
		if !ok {
			return nil, fmt.Errorf("no integer: %s", text)
		}
		return value.Int(i), nil
	case "real":
		return strconv.ParseFloat(strings.TrimSpace(text), 64)
	case "date":
		return time.Parse("2006-01-02T15:04:05Z", strings.TrimSpace(text))
	case "data":
		return base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	}
	return nil, fmt.Errorf("unknown element %s in a property list", e.Name.Local)
}

// plistItems reads what stands in a dict, keys and values in turn, or an array.
func plistItems(d *xml.Decoder, e xml.StartElement, depth int) (any, error) {
	list := new(value.List)
	for {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if e.Name.Local == "dict" && (t.Name.Local == "key") != (list.Len()%2 == 0) {
				return nil, errors.New("keys and values of a dict must take turns")
			}
			v, err := plistValue(d, t, depth+1)
			if err != nil {
				return nil, err
			}
			list.Append(v)
		case xml.EndElement:
			if e.Name.Local == "array" {
				return list, nil
			}
			m := new(value.Map)
			for i := 0; i+1 < list.Len(); i += 2 {
				m.Set(list.Items[i].(string), list.Items[i+1])
			}
			return m, nil
		}
	}
}
