package x509

import (
	"pinch/pki"
	"pinch/value"
)

// differences compares extensions with those that are wanted.
func differences(have, want []pki.Extension) *value.Map {
	added, changed, removed := value.L(), value.L(), value.L()
	for _, w := range want {
		switch h := pki.Find(have, w.OID); {
		case h == nil:
			added.Append(label(w))
		case !same(*h, w):
			changed.Append(label(w))
		}
	}
	for _, h := range have {
		if pki.Find(want, h.OID) == nil {
			removed.Append(label(h))
		}
	}
	return value.M("added", added, "changed", changed, "removed", removed)
}

func anyDifference(m *value.Map) bool {
	return m.List("added").Len()+m.List("changed").Len()+m.List("removed").Len() > 0
}

// label is the name of an extension in changes.
func label(e pki.Extension) string {
	for _, k := range kinds() {
		if k.oid == e.OID.String() {
			if k.shown != "" {
				return k.shown
			}
			return k.name
		}
	}
	return "Unknown OID"
}
