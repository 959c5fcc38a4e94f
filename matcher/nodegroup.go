package matcher

import "pinch/value"

// nodegroup matches the name of a node group: the group's own expression is a
// compound one.
func (m *Minion) nodegroup(expr any, groups *value.Map) (bool, error) {
	if groups.Len() == 0 || !groups.HasKey(expr) {
		return false, nil
	}
	name, ok := expr.(string)
	if !ok {
		return false, nil
	}
	words := new(value.List)
	for _, w := range expandNodegroup(name, groups, nil) {
		words.Append(w)
	}
	return m.compound(words)
}
