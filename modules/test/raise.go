package test

import (
	"fmt"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type raiseExceptionArgs struct {
	Name   string     `py:"name"`     // the class of the exception, such as ValueError
	Args   []any      `py:"*args"`    // what the exception is made of
	Kwargs *value.Map `py:"**kwargs"` // more arguments, which are ignored
}

// raiseException raises one of Python's exceptions, or one of Salt's by its
// full name. A class that is not known is logged and gives False.
//
//	salt-call test.raise_exception OSError 2 'No such file'
//	salt-call test.raise_exception salt.exceptions.CommandExecutionError 'it failed'
func raiseException(c *salt.Ctx, a raiseExceptionArgs) (bool, error) {
	name, ofSalt := strings.CutPrefix(a.Name, "salt.exceptions.")
	known := builtinExceptions
	if ofSalt {
		known = saltExceptions
	}
	if !slices.Contains(strings.Fields(known), name) {
		c.Log.Error("No such exception: " + a.Name)
		return false, nil
	}
	if name == "OSError" || name == "IOError" || name == "EnvironmentError" {
		return false, osError(a.Args)
	}
	return false, &value.Exception{Class: name, Msg: message(name, a.Args)}
}

// message is str() of an exception made of these arguments.
func message(class string, args []any) string {
	switch {
	case len(args) == 0:
		return ""
	case len(args) == 1 && class == "KeyError":
		return value.Repr(args[0])
	case len(args) == 1:
		return value.Str(args[0])
	}
	return value.Repr(value.Tuple(args))
}

// osError picks the class by the error number, as OSError(2, "…") does.
func osError(args []any) error {
	n, isInt := any(nil), false
	if len(args) > 1 {
		n = args[0]
		_, isInt = n.(int64)
	}
	if len(args) < 2 || len(args) > 5 {
		return &value.Exception{Class: "OSError", Msg: message("OSError", args)}
	}
	e := &value.Exception{Class: "OSError", Msg: fmt.Sprintf("[Errno %s] %s", value.Str(n), value.Str(args[1]))}
	if len(args) > 2 && args[2] != nil {
		e.Msg += ": " + value.Repr(args[2])
	}
	if class := errnoClass[n]; isInt && class != "" {
		e.Class = class
	}
	return e
}

// errnoClass are the subclasses of OSError by error number (PEP 3151).
var errnoClass = map[any]string{
	int64(1): "PermissionError", int64(2): "FileNotFoundError", int64(3): "ProcessLookupError",
	int64(4): "InterruptedError", int64(10): "ChildProcessError", int64(11): "BlockingIOError",
	int64(13): "PermissionError", int64(17): "FileExistsError", int64(20): "NotADirectoryError",
	int64(21): "IsADirectoryError", int64(32): "BrokenPipeError", int64(103): "ConnectionAbortedError",
	int64(104): "ConnectionResetError", int64(110): "TimeoutError", int64(111): "ConnectionRefusedError",
}

const builtinExceptions = `ArithmeticError AssertionError AttributeError BaseException BlockingIOError
	BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError
	ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError EncodingWarning EnvironmentError
	Exception FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError
	ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError
	KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError
	NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError
	RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration
	StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError
	UnboundLocalError UnicodeError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError`

const saltExceptions = `ArgumentValueError AuthenticationError AuthorizationError CheckError CodePageError
	CommandExecutionError CommandNotFoundError EauthAuthenticationError FileLockError FileserverConfigError
	FileNotFoundError GitLockError GitRemoteError InvalidConfigError InvalidEntityError InvalidKeyError
	LoaderError LoggingRuntimeError MasterExit MinionError MissingSmb NotImplemented PillarRenderError
	PkgParseError SaltCacheError SaltClientError SaltClientTimeout SaltCloudException SaltConfigurationError
	SaltDaemonNotRunning SaltDeserializationError SaltException SaltInvocationError SaltMasterError
	SaltNoMinionsFound SaltRenderError SaltReqTimeoutError SaltRunnerError SaltSystemExit
	SaltValidationError SaltWheelError TemplateError TimedProcTimeoutError TimeoutError TokenAuthenticationError
	UnsupportedAlgorithm VMwareSaltError`
