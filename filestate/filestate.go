// Package filestate is what states have in common that keep something of their
// own in a file, such as a key or a certificate, and leave the file itself
// (owner, mode, directories, backup) to file.managed, whose results they show
// as sub states.
//
//	s := filestate.State{Ctx: c, Name: a.Name, What: "private key", Args: file, Check: check, Make: make}
//	return s.Run()
package filestate

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// fileArguments are those that go to file.managed.
var fileArguments = []string{"user", "group", "mode", "attrs", "makedirs", "dir_mode", "backup", "create", "follow_symlinks", "check_cmd", "tmp_dir", "tmp_ext",
	"selinux", "file_encoding", "encoding_errors", "win_owner", "win_perms", "win_deny_perms", "win_inheritance", "win_perms_reset"}

// stateArguments are those of the state system, which no function wants.
var stateArguments = []string{"__agg__", "__env__", "__id__", "__orchestration_jid__", "__pub_arg", "__pub_fun", "__pub_fun_args", "__pub_id", "__pub_jid", "__pub_pid",
	"__pub_ret", "__pub_schedule", "__pub_tgt", "__pub_tgt_type", "__pub_user", "__sls__", "aggregate", "check_cmd", "failhard", "fire_event", "fun", "listen", "listen_in",
	"onchanges", "onchanges_any", "onchanges_in", "onfail", "onfail_all", "onfail_any", "onfail_in", "onfail_stop", "onlyif", "order", "parallel", "prereq", "prereq_in",
	"reload_grains", "reload_modules", "reload_pillar", "require", "require_any", "require_in", "retry", "runas", "runas_password", "saltenv", "shell", "sfun", "state",
	"unless", "umask", "use", "use_in", "watch", "watch_any", "watch_in", "cmd_opts_exclude", "name", "names", "__low__"}

// Split parts the arguments for file.managed from the others.
func Split(kw *value.Map) (file, rest *value.Map) {
	file, rest = value.M("show_changes", false), new(value.Map)
	for k, v := range kw.Items() {
		switch {
		case k == "file_encoding":
			file.Set("encoding", v)
		case slices.Contains(fileArguments, k):
			file.Set(k, v)
		case !slices.Contains(stateArguments, k) && !strings.HasPrefix(k, "__"):
			rest.Set(k, v)
		}
	}
	return file, rest
}

// A State is a file with something in it.
type State struct {
	Ctx     *salt.Ctx
	Name    string
	What    string     // for comments: certificate, private key …
	Args    *value.Map // arguments for file.managed
	Binary  bool       // the file is not text
	AnyFile bool       // a file of anything counts as one that is made anew
	subs    *value.List

	// Check compares the file, which exists, with what is wanted. current says
	// that it could be read, replace that it is something else altogether.
	Check func(path string) (changes *value.Map, current, replace bool, err error)
	// Make gives the new content for the changes.
	Make func(changes *value.Map) ([]byte, error)
}

// Run does what all such states do.
func (s *State) Run() salt.Result {
	r, err := s.reach()
	switch {
	case err == nil:
	case Explained(err):
		r = salt.Failed("%s", err)
	default:
		return salt.Raised(err)
	}
	r.Extra = s.Subs()
	return r
}

func (s *State) reach() (salt.Result, error) {
	good := salt.Correct("The %s is in the correct state", s.What)
	first, err := s.Manage(true, nil)
	if err != nil {
		return good, err
	}
	if first.Bad() {
		s.Note(first)
		return salt.Failed("Problem while testing file.managed changes, see its output"), nil
	}
	if strings.Contains(first.Comment, "is not present and is not set for creation") {
		s.Note(first)
		return good, nil
	}
	path, replace, exists, err := s.Resolve()
	if err != nil {
		return good, err
	}
	changes, current := value.M("created", s.Name), false
	if exists {
		var other bool
		if changes, current, other, err = s.Check(path); err != nil {
			return good, err
		}
		replace = replace || other
	}
	if replace {
		changes.Set("replaced", s.Name)
	}
	if changes.Len() == 0 && first.OK() && first.Changes.Len() == 0 {
		s.Note(first)
		return good, nil
	}
	verb := "create"
	if (current || s.AnyFile && exists) && changes.Len() > 0 {
		verb = "recreate"
	}
	if s.Ctx.Test {
		s.Note(first)
		if changes.Len() > 0 {
			return salt.Would(changes, "The %s would have been %sd", s.What, verb), nil
		}
		return good, nil
	}
	return s.perform(good, changes, current, verb)
}

