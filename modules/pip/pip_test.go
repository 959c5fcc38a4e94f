package pip

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

func testCtx() *salt.Ctx {
	return &salt.Ctx{Context: context.Background(), Sys: sys.Real{}, Log: slog.New(slog.DiscardHandler), Opts: new(value.Map), Pillar: new(value.Map), Run: salt.NewRun()}
}

// The order is that of the examples in PEP 440.
func TestOrder(t *testing.T) {
	sorted := []string{"1.0.dev456", "1.0a1", "1.0a2.dev456", "1.0a12.dev456", "1.0a12", "1.0b1.dev456", "1.0b2", "1.0b2.post345.dev456", "1.0b2.post345",
		"1.0rc1.dev456", "1.0rc1", "1.0", "1.0+abc.5", "1.0+abc.7", "1.0+5", "1.0.post456.dev34", "1.0.post456", "1.0.15", "1.1.dev1", "1!0.1"}
	shuffled := slices.Clone(sorted)
	slices.Reverse(shuffled)
	slices.SortFunc(shuffled, compareVersions)
	if !slices.Equal(sorted, shuffled) {
		t.Errorf("got  %q\nwant %q", shuffled, sorted)
	}
}

// The answers are those of packaging.specifiers.SpecifierSet(…).contains.
func TestFulfils(t *testing.T) {
	for _, tt := range []struct {
		version string
		spec    string
		want    bool
	}{
		{"1.0", "", true}, {"1.0", "==1", true}, {"1.0.1", "==1.0.*", true}, {"1.1", "==1.0.*", false}, {"1.1", "!=1.0.*", true},
		{"1.4.5", "~=1.4.2", true}, {"1.5", "~=1.4.2", false}, {"2.0", "~=1.4", false}, {"1.9", "~=1.4", true},
		{"2.0rc1", ">=1.0", false}, {"2.0rc1", ">=2.0rc1", true}, {"2.0rc1", ">=1.0a1", true}, {"1.0+local", "==1.0", true}, {"1.0", "==1.0+local", false},
		{"1.0.post1", ">1.0", false}, {"1.0.post1", ">=1.0", true}, {"1.1", ">1.0,<2", true}, {"2.0a1", "<2.0", false}, {"1.0", "===1.0", true}, {"1", "===1.0", false},
		{"1.7", ">=1.6,<=1.7", true}, {"1.7.1", ">=1.6,<=1.7", false},
	} {
		r, err := parseSpec("x" + tt.spec)
		if err != nil {
			t.Fatal(tt.spec, err)
		}
		if got := fulfils(tt.version, r.clauses); got != tt.want {
			t.Errorf("%s %s: %v", tt.version, tt.spec, got)
		}
	}
}

// Names and conditions are those that pip 23 finds, comments are Salt's.
func TestRequirement(t *testing.T) {
	c := testCtx()
	for in, want := range map[string]string{
		"mypkg ==1.0":                           "mypkg [{== 1.0}]",
		"Django >= 1.6, <= 1.7":                 "django [{>= 1.6} {<= 1.7}]",
		"requests[security,tests]>=2.8":         "requests [{>= 2.8}]",
		"ruamel.yaml; python_version > '3'":     "ruamel-yaml []",
		"name @ https://x/y.zip":                "name []",
		"git+https://x/y.git":                   " []",
		"git+https://x/y.git#egg=My_Name":       "my-name []",
		"https://x/my_pkg-1.2-py3-none-any.whl": "my-pkg [{== 1.2}]",
		"pkg=1.0":                               "Invalid version specification in package pkg=1.0. '=' is not supported, use '==' instead.",
	} {
		r, err := parseRequirement(c, in)
		got := r.prefix + " " + show(r.clauses)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", in, got, want)
		}
	}
	dir := t.TempDir()
	if _, err := parseRequirement(c, dir); err == nil {
		t.Error("a directory that cannot be installed is taken")
	}
	os.WriteFile(dir+"/setup.py", nil, 0o644)
	if r, err := parseRequirement(c, dir); err != nil || r.prefix != "" {
		t.Error(r, err)
	}
}

func show(cl []clause) string {
	s := "["
	for i, c := range cl {
		if i > 0 {
			s += " "
		}
		s += "{" + c.op + " " + c.version + "}"
	}
	return s + "]"
}

