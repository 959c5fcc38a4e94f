package lowpkg

import (
	"log/slog"
	"testing"

	"pinch/salt"
	"pinch/value"
)

// TestInfoNamesAll is Salt's answer to arguments that only other systems know.
func TestInfoNamesAll(t *testing.T) {
	kw := value.M("attr", "version,size", "failhard", false, "__pub_jid", "1", "all_versions", true)
	_, err := info(&salt.Ctx{Run: salt.NewRun()}, packagesArgs{Kwargs: kw})
	if want := "The following keyword arguments are not valid: attr=version,size, all_versions=True"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestMissingRetcode is what Salt gives for file_list of a package that is not
// there: a text, and the exit code of dpkg-query.
func TestMissingRetcode(t *testing.T) {
	c := &salt.Ctx{Run: salt.NewRun(), Log: slog.New(slog.DiscardHandler)}
	missing := "dpkg-query: no packages found matching httpd"
	if got := failed(c, missing); got != "Error:  "+missing || c.Run.Retcode() != 1 {
		t.Errorf("got %v, exit code %d", got, c.Run.Retcode())
	}
}
