// Package golden gives tests the answers that were recorded from real Salt.
// They lie under testdata/golden at the root of the project; with
// $PINCH_GOLDEN set they are read from AREA folders there instead, so that
// other sets of the same form run through the same tests.
//
//	var f struct{ Cases []struct{ Name, Doc string } }
//	golden.Read(t, "yaml/cases.json", &f)
package golden

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"pinch/value"
)

// Dir is the folder that holds the areas.
func Dir() string {
	if dir := os.Getenv("PINCH_GOLDEN"); dir != "" {
		return dir
	}
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(filepath.Dir(file)), "testdata", "golden")
}

// Bytes is the content of one file, such as "yaml/cases.json".
func Bytes(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(Dir(), name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Read decodes one JSON file into v.
func Read(t testing.TB, name string, v any) {
	t.Helper()
	if err := json.Unmarshal(Bytes(t, name), v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// Value reads one JSON file as an ordered value.
func Value(t testing.TB, name string) any {
	t.Helper()
	v, err := value.ParseJSON(string(Bytes(t, name)))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

// Typed decodes the goldens' typed values: string, bool, null and list are
// plain JSON, the rest an object with one key ({"int": "644"}, {"map": [[k, v]]} …).
func Typed(x any) any {
	switch x := x.(type) {
	case *value.List:
		l := new(value.List)
		for _, it := range x.Items {
			l.Append(Typed(it))
		}
		return l
	case *value.Map:
		for k, v := range x.Items() {
			return typed(k, v)
		}
	}
	return x
}

func typed(kind string, v any) any {
	text, _ := v.(string)
	items := func() []any { return Typed(v).(*value.List).Items }
	switch kind {
	case "int":
		i, _ := new(big.Int).SetString(text, 10)
		return value.Int(i)
	case "float":
		f, _ := strconv.ParseFloat(text, 64)
		return f
	case "map":
		m := new(value.Map)
		for _, pair := range v.(*value.List).Items {
			p := pair.(*value.List).Items
			if err := m.SetKey(Typed(p[0]), Typed(p[1])); err != nil {
				panic(err)
			}
		}
		return m
	case "set":
		s, err := value.NewSet(items()...)
		if err != nil {
			panic(err)
		}
		return s
	case "tuple":
		return value.Tuple(items())
	case "bytes":
		b, _ := base64.StdEncoding.DecodeString(text)
		return b
	case "date":
		d, _ := time.ParseInLocation(time.DateOnly, text, time.Local)
		return value.Date{Time: d}
	case "datetime":
		for _, layout := range []string{"2006-01-02T15:04:05.999999999Z07:00", "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999"} {
			if d, err := time.ParseInLocation(layout, text, time.Local); err == nil {
				return d
			}
		}
	}
	panic(fmt.Sprintf("golden: unknown typed value %s: %v", kind, v))
}
