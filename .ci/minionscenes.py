"""What .ci/minion does with both minions that is more than one call."""
import json, os, re, shutil, subprocess, threading, time

from masterworld import OURS, REAL
from minioncalls import comparable, masked

BOTH = {OURS, REAL}


def scene_targets(world, score):
    """All matchers are evaluated on the minion."""
    table = [
        ("min-*", "glob", BOTH), ("min-[pg]?", "glob", BOTH), ("*go", "glob", {OURS}), ("nothing*", "glob", set()),
        ("min-(py|go)$", "pcre", BOTH), ("(?!min-p)min", "pcre", {OURS}), ("min-go,min-py,x", "list", BOTH), (["min-go"], "list", {OURS}),
        ("kernel:linux", "grain", BOTH), ("roles:web", "grain", BOTH), ("deep:a:b:c", "grain", BOTH), ("deep:t:True", "grain", BOTH), ("deep:n:1.5", "grain", BOTH),
        ("id:min-g*", "grain", {OURS}), ("roles:mail", "grain", set()), ("roles:^(we|x)b$", "grain_pcre", BOTH), ("who:ann", "pillar", BOTH), ("who:bob", "pillar", set()),
        ("nested:a:1", "pillar", BOTH), ("who:a.n", "pillar_pcre", BOTH), ("who:an*", "pillar_exact", set()), ("who:ann", "pillar_exact", BOTH), ("127.0.0.1", "ipcidr", BOTH), ("127.0.0.0/8", "ipcidr", BOTH), ("10.99.0.0/16", "ipcidr", set()),
        ("G@roles:web and not min-py", "compound", {OURS}), ("( min-p* or E@^min-go$ ) and I@who:ann", "compound", BOTH), ("P@os:.* and S@127.0.0.1 and not L@min-go,x", "compound", {REAL}),
        ("J@who:^a and I@nested:a:1", "compound", BOTH), ("not G@roles:web", "compound", set()), ("G|@deep|a|b|c", "compound", BOTH), ("N@web and min-g*", "compound", {OURS}), ("web", "nodegroup", BOTH), ("all", "nodegroup", BOTH),
    ]
    for tgt, kind, want in table:
        got = {k for k, v in (world.client.cmd(tgt, "test.ping", tgt_type=kind, timeout=3) or {}).items() if v is True}
        score.check("target %s %s" % (kind, tgt), got == want, "answered: %s, wanted: %s" % (sorted(got), sorted(want)))


def scene_cli(world, score):
    """What salt prints: outputters, batch, async, subset, errors."""
    def text(*args):
        out = world.cli("salt", *args)
        out = re.sub(r"Started: [\d:.]+", "Started:", out)
        out = re.sub(r"Duration: [\d.]+ ms", "Duration:", out)
        out = re.sub(r"Total run time: +[\d.]+ +m?s", "Total run time:", out)
        return re.sub(r"\b20\d{18}\b", "JID", re.sub(r"pid:\n\s+\d+", "pid:", out))

    for name, args in {
        "highstate": ["state.apply", "web", "test=True"], "nested": ["grains.item", "roles", "deep"], "error": ["state.apply", "nosuch"], "verbose": ["-v", "test.ping"],
        "missing function": ["no.such"], "batch": ["-b", "1", "test.echo", "hi"], "json": ["--out=json", "--static", "test.arg", "1", "a=b"], "summary": ["-s", "test.ping"], "states terse": ["--state-output=terse", "state.apply", "small"],
        "progress": ["test.kwarg", "a=[1, 2]"], "failed retcode": ["cmd.run", "exit 4"], "--return": ["--return", "rawfile_json", "test.ping"],
    }.items():
        opts = [a for a in args if a.startswith("-")]
        if args[0] in ("-b", "--return"):
            opts, args = args[:2], args[2:]
        args = [a for a in args if not a.startswith("-")]
        def normal(s, me):
            s = re.sub(r"Possible reasons.*", "", s.replace(me, "ME").replace("/s" + me[-2:], ""))
            for block in re.findall(r"^ +ID: rec\n.*?^---", s, re.M | re.S):  # the order of file.recurse's files is chance
                s = s.replace(block, "\n".join(sorted(line.replace("Comment:", "").strip() for line in block.split("\n"))))
            return re.sub(r"-+\n", "-\n", s)
        a, b = normal(text(*opts, OURS, *args), OURS), normal(text(*opts, REAL, *args), REAL)
        score.check("cli " + name, a == b, "pinch %s\n     salt %s" % (a[-1500:], b[-1500:]))
    out = world.cli("salt", "--async", "min-*", "test.echo", "later")
    jid = re.search(r"\d{20}", out)
    time.sleep(2)
    back = jid and world.run("jobs.lookup_jid", jid.group())
    score.check("cli --async and jobs.lookup_jid", back == {OURS: "later", REAL: "later"}, "%s %s" % (out, back))
    raw = {me: world.read(me + "/rawfile") for me in BOTH}
    keys = {me: sorted(json.loads(r.splitlines()[-1])) if r else None for me, r in raw.items()}
    score.check("--return wrote", keys[OURS] is not None and keys[OURS] == keys[REAL], str(keys))


