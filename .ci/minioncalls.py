"""What .ci/minion asks of both minions."""
import json, os, re, time

from masterworld import OURS, REAL

CALLS = """
test.ping
test.version
test.arg 1 a k=v 'l=[1,2]'
test.kwarg a=1 'b={x: y}'
test.arg_repr 1 a
test.echo 'a: b'
test.echo ünï
test.fib 10
test.outputter x
test.retcode 3
test.collatz 7
test.raise_exception
test.exception oops
test.ping 1
test.sleep 1
no.such
cmd.run 'echo hi'
cmd.run 'exit 3'
cmd.run_all 'exit 3'
cmd.run_stdout 'echo $X' env='{X: y}'
cmd.retcode false
cmd.run
cmd.script salt://web/nosuch
pillar.items
pillar.get who
pillar.get nested:a:1:b
pillar.get no default
pillar.item 1
pillar.item who nested
pillar.raw who
pillar.ls
pillar.keys nested
pillar.obfuscate
grains.get os
grains.get deep:a:b
grains.item os roles nosuch
grains.items
grains.ls
grains.has_value roles
grains.setval fruit apple
grains.get fruit
grains.append fruits pear
grains.get fruits
grains.remove fruits pear
grains.delval fruit destructive=True
cp.list_master
cp.list_master_dirs
cp.list_master_symlinks
cp.list_states
cp.list_minion
cp.hash_file salt://web/x.conf
cp.hash_file salt://nosuch
cp.hash_file_and_stat salt://nosuch
cp.stat_file salt://web/x.conf
cp.get_file_str salt://web/x.conf
cp.get_file_str salt://nosuch
cp.get_file salt://web/x.conf @OUT@/got
cp.get_file salt://web/x.conf @OUT@/a/b/got makedirs=True
cp.get_template salt://web/x.conf @OUT@/tpl
cp.get_url salt://web/x.conf @OUT@/url
cp.get_url salt://web/x.conf
cp.cache_file salt://web/x.conf
cp.cache_file salt://nosuch
cp.cache_files 'salt://web/x.conf,salt://web/d/a'
cp.cache_dir salt://web/d
cp.get_dir salt://web/d @OUT@/gd
cp.is_cached salt://web/x.conf
cp.is_cached salt://nosuch
cp.envs
cp.push /proc/self/../../etc/hostname
cp.push @OUT@/got
cp.push @OUT@/got upload_path=/up/name
cp.push_dir @OUT@/gd
cp.push @OUT@/nosuch
cp.recv '{name: text}' @OUT@/recv
saltutil.sync_all
saltutil.sync_modules
saltutil.sync_grains
saltutil.list_extmods
mymod.twice 4
mymod.who
mymod.boom
mymod.twice
grains.get mygrain
state.apply mystate
state.show_top
state.show_sls web
state.show_low_sls web
state.show_lowstate
state.show_highstate
state.show_states
state.sls_exists web
state.id_exists t web
state.single test.nop name=x
state.single test.nosuch name=x
state.apply web test=True
state.apply web
state.apply web
state.sls web,small
state.highstate
state.sls_id t web
state.apply nosuch
state.apply broken
state.apply small pillar='{who: bob}'
state.apply mine
state.running
state.check_request
state.apply web saltenv=nosuch
saltutil.running
saltutil.find_job 20260101000000000000
saltutil.find_cached_job 20260101000000000000
saltutil.is_running 'x.*'
saltutil.signal_job 20260101000000000000 15
saltutil.kill_job 20260101000000000000
saltutil.term_all_jobs
saltutil.refresh_pillar wait=True
saltutil.refresh_grains
saltutil.refresh_modules
saltutil.pillar_refresh
saltutil.clear_cache
mine.send test.ping
mine.send alias mine_function=test.echo x
mine.send hidden mine_function=test.echo secret allow_tgt=nobody
mine.update
mine.get '*' test.ping
mine.get '*' alias
mine.get '*' hidden
mine.get '*' 'alias,who'
mine.get 'roles:web' who tgt_type=grain
mine.get 'G@roles:web and min-*' who tgt_type=compound
mine.get 'who:ann' who tgt_type=pillar
mine.get '*' who exclude_minion=True
mine.get '*' nosuch
mine.delete alias
mine.get '*' alias
mine.valid
mine.flush
mine.get '*' who
publish.publish 'min-?[yo]' test.ping
publish.publish 'min-*' test.arg 'a,b'
publish.publish 'min-*' test.arg '[1, 2]'
publish.publish nosuch test.ping timeout=1
publish.publish 'roles:web' test.ping tgt_type=grain
publish.full_data 'min-*' test.ping
publish.publish '*' publish.publish
publish.runner test.arg '[a]'
publish.runner no.such
event.fire '{a: 1}' x/y
event.fire_master '{a: 1}' x/y
event.send a/b '{x: 1}'
event.send a/b x=1
sys.list_modules 'test*'
sys.list_functions 'mine*'
sys.argspec test.arg
config.get master
config.get roles
config.option id
config.get nosuch dflt
config.items
key.finger_master
match.glob '*'
match.pcre '.*'
match.list min-py,min-go
match.grain 'roles:db'
match.grain_pcre 'roles:^d'
match.pillar 'who:ann'
match.pillar_pcre 'who:^a'
match.pillar_exact 'who:ann'
match.compound 'G@roles:web and not min-x'
match.ipcidr 127.0.0.0/8
match.filter_by '{"min-*": 1, default: 2}'
match.compound_matches 'min-*'
slsutil.renderer salt://web/x.conf
slsutil.merge '{a: 1}' '{b: 2}'
status.master
status.ping_master 127.0.0.1
minion.list
schedule.list
schedule.add j1 function=test.ping seconds=3600 enabled=True
schedule.list return_yaml=False
schedule.add j1 function=test.ping seconds=3600
schedule.is_enabled j1
schedule.modify j1 function=test.echo job_args='[hi]' seconds=7200
schedule.disable_job j1
schedule.list show_disabled=True return_yaml=False
schedule.enable_job j1
schedule.run_job j1
schedule.disable
schedule.enable
schedule.save
schedule.job_status j1
schedule.postpone_job j1 '2030-01-01T10:00:00' '2030-01-02T10:00:00'
schedule.skip_job j1 '2030-01-01T10:00:00'
schedule.delete j1
schedule.delete nosuch
schedule.purge
schedule.list
schedule.reload
beacons.list
beacons.list_available
beacons.add status '[{interval: 1}, {loadavg: [1-min]}]'
beacons.list return_yaml=False
beacons.modify status '[{interval: 2}, {loadavg: [1-min]}]'
beacons.disable_beacon status
beacons.enable_beacon status
beacons.disable
beacons.enable
beacons.save
beacons.add status '{}'
beacons.add nosuch '[]'
beacons.delete status
beacons.delete nosuch
beacons.list return_yaml=False
beacons.reset
data.update k v
data.get k
sdb.get sdb://no/x
environ.get HOME nosuch
file.file_exists /etc/passwd
file.read /etc/hostname
service.status nosuchservice
timezone.get_offset
user.info root
""".strip().splitlines()

