package translate

import (
	"testing"

	"pinch/value"
)

// FuzzContainer: any text for any argument is translated or refused, and what
// is translated makes a body or an error.
func FuzzContainer(f *testing.F) {
	for _, s := range []string{"80", "127.0.0.1:8000-8002:80-82/udp", "a=b,c=d", "nofile=1:2", "/a:/b:ro", "on-failure:5", "1.5gb", "echo 'a b'", "10.0.0.0/8"} {
		f.Add(s)
	}
	var names []string
	for name := range containers().readers {
		names = append(names, name)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, name := range names {
			kw := value.M(name, s)
			if _, err := Create("img", kw, Options{ValidateIP: true}, Client{Version: "1.47"}); err != nil && err.Error() == "" {
				t.Errorf("%s=%q: an error without a text", name, s)
			}
			if kw.At(name) != any(s) {
				t.Errorf("%s=%q: the argument was changed", name, s)
			}
		}
		for name := range networks().readers {
			_, _ = CreateNetwork("n", value.M(name, s), Options{ValidateIP: true}, Client{Version: "1.47"})
		}
	})
}
