package ssh_pki

import (
	"slices"
	"time"

	"golang.org/x/crypto/ssh"

	"pinch/salt"
	"pinch/value"
)

// policyNamed finds a signing policy in the pillar, then in the configuration.
func policyNamed(c *salt.Ctx, name any) (*value.Map, error) {
	if name == nil {
		return new(value.Map), nil
	}
	var found any
	if all, ok := c.Pillar.At("ssh_signing_policies").(*value.Map); ok {
		found, _ = all.GetKey(name)
	}
	if !value.Truth(found) {
		v, err := c.Call("config.get", "ssh_signing_policies", new(value.Map))
		if err != nil {
			return nil, err
		}
		if all, ok := v.(*value.Map); ok {
			found, _ = all.GetKey(name)
		}
	}
	p, _ := found.(*value.Map)
	if p == nil {
		p = new(value.Map)
	}
	return value.Copy(p).(*value.Map), nil
}

// merge puts a policy over the arguments.
func merge(c *salt.Ctx, policy, kw *value.Map) (*value.Map, error) {
	if policy.Len() == 0 {
		return kw, nil
	}
	policy, kw = value.Copy(policy).(*value.Map), kw.Shallow()
	allow(policy, kw, "critical_options")
	allow(policy, kw, "extensions")
	allowPrincipals(policy, kw)
	if err := allowTime(c, policy, kw); err != nil {
		return nil, err
	}
	kw.Update(policy)
	return kw, nil
}

// allow takes options that are forced, allowed or asked for.
func allow(policy, kw *value.Map, what string) {
	forced, _ := policy.Pop(what)
	defaults, _ := policy.Pop("default_" + what)
	allowed, limited := policy.Pop("allowed_" + what)
	final := new(value.Map)
	if m, ok := defaults.(*value.Map); ok {
		final.Update(m)
	}
	words := names(allowed)
	asked, _ := kw.At(what).(*value.Map)
	for k, v := range asked.Items() {
		if !limited || slices.Contains(words, "*") || slices.Contains(words, k) {
			final.Set(k, v)
		}
	}
	if m, ok := forced.(*value.Map); ok {
		final.Update(m)
	}
	if final.Len() == 0 {
		kw.Set(what, nil)
	} else {
		kw.Set(what, final)
	}
}

func names(v any) (out []string) {
	for _, it := range listOf(v) {
		out = append(out, value.Str(it))
	}
	return out
}

func allowPrincipals(policy, kw *value.Map) {
	plain, _ := policy.Pop("valid_principals")
	allowed, ok := policy.Pop("allowed_valid_principals")
	if !ok {
		allowed = plain
	}
	defaults, ok := policy.Pop("default_valid_principals")
	if !ok {
		defaults = allowed
	}
	if allowed == nil {
		return
	}
	if kw.Truth("valid_principals") {
		asked, both := names(kw.At("valid_principals")), value.L()
		for _, p := range names(allowed) {
			if slices.Contains(asked, p) {
				both.Append(p)
			}
		}
		if both.Len() > 0 {
			kw.Set("valid_principals", both)
		} else {
			kw.Set("valid_principals", defaults)
		}
		return
	}
	if all, _ := kw.Pop("all_principals"); value.Truth(all) {
		kw.Set("valid_principals", allowed)
		return
	}
	kw.Set("valid_principals", defaults)
}

// allowTime limits how long a certificate is valid.
func allowTime(c *salt.Ctx, policy, kw *value.Map) error {
	defaultTTL, hasDefault, err := popDuration(policy, "ttl")
	if err != nil {
		return err
	}
	most, hasMost, err := popDuration(policy, "max_ttl")
	if err != nil {
		return err
	}
	if !hasMost {
		most, hasMost = defaultTTL, hasDefault
	}
	wanted, asked, err := popDuration(kw, "ttl")
	if err != nil {
		return err
	}
	from := c.Sys.Now().UTC()
	if s := kw.Str("not_before"); s != "" {
		if from, err = parseTime(s); err != nil {
			return err
		}
	}
	if s := kw.Str("not_after"); s != "" {
		to, err := parseTime(s)
		if err != nil {
			return err
		}
		kw.Pop("not_after")
		wanted, asked = to.Sub(from), true
	}
	kw.Pop("not_before")
	known := true
	switch {
	case !asked && hasDefault:
		wanted = defaultTTL
	case !asked && hasMost:
		wanted = most
	case !asked:
		known = false
	case hasMost:
		wanted = min(wanted, most)
	}
	if !known {
		kw.Set("ttl", nil)
		return nil
	}
	kw.Set("not_before", from.Format(timeForm))
	kw.Set("not_after", from.Add(wanted).Format(timeForm))
	kw.Set("ttl", wanted.Seconds())
	return nil
}

func popDuration(m *value.Map, key string) (time.Duration, bool, error) {
	v, _ := m.Pop(key)
	return duration(v)
}

