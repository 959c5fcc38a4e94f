package modules

import "embed"

// The manuals are made from the doc comments of the modules, see TestManual.
//
//go:embed */README.md
var manuals embed.FS

// Doc is the manual of a module (modules/NAME/README.md), "" if there is none.
func Doc(name string) string {
	b, _ := manuals.ReadFile(name + "/README.md")
	return string(b)
}
