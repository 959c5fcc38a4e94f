package file

import (
	"slices"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
	"pinch/value/py"
)

// patchCommand is the command that applies a patch to a file or folder.
func patchCommand(c *salt.Ctx, bin, target, patchFile string, options []string, dry bool) []string {
	cmd := append([]string{bin}, options...)
	if dry {
		cmd = append(cmd, "--dry-run")
	}
	if !slices.Contains(cmd, "-N") && !slices.Contains(cmd, "--forward") {
		cmd = append(cmd, "--forward")
	}
	has := func(ok func(string) bool) bool { return slices.ContainsFunc(cmd, ok) }
	if !has(func(o string) bool {
		return o == "-r" || strings.HasPrefix(o, "-r ") || strings.HasPrefix(o, "--reject-file")
	}) {
		cmd = append(cmd, "--reject-file=-")
	}
	cmd = append(cmd, "-i", patchFile)
	if !sys.IsDir(c.Sys, target) {
		return append(cmd, target)
	}
	cmd = append(cmd, "-d", target)
	if !has(func(o string) bool { return strings.HasPrefix(o, "-p") || strings.HasPrefix(o, "--strip=") }) {
		cmd = append(cmd, "--strip=0")
	}
	return cmd
}

func runPatch(c *salt.Ctx, target, patchFile string, options []string, dry bool) (*value.Map, error) {
	bin := c.Sys.LookPath("patch")
	if bin == "" {
		return nil, salt.CommandError("patch executable not found. Is the distribution's patch package installed?")
	}
	v, err := c.CallKw("cmd.run_all", value.M("python_shell", false), value.Strings(patchCommand(c, bin, target, patchFile, options, dry)))
	m, _ := v.(*value.Map)
	return m, err
}

type patchExecArgs struct {
	Original string `py:"originalfile"`  // the file or folder to patch
	Patch    string `py:"patchfile"`     // the patch
	Options  any    `py:"options=''"`    // options for patch(1)
	DryRun   bool   `py:"dry_run=False"` // changes nothing
}

// patchExec applies a patch with patch(1) and returns what the command said.
func patchExec(c *salt.Ctx, a patchExecArgs) (*value.Map, error) {
	opts, err := optionWords(a.Options)
	if err != nil {
		return nil, err
	}
	return runPatch(c, a.Original, a.Patch, opts, a.DryRun)
}

// optionWords are the words of options: a list, or a text as a shell splits it.
func optionWords(v any) ([]string, error) {
	if s, ok := v.(string); ok {
		return py.ShellSplit(s)
	}
	if !value.Truth(v) {
		return nil, nil
	}
	return stringList(v), nil
}

type patchArgs struct {
	Name       string     `py:"name"`                  // the file or folder to patch
	Source     any        `py:"source=None"`           // the patch: salt://, a path, a URL, or a list of which the first that exists counts
	Hash       any        `py:"source_hash=None"`      // the digest of a patch from outside of the tree
	HashName   any        `py:"source_hash_name=None"` // the name to look for in a hash file
	SkipVerify bool       `py:"skip_verify=False"`     // needs no source_hash for a download
	Template   string     `py:"template=None"`         // the language of the patch, such as jinja
	Context    any        `py:"context=None"`          // what the template sees
	Defaults   any        `py:"defaults=None"`         // what it sees where context has nothing
	Options    any        `py:"options=''"`            // options for patch(1)
	Rejects    *string    `py:"reject_file=None"`      // where hunks go that do not fit
	Strip      any        `py:"strip=None"`            // how many folders are taken off the paths in the patch, for a folder
	Env        *string    `py:"saltenv=None"`          // the environment of the source
	Kwargs     *value.Map `py:"**kwargs"`              // hash and dry_run_first are of no effect any more
}

// patch applies a patch to a file, or to the files of a folder, with patch(1).
// One that was applied already is no change.
//
//	/opt/app/main.conf:
//	  file.patch:
//	    - source: salt://app/main.patch
func patch(c *salt.Ctx, a patchArgs) salt.Result {
	p := &patching{patchArgs: a, name: expandUser(c, a.Name)}
	r := p.run(c)
	r.Warnings = append(r.Warnings, p.warnings...)
	return r // which has the name as it was given
}