type getSigningPolicyArgs struct {
	SigningPolicy any `py:"signing_policy"` // the name of a signing policy
	CaServer      any `py:"ca_server=None"` // the minion that signs, asked through the master
}

type policyKey struct{ server, name string }

// getSigningPolicy returns a signing policy, of this minion or of ca_server.
func getSigningPolicy(c *salt.Ctx, a getSigningPolicyArgs) (*value.Map, error) {
	if a.CaServer == nil {
		return policyNamed(c, a.SigningPolicy)
	}
	server, name := text(a.CaServer), text(a.SigningPolicy)
	return salt.Once(c.Run, policyKey{server, name}, func() (*value.Map, error) {
		v, err := askServer(c, server, name, new(value.Map), true)
		m, _ := v.(*value.Map)
		return m, err
	})
}

// askServer calls ssh_pki.sign_remote_certificate of another minion.
func askServer(c *salt.Ctx, server, policy string, kw *value.Map, only bool) (any, error) {
	v, err := c.CallKw("publish.publish", value.M("arg", value.L(policy, kw, only)), server, "ssh_pki.sign_remote_certificate")
	if err != nil {
		return nil, err
	}
	all, _ := v.(*value.Map)
	if all.Len() == 0 {
		return nil, salt.InvocationError("ca_server did not respond. Salt master must permit peers to call the sign_remote_certificate function.")
	}
	first, _ := all.GetKey(all.Keys()[0])
	ret, ok := first.(*value.Map)
	if !ok || !ret.Has("data") {
		return nil, salt.CommandError("Received invalid return value from ca_server. See minion log for details")
	}
	if errs := ret.List("errors"); errs.Len() > 0 {
		msg := "ca_server reported errors:"
		for _, e := range errs.Items {
			msg += "\n" + value.Str(e)
		}
		return nil, salt.CommandError("%s", msg)
	}
	return ret.At("data"), nil
}

// certificateFrom asks another minion for a certificate. Private keys stay here.
func certificateFrom(c *salt.Ctx, server, policy string, kw *value.Map) (*ssh.Certificate, error) {
	kw = kw.Shallow()
	if kw.Truth("private_key") || kw.Truth("public_key") {
		k, err := subjectKey(c, kw)
		if err != nil {
			return nil, err
		}
		kw.Set("public_key", line(k))
	}
	kw.Pop("private_key")
	kw.Pop("private_key_passphrase")
	data, err := askServer(c, server, policy, kw, false)
	if err != nil {
		return nil, err
	}
	cert, err := loadCertificate(c, data, true)
	if err != nil {
		return nil, salt.CommandError("ca_server did not return a certificate: %s", value.Str(data))
	}
	return cert, nil
}

type signRemoteCertificateArgs struct {
	SigningPolicy        any        `py:"signing_policy"`                // the name of a signing policy
	Kwargs               any        `py:"kwargs"`                        // the arguments of the certificate
	GetSigningPolicyOnly bool       `py:"get_signing_policy_only=False"` // return the policy only
	MoreKwargs           *value.Map `py:"**more_kwargs"`                 // further arguments
}

// signRemoteCertificate signs for another minion, as a policy allows. It
// returns data (the certificate) and errors.
func signRemoteCertificate(c *salt.Ctx, a signRemoteCertificateArgs) (*value.Map, error) {
	refuse := func(why string) (*value.Map, error) { return value.M("data", nil, "errors", value.L(why)), nil }
	vague := func(err error) (*value.Map, error) {
		c.Log.Error(err.Error())
		return refuse("Failed building the signing policy. See CA server log for details.")
	}
	policy, err := policyNamed(c, a.SigningPolicy)
	if err != nil {
		return vague(err)
	}
	if policy.Len() == 0 {
		return refuse("signing_policy must be specified and defined on signing minion")
	}
	if who, ok := policy.Pop("minions"); ok {
		id, known := a.MoreKwargs.Get("__pub_id")
		if !known {
			return refuse("minion sending this request could not be identified")
		}
		allowed, err := c.Permits(who, id)
		if err != nil {
			return vague(err)
		}
		if !allowed {
			return refuse("minion not permitted to use specified signing policy")
		}
	}
	if a.GetSigningPolicyOnly {
		key, has := policy.Pop("signing_private_key")
		passphrase, _ := policy.Pop("signing_private_key_passphrase")
		if has && key != nil {
			k, err := loadPrivate(c, key, passphrase)
			if err != nil {
				return refuse(err.Error())
			}
			pub, err := sshKey(k)
			if err != nil {
				return refuse(err.Error())
			}
			policy.Set("signing_public_key", line(pub))
		}
		return value.M("data", policy, "errors", value.L()), nil
	}
	given, _ := a.Kwargs.(*value.Map)
	kw, err := merge(c, policy, given)
	if err != nil {
		return vague(err)
	}
	kw.Pop("ca_server")
	cert, err := signHere(c, kw)
	if err != nil {
		return refuse(err.Error())
	}
	return value.M("data", line(cert), "errors", value.L()), nil
}
