#!/usr/bin/env python3.11
"""Asks Python for the answers in cases.json: one expression a line of
expressions.txt, as operation, arguments and the repr or error it gives.

    python3.11 ask.py <expressions.txt >cases.json
"""
import ast, base64, datetime, json, sys

OPS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**"}
NAMES = {"datetime": datetime.datetime, "date": datetime.date, "timedelta": datetime.timedelta, "utc": datetime.timezone.utc}


def typed(v):
    if v is None or isinstance(v, (bool, str)):
        return v
    if isinstance(v, int):
        return {"int": str(v)}
    if isinstance(v, float):
        return {"float": repr(v)}
    if isinstance(v, bytes):
        return {"bytes": base64.b64encode(v).decode()}
    if isinstance(v, list):
        return [typed(x) for x in v]
    if isinstance(v, tuple):
        return {"tuple": [typed(x) for x in v]}
    if isinstance(v, set):
        return {"set": [typed(x) for x in v]}
    if isinstance(v, dict):
        return {"map": [[typed(k), typed(x)] for k, x in v.items()]}
    if isinstance(v, datetime.datetime):
        return {"datetime": v.isoformat()}
    if isinstance(v, datetime.date):
        return {"date": v.isoformat()}
    raise TypeError(type(v))


def case(text):
    node = ast.parse(text, mode="eval").body
    get = lambda n: None if n is None else eval(compile(ast.Expression(n), "x", "eval"), NAMES)
    kw = {}
    recv = None
    if isinstance(node, ast.BinOp):
        op, args = OPS[type(node.op)], [get(node.left), get(node.right)]
    elif isinstance(node, ast.UnaryOp):
        op, args = {ast.USub: "neg", ast.UAdd: "pos"}[type(node.op)], [get(node.operand)]
    elif isinstance(node, ast.Compare):
        op, args = {ast.In: "in", ast.Lt: "<"}[type(node.ops[0])], [get(node.left), get(node.comparators[0])]
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        s = node.slice
        op, args = "slice", [get(node.value), get(s.lower), get(s.upper), get(s.step)]
    elif isinstance(node, ast.Subscript):
        op, args = "index", [get(node.value), get(node.slice)]
    elif isinstance(node, ast.Attribute):
        op, args = "attr", [get(node.value), node.attr]
    elif isinstance(node.func, ast.Attribute):
        op, args = "." + node.func.attr, [get(node.func.value)] + [get(a) for a in node.args]
        kw = {k.arg: get(k.value) for k in node.keywords}
    else:
        op, args = node.func.id, [get(a) for a in node.args]
        kw = {k.arg: get(k.value) for k in node.keywords}
    out = {"expr": text, "op": op, "args": [typed(a) for a in args]}
    if kw:
        out["kw"] = {k: typed(v) for k, v in kw.items()}
    try:
        if op.startswith(".") and args and isinstance(args[0], (list, dict, set)):
            r = getattr(args[0], op[1:])(*args[1:], **kw)
            out["want"] = repr(r)
            out["recv"] = repr(args[0])
        else:
            out["want"] = repr(eval(text, NAMES))
    except Exception as e:
        out["error"] = type(e).__name__ + ": " + str(e)
    return out


def main():
    cases = [case(line.rstrip("\n")) for line in sys.stdin if line.strip()]
    print("[")
    print(",\n".join(json.dumps(c) for c in cases))
    print("]")


main()
