package main

import (
	"os/exec"
	"strings"
	"testing"
)

// layers names the packages from the ground up. A package may import only
// from lines above its own, so there is one direction to read the code in.
const layers = `
value diag
value/codec value/pyre
value/py
value/jmespath value/pytime golden
sys
pki
cli/logging matcher minion/wire minion/zmtp render/yaml render/jinja
config render/jinja/filters deb rpmdb schedule events jobs minion/transport
runs
salt
apachestate command filestate modules/docker/engine modules/docker/translate mysqldb pgstate saltclass
render/saltfilters render/stateconf
grains gitfs extmods decompress
fileclient
render bridge
pillar minion/session minion/mastertest
serializers caller output
apply
beacons
modules/*
modules
lint
returners
daemon
cli/args
minion
cli
.
`

func TestLayers(t *testing.T) {
	level := map[string]int{}
	for i, line := range strings.Split(strings.TrimSpace(layers), "\n") {
		for _, name := range strings.Fields(line) {
			level[name] = i + 1
		}
	}
	rank := func(pkg string) int {
		name := strings.TrimPrefix(strings.TrimPrefix(pkg, "pinch"), "/")
		if name == "" {
			name = "."
		}
		if n, ok := level[name]; ok {
			return n
		}
		if i := strings.IndexByte(name, '/'); i > 0 {
			if n, ok := level[name[:i]+"/*"]; ok {
				return n
			}
			if n, ok := level[name[:i]]; ok {
				return n
			}
		}
		t.Errorf("package %s is on no layer", pkg)
		return 0
	}
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		own := rank(f[0])
		for _, dep := range f[1:] {
			if strings.HasPrefix(dep, "pinch/") && rank(dep) >= own && dep != f[0] {
				t.Errorf("%s must not import %s", f[0], dep)
			}
		}
	}
}
