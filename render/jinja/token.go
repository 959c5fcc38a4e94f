package jinja

import "fmt"

// A kind is what sort of token it is. Operators are kinds of their own.
type kind uint8

const (
	tEOF kind = iota
	tError
	tData
	tBlockBegin
	tBlockEnd
	tVariableBegin
	tVariableEnd
	tName
	tString
	tInteger
	tFloat
	tAdd
	tSub
	tDiv
	tFloorDiv
	tMul
	tMod
	tPow
	tTilde
	tLBracket
	tRBracket
	tLParen
	tRParen
	tLBrace
	tRBrace
	tEq
	tNe
	tGt
	tGtEq
	tLt
	tLtEq
	tAssign
	tDot
	tColon
	tPipe
	tComma
	tSemicolon
)

// kindTexts is how messages call a kind.
var kindTexts = [...]string{
	tEOF: "end of template", tData: "template data / text",
	tBlockBegin: "begin of statement block", tBlockEnd: "end of statement block",
	tVariableBegin: "begin of print statement", tVariableEnd: "end of print statement",
	tName: "name", tString: "string", tInteger: "integer", tFloat: "float",
	tAdd: "+", tSub: "-", tDiv: "/", tFloorDiv: "//", tMul: "*", tMod: "%", tPow: "**", tTilde: "~",
	tLBracket: "[", tRBracket: "]", tLParen: "(", tRParen: ")", tLBrace: "{", tRBrace: "}",
	tEq: "==", tNe: "!=", tGt: ">", tGtEq: ">=", tLt: "<", tLtEq: "<=", tAssign: "=",
	tDot: ".", tColon: ":", tPipe: "|", tComma: ",", tSemicolon: ";",
}

func (k kind) String() string { return kindTexts[k] }

// A token is one piece of a template. Data, names and strings have a text,
// numbers a value.
type token struct {
	kind kind
	off  int32 // byte offset in the normalized text
	text string
	val  any
	err  error // of tError
}

// describe names the token in messages.
func (t token) describe() string {
	if t.kind == tName {
		return t.text
	}
	return t.kind.String()
}

func syntaxError(format string, a ...any) *Error {
	return &Error{Class: "TemplateSyntaxError", Message: fmt.Sprintf(format, a...)}
}
