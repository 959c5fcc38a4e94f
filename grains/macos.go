package grains

import (
	"encoding/xml"
	"strings"
)

// systemVersion is what sw_vers reads: a property list with the version of macOS.
const systemVersion = "/System/Library/CoreServices/SystemVersion.plist"

// macOS are the grains of macOS, nil elsewhere.
func (c *core) macOS() map[string]string {
	text, ok := c.file(systemVersion)
	if !ok {
		return nil
	}
	var list struct {
		Dict struct {
			Keys    []string `xml:"key"`
			Strings []string `xml:"string"`
		} `xml:"dict"`
	}
	g := map[string]string{"os": "MacOS", "os_family": "MacOS"}
	if xml.Unmarshal([]byte(text), &list) != nil || len(list.Dict.Keys) != len(list.Dict.Strings) {
		return g
	}
	v := map[string]string{}
	for i, k := range list.Dict.Keys {
		v[k] = list.Dict.Strings[i]
	}
	g["osrelease"], g["osbuild"] = v["ProductVersion"], v["ProductBuildVersion"]
	g["osfullname"] = strings.TrimSpace(v["ProductName"] + " " + g["osrelease"])
	return g
}
