package cli

import (
	"strings"

	"pinch/value"
)

// masterless rewords what Salt says of its master where there is none. It is
// for people: data that programs read keep Salt's texts.
func masterless(data any) any {
	const none = "no_|-states_|-states_|-None"
	if m, ok := data.(*value.Map); ok && m.Len() == 1 && m.Has(none) {
		ret := m.Map(none).Shallow()
		ret.Set("comment", strings.Replace(ret.Str("comment"), " Please see master log for details.", " The message on stderr shows the cause.", 1))
		return value.M(none, ret)
	}
	l, ok := data.(*value.List)
	if !ok {
		return data
	}
	words := strings.NewReplacer(
		" is not available on the salt master or through a configured fileserver", " is not available: no file root has it",
		" is not available on the salt master in saltenv(s): ", " is not available in saltenv(s): ",
		" is available on the salt master in multiple ", " is available in multiple ",
		" is not available on the salt master", " is not available: no pillar root has it",
		" Please see master log for details.", " The messages on stderr show the cause.",
	)
	out := &value.List{Items: make([]any, len(l.Items))}
	for i, it := range l.Items {
		out.Items[i] = it
		if s, ok := it.(string); ok {
			out.Items[i] = words.Replace(s)
			if strings.Contains(s, " is running as PID ") {
				out.Items[i] = s + "; queue=True waits for its end"
			}
		}
	}
	return out
}
