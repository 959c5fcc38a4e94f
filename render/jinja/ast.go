package jinja

// A node is a piece of a parsed template; at is its byte offset.
type node interface{ at() int32 }

type off int32

func (o off) at() int32 { return int32(o) }

// Expressions.
type (
	nameExpr struct {
		off
		name  string
		store bool // an assignment target
	}
	constExpr struct {
		off
		v any
	}
	tupleExpr struct {
		off
		items []node
	}
	listExpr struct {
		off
		items []node
	}
	dictExpr struct {
		off
		keys, values []node
	}
	condExpr struct {
		off
		test, yes, no node // no may be nil
	}
	binExpr struct {
		off
		op   kind
		a, b node
	}
	unaryExpr struct {
		off
		op kind
		x  node
	}
	notExpr struct {
		off
		x node
	}
	logicExpr struct { // and, or
		off
		or   bool
		a, b node
	}
	compareExpr struct {
		off
		first node
		ops   []string // "==", "in", "not in" …
		rest  []node
	}
	concatExpr struct {
		off
		items []node
	}
	attrExpr struct {
		off
		x    node
		name string
	}
	itemExpr struct {
		off
		x, key node
	}
	sliceExpr struct {
		off
		start, stop, step node // may be nil
	}
	callExpr struct {
		off
		paren int32
		fn    node
		args  callArgs
	}
	filterExpr struct {
		off
		x    node // nil: the text of a block
		name string
		args callArgs
	}
	testExpr struct {
		off
		x    node
		name string
		args callArgs
	}
	nsRef struct { // namespace attribute as an assignment target
		off
		name, attr string
	}
)

type callArgs struct {
	args     []node
	kwNames  []string
	kwValues []node
	dynArgs  node // *args, may be nil
	dynKw    node // **kwargs, may be nil
}

// Statements.
type (
	dataNode struct {
		off
		text string
	}
	outputStmt struct {
		off
		items []node // dataNodes and expressions
	}
	ifStmt struct {
		off
		test  node
		body  []node
		elifs []*ifStmt
		els   []node
	}
	forStmt struct {
		off
		target, iter, test node // test may be nil
		recursive          bool
		body, els          []node
	}
	withStmt struct {
		off
		targets, values []node
		body            []node
	}
	setStmt struct {
		off
		target, value node
	}
	setBlock struct {
		off
		target, filter node // filter may be nil
		body           []node
	}
	signature struct {
		params   []*nameExpr
		defaults []node // of the last parameters
	}
	macroStmt struct {
		off
		signature
		name string
		body []node
	}
	callStmt struct {
		off
		signature
		call *callExpr
		body []node
	}
	filterStmt struct {
		off
		filter node
		body   []node
	}
	blockStmt struct {
		off
		name             string
		scoped, required bool
		body             []node
	}
	extendsStmt struct {
		off
		template node
	}
	includeStmt struct {
		off
		template                   node
		ignoreMissing, withContext bool
	}
	importStmt struct {
		off
		template    node
		target      string
		withContext bool
	}
	fromStmt struct {
		off
		template       node
		names, aliases []string
		withContext    bool
	}
	autoescapeStmt struct {
		off
		value node
		body  []node
	}
	doStmt struct {
		off
		x node
	}
	jumpStmt struct { // break, continue
		off
		brk bool
	}
	tagStmt struct {
		off
		tag  *TagNode
		name string
	}
)

func (a callArgs) each(visit func(node)) {
	eachNode(a.args, visit)
	eachNode(a.kwValues, visit)
	visitIf(a.dynArgs, visit)
	visitIf(a.dynKw, visit)
}

func eachNode(l []node, visit func(node)) {
	for _, n := range l {
		visit(n)
	}
}

func visitIf(n node, visit func(node)) {
	if n != nil {
		visit(n)
	}
}

