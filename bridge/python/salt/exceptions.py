"""Salt's exceptions."""


class SaltException(Exception):
    def __init__(self, message=""):
        if not isinstance(message, str):
            message = str(message)
        super().__init__(message)
        self.message = self.strerror = message

    def pack(self):
        return {"message": str(self), "args": self.args}


class CommandExecutionError(SaltException):
    """The world said no; info is appended to the message."""

    def __init__(self, message="", info=None):
        text = message if isinstance(message, str) else str(message)
        self.error, self.info = message, info
        if info:
            if text and text[-1] not in ".?!":
                text += "."
            if text:
                text += " "
            text += "Additional info follows:\n\n" + _listed(info)
        super().__init__(text)
        self.error = message

    @property
    def strerror_without_changes(self):
        return self.strerror

    @property
    def message_without_info(self):
        return str(self.error)


def _listed(info):
    if isinstance(info, (dict, list)):
        from salt.output.nested import output

        return output(info).rstrip()
    return str(info)


class SaltInvocationError(SaltException, TypeError):
    pass


class InvalidKeyError(SaltException, ValueError):
    pass


class SaltRenderError(SaltException):
    def __init__(self, message, line_num=None, buf="", marker="    <======================", trace=None):
        self.error, self.line_num, self.buffer = message, line_num, buf
        text = str(message)
        if line_num and buf:
            lines = buf.splitlines()
            shown = ["---"]
            for number in range(max(1, line_num - 5), min(len(lines), line_num + 5) + 1):
                shown.append(lines[number - 1] + (marker if number == line_num else ""))
            shown.append("---")
            text = "%s; line %s\n\n%s" % (text, line_num, "\n".join(shown))
        super().__init__(text)


class FileLockError(SaltException):
    def __init__(self, message="", time_start=None, *args):
        super().__init__(message)
        self.time_start = time_start


class GitLockError(SaltException):
    def __init__(self, errno=None, message="", *args):
        super().__init__(message)
        self.errno = errno


class SaltClientTimeout(SaltException):
    def __init__(self, message="", jid=None, *args):
        super().__init__(message)
        self.jid = jid


class MasterExit(SystemExit):
    pass


class SaltSystemExit(SystemExit):
    def __init__(self, code=0, msg=None):
        super().__init__(msg or code)


class LoggingRuntimeError(RuntimeError):
    pass


def _define(base, *names):
    for name in names:
        globals()[name] = type(name, (base,), {"__module__": __name__})


_define(
    SaltException, "SaltClientError", "SaltMasterError", "SaltNoMinionsFound", "SaltSyndicMasterError", "SaltMasterUnresolvableError",
    "AuthenticationError", "CommandNotFoundError", "LoaderError", "PublishError", "MinionError", "FileserverConfigError", "GitRemoteError",
    "PkgParseError", "SaltCacheError", "TimeoutError", "SaltReqTimeoutError", "TimedProcTimeoutError", "EauthAuthenticationError",
    "TokenAuthenticationError", "TokenExpiredError", "SaltDeserializationError", "AuthorizationError", "SaltValidationError",
    "UnsupportedAlgorithm", "SaltDaemonNotRunning", "SaltRunnerError", "SaltWheelError", "SaltConfigurationError", "SaltCloudException",
    "NotImplemented", "TemplateError", "MissingSmb", "NxosError",
)
_define(SaltCloudException, "SaltCloudSystemExit", "SaltCloudConfigError", "SaltCloudNotFound", "SaltCloudExecutionTimeout", "SaltCloudExecutionFailure", "SaltCloudPasswordError")
_define(CommandExecutionError, "ArgumentValueError", "CheckError", "InvalidConfigError", "InvalidEntityError", "VMwareSaltError", "CodePageError")
_define(VMwareSaltError, "VMwareRuntimeError", "VMwareConnectionError", "VMwareObjectRetrievalError", "VMwareObjectExistsError", "VMwareApiError", "VMwareSystemError",
        "VMwareMultipleObjectsError", "VMwareNotFoundError", "VMwarePowerOnError", "VMwareVmCreationError", "VMwareVmRegisterError")
_define(VMwareApiError, "VMwareFileNotFoundError", "VMwareObjectNotFoundError")
_define(NxosError, "NxosClientError", "NxosCliError", "NxosRequestNotSupported")


def get_error_message(error):
    """The text of an exception."""
    return str(error.args[0]) if error.args else ""
