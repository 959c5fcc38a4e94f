package archive

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pinch/value/py"
)

// stripOption finds tar's option to strip folders anywhere in the options.
var stripOption = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`--strip(?:-components)?(?:\s+|=)["']?(\d+)["']?`)
})

func stripIn(options string) int {
	m := stripOption().FindStringSubmatch(options)
	if m == nil {
		return 0
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		return 0
	}
	return n
}

// tarWords are the options of the state as words; those that make tar name
// the files are left out, because it does anyway.
func tarWords(text string) ([]string, error) {
	w, err := py.ShellSplit(text)
	return slices.DeleteFunc(w, func(s string) bool { return s == "v" || s == "-v" || s == "--verbose" }), err
}

// native reads options of tar that need no tar. ok is false when one of them
// does: then the host's tar does the work.
func native(words []string, root bool) (o options, ok bool) {
	o = options{owners: true, masked: !root}
	for i := 0; i < len(words); i++ {
		name, val, has := strings.Cut(words[i], "=")
		switch name {
		case "--gzip", "--gunzip", "--ungzip", "--bzip2", "--xz", "--lzma", "--zstd", "--auto-compress", "--extract", "--get", "--same-owner", "--overwrite":
		case "--preserve-permissions", "--same-permissions":
			o.masked = false
		case "--no-same-permissions":
			o.masked = true
		case "--no-same-owner":
			o.owners = false
		case "--strip", "--strip-components":
			if !has {
				if i++; i == len(words) {
					return o, false
				}
				val = words[i]
			}
			n, err := strconv.Atoi(val)
			if err != nil || n < 0 {
				return o, false
			}
			o.strip = n
		default:
			letters := strings.TrimPrefix(words[i], "-")
			if strings.HasPrefix(letters, "-") || i > 0 && letters == words[i] || letters == "" || strings.Trim(letters, "xvfzjJap") != "" {
				return o, false
			}
			if strings.Contains(words[i], "f") && strings.HasPrefix(words[i], "-") {
				return o, false // the next word would be the archive
			}
			if strings.Contains(letters, "p") {
				o.masked = false
			}
		}
	}
	return o, true
}

// tarCommand is the call of the host's tar.
func tarCommand(words []string, archive string) []string {
	short, long := "xv", []string{}
	for i, w := range words {
		if i > 0 || strings.HasPrefix(w, "-") {
			long = append(long, w)
		} else {
			short += strings.NewReplacer("x", "", "f", "").Replace(w)
		}
	}
	return append(append([]string{"tar", short}, long...), "-f", archive)
}

// shown is a name as tar -v shows it in the C locale.
func shown(name string) string {
	plain := func(b byte) bool { return b >= 0x20 && b < 0x7f && b != '\\' }
	var b strings.Builder
	for i := range len(name) {
		switch c := name[i]; {
		case plain(c):
			b.WriteByte(c)
		case strings.IndexByte("\a\b\f\n\r\t\v\\", c) >= 0:
			b.WriteByte('\\')
			b.WriteByte("abfnrtv\\"[strings.IndexByte("\a\b\f\n\r\t\v\\", c)])
		default:
			b.WriteString("\\" + strconv.FormatInt(int64(c)|1<<9, 8)[1:])
		}
	}
	return b.String()
}
