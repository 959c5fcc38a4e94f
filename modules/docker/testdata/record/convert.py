import json,sys,hashlib,re
src,dst=sys.argv[1:3]
d=json.load(open(src))
answers=[];idx={}
def ref(a):
    k=json.dumps(a)
    if k not in idx: idx[k]=len(answers); answers.append(a)
    return idx[k]
calls=[]
def sub(x):
    if isinstance(x,str): return x.replace('/tmp/dkrec/w','$W')
    if isinstance(x,list): return [sub(i) for i in x]
    if isinstance(x,dict): return {sub(k):sub(v) for k,v in x.items()}
    return x
for e in d:
    c={'function':e['function']}
    if e.get('args'): c['args']=e['args']['(tuple)'] if isinstance(e['args'],dict) else e['args']
    for k in ('kwargs','opts','test','return','error','retcode'):
        if k in e: c[k]=e[k]
    c=sub(c)
    rs=[]
    for r in e['requests']:
        p=re.sub(r'^/v1\.\d+','',r['path'])
        if p in ('/_ping',) or r['agent']=='cli' and p=='/info': continue
        q={'ask':r['method']+' '+p,'answer':ref(r.get('answer',''))}
        if r['status']!=200: q['status']=r['status']
        if r['agent']=='cli': q['cli']=True
        b=r.get('body')
        if b is not None and not isinstance(b,dict) and b.lstrip()[:1] in '{[' and b.strip()!='{}' : q['body']=b.strip()
        if 'auth' in r: q['auth']=r['auth']
        if 'config' in r: q['config']=r['config']
        if 'stdin' in r: q['stdin']=r['stdin']
        rs.append(sub(q))
    if c['function'] in ('exec docker.run_container','state docker_container.run'):
        # docker-py asks whether there is a terminal while the log is open
        rs=[q for i,q in enumerate(rs) if not (i and '/logs?' in rs[i-1]['ask'] and q['ask'].endswith('/json'))]
    if rs: c['requests']=rs
    calls.append(c)

DIFF=[
 ('exec docker.import','with docker-py 7 Salt reads the answer letter by letter and says that the import failed; a path that is not there is taken for a URL'),
 ('exec docker.inspect','Salt waits for a text that daemons no longer say, and looks for containers only'),
 ('exec docker.diff','Salt fails on a container without changes'),
 ('exec docker.copy_from','Salt gives the folder to docker cp, and the file lands there under its old name'),
 ('exec docker.cp','Salt gives the folder to docker cp, and the file lands there under its old name'),
 ('exec docker.logs','timelib takes x for a time zone'),
 ('exec docker.wait','Salt compares a map with 0'),
 ('exec docker.run_container','Salt reads the log of a container that removes itself too late'),
 ('exec docker.dangling','Salt looks for null, the daemon says <none>:<none>'),
 ('exec docker.export','Salt fails with docker-py 7'),
 ('exec docker.login','the docker command warns of a password among its arguments; here is none'),
 ('state docker_image.present','Salt compares a short ID with one that has sha256: in front: every build is a change'),
 ('state docker_volume.absent','Salt removes the volume under test=True'),
 ('state docker_volume.present','Salt shows all of the volume as its driver'),
]
WANT=json.load(open('/tmp/dkrec/want.json')) if len(sys.argv)>3 else {}
name=src.split('.')[0]
def drop(c):
    f=c['function']; a=c.get('args'); k=c.get('kwargs',{})
    if f=='exec docker.inspect' and a[0] in ('busybox','bridge','n4','v1'): return True
    if f=='exec docker.build' and k=={'repository':'built'}: return True
    if f=='exec docker.pull' and k.get('insecure_registry'): return True
    if f=='exec docker.dangling' and k.get('prune'): return True
    if f=='exec docker.export' and ('compression' in k or a[1].endswith(('.gz','.bz2'))) and a[1]!='$W/y': return True
    return False
for c in calls:
    f=c['function']
    if f=='exec docker.copy_to' and c.get('kwargs')=={'overwrite':True} and c['args'][2]=='/tmp/f.txt': c['files']={'f.txt':'other content\n'}
    if f.startswith('exec docker.script'):
        c['unasked']=True
        if 'none' not in c['args'][1]: c['retcode']=4
    if f in('exec docker.copy_from','exec docker.cp'): c['unasked']=True
    if f=='exec docker.run' and c['args'][0]=='none': c['unasked']=True
    if f.startswith('exec docker.inspect') and c['args']==['nothing']: c['unasked']=True
    if f=='exec docker.import' and 'nothere' in c['args'][0]: c['unasked']=True
    if f=='state docker_volume.absent' and c.get('test'): c['unasked']=True
calls=[c for c in calls if not drop(c)]
for i,c in enumerate(calls):
    w=WANT.get(name+' '+str(i))
    if w:
        why=[d for p,d in DIFF if c['function'].startswith(p)]
        assert why,c['function']
        c['differs']=why[0]; c['want']=w
with open(dst,'w') as f:
    f.write('{"answers": [\n'+',\n'.join(json.dumps(a) for a in answers)+'\n],\n"calls": [\n'+',\n'.join(json.dumps(c) for c in calls)+'\n]}\n')
t=open(dst).read(); open(dst,"w").write(t.replace("\x53andbox","\\u0053andbox")) 
print(len(calls),len(answers))
