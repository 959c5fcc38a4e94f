package webutil

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// htpasswd answers as version 2.4.57 does.
type htpasswd struct {
	salt.Host
	asked []string
	known map[string]string
}

func (h *htpasswd) CallFunc(_ *salt.Ctx, _ string, args []any, kw *value.Map) (any, error) {
	words := args[0].(*value.List)
	h.asked = append(h.asked, value.Repr(words))
	user := words.Items[words.Len()-1].(string)
	answer := func(code int, text string) (any, error) {
		return value.M("pid", int64(1), "retcode", int64(code), "stdout", "", "stderr", text), nil
	}
	switch words.Items[1] {
	case "-iv":
		if h.known[user] == kw.Str("stdin") {
			return answer(0, "Password for user "+user+" correct.")
		}
		return answer(3, "password verification failed")
	case "-D":
		return answer(0, "Deleting password for user "+user)
	}
	if kw.Str("stdin") == "" {
		return answer(2, "htpasswd: empty")
	}
	return answer(0, "Adding password for user "+user)
}

// The comments and changes are those of the states that Salt 3006 has.
func TestStates(t *testing.T) {
	file := filepath.Join(t.TempDir(), "h")
	if err := os.WriteFile(file, []byte("joe:$apr1$x\nann2:y\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h := &htpasswd{known: map[string]string{"joe": "good"}}
	c := &salt.Ctx{Context: context.Background(), Sys: sys.Real{}, Host: h, Run: salt.NewRun(), Log: slog.New(slog.DiscardHandler)}
	test := *c
	test.Test = true
	exists := func(c *salt.Ctx, a userExistsArgs) salt.Result {
		a.HtpasswdFile = file
		return userExists(c, a)
	}
	for _, tt := range []struct {
		got  salt.Result
		want string
	}{
		{exists(c, userExistsArgs{Name: "joe", Password: "bad"}), "True User already known {}"},
		{exists(c, userExistsArgs{Name: "joe", Password: "good", Update: true}), "True User already known {}"},
		{exists(&test, userExistsArgs{Name: "joe", Password: "bad", Update: true}), "None User 'joe' is set to be added to htpasswd file {'joe': True}"},
		{exists(c, userExistsArgs{Name: "joe", Password: "bad", Update: true}), "True Adding password for user joe {'joe': True}"},
		{exists(c, userExistsArgs{Name: "joe", Password: "good", Force: true}), "True Adding password for user joe {'joe': True}"},
		{exists(&test, userExistsArgs{Name: "ann", Password: "x"}), "None User 'ann' is set to be added to htpasswd file {'ann': True}"},
		{exists(c, userExistsArgs{Name: "ann", Password: "x"}), "True Adding password for user ann {'ann': True}"},
		{exists(c, userExistsArgs{Name: "ann", Password: ""}), "False htpasswd: empty {}"},
		{userAbsent(c, userAbsentArgs{Name: "ann", HtpasswdFile: file}), "True User already not in file {}"},
		{userAbsent(&test, userAbsentArgs{Name: "joe", HtpasswdFile: file}), "None User 'joe' is set to be removed from htpasswd file {'joe': True}"},
		{userAbsent(c, userAbsentArgs{Name: "joe", HtpasswdFile: file}), "True Deleting password for user joe {'joe': True}"},
	} {
		result := any(nil)
		if tt.got.Result != nil {
			result = *tt.got.Result
		}
		if got := value.Str(result) + " " + tt.got.Comment + " " + value.Repr(tt.got.Changes); got != tt.want {
			t.Errorf("got %s\nnot %s", got, tt.want)
		}
	}
	for _, words := range h.asked {
		for _, password := range []string{"good", "bad"} {
			if strings.Contains(words, password) {
				t.Errorf("a password is among the arguments: %s", words)
			}
		}
	}
}
