package cmd

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
	"unicode/utf16"

	"pinch/salt"
	"pinch/value"
)

type powershellArgs struct {
	Cmd               any        `py:"cmd"`                      // the command: a text, or a list of the program and its arguments
	Cwd               any        `py:"cwd=None"`                 // the working directory; None is the home of the user that runs it
	Stdin             any        `py:"stdin=None"`               // what to write to the command's input
	Runas             any        `py:"runas=None"`               // the user to run as, with its groups and login environment
	Shell             string     `py:"shell='powershell'"`       // the program: powershell or pwsh
	Env               any        `py:"env=None"`                 // environment variables: a mapping, or a list of mappings
	CleanEnv          bool       `py:"clean_env=False"`          // start from an empty environment instead of ours
	Template          any        `py:"template=None"`            // render it with this engine first, such as jinja
	Rstrip            bool       `py:"rstrip=True"`              // drop white space at the end of the output
	Umask             any        `py:"umask=None"`               // the umask, such as 022
	OutputEncoding    any        `py:"output_encoding=None"`     // how the output is encoded; None is UTF-8
	OutputLoglevel    any        `py:"output_loglevel='debug'"`  // the level to log the output with; quiet logs neither output nor command
	HideOutput        bool       `py:"hide_output=False"`        // leave the output out of the return
	Timeout           any        `py:"timeout=None"`             // seconds after which the command and its children are ended
	ResetSystemLocale any        `py:"reset_system_locale=True"` // run with LC_* = C
	IgnoreRetcode     bool       `py:"ignore_retcode=False"`     // an exit code other than 0 is no failure: it is not logged and not reported
	Saltenv           any        `py:"saltenv=None"`             // the environment that the template sees
	UseVt             bool       `py:"use_vt=False"`             // show the output on the terminal as it comes
	Password          any        `py:"password=None"`            // for Windows only, ignored here
	Depth             any        `py:"depth=None"`               // how deep ConvertTo-JSON goes
	EncodeCmd         bool       `py:"encode_cmd=False"`         // hand the command over in base64
	SuccessRetcodes   any        `py:"success_retcodes=None"`    // exit codes that count as 0 besides 0: a list, or a text with commas
	SuccessStdout     any        `py:"success_stdout=None"`      // texts of which one in stdout makes the exit code 0
	SuccessStderr     any        `py:"success_stderr=None"`      // texts of which one in stderr makes the exit code 0
	Kwargs            *value.Map `py:"**kwargs"`                 // pillar and pillarenv for the template, __pub_jid when called from the command line
}

// powershell runs a PowerShell command and returns its result as data.
//
//	salt-call cmd.powershell '$PSVersionTable.PSVersion' shell=pwsh
func powershell(c *salt.Ctx, a powershellArgs) (any, error) {
	text := "try { " + psText(a.Cmd) + " | ConvertTo-JSON " + psDepth(a.Depth) + " } catch { Write-Error $_ }"
	j := newJob(a)
	o, err := psRun(c, j, a.Shell, text, a.EncodeCmd)
	if err != nil {
		return nil, err
	}
	out := o.stdout
	if a.HideOutput {
		out = ""
	}
	v, err := value.ParseJSON(psJSON(out))
	if err != nil {
		c.Log.Error("Error converting PowerShell JSON return")
		return new(value.Map), nil
	}
	return v, nil
}