# What may differ, each with its reason; the value is what is left out of both.
DIFFERENT = {
    "grains.items": {"executable": "of another program", "pythonexecutable": 0, "pythonpath": 0, "pythonversion": 0, "saltpath": 0, "pid": 0, "server_id": "of the id", "saltversion": 0,
                     "saltversioninfo": 0, "zmqversion": "ours speaks the protocol itself", "lsb_distrib": 0, "locale_info": "the process's own", "mem_total": 0},
    "grains.ls": None,
    "config.items": None,
    "config.option": None,
    "schedule.reload": "Salt's minion keeps its schedule in its copy of the pillar, too",
    "beacons.list_available": "those that are built in, and those whose libraries are there",
    "schedule.job_status": "times",
    "cp.list_minion": "Salt's Python also sees files of its cache that ours has no use for",
}


def in_order(v):
    """A value in which file.recurse's report is sorted: Salt takes the files from a set, so their order is chance."""
    if isinstance(v, dict):
        return {k: in_order(x) for k, x in v.items()}
    if isinstance(v, str) and v.startswith("#### "):
        return "\n\n".join(sorted(part.strip() for part in re.split(r"^(?=#### )", v, flags=re.M) if part))
    return v


def keys(v):
    """A value whose keys are all text."""
    if isinstance(v, dict):
        return {k if isinstance(k, str) else repr(k): keys(x) for k, x in v.items()}
    return [keys(x) for x in v] if isinstance(v, (list, tuple)) else v