// venv makes the files of a virtual environment.
func venv(t *testing.T) string {
	dir := t.TempDir()
	put := func(path, text string, mode os.FileMode) {
		t.Helper()
		path = filepath.Join(dir, path)
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", dir)
	put("bin/python", "#!/bin/false\n", 0o755)
	put("pyvenv.cfg", "home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.11.2\n", 0o644)
	for d, meta := range map[string]string{
		"pip-23.0.1":   "Metadata-Version: 2.1\nName: pip\nVersion: 23.0.1\n\nName: no\n",
		"My_Pkg-1.0":   "Metadata-Version: 2.1\nName: My_Pkg\nVersion: 1.0\n",
		"another-2.10": "Name: another\nVersion: 2.10\nRequires-Dist: x\n",
	} {
		put("lib/python3.11/site-packages/"+d+".dist-info/METADATA", meta, 0o644)
	}
	put("lib/python3.11/site-packages/x.pth", "import os\n", 0o644)
	put("lib/python3.11/site-packages/pip/__main__.py", "", 0o644)
	return dir
}

// What is installed is read from the files alone: this python cannot run.
func TestSite(t *testing.T) {
	if os.Getenv("PYTHONPATH") != "" {
		t.Skip("PYTHONPATH is set")
	}
	dir := venv(t)
	got, err := list(testCtx(), listArgs{BinEnv: dir})
	if err != nil || value.Repr(got) != "{'another': '2.10', 'my-pkg': '1.0', 'pip': '23.0.1'}" {
		t.Error(value.Repr(got), err)
	}
	lines, err := freeze(testCtx(), freezeArgs{BinEnv: dir + "/bin/python"})
	if err != nil || !slices.Equal(lines, []string{"another==2.10", "My_Pkg==1.0", "pip==23.0.1"}) {
		t.Error(lines, err)
	}
	if v, err := version(testCtx(), versionArgs{BinEnv: dir}); v != "23.0.1" {
		t.Error(v, err)
	}
	site := dir + "/lib/python3.11/site-packages/"
	for name, spoil := range map[string]func() error{
		"an old format":      func() error { return os.Mkdir(site+"old.egg-info", 0o755) },
		"a link to packages": func() error { return os.WriteFile(site+"x.pth", []byte("/elsewhere\n"), 0o644) },
		"a setting":          func() error { return os.WriteFile(dir+"/pip.conf", []byte("[list]\nnot-required = true\n"), 0o644) },
		"system packages": func() error {
			return os.WriteFile(dir+"/pyvenv.cfg", []byte("include-system-site-packages = true\n"), 0o644)
		},
		"what is left of pip": func() error { return os.Remove(site + "pip/__main__.py") },
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		if readSite(testCtx(), dir, nil) != nil {
			t.Errorf("%s: only pip knows that", name)
		}
		os.Remove(site + "old.egg-info")
		os.WriteFile(site+"pip/__main__.py", nil, 0o644)
		os.WriteFile(site+"x.pth", nil, 0o644)
		os.Remove(dir + "/pip.conf")
		os.WriteFile(dir+"/pyvenv.cfg", []byte("include-system-site-packages = false\n"), 0o644)
	}
}

// The command lines are Salt's for pip 23.
func TestOptions(t *testing.T) {
	for _, tt := range []struct {
		a    installArgs
		want string
	}{
		{installArgs{Upgrade: true, NoIndex: true, FindLinks: "/"}, "[--find-links / --no-index --upgrade]"},
		{installArgs{IndexUrl: "x"}, "'x' is not a valid URL"},
		{installArgs{NoIndex: true, IndexUrl: "https://x"}, "'no_index' and ('index_url' or 'extra_index_url') are mutually exclusive."},
		{installArgs{Timeout: 1.5}, "'1.5' is not a valid timeout, must be an integer"},
		{installArgs{ExistsAction: "q"}, "The exists_action pip option only supports the values s, i, w, and b. 'q' is not valid."},
		{installArgs{Mirrors: "http://x"}, "pip >= 7.0.0 does not support mirror argument: use index_url and/or extra_index_url instead"},
		{installArgs{CacheDir: "/c", PreReleases: true, GlobalOptions: "a, b"}, "[--cache-dir /c --pre --global-option a --global-option b]"},
		{installArgs{NoBinary: value.L("a", "b"), UseWheel: true, Proxy: false}, "[--no-binary a,b]"},
		{installArgs{Log: "/no/such/dir/log"}, "Trying to create '/no/such/dir/log' but parent directory '/no/such/dir' does not exist."},
	} {
		opts, err := tt.a.options(testCtx(), "23.0")
		got := "[" + join(opts) + "]"
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

func join(s []string) string {
	out := ""
	for i, w := range s {
		if i > 0 {
			out += " "
		}
		out += w
	}
	return out
}

func FuzzVersion(f *testing.F) {
	for _, s := range []string{"1.0", "1!2.3a4.post5.dev6+x.7", "v1-2", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if v, ok := parseVersion(s); ok {
			w, ok := parseVersion(v.String())
			if !ok || v.compare(w) != 0 {
				t.Errorf("%q → %q", s, v)
			}
		}
	})
}
