package modules

import (
	"path"
	"strings"
	"testing"
)

// What is built in is not said to be elsewhere; what is not is told once.
func TestElsewhere(t *testing.T) {
	for _, m := range All {
		for _, kind := range []string{"exec", "states"} {
			if len(m.Functions(kind)) == 0 {
				continue
			}
			for ext, names := range packages() {
				for _, pattern := range names {
					if ok, err := path.Match(pattern, m.Name); ok || err != nil {
						t.Errorf("%s is built in, and in %s (%v)", m.Name, ext, err)
					}
				}
			}
		}
	}
	for _, tt := range []struct{ kind, module, want string }{
		{"states", "zabbix_host", "pip install saltext-zabbix"},
		{"exec", "vault", "pip install saltext-vault"},
		{"exec", "zk_concurrency", "pip install saltext-zookeeper"},
		{"exec", "vsphere", "pinch has not: talks to"},
		{"states", "cloud", "pinch has not: drives salt-cloud"},
	} {
		if got := Elsewhere(tt.kind, tt.module); !strings.Contains(got, tt.want) {
			t.Errorf("%s %s: %q, want %q in it", tt.kind, tt.module, got, tt.want)
		}
	}
	if got := Elsewhere("exec", "nosuch"); got != "" {
		t.Errorf("nosuch: %q", got)
	}
}
