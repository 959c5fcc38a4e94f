package args

import (
	"regexp"
	"testing"
)

func TestVersionsReport(t *testing.T) {
	text := VersionsReport("1.2.3")
	for _, want := range []string{`(?m)^Salt Version:\n +Salt: 3008\.4\n \n`, `(?m)^ +Pinch: 1\.2\.3$`, `(?m)^System Versions:\n(.*\n)*? +system: Linux$`} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("%s does not match\n%s", want, text)
		}
	}
}