def mask(v):
    """A return as text without what is of one minion or moment alone."""
    s = json.dumps(in_order(keys(v)), sort_keys=True, ensure_ascii=False, default=str)
    s = re.sub(r'"(start_time|duration|_stamp)": ("[^"]*"|[\d.]+)', r'"\1": 0', s)
    s = re.sub(r'"(pid|serial|__pub_serial|jid|__pub_jid|schedule_pid)": ("?\d+"?)', r'"\1": 0', s)
    s = re.sub(r"\b20\d{18}\b", "JID", s)
    s = re.sub(r"(at pid|as PID) \d+", r"\1 N", s)
    s = re.sub(r"started at 20[\w:., ]*", "started at", s)
    return s


def masked(v, me):
    other = REAL if me == OURS else OURS
    s = mask(v).replace(me, "ME").replace(other, "OTHER")
    try:
        return json.dumps(json.loads(s), sort_keys=True, ensure_ascii=False)  # in order again
    except ValueError:
        return s


def comparable(fun, v, me):
    """One full return, made comparable."""
    if not isinstance(v, dict):
        return masked(v, me)
    v = {k: v.get(k) for k in ("ret", "retcode", "out")}
    ret = v["ret"]
    if isinstance(ret, str) and ret.startswith("Passed invalid arguments"):
        v["ret"] = ret.split("\n")[0]  # then comes the manual, which is ours
    if isinstance(ret, str) and "Traceback" in ret:
        v["ret"] = ret.split("Traceback")[0] + ret.strip().split("\n")[-1]
    if fun in ("test.fib", "test.collatz"):
        v["ret"] = ret[0]  # then comes the time it took
    skip = DIFFERENT.get(fun, {})
    if isinstance(skip, dict) and isinstance(ret, dict):
        v["ret"] = {k: x for k, x in ret.items() if k not in skip}
    if isinstance(v["ret"], list) and fun.startswith("cp."):
        v["ret"] = sorted(v["ret"], key=str)
    return masked(v, me)


class Score:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, ok, why=""):
        if ok:
            self.passed += 1
            return
        self.failed += 1
        print("FAIL %s\n     %s" % (name.replace(" ", "_"), why), flush=True)

    def equal(self, name, ours, real):
        why = ""
        if ours != real:
            try:
                a, b = json.loads(ours)["ret"], json.loads(real)["ret"]
                if isinstance(a, dict) and isinstance(b, dict):
                    keys = [k for k in sorted({**a, **b}) if a.get(k) != b.get(k)]
                    why = "\n     ".join("%s: pinch %.300s\n     %s  salt  %.300s" % (k, json.dumps(a.get(k)), " " * len(k), json.dumps(b.get(k))) for k in keys[:8])
            except (ValueError, KeyError, TypeError):
                pass
            why = why or "pinch %.700s\n     salt  %.700s" % (ours, real)
        self.check(name, ours == real, why)


def calls(world, score, only):
    import shlex

    seen = {}
    for line in CALLS:
        words = shlex.split(line)
        fun = words[0]
        if only and not line.startswith("saltutil.sync_all") and not re.search(only, line):
            continue
        seen[line] = seen.get(line, 0) + 1
        name = line if seen[line] == 1 else "%s#%d" % (line, seen[line])
        got, began = {}, time.time()
        if "@OUT@" in line:
            for me in (REAL, OURS):
                got.update(world.cmd(*[w.replace("@OUT@", world.dir + "/out/" + me) for w in words], tgt=me))
        else:
            got = world.cmd(*words)
        if time.time() - began > 3:
            print("slow: %s took %.1f s" % (line, time.time() - began))
        if DIFFERENT.get(fun, 0) is None or isinstance(DIFFERENT.get(fun), str):
            score.check(name, set(got) == {OURS, REAL} and type(got[OURS].get("ret")) is type(got[REAL].get("ret")), got)
            continue
        score.equal(name, comparable(fun, got.get(OURS), OURS), comparable(fun, got.get(REAL), REAL))


def compare(world, only):
    import minionscenes

    score = Score()
    start = time.time()
    world.cmd("saltutil.sync_all")
    for scene in minionscenes.SCENES:
        if not only or re.search(only, scene.__name__):
            try:
                scene(world, score)
            except Exception as err:
                score.check(scene.__name__, False, "%s: %s" % (type(err).__name__, err))
    if not only.startswith("scene"):
        calls(world, score, only)
    print("%.0f s" % (time.time() - start))
    print("%d passed, %d failed" % (score.passed, score.failed))
    return 0
