package jinja

import (
	"context"

	"pinch/value"
)

// An Input is what one render is given.
type Input struct {
	Vars    *value.Map // variables of the template; imports without context do not see them
	Globals *value.Map // further globals, over those of the Env
	End     string     // text that follows the template's own output
	Data    any        // for the caller's loader, filters and functions, as State.Data
	// Types names the Python class of an object whose attribute or item is missing; "" leaves it to TypeName. It may be nil.
	Types func(obj any) string
}

// A State is one running render with all that it imports.
type State struct {
	Env  *Env
	Data any // Input.Data

	ctx     context.Context
	types   func(any) string
	limits  Limits
	steps   int
	depth   int
	globals *value.Map            // over Env.Globals; replaced, never changed
	modules map[*Template]*Module // imported without context
}

func newState(ctx context.Context, e *Env, in Input) *State {
	s := &State{Env: e, Data: in.Data, ctx: ctx, types: in.Types, limits: e.Limits.orDefault(), globals: in.Globals}
	s.steps = s.limits.Steps
	return s
}

// Context is the render's context.Context.
func (s *State) Context() context.Context { return s.ctx }

// Limits are the bounds of this render, without zero fields.
func (s *State) Limits() Limits { return s.limits }

// SetGlobal adds a global for templates that begin to run from now on, as an
// import does; those that run already keep what they see.
func (s *State) SetGlobal(name string, v any) {
	g := s.globals.Shallow()
	g.Set(name, v)
	s.globals = g
}

// Global is a global as templates that begin to run now see it.
func (s *State) Global(name string) (any, bool) {
	if v, ok := s.globals.Get(name); ok {
		return v, true
	}
	return s.Env.Globals.Get(name)
}

// Step counts one turn of work and fails when the render took too many or was
// cancelled. Long loops in filters and functions call it.
func (s *State) Step() error {
	s.steps--
	if s.steps&1023 == 0 || s.steps < 0 {
		return s.checkSteps()
	}
	return nil
}

func (s *State) checkSteps() error {
	if s.steps < 0 {
		return value.Errorf("TemplateRuntimeError", "the template takes too long: more than %d loop turns and calls", s.limits.Steps)
	}
	if s.ctx != nil && s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	return nil
}

// enter goes one call deeper; leave comes back.
func (s *State) enter() error {
	if s.depth >= s.limits.Depth {
		return value.Errorf("RecursionError", "maximum recursion depth exceeded in comparison")
	}
	s.depth++
	return s.Step()
}

func (s *State) leave() { s.depth-- }
