package apply

import (
	"testing"

	"pinch/salt"
	"pinch/value"
)

func TestSecrets(t *testing.T) {
	run := salt.NewRun()
	run.Hide(secretsIn(value.M(
		"db", value.M("password", "s3cr3t-Zq9", "user", "application"),
		"tls", value.M("private_key", "-----BEGIN KEY-----\nMIIBVgIBADANBg\n"),
		"api_tokens", value.L("tok-111111", "off"),
		"nginx_server_tokens", "off",
		"passage", "not a secret",
	))...)
	ret := run.RedactValue(value.M("diff", "+pass=s3cr3t-Zq9\n+MIIBVgIBADANBg\n+user=application not a secret off", "list", value.L("tok-111111")))
	want := value.M("diff", "+pass=**********\n+**********\n+user=application not a secret off", "list", value.L("**********"))
	if !value.Equal(ret, want) {
		t.Errorf("got %s, want %s", value.Repr(ret), value.Repr(want))
	}
}
