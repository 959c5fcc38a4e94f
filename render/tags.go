package render

import (
	"fmt"
	"time"

	"pinch/render/jinja"
	"pinch/render/saltfilters"
	"pinch/value"
)

// tags are the statements that Salt adds to Jinja.
var tags = map[string]jinja.Tag{
	"load_yaml":   loadTag(saltfilters.LoadYAML),
	"load_json":   loadTag(saltfilters.LoadJSON),
	"load_text":   loadTag(loadText),
	"import_yaml": importTag("yaml", saltfilters.LoadYAML),
	"import_json": importTag("json", saltfilters.LoadJSON),
	"import_text": importTag("text", loadText),
	"profile":     profileTag,
}

// loadTag is {% load_yaml as x %}…{% endload %}.
func loadTag(parse func(string) (any, error)) jinja.Tag {
	return func(p *jinja.Parser) (*jinja.TagNode, error) {
		p.Expect("as")
		return &jinja.TagNode{
			Target: p.Target(),
			Body:   p.Body("endload"),
			Run:    func(c *jinja.TagCall) (any, error) { return parse(c.Text) },
		}, nil
	}
}

// importTag is {% import_yaml "x.yaml" as x %}; the file is itself a template.
func importTag(format string, parse func(string) (any, error)) jinja.Tag {
	return func(p *jinja.Parser) (*jinja.TagNode, error) {
		n := &jinja.TagNode{Import: p.Expr()}
		p.Expect("as")
		n.Target = p.Target()
		n.WithContext = p.WithContext(false)
		n.Run = func(c *jinja.TagCall) (any, error) { return parse(c.Text) }
		return n, nil
	}
}

// loadText is what load_text and import_text make of a text.
func loadText(text string) (any, error) { return text, nil }

// profileTag is {% profile as "label" %}…{% endprofile %}: the time goes to the log.
func profileTag(p *jinja.Parser) (*jinja.TagNode, error) {
	p.Expect("as")
	return &jinja.TagNode{
		Args:  []jinja.Expr{p.Expr()},
		Body:  p.Body("endprofile"),
		Print: true,
		Start: func(c *jinja.TagCall) { c.Data = time.Now() },
		Run: func(c *jinja.TagCall) (any, error) {
			if sc, ok := c.State.Data.(*scope); ok {
				began, _ := c.Data.(time.Time)
				sc.c.Log.Debug(fmt.Sprintf("Time (in seconds) to render profile block '%s': %f", value.Str(c.Args[0]), time.Since(began).Seconds()))
			}
			return nil, nil
		},
	}, nil
}
