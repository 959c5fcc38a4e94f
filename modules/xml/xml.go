// Package xml holds Salt's xml module: it reads and sets texts and attributes
// in XML files. Its main variable is Module.
//
//	salt-call xml.set_attribute /etc/app.xml ".//port" number 8443
package xml

import (
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's xml module.
var Module = salt.Module{
	Name: "xml",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"get_attribute": salt.Exec(getAttribute),
			"get_value":     salt.Exec(getValue),
			"set_attribute": salt.Exec(setAttribute),
			"set_value":     salt.Exec(setValue),
		}
	},
}

type elementArgs struct {
	File    string `py:"file"`    // the file
	Element string `py:"element"` // the path of the element, as Python's ElementTree reads it: .//a[@id='1']/b
}

// look reads a file and finds an element; nil when there is none.
func look(c *salt.Ctx, file, path string) (*document, *node, error) {
	b, err := c.Sys.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	d, err := parse(file, b)
	if err != nil {
		return nil, nil, err
	}
	n, err := d.find(path)
	if n == nil && err == nil {
		c.Log.Error("Unable to find element matching " + path)
	}
	return d, n, err
}

// getValue returns the text of an element; False when there is no such one.
func getValue(c *salt.Ctx, a elementArgs) (any, error) {
	_, n, err := look(c, a.File, a.Element)
	if n == nil {
		return false, err
	}
	if s, ok := n.value(); ok {
		return s, nil
	}
	return nil, nil
}

// getAttribute returns the attributes of an element; False when there is no
// such one.
func getAttribute(c *salt.Ctx, a elementArgs) (any, error) {
	_, n, err := look(c, a.File, a.Element)
	if n == nil {
		return false, err
	}
	m := new(value.Map)
	for _, at := range n.attrs {
		if !at.namespace() {
			m.Set(at.name, at.value)
		}
	}
	return m, nil
}

type setValueArgs struct {
	File    string `py:"file"`    // the file
	Element string `py:"element"` // the path of the element, as Python's ElementTree reads it
	Value   any    `py:"value"`   // the new text
}

// setValue sets the text of an element; False when there is no such one.
func setValue(c *salt.Ctx, a setValueArgs) (bool, error) {
	d, n, err := look(c, a.File, a.Element)
	if n == nil {
		return false, err
	}
	n.set(value.Str(a.Value))
	return true, d.write(c, a.File)
}

type setAttributeArgs struct {
	File    string `py:"file"`    // the file
	Element string `py:"element"` // the path of the element, as Python's ElementTree reads it
	Key     string `py:"key"`     // the attribute
	Value   any    `py:"value"`   // its new value
}

// setAttribute sets an attribute of an element; False when there is no such one.
func setAttribute(c *salt.Ctx, a setAttributeArgs) (bool, error) {
	d, n, err := look(c, a.File, a.Element)
	if n == nil {
		return false, err
	}
	n.setAttr(a.Key, value.Str(a.Value))
	return true, d.write(c, a.File)
}

func (d *document) write(c *salt.Ctx, file string) error {
	return sys.WriteFile(c.Sys, file, d.bytes(), sys.FileAttrs{})
}