type powershellAllArgs struct {
	Cmd               any        `py:"cmd"`                      // the command: a text, or a list of the program and its arguments
	Cwd               any        `py:"cwd=None"`                 // the working directory; None is the home of the user that runs it
	Stdin             any        `py:"stdin=None"`               // what to write to the command's input
	Runas             any        `py:"runas=None"`               // the user to run as, with its groups and login environment
	Shell             string     `py:"shell='powershell'"`       // the program: powershell or pwsh
	Env               any        `py:"env=None"`                 // environment variables: a mapping, or a list of mappings
	CleanEnv          bool       `py:"clean_env=False"`          // start from an empty environment instead of ours
	Template          any        `py:"template=None"`            // render it with this engine first, such as jinja
	Rstrip            bool       `py:"rstrip=True"`              // drop white space at the end of the output
	Umask             any        `py:"umask=None"`               // the umask, such as 022
	OutputEncoding    any        `py:"output_encoding=None"`     // how the output is encoded; None is UTF-8
	OutputLoglevel    any        `py:"output_loglevel='debug'"`  // the level to log the output with; quiet logs neither output nor command
	Quiet             bool       `py:"quiet=False"`              // leave the output out of the log
	Timeout           any        `py:"timeout=None"`             // seconds after which the command and its children are ended
	ResetSystemLocale any        `py:"reset_system_locale=True"` // run with LC_* = C
	IgnoreRetcode     bool       `py:"ignore_retcode=False"`     // an exit code other than 0 is no failure: it is not logged and not reported
	Saltenv           any        `py:"saltenv=None"`             // the environment that the template sees
	UseVt             bool       `py:"use_vt=False"`             // show the output on the terminal as it comes
	Password          any        `py:"password=None"`            // for Windows only, ignored here
	Depth             any        `py:"depth=None"`               // how deep ConvertTo-JSON goes
	EncodeCmd         bool       `py:"encode_cmd=False"`         // hand the command over in base64
	ForceList         bool       `py:"force_list=False"`         // always return a list
	SuccessRetcodes   any        `py:"success_retcodes=None"`    // exit codes that count as 0 besides 0: a list, or a text with commas
	SuccessStdout     any        `py:"success_stdout=None"`      // texts of which one in stdout makes the exit code 0
	SuccessStderr     any        `py:"success_stderr=None"`      // texts of which one in stderr makes the exit code 0
	Kwargs            *value.Map `py:"**kwargs"`                 // pillar and pillarenv for the template, __pub_jid when called from the command line
}

// powershellAll runs a PowerShell command and returns pid, retcode, stderr and
// its result as data.
func powershellAll(c *salt.Ctx, a powershellAllArgs) (*value.Map, error) {
	text := psText(a.Cmd) + " | ConvertTo-JSON" + psDepth(a.Depth)
	j := newJob(a)
	if a.Quiet {
		j.OutputLoglevel = "quiet"
	}
	o, err := psRun(c, j, a.Shell, text, a.EncodeCmd)
	if err != nil {
		return nil, err
	}
	ret := o.ret()
	ret.Pop("stdout")
	if strings.Contains(o.stderr, "CLIXML") {
		ret.Set("stderr", "")
	}
	if o.stdout == "" {
		if a.ForceList {
			ret.Set("result", value.L())
		}
		return ret, nil
	}
	v, err := value.ParseJSON(psJSON(o.stdout))
	if err != nil {
		return nil, salt.CommandError("cmd.powershell_all cannot parse the Powershell output.")
	}
	if _, isList := v.(*value.List); a.ForceList && !isList {
		v = value.L(v)
	}
	ret.Set("result", v)
	return ret, nil
}

func psRun(c *salt.Ctx, j *job, program, text string, encode bool) (*outcome, error) {
	if program != "powershell" && program != "pwsh" {
		return nil, salt.CommandError("Must specify a valid powershell binary. Must be 'powershell' or 'pwsh'")
	}
	path := c.Sys.LookPath(program)
	if path == "" {
		return nil, salt.CommandError("The shell %s is not available", program)
	}
	argv := []string{path, "-NonInteractive", "-NoProfile", "-ExecutionPolicy", "Bypass"}
	if encode {
		argv = append(argv, "-EncodedCommand", psEncode("$ProgressPreference='SilentlyContinue'; "+text))
	} else {
		argv = append(argv, "-Command", text)
	}
	j.Cmd, j.Shell, j.PythonShell = value.Strings(argv), "", false
	return perform(c, j)
}

func psText(cmd any) string {
	if w, ok := words(cmd); ok {
		return strings.Join(w, " ")
	}
	return value.Str(cmd)
}

func psDepth(depth any) string {
	if depth == nil {
		return ""
	}
	return " -Depth " + value.Str(depth)
}

// psEncode is base64 of UTF-16, as -EncodedCommand wants it.
func psEncode(s string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return base64.StdEncoding.EncodeToString(b)
}

// psJSON makes JSON of output that is a bare text.
func psJSON(s string) string {
	if s == "" {
		return `""`
	}
	if strings.ContainsRune(`"{[`, rune(s[0])) {
		return s
	}
	return `"` + s + `"`
}
