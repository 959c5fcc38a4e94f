"""Docstrings."""

import re
import textwrap


def strip_rst(docs):
    """Takes the marks of reStructuredText out of {function: docstring}."""
    for name, text in docs.items():
        if not isinstance(text, str):
            continue
        text = re.sub(r"( *)\.\. code-block:: \S+\n{1,2}", "", text)
        text = re.sub(r"\.\. note::", "Note:", text)
        text = re.sub(r"\.\. warning::", "Warning:", text)
        text = re.sub(r"\.\. versionadded::", "New in version", text)
        text = re.sub(r"\.\. versionchanged::", "Changed in version", text)
        docs[name] = text
    return docs


def parse_docstring(docstring):
    """The docstring and what it says it depends on."""
    found = re.search(r"^[ \t]*:depends:((?:[ \t]*-[ \t]+\S+[ \t]*(?:\n|$))*)", docstring, re.MULTILINE)
    out = {"full": docstring}
    if found:
        out["deps"] = re.findall(r"-[ \t]+(\S+)", textwrap.dedent(found.group(1)))
    return out