def scene_jobs(world, score):
    """A job that runs: find_job, running, kill_job; jobs.* and manage.*"""
    nap = "sleep 60.%d" % os.getpid()  # nobody else's
    jid = world.client.run_job("min-*", "cmd.run", [nap], timeout=5)["jid"]
    time.sleep(2)
    found = world.cmd("saltutil.find_job", jid)
    keys = {me: sorted((found.get(me) or {}).get("ret") or {}) for me in BOTH}
    score.check("find_job while it runs", keys[OURS] == keys[REAL] and "pid" in keys[OURS], str(keys))
    running = world.cmd("saltutil.running")
    shown = {me: [(j.get("jid") == jid, j.get("fun"), j.get("arg"), j.get("tgt"), j.get("ret"), j.get("user")) for j in (running.get(me) or {}).get("ret") or []] for me in BOTH}
    score.check("running", shown[OURS] == shown[REAL] and len(shown[OURS]) == 1, str(shown))
    active = world.run("jobs.active")
    score.check("jobs.active", jid in active and {list(x)[0] for x in active[jid]["Running"]} == BOTH, str(active))
    killed = world.cmd("saltutil.kill_job", jid)
    score.equal("kill_job", comparable("x", killed.get(OURS), OURS), comparable("x", killed.get(REAL), REAL))
    time.sleep(1)
    found = world.cmd("saltutil.find_job", jid)
    score.check("find_job after kill_job", all((found.get(me) or {}).get("ret") == {} for me in BOTH), str(found))
    score.check("no sleep is left", subprocess.run(["pgrep", "-f", "^" + nap.replace(".", "[.]") + "$"], capture_output=True).returncode != 0)
    jid = world.client.run_job("min-*", "state.apply", ["long"], timeout=5)["jid"]
    time.sleep(3)
    second = world.cmd("state.apply", "small")
    score.equal("states while states run", comparable("x", second.get(OURS), OURS), comparable("x", second.get(REAL), REAL))
    term = world.cmd("saltutil.term_job", jid)
    score.equal("term_job", comparable("x", term.get(OURS), OURS), comparable("x", term.get(REAL), REAL))
    start = time.time()
    late = world.client.cmd("min-*", "test.sleep", [4], timeout=2, gather_job_timeout=5)
    score.check("a slow job is waited for by find_job", late == {OURS: True, REAL: True} and time.time() - start > 3.5, str(late))
    score.check("manage.up", sorted(world.run("manage.up")) == sorted(BOTH))
    score.check("manage.status", world.run("manage.status") == {"up": sorted(BOTH), "down": []} or set(world.run("manage.status")["up"]) == BOTH)
    score.check("manage.present", set(world.run("manage.present")) == BOTH, str(world.run("manage.present")))
    score.check("presence event", any(set(d.get("present", [])) == BOTH for t, d in world.events.seen if t == "salt/presence/present"), str([d for t, d in world.events.seen if t == "salt/presence/present"][-2:]))
    jobs = world.run("jobs.list_jobs", search_function="state.apply")
    score.check("jobs.list_jobs", jid in jobs)
    out = world.run("cache.grains", tgt="*")
    score.check("the master's cache of grains", set(out) == BOTH and out[OURS]["roles"] == out[REAL]["roles"], "")
    multi = world.client.cmd("*", ["test.ping", "test.echo", "grains.item"], [[], ["x"], ["roles"]], full_return=True, timeout=10)
    score.equal("several functions at once", comparable("x", multi.get(OURS), OURS), comparable("x", multi.get(REAL), REAL))