// patching is one run of file.patch.
type patching struct {
	patchArgs
	name     string
	dir      bool
	options  []string
	strip    *int64
	warnings []string
	temps    []string
}

func (p *patching) run(c *salt.Ctx) salt.Result {
	if msg := p.check(c); msg != "" {
		return salt.Failed("%s", msg)
	}
	if msg := p.readOptions(); msg != "" {
		return salt.Failed("%s", msg)
	}
	source, _, err := chooseSource(c, p.Source, p.Hash, c.Env)
	if err != nil {
		return salt.Failed("%s", text(err))
	}
	url := argText(source)
	if p.Env != nil && strings.HasPrefix(url, "salt://") {
		if _, env := splitEnv(url); env != "" && env != *p.Env {
			p.warnings = append(p.warnings, "Ignoring 'saltenv' option in favor of saltenv included in the source URL.")
		}
	}
	// The patch is fetched and tried on copies under test=True too.
	real := c.With(false)
	defer func() {
		for _, t := range p.temps {
			real.Sys.Remove(t)
		}
	}()
	return p.apply(c, real, url)
}

// env is the environment of a source that names none itself.
func (p *patching) env(c *salt.Ctx) string {
	if p.Env != nil {
		return *p.Env
	}
	return c.Env
}

func (p *patching) check(c *salt.Ctx) string {
	for _, old := range []string{"hash", "dry_run_first"} {
		if p.Kwargs.Has(old) {
			p.warnings = append(p.warnings, "The '"+old+"' argument is no longer used and has been ignored.")
		}
	}
	switch {
	case c.Sys.LookPath("patch") == "":
		return "patch executable not found on minion"
	case p.name == "":
		return "A file/directory to be patched is required"
	case !isAbs(p.name):
		return p.name + " is not an absolute path"
	case !sys.Exists(c.Sys, p.name):
		return p.name + " does not exist"
	}
	p.dir = sys.IsDir(c.Sys, p.name)
	if p.Rejects == nil {
		return ""
	}
	switch dir := dirName(*p.Rejects); {
	case !isAbs(dir):
		return "'" + *p.Rejects + "' is not an absolute path"
	case !sys.IsDir(c.Sys, dir):
		return "Parent directory for reject_file '" + *p.Rejects + "' either does not exist, or is not a directory"
	}
	return ""
}

// readOptions takes strip out of the options and refuses those that this
// state sets itself.
func (p *patching) readOptions() string {
	words, err := optionWords(p.Options)
	if err != nil {
		return text(err)
	}
	if p.Strip != nil {
		n, err := intArg(p.Strip)
		if err != nil {
			return text(err)
		}
		p.strip = &n
	}
	var refused []string
	for i := 0; i < len(words); i++ {
		o := words[i]
		for _, bad := range []string{"-N", "--forward", "-r", "--reject-file", "-o", "--output"} {
			if strings.HasPrefix(o, bad) {
				refused = append(refused, o)
				break
			}
		}
		n, isStrip, msg := "", true, "Invalid format for '-strip' CLI option. Consider using the 'strip' option for this state."
		switch {
		case strings.HasPrefix(o, "-p"):
			n, msg = o[2:], "Invalid format for '-p' CLI option. Consider using the 'strip' option for this state."
		case strings.HasPrefix(o, "--strip") && strings.Contains(o, "="):
			n = o[strings.LastIndexByte(o, '=')+1:]
		case strings.HasPrefix(o, "--strip"):
			if i++; i < len(words) {
				n = words[i]
			}
		default:
			isStrip = false
		}
		if !isStrip {
			p.options = append(p.options, o)
			continue
		}
		v, err := intArg(n)
		if err != nil {
			return msg
		}
		p.strip = &v
	}
	if refused != nil {
		return "The following CLI options are not allowed: " + strings.Join(refused, ", ")
	}
	return ""
}

func (p *patching) temp(c *salt.Ctx) (string, error) {
	t, err := tempName(c, "", "")
	p.temps = append(p.temps, t)
	return t, err
}

