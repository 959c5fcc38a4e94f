package args

import (
	"errors"
	"regexp"
	"strings"
	"testing"
)

var verbs = []Verb{
	{Name: "apply", Usage: "[SLS…]", About: "Bring this machine into the state that the tree describes.", Examples: []string{"apply web test=True"},
		Options: []Option{{Names: []string{"--only-failed"}, Dest: "only_failed", Help: "only the states that failed last time"}, {Names: []string{"-t"}, Dest: "t", Help: "test"}}},
	{Name: "link", Usage: "DIR", About: "Make salt-call and salt-minion links to this program.", Examples: []string{"link /usr/local/bin"}},
}

func TestVerbGrammar(t *testing.T) {
	call := (&Command{Prog: "pinch", Version: "pinch 1.0"}).Grammar()
	g := verbs[0].Grammar("pinch", "pinch 1.0", call.Groups)
	l, err := g.Parse([]string{"web", "-t", "--only-failed", "--out", "json", "x=1", "--timeout=5"})
	if err != nil {
		t.Fatal(err)
	}
	if v := l.Values; !v.Truth("only_failed") || !v.Truth("t") || v.Str("output") != "json" || v.At("auth_timeout") != int64(5) || strings.Join(l.Args, " ") != "web x=1" {
		t.Errorf("got %v %v", v.Keys(), l.Args)
	}
	_, err = g.Parse([]string{"--nothing"})
	if err == nil || !strings.HasPrefix(err.(*Exit).Stderr, "Usage: pinch apply [options] [SLS…]\n\npinch apply: error: no such option: --nothing\n") {
		t.Errorf("got %v", err)
	}
	var e *Exit
	if _, err := g.Parse([]string{"--help"}); !errors.As(err, &e) || e.Code != 0 || !strings.Contains(e.Stdout, "pinch apply web test=True") || !strings.Contains(e.Stdout, "As for functions:") {
		t.Errorf("got %v", err)
	}
	if _, err := call.Parse([]string{"--version"}); !errors.As(err, &e) || e.Stdout != "pinch 1.0\n" {
		t.Errorf("got %v", err)
	}
}

func TestFirst(t *testing.T) {
	g := (&Command{Prog: "pinch"}).Grammar()
	for line, want := range map[string]int{"apply --only-failed": 0, "-l debug apply": 2, "-ldebug --local --out json link": 4, "--local": 1, "": 0, "-- x": 1} {
		argv := strings.Fields(line)
		if got := g.First(argv); got != want {
			t.Errorf("%q: got %d, want %d", line, got, want)
		}
	}
}

func TestOverview(t *testing.T) {
	text := Overview("pinch", "Applies Salt states.", verbs)
	for _, want := range []string{"\n  apply  Bring", "(pinch link /usr/local/bin)\n", "help VERB"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if e := Unknown("pinch", "aply", verbs); e.Code != 64 || !strings.Contains(e.Stderr, `did you mean "pinch apply"?`) {
		t.Errorf("got %+v", e)
	}
	if !IsFunction("test.ping") || IsFunction("apply") {
		t.Error("functions and verbs are mixed up")
	}
}

func TestVersionsReport(t *testing.T) {
	text := VersionsReport("1.2.3")
	for _, want := range []string{`(?m)^Salt Version:\n +Salt: 3008\.4\n \n`, `(?m)^ +Pinch: 1\.2\.3$`, `(?m)^System Versions:\n(.*\n)*? +system: Linux$`} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("%s does not match\n%s", want, text)
		}
	}
}
