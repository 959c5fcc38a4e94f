package render

import (
	"fmt"
	"time"

	"pinch/render/jinja"
)

// tags are the statements that Salt adds to Jinja.
var tags = map[string]jinja.Tag{
	"load_yaml":   loadTag(parseYAML),
	"load_json":   loadTag(parseJSON),
	"load_text":   loadTag(parseText),
	"import_yaml": importTag("yaml", parseYAML),
	"import_json": importTag("json", parseJSON),
	"import_text": importTag("text", parseText),
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

// profileTag is {% profile as "label" %}…{% endprofile %}: the time goes to the log.
func profileTag(p *jinja.Parser) (*jinja.TagNode, error) {
	p.Expect("as")
	label := p.Expr()
	var began time.Time
	n := &jinja.TagNode{Args: []jinja.Expr{label}, Body: p.Body("endprofile"), Print: true}
	n.Run = func(c *jinja.TagCall) (any, error) {
		if sc, ok := c.State.Data.(*scope); ok && len(c.Args) > 0 {
			sc.c.Log.Debug(fmt.Sprintf("Time (in seconds) to render profile block '%v': %f", c.Args[0], time.Since(began).Seconds()))
		}
		return nil, nil
	}
	return n, nil
}
