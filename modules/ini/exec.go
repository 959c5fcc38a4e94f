package ini

import (
	"pinch/salt"
	"pinch/value"
)

type setOptionArgs struct {
	File     string     `py:"file_name"`       // the path of the file
	Sections *value.Map `py:"sections=None"`   // options by section; a text sets an option outside of sections
	Sep      string     `py:"separator='='"`   // what stands between names and values
	Encoding string     `py:"encoding=None"`   // the file's encoding, UTF-8 by default
	Compact  bool       `py:"no_spaces=False"` // write no spaces around separators, in the whole file
}

// setOption sets options and makes sections, and returns what changed.
//
//	salt-call ini.set_option /etc/app.ini '{main: {debug: "off"}}'
func setOption(c *salt.Ctx, a setOptionArgs) (*value.Map, error) {
	f, err := open(c, a.File, a.Sep, a.Encoding, a.Compact)
	if err != nil {
		return nil, err
	}
	changes := new(value.Map)
	if a.Sections != nil {
		changes = f.update(a.Sections)
	}
	return changes, f.save(c, a.Encoding)
}

type optionArgs struct {
	File     string `py:"file_name"`     // the path of the file
	Section  string `py:"section"`       // the section; empty: outside of sections
	Option   string `py:"option"`        // the option
	Sep      string `py:"separator='='"` // what stands between names and values
	Encoding string `py:"encoding=None"` // the file's encoding, UTF-8 by default
}

// plainOf is an item as a value.
func plainOf(v any) any {
	if s, ok := v.(*section); ok {
		return s.plain(false)
	}
	return v
}

// getOption returns the value of an option, nothing if there is none.
func getOption(c *salt.Ctx, a optionArgs) (any, error) {
	f, err := open(c, a.File, a.Sep, a.Encoding, false)
	if err != nil {
		return nil, err
	}
	if a.Section == "" {
		return plainOf(f.items.At(a.Option)), nil
	}
	if s, ok := f.items.At(a.Section).(*section); ok {
		return plainOf(s.items.At(a.Option)), nil
	}
	return nil, nil
}

// removeOption removes an option and returns its value, nothing if there was none.
func removeOption(c *salt.Ctx, a optionArgs) (any, error) {
	f, err := open(c, a.File, a.Sep, a.Encoding, false)
	if err != nil {
		return nil, err
	}
	from := f
	if s, ok := f.items.At(a.Section).(*section); ok {
		from = s
	}
	v, _ := from.items.Pop(a.Option)
	return plainOf(v), f.save(c, a.Encoding)
}

type sectionArgs struct {
	File     string `py:"file_name"`     // the path of the file
	Section  string `py:"section"`       // the section
	Sep      string `py:"separator='='"` // what stands between names and values
	Encoding string `py:"encoding=None"` // the file's encoding, UTF-8 by default
}

// optionsOf are the options of a section; an option is none.
func optionsOf(v any) (*value.Map, error) {
	switch v := v.(type) {
	case nil:
		return new(value.Map), nil
	case *section:
		return v.plain(true), nil
	}
	return nil, value.Errorf("AttributeError", "'str' object has no attribute 'items'")
}

// getSection returns the options of a section; none if there is no such section.
func getSection(c *salt.Ctx, a sectionArgs) (*value.Map, error) {
	f, err := open(c, a.File, a.Sep, a.Encoding, false)
	if err != nil {
		return nil, err
	}
	return optionsOf(f.items.At(a.Section))
}

// removeSection removes a section and returns its options, nothing if there is
// no such section.
func removeSection(c *salt.Ctx, a sectionArgs) (any, error) {
	f, err := open(c, a.File, a.Sep, a.Encoding, false)
	if err != nil {
		return nil, err
	}
	v, ok := f.items.Pop(a.Section)
	if !ok {
		return nil, nil
	}
	if err := f.save(c, a.Encoding); err != nil {
		return nil, err
	}
	return optionsOf(v)
}

type getINIArgs struct {
	File     string `py:"file_name"`     // the path of the file
	Sep      string `py:"separator='='"` // what stands between names and values
	Encoding string `py:"encoding=None"` // the file's encoding, UTF-8 by default
}

// getINI returns the whole file: options, and options by section.
func getINI(c *salt.Ctx, a getINIArgs) (*value.Map, error) {
	f, err := open(c, a.File, a.Sep, a.Encoding, false)
	if err != nil {
		return nil, err
	}
	return f.plain(true), nil
}
