package jinja

import (
	"math/rand/v2"
	"strings"
	"unicode"

	"pinch/value/py"
)

const lipsumWords = "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna" +
	" aliqua enim ad minim veniam quis nostrud exercitation ullamco laboris nisi aliquip ex ea commodo consequat duis aute" +
	" irure in reprehenderit voluptate velit esse cillum eu fugiat nulla pariatur excepteur sint occaecat cupidatat non" +
	" proident sunt culpa qui officia deserunt mollit anim id est laborum"

// lipsum is the global lipsum(n=5, html=True, min=20, max=100): n paragraphs
// of filler text with min to max words each.
func lipsum(c *Call) (any, error) {
	n, lo, hi, html := 5, 20, 100, true
	for i, a := range c.Args {
		if i < 4 {
			c.setKw([]string{"n", "html", "min", "max"}[i], a)
		}
	}
	for k, v := range c.Kwargs.Items() {
		if k == "html" {
			b, err := c.State.Truth(v)
			if err != nil {
				return nil, err
			}
			html = b
			continue
		}
		i, err := py.AsIndex(v)
		if err != nil {
			return nil, err
		}
		switch k {
		case "n":
			n = int(i)
		case "min":
			lo = int(i)
		case "max":
			hi = int(i)
		default:
			return nil, Errorf("TypeError", "generate_lorem_ipsum() got an unexpected keyword argument '%s'", k)
		}
	}
	if hi <= lo {
		return nil, Errorf("ValueError", "empty range for randrange() (%d, %d, %d)", lo, hi, hi-lo)
	}
	if max(n, 0) > c.State.limits.String/(16*max(hi, 1)) {
		return nil, Errorf("MemoryError", "")
	}
	paragraphs := make([]string, 0, max(n, 0))
	for range n {
		paragraphs = append(paragraphs, paragraph(lo+rand.IntN(hi-lo)))
	}
	if !html {
		return strings.Join(paragraphs, "\n\n"), nil
	}
	if len(paragraphs) == 0 {
		return py.Markup(""), nil
	}
	return py.Markup("<p>" + strings.Join(paragraphs, "</p>\n<p>") + "</p>"), nil
}

func paragraph(n int) string {
	words := strings.Fields(lipsumWords)
	var b strings.Builder
	start, last := true, ""
	for i := range n {
		w := words[rand.IntN(len(words))]
		for w == last {
			w = words[rand.IntN(len(words))]
		}
		last = w
		if start {
			r := []rune(w)
			r[0] = unicode.ToUpper(r[0])
			w = string(r)
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w)
		start = false
		switch {
		case i == n-1:
			b.WriteByte('.')
		case i%13 == 12:
			b.WriteByte('.')
			start = true
		case i%5 == 4:
			b.WriteByte(',')
		}
	}
	return b.String()
}
