package file

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// keyValues is what file.keyvalue shall do to lines of "key separator value".
type keyValues struct {
	values     *value.Map
	separator  string
	appendNew  bool
	prependNew bool
	count      int64  // how many lines of a key are set; the others go
	uncomment  string // characters that may stand before a line; with spaces trimmed only if white
	anyUncom   bool   // uncomment was None: white space
	keyCase    bool   // case of keys does not matter
	valueCase  bool   // case of values does not matter
	prune      bool   // other lines go
	left       map[string]int64
	diff       []string
	content    []string
	changes    int
	notMatched []string
}

// plan works through the lines.
func (k *keyValues) plan(lines []string) {
	k.left = map[string]int64{}
	for key := range k.values.Items() {
		k.left[key] = k.count
	}
	for _, l := range lines {
		k.line(l)
	}
	if k.appendNew {
		k.addAtEnd()
	} else if k.prependNew {
		k.addAtStart()
	}
	if k.prune {
		for _, l := range k.notMatched {
			k.diff = slices.Insert(k.diff, min(1, len(k.diff)), "- "+l)
		}
	}
}

func (k *keyValues) strip(line string) string {
	if k.anyUncom {
		return strings.TrimLeft(line, pySpace)
	}
	return strings.TrimLeft(line, k.uncomment)
}

func (k *keyValues) fold(s string) string {
	if k.keyCase {
		return strings.ToLower(s)
	}
	return s
}

func (k *keyValues) line(line string) {
	stripped := k.strip(line)
	uncommented := len(line) > len(stripped)
	test := k.fold(stripped)
	if k.prune && !k.startsWithKey(test) {
		k.notMatched = append(k.notMatched, line)
		return
	}
	work := line
	if uncommented {
		work = stripped
	}
	lineKey, lineValue, hasSep := strings.Cut(work, k.separator)
	for key, v := range k.values.Items() {
		if hasSep && strings.HasPrefix(test, k.fold(key)) && k.fold(lineKey) == k.fold(key) {
			line = k.set(line, lineKey, lineValue, key, v, uncommented)
		}
	}
	k.content = append(k.content, line)
}

func (k *keyValues) startsWithKey(test string) bool {
	for key := range k.values.Items() {
		if strings.HasPrefix(test, k.fold(key)) {
			return true
		}
	}
	return false
}

// set gives the line its value, if it is one of those that count.
func (k *keyValues) set(line, lineKey, lineValue, key string, v any, uncommented bool) string {
	have, want := strings.TrimSpace(lineValue), strings.TrimSpace(value.Str(v))
	if k.valueCase {
		have, want = strings.ToLower(have), strings.ToLower(want)
	}
	match, change := have == want, false
	switch {
	case uncommented && k.left[key] > 0:
		change = true
	case uncommented:
		match = true
	case k.left[key] == 0:
		change = true
	}
	if !match || change {
		k.diff = append(k.diff, "- "+line)
		line = ""
		if k.left[key] != 0 {
			line = lineKey + k.separator + value.Str(v) + "\n"
			if _, ok := v.(string); ok {
				k.diff = append(k.diff, "+ "+line)
			} else {
				k.diff = append(k.diff, "+ "+strings.TrimRight(line, pySpace)+" (from "+value.TypeName(v)+" type)\n")
			}
		}
		k.changes++
	}
	if k.left[key] > 0 {
		k.left[key]--
	}
	return line
}

func (k *keyValues) addAtEnd() {
	var added []string
	for key, v := range k.values.Items() {
		if k.left[key] <= 0 {
			continue
		}
		line := key + k.separator + value.Str(v) + "\n"
		added = append(added, "+ "+line)
		if n := len(k.content); n > 0 && k.content[n-1] != "" && lineEnd(k.content[n-1]) == "" {
			// Salt puts the new line right behind the last one.
			k.content[n-1] += "\n"
		}
		k.content = append(k.content, line)
		k.changes++
	}
	if added != nil {
		k.diff = append(append(append(k.diff, "- <EOF>\n"), added...), "+ <EOF>\n")
	}
}

func (k *keyValues) addAtStart() {
	first := true
	for key, v := range k.values.Items() {
		if k.left[key] <= 0 {
			continue
		}
		line := key + k.separator + value.Str(v) + "\n"
		if first {
			k.diff = slices.Insert(k.diff, 0, "  <SOF>\n")
			first = false
		}
		k.diff = slices.Insert(k.diff, 1, "+ "+line)
		k.content = slices.Insert(k.content, 0, line)
		k.changes++
	}
}