def scene_events(world, score):
    """Events of both minions that the master sees, and its reactions to them."""
    def events(pattern, wait=10):
        got = {}
        for me in BOTH:
            data = world.events.wait(pattern.replace("ID", me), timeout=wait)
            got[me] = masked({k: v for k, v in (data or {}).items() if k not in ("_stamp", "tok", "nonce", "ts")}, me) if data else None
        return got

    def same(name, got, cut=None):
        a, b = got[OURS], got[REAL]
        if cut:
            a, b = [re.sub(*cut, x) if x else x for x in (a, b)]
        score.check(name, a is not None and a == b, "pinch %s\n     salt  %s" % (a, b))

    same("start event", events("^salt/minion/ID/start$"), (r"started at [^\"]*", "started at"))
    jid = world.client.run_job("min-*", "test.ping", timeout=5, start_event=True, metadata={"a": 1})["jid"]
    same("start event of a job", events("^salt/job/%s/start/ID$" % jid))
    world.cmd("event.send", "my/tag", "{x: [1, b]}", "with_grains=[roles]")
    sent = [masked({k: v for k, v in d.items() if k not in ("_stamp", "tok", "nonce", "ts")}, d.get("id", "")) for t, d in world.events.seen if t == "my/tag"]
    score.check("event.send", len(sent) == 2 and sent[0] == sent[1], "\n     ".join(sent))
    world.cmd("event.send", "test/mine", "{x: hello}")
    world.cmd("beacons.add", "status", "[{interval: 1}, {loadavg: [1-min]}]")
    same("beacon event", events("^salt/beacon/ID/status/"), (r"1-min\": [\d.]+", "1-min"))
    deadline = time.time() + 10
    while time.time() < deadline and not all(world.read("react-%s-%s" % (k, me)) for k in ("start", "beacon", "mine") for me in BOTH):
        time.sleep(0.3)
    for kind in ("start", "beacon", "mine"):
        a, b = [world.read("react-%s-%s" % (kind, me)) for me in (OURS, REAL)]
        score.check("reactor " + kind, a is not None and a == b, "pinch %s, salt %s" % (a, b))
    world.cmd("beacons.delete", "status")
    since = len(world.events.seen)
    world.cmd("schedule.add", "often", "function=test.echo", "job_args=[hi]", "seconds=2", "metadata={a: b}")
    got = {}
    for me in BOTH:
        end = time.time() + 12
        while time.time() < end and me not in got:
            for tag, d in world.events.seen[since:]:
                if d.get("schedule") == "often" and d.get("id") == me and "/ret/" in tag:
                    d = {k: v for k, v in d.items() if k not in ("_stamp", "tok", "nonce", "ts", "metadata")}
                    got[me] = masked(d, me)
            time.sleep(0.1)
    score.check("a scheduled job's return", OURS in got and got.get(OURS) == got.get(REAL), "pinch %s\n     salt  %s" % (got.get(OURS), got.get(REAL)))
    world.cmd("schedule.delete", "often")
    pushed = {me: sorted(os.path.relpath(os.path.join(d, f), world.dir + "/master/var/cache/salt/master/minions/" + me) for d, _, fs in os.walk(world.dir + "/master/var/cache/salt/master/minions/" + me + "/files") for f in fs) for me in BOTH}
    world.cmd("cp.push", "/etc/hostname")
    a, b = [world.read("master/var/cache/salt/master/minions/%s/files/etc/hostname" % me) for me in (OURS, REAL)]
    score.check("cp.push arrived", a is not None and a == b, "%s %s %s" % (a, b, pushed))
    if not os.path.exists(world.dir + "/out"):
        os.makedirs(world.dir + "/out")
    for me in BOTH:
        shutil.copy(world.dir + "/srv/salt/big.bin", world.write("out/big-" + me, b""))
        world.cmd("cp.push", world.dir + "/out/big-" + me, tgt=me)
        back = world.dir + "/master/var/cache/salt/master/minions/%s/files%s/out/big-%s" % (me, world.dir, me)
        ok = os.path.exists(back) and open(back, "rb").read() == open(world.dir + "/srv/salt/big.bin", "rb").read()
        score.check("cp.push of 2 MB, " + ("ours" if me == OURS else "real"), ok)


