"""Logging."""

import logging


def setup_console_logger(*args, **kwargs):
    return None


setup_logfile_logger = setup_console_logger
LOG_LEVELS = {"all": 0, "trace": 5, "debug": 10, "profile": 15, "info": 20, "warning": 30, "error": 40, "critical": 50, "quiet": 1000}
getLogger = logging.getLogger
