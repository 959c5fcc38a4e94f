package salt

import "pinch/diag"

// Report notes mistakes in the user's files that a function found. The return
// has Salt's texts for them; whoever called prints these for a person, with
// place, line and hint.
func (r *Run) Report(mistakes ...*diag.Diagnostic) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reports = append(r.reports, mistakes...)
}

// Reports are the mistakes noted so far; they are handed out once.
func (r *Run) Reports() diag.List {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.reports
	r.reports = nil
	return l
}
