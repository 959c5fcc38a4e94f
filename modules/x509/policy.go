package x509

import (
	"slices"

	"pinch/pki"
	"pinch/salt"
	"pinch/value"
)

// policyNamed finds a signing policy in the pillar, then in the configuration.
func policyNamed(c *salt.Ctx, name any) (*value.Map, error) {
	if name == nil {
		return new(value.Map), nil
	}
	var found any
	if all, ok := c.Pillar.At("x509_signing_policies").(*value.Map); ok {
		found, _ = all.GetKey(name)
	}
	if !value.Truth(found) {
		v, err := c.Call("config.get", "x509_signing_policies", new(value.Map))
		if err != nil {
			return nil, err
		}
		if all, ok := v.(*value.Map); ok {
			found, _ = all.GetKey(name)
		}
	}
	out := new(value.Map)
	switch p := found.(type) {
	case *value.Map:
		out.Update(p)
	case *value.List:
		for _, it := range p.Items {
			if m, ok := it.(*value.Map); ok {
				out.Update(m)
			}
		}
	}
	return out, nil
}

// merge puts a policy over the arguments. A subject cannot get around the
// parts of a name that the policy sets.
func merge(c *salt.Ctx, policy, kw *value.Map) *value.Map {
	if policy.Len() == 0 {
		return kw
	}
	policy = value.Copy(policy).(*value.Map)
	kw = shorten(c, kw)
	if given, ok := kw.Get("subject"); ok {
		fixed := slices.ContainsFunc(nameParts, func(p struct{ name, oid string }) bool { return policy.Has(p.name) })
		if fixed {
			kw.Pop("subject")
		} else {
			switch p := policy.At("subject").(type) {
			case *value.Map:
				if m, ok := given.(*value.Map); ok {
					m = m.Shallow()
					m.Update(p)
					kw.Set("subject", m)
					policy.Pop("subject")
				}
			case *value.List:
				if l, ok := given.(*value.List); ok {
					kw.Set("subject", value.L(slices.Concat(p.Items, l.Items)...))
					policy.Pop("subject")
				}
			}
		}
	}
	kw.Update(policy)
	return kw
}

type getSigningPolicyArgs struct {
	SigningPolicy any `py:"signing_policy"` // the name of a signing policy
	CaServer      any `py:"ca_server=None"` // the minion that signs, asked through the master
}

type policyKey struct{ server, name string }

// getSigningPolicy returns a signing policy, of this minion or of ca_server.
//
//	salt-call x509.get_signing_policy www
func getSigningPolicy(c *salt.Ctx, a getSigningPolicyArgs) (*value.Map, error) {
	if a.CaServer == nil {
		p, err := policyNamed(c, a.SigningPolicy)
		if err != nil {
			return nil, err
		}
		return shorten(c, p), nil
	}
	server, name := text(a.CaServer), text(a.SigningPolicy)
	p, err := salt.Once(c.Run, policyKey{server, name}, func() (*value.Map, error) {
		v, err := askServer(c, server, name, new(value.Map), true)
		m, ok := v.(*value.Map)
		if err != nil || !ok {
			return nil, err
		}
		if m.Has("signing_cert") {
			b, err := loadCertificate(c, m.At("signing_cert"), nil)
			if err != nil {
				return nil, err
			}
			m.Set("signing_cert", string(b.Certificate.PEM()))
		}
		return m, nil
	})
	if err != nil {
		return nil, err
	}
	return shorten(c, p), nil
}

// askServer calls x509.sign_remote_certificate of another minion.
func askServer(c *salt.Ctx, server, policy string, kw *value.Map, only bool) (any, error) {
	v, err := c.CallKw("publish.publish", value.M("arg", value.L(policy, kw, only), "timeout", int64(60)), server, "x509.sign_remote_certificate")
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
func certificateFrom(c *salt.Ctx, server, policy string, kw *value.Map) (*pki.Certificate, *pki.Private, error) {
	kw = kw.Shallow()
	var own *pki.Private
	key, _ := kw.Pop("private_key")
	passphrase, _ := kw.Pop("private_key_passphrase")
	var err error
	switch {
	case value.Truth(key):
		if own, _, err = loadPrivate(c, key, passphrase); err != nil {
			return nil, nil, err
		}
		kw.Set("public_key", own.Public().DER())
	case kw.Truth("public_key"):
		k, err := loadPublic(c, kw.At("public_key"))
		if err != nil {
			return nil, nil, err
		}
		kw.Set("public_key", k.DER())
	}
	if kw.Truth("csr") {
		r, _, err := loadRequest(c, kw.At("csr"))
		if err != nil {
			return nil, nil, err
		}
		kw.Set("csr", r.Raw)
	}
	data, err := askServer(c, server, policy, kw, false)
	if err != nil {
		return nil, nil, err
	}
	b, err := loadCertificate(c, data, nil)
	if err != nil {
		return nil, nil, salt.CommandError("ca_server did not return a certificate: %s", value.Str(data))
	}
	return b.Certificate, own, nil
}

type signRemoteCertificateArgs struct {
	SigningPolicy        any        `py:"signing_policy"`                // the name of a signing policy
	Kwargs               any        `py:"kwargs"`                        // the arguments of the certificate
	GetSigningPolicyOnly bool       `py:"get_signing_policy_only=False"` // return the policy only
	MoreKwargs           *value.Map `py:"**more_kwargs"`                 // further arguments
}

// signRemoteCertificate signs for another minion, as a policy allows. It
// returns data (the certificate in DER) and errors.
func signRemoteCertificate(c *salt.Ctx, a signRemoteCertificateArgs) (*value.Map, error) {
	refuse := func(why string) (*value.Map, error) { return value.M("data", nil, "errors", value.L(why)), nil }
	policy, err := policyNamed(c, a.SigningPolicy)
	if err != nil {
		c.Log.Error(err.Error())
		return refuse("Failed building the signing policy. See CA server log for details.")
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
			c.Log.Error(err.Error())
			return refuse("Failed building the signing policy. See CA server log for details.")
		}
		if !allowed {
			return refuse("minion not permitted to use specified signing policy")
		}
	}
	if a.GetSigningPolicyOnly {
		policy.Pop("signing_private_key")
		policy.Pop("signing_private_key_passphrase")
		if policy.Has("signing_cert") {
			b, err := loadCertificate(c, policy.At("signing_cert"), nil)
			if err != nil {
				return refuse(err.Error())
			}
			policy.Set("signing_cert", b.Raw)
		}
		return value.M("data", policy, "errors", value.L()), nil
	}
	given, _ := a.Kwargs.(*value.Map)
	kw := merge(c, policy, given.Shallow())
	kw.Pop("ca_server")
	digest := kw.Str("digest")
	if digest == "" {
		digest = "sha256"
	}
	cert, _, err := signHere(c, kw, digest)
	if err != nil {
		return refuse(err.Error())
	}
	return value.M("data", cert.Raw, "errors", value.L()), nil
}
