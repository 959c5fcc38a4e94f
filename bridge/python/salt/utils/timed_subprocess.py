"""A command with a time limit."""

import subprocess


class TimedProc:
    def __init__(self, args, **kwargs):
        self.timeout = kwargs.pop("timeout", None)
        self.stdin = kwargs.pop("stdin", None)
        kwargs.pop("with_communicate", None)
        kwargs.pop("bg", None)
        self.process = subprocess.Popen(args, stdin=subprocess.PIPE if self.stdin else None, **kwargs)
        self.stdout = self.stderr = None

    def run(self):
        from salt.exceptions import TimedProcTimeoutError

        try:
            self.stdout, self.stderr = self.process.communicate(self.stdin, timeout=self.timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
            raise TimedProcTimeoutError("%s : Timed out after %s seconds" % (self.process.args, self.timeout)) from None
        return self.process.returncode