type keyvalueArgs struct {
	Name      string  `py:"name"`                       // the file
	Key       any     `py:"key=None"`                   // the key to set
	Value     any     `py:"value=None"`                 // its value
	KeyValues any     `py:"key_values=None"`            // several keys with their values, instead of key and value
	Separator string  `py:"separator='='"`              // what stands between key and value
	Append    bool    `py:"append_if_not_found=False"`  // adds missing keys at the end
	Prepend   bool    `py:"prepend_if_not_found=False"` // adds missing keys at the start
	Search    bool    `py:"search_only=False"`          // of no effect
	Show      bool    `py:"show_changes=True"`          // False keeps the diff out of the result
	IgnoreMis bool    `py:"ignore_if_missing=False"`    // a file that is not there is no error
	Count     any     `py:"count=1"`                    // how many lines with a key are set; -1: all
	Uncomment *string `py:"uncomment=None"`             // characters that are taken off the start of a line with the key
	KeyCase   bool    `py:"key_ignore_case=False"`      // the case of keys does not matter
	ValueCase bool    `py:"value_ignore_case=False"`    // the case of values does not matter
	Create    bool    `py:"create_if_missing=False"`    // makes the file
	Prune     bool    `py:"prune=False"`                // removes lines with other keys
}

// keyvalue sets values in lines of the form key=value.
//
//	/etc/ssh/sshd_config:
//	  file.keyvalue:
//	    - key_values:
//	        PermitRootLogin: 'no'
//	        PasswordAuthentication: 'no'
//	    - separator: ' '
//	    - uncomment: '# '
//	    - key_ignore_case: True
//	    - append_if_not_found: True
func keyvalue(c *salt.Ctx, a keyvalueArgs) salt.Result {
	name := expandUser(c, a.Name)
	return renamed(a.Name, name, keyvalueState(c, name, a))
}

func keyvalueState(c *salt.Ctx, name string, a keyvalueArgs) salt.Result {
	if name == "" {
		return salt.Failed("Must provide name to file.keyvalue")
	}
	values, isMap := a.KeyValues.(*value.Map)
	switch {
	case a.Key != nil && a.Value != nil:
		if isMap {
			return salt.Failed("file.keyvalue can not combine key_values with key and value")
		}
		values = value.M(value.Str(a.Key), a.Value)
	case !value.Truth(a.KeyValues):
		return salt.Failed("file.keyvalue key and value not supplied and key_values is empty")
	case !isMap:
		return salt.Failed("file.keyvalue key and value not supplied and key_values is not a dictionary")
	}
	count, err := intArg(a.Count)
	if err != nil {
		return salt.Failed("%s", text(err))
	}
	b, err := c.Sys.ReadFile(name)
	if err != nil && !(a.Create && errors.Is(err, fs.ErrNotExist)) {
		r := salt.Failed("unable to open %s", name)
		if a.IgnoreMis {
			r.Result = salt.True()
		}
		return r
	}
	k := &keyValues{values: values, separator: a.Separator, appendNew: a.Append || err != nil, prependNew: a.Prepend, count: count,
		keyCase: a.KeyCase, valueCase: a.ValueCase, prune: a.Prune, anyUncom: a.Uncomment == nil}
	if a.Uncomment != nil {
		k.uncomment = *a.Uncomment
	}
	k.plan(splitBytes(string(b)))
	return k.result(c, name, a.Show)
}

func (k *keyValues) result(c *salt.Ctx, name string, show bool) salt.Result {
	if k.changes == 0 && len(k.notMatched) == 0 {
		return salt.Correct("")
	}
	changes := new(value.Map)
	if show {
		changes.Set("diff", strings.Join(k.diff, ""))
	}
	if c.Test {
		r := salt.Would(changes, "File %s is set to be changed (%d lines modified, %d deleted)", name, k.changes, len(k.notMatched))
		if show {
			r.Comment += "\nPredicted diff:\n\r\t\t" + strings.Join(k.diff, "\r\t\t")
		}
		return r
	}
	if err := writeFile(c, name, strings.Join(k.content, "")); err != nil {
		r := salt.Failed("%s not writable", name)
		return r
	}
	return salt.Changed(changes, "Changed %d, deleted %d lines", k.changes, len(k.notMatched))
}