func (p *patching) apply(c, real *salt.Ctx, url string) salt.Result {
	d, _ := p.Defaults.(*value.Map)
	x, _ := p.Context.(*value.Map)
	f := &fetch{name: p.name, source: url, hash: p.Hash, hashName: argText(p.HashName), env: p.env(c), template: p.Template,
		skipVerify: p.SkipVerify, vars: layer(d, x)}
	t, msg, err := f.get(real)
	if err == nil && msg == "" && t == nil {
		msg = "Source file '' not found"
	}
	if err != nil || msg != "" {
		if err != nil {
			msg = text(err)
		}
		return salt.Failed("Unable to manage file: %s", msg)
	}
	m := &managing{content: t, name: p.name}
	if bad := m.verify(real, p.name, ""); bad != nil {
		return *bad
	}
	file, err := p.temp(real)
	if err == nil {
		err = m.write(real, file, sys.FileAttrs{})
	}
	if err != nil {
		return salt.Failed("%s", text(err))
	}
	return p.tryThenDo(c, real, file)
}

// tryThenDo applies the patch to a throw-away output first.
func (p *patching) tryThenDo(c, real *salt.Ctx, file string) salt.Result {
	rejects := ""
	var err error
	if p.Rejects != nil {
		rejects = *p.Rejects
	} else if rejects, err = p.temp(real); err != nil {
		return salt.Failed("%s", text(err))
	}
	output, err := p.temp(real)
	if err != nil {
		return salt.Failed("%s", text(err))
	}
	var strip []string
	if p.dir && p.strip != nil {
		strip = []string{"-p" + strconv.FormatInt(*p.strip, 10)}
	}
	try := append(append(slices.Clone(p.options), "-N", "-r", rejects, "-o", output), strip...)
	pre, err := runPatch(real, p.name, file, try, false)
	if err != nil {
		return salt.Failed("%s", text(err))
	}
	if code, _ := intArg(pre.At("retcode")); code != 0 {
		return p.refused(c, real, rejects, pre, code)
	}
	if c.Test {
		return salt.Would(pre, "The patch would be applied")
	}
	done, err := runPatch(real, p.name, file, append(slices.Clone(p.options), strip...), false)
	if err != nil {
		return salt.Failed("%s", text(err))
	}
	if code, _ := intArg(done.At("retcode")); code != 0 {
		r := salt.Failed("Failed to apply patch")
		r.Changes = done
		return r
	}
	return salt.Changed(done, "Patch successfully applied")
}

// refused tells a patch that was applied before from one that does not fit.
func (p *patching) refused(c, real *salt.Ctx, rejects string, pre *value.Map, code int64) salt.Result {
	if i, err := real.Sys.Stat(rejects); err != nil || i.Size() == 0 {
		return salt.Failed("%s", pre.Str("stderr"))
	}
	back, err := runPatch(real, p.name, rejects, append(slices.Clone(p.options), "-R", "-f"), true)
	if err != nil {
		return salt.Failed("%s", text(err))
	}
	reverted, _ := intArg(back.At("retcode"))
	switch {
	case code == 2 && pre.Str("stderr") != "":
		return salt.Failed("%s", pre.Str("stderr"))
	case reverted == 0:
		return salt.Correct("Patch was already applied")
	}
	msg := "Patch would not apply cleanly, no changes made. Results of dry-run are below."
	if p.Rejects == nil {
		msg += " Run state again using the reject_file option to save rejects to a persistent file."
	}
	return salt.Failed("%s\n\n%s", msg, nestedText(pre, 14))
}

// nestedText lists a command's result as the outputter nested does without colour.
func nestedText(m *value.Map, indent int) string {
	pad := strings.Repeat(" ", indent)
	out := []string{pad + "----------"}
	for k, v := range m.Items() {
		out = append(out, pad+k+":")
		for _, l := range splitNewline(value.Str(v)) {
			out = append(out, pad+"    "+strings.TrimRight(l, "\n"))
		}
	}
	return strings.Join(out, "\n")
}