def scene_blackout(world, score):
    """minion_blackout in the pillar."""
    world.write("srv/pillar/b.sls", "minion_blackout: True\nminion_blackout_whitelist: [test.version]\n")
    world.cmd("saltutil.refresh_pillar", "wait=True")
    time.sleep(1)
    for fun, args in (("test.ping", []), ("test.version", []), ("cmd.run", ["echo hi"]), ("saltutil.find_job", ["20260101000000000000"]), ("saltutil.refresh_pillar", [])):
        got = world.cmd(fun, *args)
        score.equal("blackout " + fun, comparable(fun, got.get(OURS), OURS), comparable(fun, got.get(REAL), REAL))
    world.write("srv/pillar/b.sls", "{}\n")
    world.cmd("saltutil.refresh_pillar")
    time.sleep(2)
    score.check("blackout over", set(world.ping()) == BOTH, str(world.ping()))
    world.write("srv/pillar/b.sls", "fresh: yes!\n")
    got = world.cmd("saltutil.refresh_pillar", "wait=True")
    score.equal("refresh_pillar wait", comparable("x", got.get(OURS), OURS), comparable("x", got.get(REAL), REAL))
    got = world.cmd("pillar.get", "fresh", "unmask=True")
    score.equal("the fresh pillar", comparable("x", got.get(OURS), OURS), comparable("x", got.get(REAL), REAL))
    world.write("srv/pillar/b.sls", "broken: [\n")
    got = world.cmd("state.apply", "small")
    score.equal("states with a broken pillar", comparable("x", got.get(OURS), OURS), comparable("x", got.get(REAL), REAL))
    world.write("srv/pillar/b.sls", "{}\n")
    world.cmd("saltutil.refresh_pillar", "wait=True")


def scene_orchestrate(world, score):
    """salt-run state.orchestrate, salt-api."""
    out = world.run("state.orchestrate", "orch")
    data = list(out.get("data", {}).values())[0] if isinstance(out, dict) and out.get("data") else {}
    good = [s for s in data.values() if s.get("result")] if isinstance(data, dict) else []
    per = {}
    for s in data.values() if isinstance(data, dict) else []:
        ret = (s.get("changes") or {}).get("ret") or {}
        for me in BOTH:
            per.setdefault(me, []).append(masked(ret.get(me), me))
    score.check("orchestrate", len(good) == 2 and per and per[OURS] == per[REAL], "%.600s" % json.dumps(out, default=str))
    import salt.netapi

    low = {"client": "local", "tgt": "*", "fun": "test.arg", "arg": ["a"], "kwarg": {"b": 1}, "username": "tester", "password": "x", "eauth": "auto"}
    try:
        got = salt.netapi.NetapiClient(world.opts).run(low)
        score.check("salt-api local", set(got) == BOTH and masked(got[OURS], OURS) == masked(got[REAL], REAL), str(got))
    except Exception as err:
        score.check("salt-api local", False, repr(err))


SCENES = [scene_targets, scene_events, scene_jobs, scene_cli, scene_blackout, scene_orchestrate]
