package yaml

import "pinch/diag"

// Diagnostic tells a user about the error: in file, at the place of the
// problem, with a note at the place where the broken part began.
func (e *Error) Diagnostic(file, text string) *diag.Diagnostic {
	d := &diag.Diagnostic{
		ID:      "yaml",
		Pos:     diag.Pos{File: file, Line: e.Line, Col: e.Col},
		Summary: e.Problem,
		Source:  text,
		Hint:    e.Hint(),
		Return:  RenderError(e, text),
		Err:     e,
	}
	if e.Context != "" && e.ContextLine > 0 && e.ContextLine != e.Line {
		d.Notes = []diag.Note{{Pos: diag.Pos{File: file, Line: e.ContextLine, Col: e.ContextCol}, Text: e.Context}}
	}
	return d
}
