package git

import (
	"net/url"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// withAuth puts user and password into an HTTPS URL.
func withAuth(address string, user, password any) (string, error) {
	if user == nil && password == nil {
		return address, nil
	}
	rest, ok := strings.CutPrefix(address, "https://")
	if !ok {
		return "", salt.InvocationError("Basic Auth only supported for HTTPS")
	}
	auth := escape(user)
	if password != nil {
		auth += ":" + escape(password)
	}
	return "https://" + auth + "@" + rest, nil
}

func escape(v any) string {
	if v == nil {
		return ""
	}
	return strings.ReplaceAll(url.QueryEscape(value.Str(v)), "+", "%20")
}

// only takes the allowed names out of further arguments, and refuses others.
func only(kw *value.Map, allowed ...string) (*value.Map, error) {
	out, bad := new(value.Map), []string(nil)
next:
	for k, v := range kw.Items() {
		if strings.HasPrefix(k, "__") {
			continue
		}
		for _, name := range allowed {
			if k == name {
				out.Set(k, v)
				continue next
			}
		}
		bad = append(bad, k+"="+value.Str(v))
	}
	if bad != nil {
		return nil, salt.InvocationError("The following keyword arguments are not valid: %s", strings.Join(bad, ", "))
	}
	return out, nil
}
