"""One tree on two throw-away hosts: one with pinch, one with real Salt; what both returned, made comparable."""
import concurrent.futures, hashlib, json, os, re, subprocess, sys


class Kit:
    """Where the throw-away hosts, the binary and real Salt are."""

    def __init__(self, shared, binary, venv):
        self.testhost = os.path.abspath(shared) + "/testhost/testhost"
        self.binary = os.path.abspath(binary)
        if venv is None:
            return
        self.venv = os.path.abspath(venv)
        python = subprocess.run([self.venv + "/bin/python", "-c", "import sys; print(sys.base_prefix)"], capture_output=True, text=True, check=True)
        self.python = python.stdout.strip()

    def both(self, name, binds, steps, together=False):
        """What steps(host) returns on a fresh host with pinch, and on another with real Salt, then or at the same time."""
        ours = ("pinch-" + name, "/usr/local/bin/pinch", ["--bind-ro=%s:/usr/local/bin/pinch" % self.binary, *binds], steps)
        real = ("salt-" + name, self.venv + "/bin/salt-call", ["--bind-ro=" + self.venv, "--bind-ro=" + self.python, *binds], steps)
        if not together:
            return self.host(*ours), self.host(*real)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            jobs = [pool.submit(self.host, *which) for which in (ours, real)]
            return tuple(job.result() for job in jobs)

    def host(self, name, program, binds, steps):
        subprocess.run([self.testhost, "down", name], capture_output=True)
        subprocess.run([self.testhost, "up", name, *binds], check=True)
        try:
            return steps(Host(self.testhost, name, program))
        finally:
            try:
                subprocess.run([self.testhost, "down", name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
            except subprocess.TimeoutExpired:
                print("%s does not go down" % name)


class Host:
    def __init__(self, testhost, name, program):
        self.testhost, self.name, self.program = testhost, name, program

    def run(self, *cmd, check=True):
        p = subprocess.run([self.testhost, "exec", self.name, *cmd], capture_output=True, text=True)
        if check and p.returncode:
            sys.exit("%s: %s\n%s%s" % (self.name, " ".join(cmd), p.stdout, p.stderr))
        return p

    def apply(self, *args):
        """state.apply of the tree at /tree: the exit status and the return without times, pids and versions."""
        p = self.run(self.program, "--local", "--out=json", "-l", "error", "--retcode-passthrough", "--file-root=/tree/salt",
                     "--pillar-root=/tree/pillar", "state.apply", *args, check=False)
        try:
            return {"exit": p.returncode, "return": clean(json.loads(p.stdout)["local"])}
        except (ValueError, KeyError):
            sys.exit("%s: no return data\n%s%s" % (self.name, p.stdout, p.stderr))


def prepare(shared, keep, trees):
    """A folder in KEEP as the prepare.sh of trees makes it, on a host with a network: what hosts without one need."""
    kit = keep + "/" + os.path.basename(trees)
    with open(trees + "/prepare.sh", "rb") as f:
        stamp = hashlib.sha256(f.read()).hexdigest()
    if os.path.exists(kit + "/.ready") and open(kit + "/.stamp").read() == stamp:
        return kit
    os.makedirs(kit, exist_ok=True)
    testhost = shared + "/testhost/testhost"
    subprocess.run([testhost, "down", "side-prepare"], capture_output=True)
    binds = ["--bind=%s:/kit" % kit, "--bind-ro=%s/hosts/common:/common" % shared, "--bind-ro=%s:/tree" % trees]
    subprocess.run([testhost, "up", "side-prepare", *binds], check=True)
    try:
        Host(testhost, "side-prepare", "").run("bash", "/tree/prepare.sh")
    finally:
        subprocess.run([testhost, "down", "side-prepare"], capture_output=True)
    with open(kit + "/.stamp", "w") as f:
        f.write(stamp)
    return kit


def clean(value):
    """The return without times, pids and the versions of packages."""
    if isinstance(value, list):
        return value
    for ret in value.values():
        for key in ("start_time", "duration"):
            ret.pop(key, None)
        # Salt takes these names from a set: their order is chance.
        lead, colon, names = str(ret.get("comment")).partition("One or more requisite failed: ")
        if colon:
            ret["comment"] = lead + colon + ", ".join(sorted(names.split(", ")))
        (ret.get("changes") or {}).pop("pid", None)
        for change in (ret.get("changes") or {}).values():
            if isinstance(change, dict) and set(change) == {"old", "new"}:
                change["new"] = re.sub(r"^\d.*", "<version>", str(change["new"]))
    return value


def compare(ours, real):
    """The numbers of steps that are equal and that are not; the latter are printed."""
    passed = failed = 0
    for step in ours:
        if ours[step] == real[step]:
            passed += 1
            continue
        failed += 1
        print("FAIL %s" % step)
        a, b = ours[step], real[step]
        if isinstance(a, dict) and isinstance(a.get("return"), dict) and isinstance(b.get("return"), dict):
            print("  exit %s, Salt %s" % (a.get("exit"), b.get("exit")))
            for key in sorted({**a["return"], **b["return"]}, key=str):
                x, y = a["return"].get(key), b["return"].get(key)
                if x != y:
                    print("  %s\n    pinch %s\n    salt  %s" % (key, json.dumps(x, sort_keys=True), json.dumps(y, sort_keys=True)))
        else:
            print("  pinch %s\n  salt  %s" % (json.dumps(a, sort_keys=True), json.dumps(b, sort_keys=True)))
    return passed, failed
