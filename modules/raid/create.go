package raid

import (
	"strconv"
	"strings"

	"pinch/command"
	"pinch/salt"
	"pinch/value"
)

type createArgs struct {
	Name     string      `py:"name"`               // the array
	Level    any         `py:"level"`              // the RAID level
	Devices  *value.List `py:"devices"`            // its members; missing stands for one that is not there
	Metadata any         `py:"metadata='default'"` // the version of the marks on the members
	TestMode bool        `py:"test_mode=False"`    // return the command, run nothing
	Kwargs   *value.Map  `py:"**kwargs"`           // long options of mdadm(8), with True those without a value; spare-devices
}

// options are the long options of mdadm that are given.
func options(kw *value.Map) []string {
	var words []string
	for key, v := range kw.Items() {
		if strings.HasPrefix(key, "__") {
			continue
		}
		words = append(words, "--"+key)
		if v != true {
			words = append(words, value.Str(v))
		}
	}
	return words
}

// create makes an array and returns what mdadm says.
//
//	salt-call raid.create /dev/md0 level=1 chunk=256 devices="['/dev/xvdd', '/dev/xvde']" test_mode=True
func create(c *salt.Ctx, a createArgs) (string, error) {
	n := a.Devices.Len()
	if v, ok := a.Kwargs.Get("spare-devices"); ok {
		spare, err := strconv.Atoi(value.Str(v))
		if err != nil {
			return "", salt.InvocationError("spare-devices must be a number: %s", value.Str(v))
		}
		n -= spare
	}
	words := append([]string{"mdadm", "-C", a.Name, "-R", "-v", "-l", value.Str(a.Level)}, options(a.Kwargs)...)
	words = append(words, "-e", value.Str(a.Metadata), "-n", strconv.Itoa(n))
	words = append(words, texts(a.Devices)...)
	if a.TestMode {
		return strings.Join(words, " "), nil
	}
	r, err := command.Do(c, words...)
	return r.All(), err
}

func texts(l *value.List) []string {
	out := make([]string, l.Len())
	for i := range out {
		out[i] = value.Str(l.Items[i])
	}
	return out
}

type assembleArgs struct {
	Name     string     `py:"name"`            // the array
	Devices  any        `py:"devices"`         // its members: a list, or a text with commas
	TestMode bool       `py:"test_mode=False"` // return the command, run nothing
	Kwargs   *value.Map `py:"**kwargs"`        // long options of mdadm(8), with True those without a value
}

// assemble puts an array together that was made before, and returns what mdadm
// says.
func assemble(c *salt.Ctx, a assembleArgs) (any, error) {
	devices, ok := a.Devices.(*value.List)
	if !ok {
		devices = value.Strings(strings.Split(value.Str(a.Devices), ","))
	}
	words := append([]string{"mdadm", "-A", a.Name, "-v"}, options(a.Kwargs)...)
	words = append(words, texts(devices)...)
	if a.TestMode {
		return value.Strings(words), nil
	}
	r, err := command.Do(c, words...)
	return r.All(), err
}
