"""A real salt-master in a temporary folder with minions: Salt's own and ours."""
import json, os, re, shutil, signal, socket, subprocess, sys, tempfile, threading, time

OURS, REAL = "min-go", "min-py"


def free_ports(n):
    socks = [socket.socket() for _ in range(n)]
    for s in socks:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in socks]
    for s in socks:
        s.close()
    return ports


class World:
    def __init__(self, binary, venv, master_venv, transport="zeromq", master=None, minion=None, names=(REAL, OURS), ahead=0, cache_size=""):
        import salt.config, salt.client  # of the master's venv

        self.ahead = ahead  # seconds by which the master's clock is wrong
        self.cache_size = cache_size  # of the minions' disks, as mount takes it
        self.names = names
        self.binary, self.venv, self.master_venv, self.transport = binary, venv, master_venv, transport
        self.dir = tempfile.mkdtemp(prefix="master-")
        self.procs = {}
        pub, ret, *tcp = free_ports(6)
        self.ret_port = ret
        self.write("srv/salt/top.sls", "base: {'*': [web]}\n")
        for name, text in TREE.items():
            self.write("srv/" + name, text.replace("@DIR@", self.dir))
        self.write("srv/salt/big.bin", b"".join(bytes([i * 7 % 251, i % 256, i // 256 % 256]) for i in range(700000)))
        self.config = {
            "root_dir": self.dir + "/master", "interface": "127.0.0.1", "publish_port": pub, "ret_port": ret, "user": "root", "worker_threads": int(os.environ.get("WORKERS", 3)),
            "file_roots": {"base": [self.dir + "/srv/salt"]}, "pillar_roots": {"base": [self.dir + "/srv/pillar"]}, "auto_accept": True,
            "tcp_master_pub_port": tcp[0], "tcp_master_pull_port": tcp[1], "tcp_master_publish_pull": tcp[2], "tcp_master_workers": tcp[3],
            "sock_dir": "/s", "peer": {".*": [".*"]}, "peer_run": {".*": ["test.*", "manage.up"]}, "file_recv": True, "transport": transport, "log_level": "info",
            "log_level_logfile": "info", "nodegroups": {"all": "min-*", "web": "G@roles:web"}, "presence_events": True, "loop_interval": 5,
            "external_auth": {"auto": {"tester": [".*", "@runner", "@wheel"]}}, "netapi_enable_clients": ["local", "runner"],
            "reactor": [{"salt/minion/*/start": [self.dir + "/srv/reactor/start.sls"]}, {"salt/beacon/*/status/*": [self.dir + "/srv/reactor/beacon.sls"]},
                        {"test/mine": [self.dir + "/srv/reactor/mine.sls"]}],
        }
        os.chmod(self.write("tops", "#!/bin/sh\necho '{classes: [small], environment: base}'\n"), 0o755)
        self.config["master_tops"] = {"ext_nodes": self.dir + "/tops"}
        self.config.update(master or {})
        self.minion_config = minion or {}
        self.trouble = ""  # why the last ping could not be sent
        self.write("etc-master/master", json.dumps(self.config))

    def write(self, name, text):
        path = os.path.join(self.dir, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(text if isinstance(text, bytes) else text.encode())
        return path

    def read(self, name):
        try:
            with open(os.path.join(self.dir, name), "rb") as f:
                return f.read().decode(errors="replace")
        except OSError:
            return None

    def start(self, name, *cmd, **more):
        log = open(os.path.join(self.dir, name + ".log"), "ab")
        env = {**os.environ, "HOME": self.dir, "PATH": self.venv + "/bin:" + os.environ["PATH"], **more}
        self.procs[name] = subprocess.Popen(cmd, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True, env=env)

    def stop(self, name, sig=signal.SIGTERM):
        p = self.procs.pop(name, None)
        if not p:
            return
        p.send_signal(sig)
        try:
            p.wait(8)
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(p.pid, signal.SIGKILL)
        except OSError:
            pass
        p.wait()

    def start_master(self):
        more = {}
        if self.ahead:
            self.write("clock/sitecustomize.py", CLOCK % self.ahead)
            more["PYTHONPATH"] = self.dir + "/clock"
        self.start("master", self.master_venv + "/bin/salt-master", "-c", self.dir + "/etc-master", **more)

    def minion_dir(self, name):
        return os.path.join(self.dir, name)

    def add_minion(self, name, **more):
        config = {"root_dir": self.minion_dir(name), "id": name, "master": "127.0.0.1", "master_port": self.ret_port, "user": "root", "sock_dir": "/s",
                  "transport": self.transport, "grains": {"roles": ["web", "db"], "deep": {"a": {"b": "c"}, "n": 1.5, "t": True}}, "mine_functions": {"test.ping": [], "who": [{"mine_function": "grains.get"}, "roles"]},
                  "loop_interval": 1, "tcp_pub_port": 0, "log_level": "info", "log_level_logfile": "quiet", "schedule_returner": [], "rawfile_json.filename": self.minion_dir(name) + "/rawfile", "cache_jobs": True,
                  "grains_blacklist": ["pythonpath"], "disable_grains": ["gpus"], "enable_gpu_grains": False}
        config.update(self.minion_config)
        config.update(more)
        self.write(name + "/etc/minion", json.dumps(config))

    def start_minion(self, name):
        program = [self.binary, "minion"] if name != REAL else [self.venv + "/bin/salt-minion"]
        if self.cache_size:  # a small disk of its own for the cache, which only this minion sees
            cache = self.minion_dir(name) + "/var/cache/salt/minion"
            os.makedirs(cache, exist_ok=True)
            program = ["unshare", "-m", "--propagation", "private", "sh", "-ec", 'mount -t tmpfs -o size="$1" tmpfs "$2"; shift 2; exec "$@"', "sh", self.cache_size, cache, *program]
        self.start(name, *program, "-c", self.minion_dir(name) + "/etc")

    def __enter__(self):
        import salt.config, salt.client, salt.utils.event

        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that nothing is left running
        self.start_master()
        for name in self.names:
            self.add_minion(name)
            self.start_minion(name)
        try:
            self.opts = salt.config.master_config(self.dir + "/etc-master/master")
            deadline = time.time() + 60
            key = os.path.join(self.opts["cachedir"], ".root_key")
            while not (os.path.exists(key) and os.path.getsize(key)) and time.time() < deadline:  # the client reads it once
                time.sleep(0.2)
            self.client = salt.client.LocalClient(mopts=self.opts.copy())
            self.events = Events(self.opts)
            while set(self.ping()) != set(self.names):
                if time.time() > deadline:
                    raise SystemExit("the minions do not come: %s\n%s\n%s" % (self.ping(), tail(self.read("master.log")), tail(self.read(OURS + ".log"))))
                time.sleep(0.5)
            return self
        except BaseException:
            self.__exit__()
            raise

    def ping(self, timeout=2):
        try:
            return self.client.cmd("*", "test.ping", timeout=timeout)
        except Exception as err:
            self.trouble = repr(err)
            return {}

    def __exit__(self, *exc):
        for name in list(self.procs):
            self.stop(name)
        if os.environ.get("KEEP"):
            print("kept", self.dir)
        else:
            shutil.rmtree(self.dir, ignore_errors=True)

    def cmd(self, fun, *args, tgt="*", tgt_type="glob", timeout=20, **kw):
        """The full returns by id; arguments are typed as on the command line."""
        import salt.utils.args

        typed = [salt.utils.args.yamlify_arg(a) for a in args]
        since = len(self.events.seen)
        job = self.client.run_job(tgt, fun, typed, tgt_type=tgt_type, timeout=timeout, **kw)
        if not job:
            return {}
        pattern = re.compile("salt/job/%s/ret/(.*)" % job["jid"])
        got, end = {}, time.time() + timeout
        while len(got) < self.expected(job, tgt) and time.time() < end:
            for tag, data in self.events.seen[since:]:
                m = pattern.fullmatch(tag)
                if m:
                    got[m.group(1)] = {"ret": data["return"], **{k: data[k] for k in ("retcode", "out", "success") if k in data}}
            time.sleep(0.01)
        return got

    def expected(self, job, tgt):
        """How many will answer."""
        return len(job["minions"])

    def cli(self, program, *args):
        p = subprocess.run([self.master_venv + "/bin/" + program, "-c", self.dir + "/etc-master", *args], capture_output=True, text=True, env={**os.environ, "HOME": self.dir})
        return p.stdout + p.stderr

    def run(self, fun, *args, **kw):
        """What a runner returns."""
        import salt.runner

        client = salt.runner.RunnerClient({**self.opts, "quiet": True})
        out, sys.stdout = sys.stdout, open(os.devnull, "w")
        try:
            return client.cmd(fun, list(args), kwarg=kw, print_event=False)
        finally:
            sys.stdout = out


class Events(threading.Thread):
    """All events of the master."""

    def __init__(self, opts):
        import salt.utils.event

        super().__init__(daemon=True)
        self.bus = salt.utils.event.get_event("master", opts=opts, sock_dir=opts["sock_dir"], listen=True)
        self.seen = []
        self.start()

    def run(self):
        import logging

        while True:
            try:
                e = self.bus.get_event(wait=1, full=True, auto_reconnect=True)
            except Exception as err:
                logging.debug("%s", err)
                time.sleep(0.2)
                continue
            if e:
                self.seen.append((e["tag"], e["data"]))

    def wait(self, pattern, since=0, timeout=15):
        """The data of the first event whose tag matches, from that place on."""
        end = time.time() + timeout
        while True:
            for tag, data in self.seen[since:]:
                if re.search(pattern, tag):
                    return data
            if time.time() > end:
                return None
            time.sleep(0.05)


# A master's clock that is wrong by so many seconds.
CLOCK = """
import datetime, time

now, off, Right = time.time, %d, datetime.datetime
time.time = lambda: now() + off


class Wrong(Right):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(time.time(), tz)

    @classmethod
    def utcnow(cls):
        return cls.utcfromtimestamp(time.time())


datetime.datetime = Wrong
"""


def tail(text, n=30):
    return "\n".join((text or "").splitlines()[-n:])


TREE = {
    "pillar/top.sls": "base: {'*': [p, b]}\n",
    "pillar/p.sls": "who: ann\ndir: @DIR@/out\n1: one\nnested: {a: [1, {b: c}], t: 2020-01-02}\npw: geheim\n",
    "pillar/b.sls": "{}\n",
    "salt/web/init.sls": """
{{ pillar['dir'] }}/{{ grains['id'] }}/x:
  file.managed:
    - source: salt://web/x.conf
    - template: jinja
    - makedirs: True
    - mode: '0640'
t:
  test.nop: []
rec:
  file.recurse:
    - name: {{ pillar['dir'] }}/{{ grains['id'] }}/d
    - source: salt://web/d
    - keep_symlinks: False
big:
  file.managed:
    - name: {{ pillar['dir'] }}/{{ grains['id'] }}/big
    - source: salt://big.bin
cmd:
  cmd.run:
    - name: echo {{ salt['mymod.twice'](21) }}
    - onchanges:
      - file: big
bad:
  test.fail_without_changes:
    - name: bad
after:
  test.succeed_with_changes:
    - require: [{test: bad}]
""",
    "salt/web/x.conf": "who {{ pillar['who'] }} {{ grains['roles'] | join(',') }} {{ salt['pillar.get']('nested:a:0') }}\n",
    "salt/web/d/a": "a\n",
    "salt/web/d/e/b": "b\n",
    "salt/web/d/e/ünïcode näme": "u\n",
    "salt/long.sls": "one: {cmd.run: [{name: sleep 30}]}\n",
    "salt/mine.sls": "{% for id, v in salt['mine.get']('*', 'who') | dictsort %}\nn{{ loop.index }}-{{ v | join('-') }}: {test.nop: []}\n{% endfor %}\n",
    "salt/orch.sls": """
call:
  salt.function:
    - name: test.arg
    - tgt: 'min-*'
    - arg: [1]
    - kwarg: {a: b}
states:
  salt.state:
    - tgt: 'min-*'
    - sls: [small]
    - require: [{salt: call}]
""",
    "salt/small.sls": "nop: {test.nop: []}\nchange: {test.succeed_with_changes: []}\n",
    "salt/broken.sls": "a:\n  file.managed\n   - b: [\n",
    "salt/_modules/mymod.py": '"""Mine."""\ndef twice(n):\n    """Twice n."""\n    return 2 * n\ndef who():\n    return [__grains__["roles"], __pillar__["who"], __salt__["test.echo"]("x")]\ndef boom():\n    raise ValueError("no")\n',
    "salt/_states/mystate.py": 'def ok(name):\n    return {"name": name, "result": True, "changes": {"a": "b"}, "comment": "fine"}\n',
    "salt/_grains/mygrain.py": 'def g():\n    return {"mygrain": "g1"}\n',
    "salt/mystate.sls": "x: {mystate.ok: []}\n",
    "reactor/start.sls": "start:\n  local.file.write:\n    - tgt: {{ data['id'] }}\n    - args:\n      - path: @DIR@/react-start-{{ data['id'] }}\n      - args: started\n",
    "reactor/beacon.sls": "beacon:\n  local.file.write:\n    - tgt: {{ data['id'] }}\n    - args:\n      - path: @DIR@/react-beacon-{{ data['id'] }}\n      - args: '{{ data['data'] | dictsort | map('first') | join(' ') if data['data'] is defined else data | dictsort | map('first') | join(' ') }}'\n",
    "reactor/mine.sls": "mine:\n  local.file.write:\n    - tgt: {{ data['id'] }}\n    - args:\n      - path: @DIR@/react-mine-{{ data['id'] }}\n      - args: '{{ data['data']['x'] }}'\n",
}


def compare(world, only):
    import minioncalls

    return minioncalls.compare(world, only)
