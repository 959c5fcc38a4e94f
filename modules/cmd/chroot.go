package cmd

import (
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
	"pinch/value/py"
)

type runChrootArgs struct {
	Root              string     `py:"root"`                         // the directory to chroot into
	Cmd               any        `py:"cmd"`                          // the command: a text, or a list of the program and its arguments
	Cwd               any        `py:"cwd=None"`                     // the working directory; None is the home of the user that runs it
	Stdin             any        `py:"stdin=None"`                   // what to write to the command's input
	Runas             any        `py:"runas=None"`                   // the user to run as, with its groups and login environment
	Group             any        `py:"group=None"`                   // the group to run as; needs sudo
	Shell             any        `py:"shell='/bin/bash'" unset:"''"` // the shell to run with; without it $SHELL, or /bin/sh
	PythonShell       any        `py:"python_shell=True"`            // run it with a shell (pipes, variables); the default is False in templates and True from the command line
	Binds             any        `py:"binds=None"`                   // directories to bind-mount into the chroot
	Env               any        `py:"env=None"`                     // environment variables: a mapping, or a list of mappings
	CleanEnv          bool       `py:"clean_env=False"`              // start from an empty environment instead of ours
	Template          any        `py:"template=None"`                // render it with this engine first, such as jinja
	Rstrip            bool       `py:"rstrip=True"`                  // drop white space at the end of the output
	Umask             any        `py:"umask=None"`                   // the umask, such as 022
	OutputEncoding    any        `py:"output_encoding=None"`         // how the output is encoded; None is UTF-8
	OutputLoglevel    any        `py:"output_loglevel='quiet'"`      // the level to log the output with; quiet logs neither output nor command
	LogCallback       any        `py:"log_callback=None"`            // for Python callers, ignored here
	HideOutput        bool       `py:"hide_output=False"`            // leave the output out of the return
	Timeout           any        `py:"timeout=None"`                 // seconds after which the command and its children are ended
	ResetSystemLocale any        `py:"reset_system_locale=True"`     // run with LC_* = C
	IgnoreRetcode     bool       `py:"ignore_retcode=False"`         // an exit code other than 0 is no failure: it is not logged and not reported
	Saltenv           any        `py:"saltenv=None"`                 // the environment that the template sees
	UseVt             bool       `py:"use_vt=False"`                 // show the output on the terminal as it comes
	Bg                bool       `py:"bg=False"`                     // do not wait for it; its output is dropped
	SuccessRetcodes   any        `py:"success_retcodes=None"`        // exit codes that count as 0 besides 0: a list, or a text with commas
	SuccessStdout     any        `py:"success_stdout=None"`          // texts of which one in stdout makes the exit code 0
	SuccessStderr     any        `py:"success_stderr=None"`          // texts of which one in stderr makes the exit code 0
	Kwargs            *value.Map `py:"**kwargs"`                     // pillar and pillarenv for the template, __pub_jid when called from the command line
}

// runChroot runs a command inside a chroot, with /dev, /proc and /sys mounted
// in it meanwhile, and ends what it left running there.
func runChroot(c *salt.Ctx, a runChrootArgs) (*value.Map, error) {
	system := []struct{ dir, fstype string }{{"dev", "devtmpfs"}, {"proc", "proc"}, {"sys", "sysfs"}}
	for _, m := range system {
		if err := mount(c, filepath.Join(a.Root, m.dir), m.fstype, value.M("fstype", m.fstype)); err != nil {
			return nil, err
		}
	}
	binds, _ := words(a.Binds)
	for _, b := range binds {
		if err := mount(c, filepath.Join(a.Root, b), b, value.M("opts", "default,bind")); err != nil {
			return nil, err
		}
	}
	sh := "/bin/sh"
	if sys.IsFile(c.Sys, filepath.Join(a.Root, "bin/bash")) {
		sh = "/bin/bash"
	}
	text := value.Str(a.Cmd)
	if w, ok := words(a.Cmd); ok {
		text = strings.Join(w, " ")
	}
	spec := ""
	if user := value.Str(orEmpty(a.Runas)); user != "" {
		spec = "--userspec " + user + ":" + value.Str(orEmpty(a.Group))
	}
	j := newJob(a)
	j.Cmd = "chroot " + spec + " " + a.Root + " " + sh + " -c " + py.ShellQuote(text)
	j.Runas, j.Group = nil, nil
	o, err := perform(c, j)
	endChroot(c, a.Root)
	for i := range binds {
		umount(c, filepath.Join(a.Root, binds[i]))
	}
	for i := range system {
		umount(c, filepath.Join(a.Root, system[len(system)-1-i].dir))
	}
	if err != nil {
		return nil, err
	}
	if a.HideOutput {
		o.stdout, o.stderr = "", ""
	}
	return o.ret(), nil
}

func mount(c *salt.Ctx, at, device string, kw *value.Map) error {
	_, err := c.CallKw("mount.mount", kw, at, device)
	return err
}

func umount(c *salt.Ctx, at string) {
	if _, err := c.Call("mount.umount", at); err != nil {
		c.Log.Error("umount " + at + ": " + err.Error())
	}
}

// endChroot ends the processes whose root is the chroot: first gently.
func endChroot(c *salt.Ctx, root string) {
	for i := range 6 {
		pids := chrootPids(c, root)
		if len(pids) == 0 {
			return
		}
		sig := syscall.SIGTERM
		if i >= 3 {
			sig = syscall.SIGKILL
		}
		for _, pid := range pids {
			c.Sys.Kill(pid, sig)
		}
	}
	if len(chrootPids(c, root)) > 0 {
		c.Log.Error("Processes running in chroot could not be killed, filesystem will remain mounted")
	}
}

func chrootPids(c *salt.Ctx, root string) []int {
	var pids []int
	entries, _ := c.Sys.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if at, err := c.Sys.Readlink("/proc/" + e.Name() + "/root"); err == nil && strings.HasPrefix(at, root) {
			pids = append(pids, pid)
		}
	}
	return pids
}
