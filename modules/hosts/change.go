package hosts

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type addHostArgs struct {
	IP    string `py:"ip"`    // the address
	Alias string `py:"alias"` // the name
}

// addHost adds a name to an address. The file is written anew, with one line
// for each address.
func addHost(c *salt.Ctx, a addHostArgs) (bool, error) {
	hosts, err := load(c)
	if err != nil {
		return false, err
	}
	entry := hosts.Map(a.IP)
	if contains(aliases(entry), a.Alias) {
		return true, nil
	}
	if entry == nil {
		entry = value.M("aliases", value.L())
		hosts.Set(a.IP, entry)
	}
	entry.List("aliases").Append(a.Alias)
	return true, write(c, text(hosts))
}

type setCommentArgs struct {
	IP      string `py:"ip"`      // the address
	Comment string `py:"comment"` // the comment
}

// setComment sets the comment behind an address; False when there is no such
// address.
func setComment(c *salt.Ctx, a setCommentArgs) (bool, error) {
	hosts, err := load(c)
	entry := hosts.Map(a.IP)
	if entry == nil || err != nil {
		return false, err
	}
	if entry.At("comment") == a.Comment {
		return true, nil
	}
	entry.Set("comment", a.Comment)
	return true, write(c, text(hosts))
}

type setHostArgs struct {
	IP      string `py:"ip"`           // the address
	Alias   string `py:"alias"`        // the names, with spaces between; nothing removes the address
	Comment any    `py:"comment=None"` // a comment to put behind it
}

// setHost sets all names of an address. Other lines stay as they are.
func setHost(c *salt.Ctx, a setHostArgs) (bool, error) {
	old, err := read(c)
	if err != nil {
		return false, err
	}
	line := a.IP + "\t\t" + a.Alias
	if value.Truth(a.Comment) {
		line += "\t\t# " + value.Str(a.Comment)
	}
	line += "\n"
	if strings.TrimSpace(a.Alias) == "" {
		line = ""
	}
	return true, write(c, withHost(old, a.IP, line))
}

// withHost puts a line in the place of the address's first, and drops its
// others.
func withHost(text, ip, line string) string {
	var b strings.Builder
	done := false
	for l := range strings.Lines(text) {
		words := strings.Fields(l)
		if len(words) == 0 || words[0] != ip {
			b.WriteString(l)
			continue
		}
		if !done {
			b.WriteString(line)
		}
		done = true
	}
	if !done {
		if b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
			b.WriteByte('\n')
		}
		b.WriteString(line)
	}
	return b.String()
}

type rmHostArgs struct {
	IP    string `py:"ip"`    // the address
	Alias string `py:"alias"` // the name
}

// rmHost removes a name from an address. Other lines stay as they are.
func rmHost(c *salt.Ctx, a rmHostArgs) (bool, error) {
	old, err := read(c)
	if err != nil || !contains(aliases(parse(old).Map(a.IP)), a.Alias) {
		return err == nil, err
	}
	return true, write(c, withoutHost(old, a.IP, a.Alias))
}

func withoutHost(text, ip, alias string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		line := strings.TrimSpace(l)
		entry, comment, _ := strings.Cut(line, "#")
		words := strings.Fields(entry)
		if line == "" || line[0] == '#' || words[0] != ip {
			b.WriteString(l)
			continue
		}
		names := ""
		for _, w := range words[1:] {
			if w != alias {
				names += w + " "
			}
		}
		if names == "" {
			continue
		}
		b.WriteString(ip + "\t\t" + names)
		if comment = strings.TrimLeft(comment, " \t"); comment != "" {
			b.WriteString("# " + comment)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
