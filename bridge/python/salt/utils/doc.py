"""Docstrings."""


def strip_rst(docs):
    return docs


def parse_docstring(docstring):
    return {"full": docstring}