// Resolve finds the file behind a link, or takes the link away where
// follow_symlinks is off.
func (s *State) Resolve() (path string, replace, exists bool, err error) {
	path = s.Name
	i, err := s.Ctx.Sys.Lstat(s.Name)
	if err != nil {
		return path, false, false, nil
	}
	if i.Mode()&fs.ModeSymlink != 0 {
		if v, ok := s.Args.Get("follow_symlinks"); ok && !value.Truth(v) {
			if !s.Ctx.Test {
				err = s.Ctx.Sys.Remove(s.Name)
			}
			return path, true, false, err
		}
		if real, err := s.Ctx.Sys.EvalSymlinks(s.Name); err == nil {
			path = real
		}
	}
	return path, false, sys.IsFile(s.Ctx.Sys, path), nil
}

func (s *State) perform(good salt.Result, changes *value.Map, current bool, verb string) (salt.Result, error) {
	r := good
	var data []byte
	if changes.Len() > 0 {
		var err error
		if data, err = s.Make(changes); err != nil {
			return r, err
		}
		r = salt.Changed(changes, "The %s has been %sd", s.What, verb)
	}
	kw := value.M("replace", false)
	if changes.Len() > 0 && !s.Binary {
		kw = value.M("replace", true, "contents", string(data))
	}
	sub, err := s.Manage(false, kw)
	if err != nil {
		return r, err
	}
	s.Note(sub)
	if !sub.Bad() && changes.Len() > 0 && s.Binary {
		// The file is there with its owner and mode; now comes the content.
		if sub, err = s.Manage(false, value.M("contents", data, "contents_newline", false)); err != nil {
			return r, err
		}
	}
	if sub.Bad() {
		word := "update"
		if !current {
			word = "create"
		}
		return salt.Failed("Could not %s file, see file.managed output", word), nil
	}
	return r, nil
}

// Manage calls file.managed with more arguments, as a test run or not.
func (s *State) Manage(test bool, more *value.Map) (salt.Result, error) {
	kw := s.Args.Shallow()
	if test {
		kw.Set("replace", false)
	}
	kw.Update(more)
	kw.Set("name", s.Name)
	r, err := s.Ctx.With(test || s.Ctx.Test).CallState(s.Ctx.With(test || s.Ctx.Test), "file.managed", kw)
	if err != nil {
		var x *value.Exception
		if errors.As(err, &x) && x.Class == "TypeError" {
			return r, err
		}
		return r, salt.CommandError("Failed running file.managed in the state: %s", err)
	}
	return r, nil
}

// Note adds a result of file.managed to those that the state shows.
func (s *State) Note(r salt.Result) {
	sub := r.Map(s.Name)
	sub.Set("low", value.M("name", s.Name, "state", "file", "__id__", s.Ctx.Low.At("__id__"), "fun", "managed"))
	if s.subs == nil {
		s.subs = value.L()
	}
	s.subs.Append(sub)
}

// Subs are the results of file.managed for the return of the state, nil if
// there are none.
func (s *State) Subs() *value.Map {
	if s.subs == nil {
		return nil
	}
	return value.M("sub_state_run", s.subs)
}

// Explained reports whether an error is one of Salt's two that states tell in
// their comment.
func Explained(err error) bool {
	var x *value.Exception
	return errors.As(err, &x) && (x.Class == "CommandExecutionError" || x.Class == "SaltInvocationError")
}
