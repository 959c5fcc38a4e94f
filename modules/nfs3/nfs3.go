// Package nfs3 holds Salt's nfs3 module: what an NFS server exports. Its main
// variable is Module.
//
//	salt-call nfs3.add_export path=/srv/test hosts=127.0.0.1 options='["rw"]'
package nfs3

import (
	"strings"

	"pinch/command"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's nfs3 module.
var Module = salt.Module{
	Name: "nfs3",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"add_export":     salt.Exec(addExport),
			"del_export":     salt.Exec(delExport),
			"list_exports":   salt.Exec(listExports),
			"reload_exports": salt.Exec(reloadExports),
		}
	},
	Virtual: salt.Needs("showmount", "The nfs3 execution module failed to load: the showmount binary is not in the path."),
}

type listArgs struct {
	Exports string `py:"exports='/etc/exports'"` // the file
}

// listExports returns by folder who may mount it: hosts and options.
func listExports(c *salt.Ctx, a listArgs) (*value.Map, error) {
	b, err := c.Sys.ReadFile(a.Exports)
	if err != nil {
		return nil, salt.OSError(err)
	}
	all := new(value.Map)
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		if len(f) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		if all.List(f[0]) == nil {
			all.Set(f[0], value.L())
		}
		clients := all.List(f[0])
		for _, word := range f[1:] {
			if strings.HasPrefix(word, "/") {
				all.Set(word, clients)
				continue
			}
			hosts, options, _ := strings.Cut(word, "(")
			clients.Append(value.M("hosts", hosts, "options", value.Strings(strings.Split(strings.ReplaceAll(options, ")", ""), ","))))
		}
	}
	return all, nil
}

// write writes the exports; comments stay before them.
func write(c *salt.Ctx, file string, all *value.Map) error {
	b, err := c.Sys.ReadFile(file)
	if err != nil {
		return salt.OSError(err)
	}
	var out strings.Builder
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			out.WriteString(strings.TrimRight(line, "\n") + "\n")
		}
	}
	for path, it := range all.Items() {
		out.WriteString(path)
		for _, client := range it.(*value.List).Items {
			m := client.(*value.Map)
			var options []string
			for _, o := range m.List("options").Items {
				options = append(options, value.Str(o))
			}
			out.WriteString(" " + m.Str("hosts") + "(" + strings.Join(options, ",") + ")")
		}
		out.WriteString("\n")
	}
	return salt.OSError(sys.WriteFile(c.Sys, file, []byte(out.String()), sys.FileAttrs{}))
}

type delArgs struct {
	Exports string `py:"exports='/etc/exports'"` // the file
	Path    any    `py:"path=None"`              // the folder
}

// delExport removes a folder from the exports, and returns those that are
// left.
func delExport(c *salt.Ctx, a delArgs) (*value.Map, error) {
	all, err := listExports(c, listArgs{a.Exports})
	if err != nil {
		return nil, err
	}
	if _, ok := all.Pop(value.Str(a.Path)); !ok {
		return nil, value.Errorf("KeyError", "%s", value.Repr(a.Path))
	}
	return all, write(c, a.Exports, all)
}

type addArgs struct {
	Exports string `py:"exports='/etc/exports'"` // the file
	Path    any    `py:"path=None"`              // the folder
	Hosts   any    `py:"hosts=None"`             // who may mount it
	Options any    `py:"options=None"`           // a list of options
}

// addExport adds a folder or a client of it to the exports, and returns the
// client.
func addExport(c *salt.Ctx, a addArgs) (*value.Map, error) {
	hosts, ok := a.Hosts.(string)
	if !ok {
		return nil, value.Errorf("TypeError", "hosts argument must be a string")
	}
	options, ok := a.Options.(*value.List)
	switch {
	case a.Options == nil:
		options = value.L()
	case !ok:
		options = value.Strings(strings.Split(value.Str(a.Options), ","))
	}
	all, err := listExports(c, listArgs{a.Exports})
	if err != nil {
		return nil, err
	}
	path := value.Str(a.Path)
	if all.List(path) == nil {
		all.Set(path, value.L())
	}
	client := value.M("hosts", hosts, "options", options)
	all.List(path).Append(client)
	return client, write(c, a.Exports, all)
}

// reloadExports makes the server read the exports anew: stdout, stderr and
// result.
func reloadExports(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	r, err := command.Do(c, "exportfs", "-r")
	return value.M("stdout", r.Out, "stderr", r.Err, "result", r.Err == ""), err
}
