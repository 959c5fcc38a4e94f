package jinja

// A Tag parses a further statement; the word that begins it is read already.
// It reads up to, not including, the end of that tag, or has Body read what
// follows and the closing word.
//
//	// {% load_text as x %}…{% endload %}
//	"load_text": func(p *jinja.Parser) (*jinja.TagNode, error) {
//		p.Expect("as")
//		x := p.Target()
//		return &jinja.TagNode{Target: x, Body: p.Body("endload"), Run: func(c *jinja.TagCall) (any, error) {
//			return c.Text, nil
//		}}, nil
//	}
//
// The Parser's methods do not return when the template is wrong; the error
// result is for mistakes that the tag itself finds.
type Tag func(p *Parser) (*TagNode, error)

// A TagNode is a parsed Tag.
type TagNode struct {
	// Args are evaluated first, for TagCall.Args.
	Args []Expr
	// Import, when set, names a template whose text becomes TagCall.Text. With
	// WithContext it sees the variables of this one, as {% import %} does.
	Import      Expr
	WithContext bool
	// Body, when set, is rendered in its own scope and becomes TagCall.Text.
	// With Print it is written out as it is rendered, in the scope around it,
	// and Text stays empty.
	Body  *Body
	Print bool
	// Target, when set, is what the result of Run is assigned to, as by
	// {% set %}: a top-level target is exported.
	Target Expr
	// Start, when set, is called before the import and the body, with Args set;
	// TagCall.Data carries what it notes to Run.
	Start func(c *TagCall)
	// Run, when set, works on the text. A result without Target is dropped.
	Run func(c *TagCall) (any, error)
}

// A TagCall is one run of a TagNode.
type TagCall struct {
	State   *State
	Context *Context
	Args    []any
	Text    string // of the body or the imported template
	Data    any    // what Start left for Run
}

// An Expr is a parsed expression.
type Expr struct{ n node }

// A Body is a parsed part of a template.
type Body struct{ nodes []node }
