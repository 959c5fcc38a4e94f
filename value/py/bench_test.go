package py

import (
	"testing"

	"pinch/value"
)

func BenchmarkMethods(b *testing.B) {
	d := value.M("a", int64(1), "b", "x")
	for name, f := range map[string]func() (any, error){
		"split":  func() (any, error) { return call("a/b/c", "split", "/") },
		"get":    func() (any, error) { return call(d, "get", "b", "y") },
		"items":  func() (any, error) { return call(d, "items") },
		"format": func() (any, error) { return call("{}-{:>3}", "format", "a", int64(5)) },
		"percent": func() (any, error) {
			return Mod("%s-%03d", value.Tuple{"a", int64(5)})
		},
		"add": func() (any, error) { return Add(int64(2), int64(3)) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := f(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func call(recv any, name string, args ...any) (any, error) {
	f, _ := Method(recv, name)
	return f(args, nil)
}
