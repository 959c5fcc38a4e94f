python3 - <<'PY'
import json, urllib.request as u
from base64 import b64encode as b
def ask(method, path, body, kind): u.urlopen(u.Request("http://127.0.0.1:2379" + path, body.encode(), {"Content-Type": kind}, method=method)).read()
for key in ("old", "gone"):
    ask("PUT", "/v2/keys/side/two/" + key, "value=1", "application/x-www-form-urlencoded")
for key, value in ((b"old", b"\xa3old"), (b"gone", b"\xa1x")):
    ask("POST", "/v3/kv/put", json.dumps({"key": b(b"/side/three/" + key).decode(), "value": b(value).decode()}), "application/json")
PY
