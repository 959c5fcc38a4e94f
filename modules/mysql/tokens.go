package mysql

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

// lex splits a grant into words: names, quoted texts with their quotes, and
// single signs.
func lex(text string) []string {
	var out []string
	for i := 0; i < len(text); {
		ch := text[i]
		j := i + 1
		switch {
		case strings.IndexByte(" \t\r\n", ch) >= 0:
			i++
			continue
		case ch == '\'' || ch == '`':
			// A doubled quote begins a word of its own, which is joined again later.
			if end := strings.IndexByte(text[j:], ch); end >= 0 {
				j += end + 1
			} else {
				j = len(text)
			}
		case isWord(ch):
			for j < len(text) && (isWord(text[j]) || text[j] == '\'' || text[j] == '`') {
				j++
			}
		}
		out = append(out, text[i:j])
		i = j
	}
	return out
}

func isWord(ch byte) bool {
	return ch == '_' || ch == '"' || ch >= '0' && ch <= '9' || ch >= 'A' && ch <= 'Z' || ch >= 'a' && ch <= 'z'
}

// A grant is what a GRANT statement says.
type grant struct {
	user, host, database string
	privileges           []string
}

// parseGrant reads a GRANT statement. A privilege on a column is
// PRIVILEGE.COLUMN; database has its quotes.
func parseGrant(text string) grant {
	var g grant
	words := lex(text)
	if len(words) > 0 {
		words = words[1:]
	}
	i, inColumns, last := 0, false, ""
	var phrase []string
	end := func() {
		if len(phrase) == 0 {
			return
		}
		name := strings.Join(phrase, " ")
		if inColumns {
			name = last + "." + name
		} else {
			last = name
		}
		g.privileges = append(g.privileges, name)
		phrase = nil
	}
	for ; i < len(words) && words[i] != "ON"; i++ {
		switch words[i] {
		case ",", "(", ")":
			end()
			if words[i] != "," {
				inColumns = words[i] == "("
			}
		default:
			phrase = append(phrase, words[i])
		}
	}
	end()
	for i++; i < len(words) && words[i] != "TO"; i++ {
		g.database += words[i]
	}
	for i++; i < len(words) && words[i] != "@"; i++ {
		g.user += words[i]
	}
	if i++; i < len(words) {
		g.host = strings.Trim(words[i], "'")
	}
	g.user = strings.Trim(g.user, "'")
	return g
}

type tokenizeArgs struct {
	Grant string `py:"grant"` // a GRANT statement
}

// tokenizeGrant returns what a GRANT statement says: user, host, grant (a list)
// and database.
func tokenizeGrant(_ *salt.Ctx, a tokenizeArgs) (*value.Map, error) {
	g := parseGrant(a.Grant)
	return value.M("user", g.user, "host", g.host, "grant", value.Strings(g.privileges), "database", g.database), nil
}

// bare is a name without quotes and escapes.
func bare(name string) string {
	return strings.NewReplacer(`"`, "", `\`, "", "`", "").Replace(name)
}