// children visits the direct parts of n in the order of the text.
func children(n node, visit func(node)) {
	switch n := n.(type) {
	case *tupleExpr:
		eachNode(n.items, visit)
	case *listExpr:
		eachNode(n.items, visit)
	case *dictExpr:
		for i := range n.keys {
			visit(n.keys[i])
			visit(n.values[i])
		}
	case *condExpr:
		visit(n.test)
		visit(n.yes)
		visitIf(n.no, visit)
	case *binExpr:
		visit(n.a)
		visit(n.b)
	case *unaryExpr:
		visit(n.x)
	case *notExpr:
		visit(n.x)
	case *logicExpr:
		visit(n.a)
		visit(n.b)
	case *compareExpr:
		visit(n.first)
		eachNode(n.rest, visit)
	case *concatExpr:
		eachNode(n.items, visit)
	case *attrExpr:
		visit(n.x)
	case *itemExpr:
		visit(n.x)
		visit(n.key)
	case *sliceExpr:
		visitIf(n.start, visit)
		visitIf(n.stop, visit)
		visitIf(n.step, visit)
	case *callExpr:
		visit(n.fn)
		n.args.each(visit)
	case *filterExpr:
		visitIf(n.x, visit)
		n.args.each(visit)
	case *testExpr:
		visit(n.x)
		n.args.each(visit)
	default:
		childStatements(n, visit)
	}
}

func (s signature) each(visit func(node)) {
	for _, p := range s.params {
		visit(p)
	}
	eachNode(s.defaults, visit)
}

func childStatements(n node, visit func(node)) {
	switch n := n.(type) {
	case *outputStmt:
		eachNode(n.items, visit)
	case *ifStmt:
		visit(n.test)
		eachNode(n.body, visit)
		for _, e := range n.elifs {
			visit(e)
		}
		eachNode(n.els, visit)
	case *forStmt:
		visit(n.target)
		visit(n.iter)
		eachNode(n.body, visit)
		eachNode(n.els, visit)
		visitIf(n.test, visit)
	case *withStmt:
		eachNode(n.targets, visit)
		eachNode(n.values, visit)
		eachNode(n.body, visit)
	case *setStmt:
		visit(n.target)
		visit(n.value)
	case *setBlock:
		visit(n.target)
		visitIf(n.filter, visit)
		eachNode(n.body, visit)
	case *macroStmt:
		n.each(visit)
		eachNode(n.body, visit)
	case *callStmt:
		visit(n.call)
		n.each(visit)
		eachNode(n.body, visit)
	case *filterStmt:
		eachNode(n.body, visit)
		visit(n.filter)
	case *blockStmt:
		eachNode(n.body, visit)
	case *extendsStmt:
		visit(n.template)
	case *includeStmt:
		visit(n.template)
	case *importStmt:
		visit(n.template)
	case *fromStmt:
		visit(n.template)
	case *autoescapeStmt:
		visit(n.value)
		eachNode(n.body, visit)
	case *doStmt:
		visit(n.x)
	case *tagStmt:
		for _, a := range n.tag.Args {
			visit(a.n)
		}
		visitIf(n.tag.Import.n, visit)
		if n.tag.Body != nil {
			eachNode(n.tag.Body.nodes, visit)
		}
		visitIf(n.tag.Target.n, visit)
	}
}

// walk visits n and everything below it; enter says whether to go below.
func walk(n node, enter func(node) bool) {
	if enter(n) {
		children(n, func(c node) { walk(c, enter) })
	}
}

// leftmost is where the text of an expression begins.
func leftmost(n node) int32 {
	for {
		switch x := n.(type) {
		case *binExpr:
			n = x.a
		case *logicExpr:
			n = x.a
		case *compareExpr:
			n = x.first
		case *concatExpr:
			n = x.items[0]
		case *condExpr:
			n = x.yes
		case *attrExpr:
			n = x.x
		case *itemExpr:
			n = x.x
		case *callExpr:
			n = x.fn
		case *testExpr:
			n = x.x
		case *filterExpr:
			if x.x == nil {
				return x.at()
			}
			n = x.x
		default:
			return n.at()
		}
	}
}

// reported is where Jinja says that an expression stands.
func reported(n node) int32 {
	switch x := n.(type) {
	case *binExpr, *logicExpr, *compareExpr, *concatExpr, *condExpr:
		return leftmost(n)
	case *callExpr:
		return x.paren
	}
	return n.at()
}
