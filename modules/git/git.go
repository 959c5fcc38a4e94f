// Package git holds Salt's git module: it drives the git command. Its main
// variable is Module.
//
//	https://example.com/app.git:
//	  git.cloned:
//	    - target: /opt/app
package git

import (
	"errors"

	"pinch/salt"
)

// Module is Salt's git module.
var Module = salt.Module{
	Name: "git",
	States: func() salt.Funcs {
		return salt.Funcs{
			"cloned":       salt.State(cloned),
			"config_set":   salt.State(configSetState),
			"config_unset": salt.State(configUnsetState),
			"detached":     salt.State(detached),
			"latest":       salt.State(latest),
			"present":      salt.State(present),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"add":                   salt.Exec(add),
			"archive":               salt.Exec(archive),
			"branch":                salt.Exec(branch),
			"checkout":              salt.Exec(checkout),
			"clone":                 salt.Exec(clone),
			"commit":                salt.Exec(commit),
			"config_get":            salt.Exec(configGet),
			"config_get_regex":      salt.Exec(configGetRegex).Named("config_get_regexp"),
			"config_get_regexp":     salt.Exec(configGetRegexp),
			"config_set":            salt.Exec(configSet),
			"config_unset":          salt.Exec(configUnset),
			"current_branch":        salt.Exec(currentBranch),
			"describe":              salt.Exec(describe),
			"diff":                  salt.Exec(diff),
			"discard_local_changes": salt.Exec(discardLocalChanges),
			"fetch":                 salt.Exec(fetch),
			"init":                  salt.Exec(init_),
			"is_worktree":           salt.Exec(isWorktree),
			"list_branches":         salt.Exec(listBranches),
			"list_tags":             salt.Exec(listTags),
			"list_worktrees":        salt.Exec(listWorktrees),
			"ls_remote":             salt.Exec(lsRemote),
			"merge":                 salt.Exec(merge),
			"merge_base":            salt.Exec(mergeBase),
			"merge_tree":            salt.Exec(mergeTree),
			"pull":                  salt.Exec(pull),
			"push":                  salt.Exec(push),
			"rebase":                salt.Exec(rebase),
			"remote_get":            salt.Exec(remoteGet),
			"remote_refs":           salt.Exec(remoteRefs),
			"remote_set":            salt.Exec(remoteSet),
			"remotes":               salt.Exec(remotes),
			"reset":                 salt.Exec(reset),
			"rev_parse":             salt.Exec(revParse),
			"revision":              salt.Exec(revision),
			"rm":                    salt.Exec(rm).Named("rm_"),
			"stash":                 salt.Exec(stash),
			"status":                salt.Exec(status),
			"submodule":             salt.Exec(submodule),
			"symbolic_ref":          salt.Exec(symbolicRef),
			"tag":                   salt.Exec(tag),
			"version":               salt.Exec(version),
			"worktree_add":          salt.Exec(worktreeAdd),
			"worktree_prune":        salt.Exec(worktreePrune),
			"worktree_rm":           salt.Exec(worktreeRm),
		}
	},
	Virtual: func(c *salt.Ctx, kind string) error {
		if c.Sys.LookPath("git") == "" {
			return errors.New("The git execution module cannot be loaded: git unavailable.")
		}
		return nil
	},
}
