package x509

import (
	"path/filepath"
	"regexp"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type getPemEntryArgs struct {
	Text    any `py:"text"`          // PEM text, or a file with it
	PemType any `py:"pem_type=None"` // the type of the entry, such as CERTIFICATE
}

// getPemEntry returns a tidy PEM entry of a text, with lines of 64 characters.
//
//	salt-call x509.get_pem_entry /etc/pki/my.pem
func getPemEntry(c *salt.Ctx, a getPemEntryArgs) ([]byte, error) {
	data, err := load(c, a.Text)
	if err != nil {
		return nil, err
	}
	return pemEntry(string(data), text(a.PemType))
}

func pemEntry(s, pemType string) ([]byte, error) {
	s = unfold(strings.ReplaceAll(s, `\n`, "\n"))
	kind := pemType
	if kind == "" {
		kind = "[0-9A-Z ]+"
	}
	form, err := regexp.Compile(`(?s)\s*(?P<head>-----BEGIN (?:` + kind + `)-----)\s+(?:(?P<proc>Proc-Type: 4,ENCRYPTED)\s*)?(?:(?P<dek>DEK-Info: (?:DES-[3A-Z\-]+,[0-9A-F]{16}|[0-9A-Z\-]+,[0-9A-F]{32}))\s*)?(?P<body>.+?)\s+(?P<foot>-----END (?:` + kind + `)-----)\s*`)
	if err != nil {
		return nil, salt.InvocationError("%s is no type of PEM entries: %s", pemType, err)
	}
	m := form.FindStringSubmatch(s)
	if m == nil {
		// The text may be a private key: it is not shown.
		if pemType != "" {
			return nil, salt.InvocationError("PEM does not contain a single entry of type %s:\n%s", pemType, hidden(s))
		}
		return nil, salt.InvocationError("PEM text not valid:\n%s", hidden(s))
	}
	part := func(name string) string { return m[form.SubexpIndex(name)] }
	var b strings.Builder
	b.WriteString(part("head") + "\n")
	if part("proc") != "" {
		b.WriteString(part("proc") + "\n")
	}
	if part("dek") != "" {
		b.WriteString(part("dek") + "\n\n")
	}
	body := strings.Join(strings.Fields(part("body")), "")
	for ; body != ""; body = body[min(64, len(body)):] {
		b.WriteString(body[:min(64, len(body))] + "\n")
	}
	b.WriteString(part("foot") + "\n")
	return []byte(b.String()), nil
}

// hidden is a text for a message: not that of a private key.
func hidden(s string) string {
	if strings.Contains(s, "PRIVATE KEY") {
		return "<private key>"
	}
	return s
}

// unfold breaks a PEM entry that is all on one line.
func unfold(s string) string {
	if len(strings.Split(strings.TrimSuffix(s, "\n"), "\n")) != 1 || !strings.HasPrefix(s, "-----") || !strings.HasSuffix(s, "-----") {
		return s
	}
	var lines []string
	for s != "" {
		switch end := strings.Index(s, "-----"); {
		case end == 0 && strings.Contains(s[5:], "-----"):
			n := 5 + strings.Index(s[5:], "-----") + 5
			lines, s = append(lines, s[:n]), s[n:]
		case end < 0 || end > 64:
			n := min(64, len(s))
			lines, s = append(lines, s[:n]), s[n:]
		default:
			n := max(end, 1)
			lines, s = append(lines, s[:n]), s[n:]
		}
	}
	return strings.Join(lines, "\n")
}

type getPemEntriesArgs struct {
	GlobPath any `py:"glob_path"` // files, as a shell pattern
}

// getPemEntries returns the tidy PEM entries of files, by path.
func getPemEntries(c *salt.Ctx, a getPemEntriesArgs) (*value.Map, error) {
	out := new(value.Map)
	for _, p := range glob(c, a.GlobPath) {
		data, err := getPemEntry(c, getPemEntryArgs{Text: p})
		if err != nil {
			return nil, err
		}
		out.Set(p, data)
	}
	return out, nil
}

// glob are the files that match a pattern.
func glob(c *salt.Ctx, pattern any) (files []string) {
	found, _ := filepath.Glob(text(pattern))
	for _, p := range found {
		if sys.IsFile(c.Sys, p) {
			files = append(files, p)
		}
	}
	return files
}

type writePemArgs struct {
	Text      any  `py:"text"`           // PEM text, or a file with it
	Path      any  `py:"path"`           // write it there instead of returning it
	Overwrite bool `py:"overwrite=True"` // replace a file that is there
	PemType   any  `py:"pem_type=None"`  // the type of the entry, such as CERTIFICATE
}

// writePem writes a PEM entry to a file that only its owner may read. Without
// overwrite a certificate keeps the file's private key and DH parameters.
func writePem(c *salt.Ctx, a writePemArgs) (string, error) {
	pemType, path := text(a.PemType), text(a.Path)
	src, err := load(c, a.Text)
	if err != nil {
		return "", err
	}
	data, err := pemEntry(string(src), pemType)
	if err != nil {
		return "", err
	}
	if pemType == "CERTIFICATE" && !a.Overwrite && sys.IsFile(c.Sys, path) {
		old, err := c.Sys.ReadFile(path)
		if err != nil {
			return "", err
		}
		if key, err := pemEntry(string(old), "(?:RSA )?PRIVATE KEY"); err == nil {
			data = append(key, data...)
		}
		if dh, err := pemEntry(string(old), "DH PARAMETERS"); err == nil {
			data = append(data, dh...)
		}
	}
	attrs := sys.FileAttrs{}
	if !sys.Exists(c.Sys, path) {
		mode := sys.Mode(0o600)
		attrs.Mode = &mode
	}
	if err := sys.WriteFile(c.Sys, path, data, attrs); err != nil {
		return "", err
	}
	return "PEM written to " + path, nil
}
