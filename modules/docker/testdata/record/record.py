import base64, copy, json, logging, os, re, shutil, socket, subprocess, sys, threading, time
os.environ['TZ']='UTC'; time.tzset()
UP = sys.argv[1]; OUT = sys.argv[2]
SOCK='/tmp/dkrec/p.sock'; W='/tmp/dkrec/w'
os.environ.update(DOCKER_HOST='unix://'+SOCK, PATH='/usr/bin:'+os.environ['PATH'], HOME='/tmp/dkrec/home', LANG='C.UTF-8')
for d in (W,'/tmp/dkrec/home','/tmp/dkrec/salt','/tmp/dkrec/etc','/tmp/dkrec/srv'):
    shutil.rmtree(d,ignore_errors=True); os.makedirs(d)
if os.path.exists(SOCK): os.remove(SOCK)
exchanges=[]; lock=threading.Lock()

def head(f):
    line=f.readline()
    if not line: return None,None,None
    h=[]
    raw=line
    while True:
        l=f.readline(); raw+=l
        if l in (b'\r\n',b''): break
        k,v=l.decode('latin1').split(':',1); h.append((k.strip().lower(),v.strip()))
    return line.decode('latin1').strip(), dict(h), raw

def pump_body(f, h, out, resp=False, nobody=False):
    data=b''
    if nobody: return data
    if 'chunked' in h.get('transfer-encoding',''):
        while True:
            l=f.readline(); out.sendall(l)
            n=int(l.split(b';')[0],16)
            left=n; 
            while left:
                b=f.read(left); data+=b; left-=len(b); out.sendall(b)
            out.sendall(f.readline())
            if n==0: return data
    n=h.get('content-length')
    if n is not None:
        left=int(n)
        while left:
            b=f.read(min(left,65536)); data+=b; left-=len(b); out.sendall(b)
        return data
    if resp:
        while True:
            b=f.read1(65536)
            if not b: return data
            data+=b; out.sendall(b)
    return data

def enc(b):
    if len(b) > 20000: return {'long': len(b)}
    try:
        return b.decode()
    except UnicodeDecodeError:
        return {'base64': base64.b64encode(b).decode()}

def serve(c):
    s=socket.socket(socket.AF_UNIX); s.connect(UP)
    cf=c.makefile('rb'); sf=s.makefile('rb')
    try:
        while True:
            line,h,raw=head(cf)
            if line is None: return
            s.sendall(raw)
            if h.get('expect')=='100-continue': pass
            body=pump_body(cf,h,s)
            method,path,_=line.split(' ')
            rl,rh,rraw=head(sf)
            while rl.split(' ')[1]=='100': rl,rh,rraw=head(sf)
            c.sendall(rraw)
            status=int(rl.split(' ')[1])
            e={'method':method,'path':path,'agent':'cli' if h.get('user-agent','').startswith('Docker-Client') else 'py','status':status}
            if body: e['body']=enc(body)
            if h.get('x-registry-auth'): e['auth']=h['x-registry-auth']
            if h.get('x-registry-config'): e['config']=h['x-registry-config']
            with lock: exchanges.append(e)
            if status==101:
                data=[]
                def up():
                    while True:
                        b=cf.read1(65536)
                        if not b:
                            try: s.shutdown(socket.SHUT_WR)
                            except OSError: pass
                            return
                        data.append(b); s.sendall(b)
                t=threading.Thread(target=up,daemon=True); t.start()
                got=b''
                while True:
                    b=sf.read1(65536)
                    if not b: break
                    got+=b; c.sendall(b)
                e['answer']=enc(got)
                if data: e['stdin']=enc(b''.join(data))
                return
            nobody = method=='HEAD' or status in (204,304)
            got=pump_body(sf,rh,c,resp=True,nobody=nobody)
            e['answer']=enc(got)
    except (OSError,AttributeError,ValueError) as x:
        pass
    finally:
        try: c.shutdown(socket.SHUT_RDWR)
        except OSError: pass
        c.close(); s.close()

l=socket.socket(socket.AF_UNIX); l.bind(SOCK); l.listen(50)
def acc():
    while True:
        c,_=l.accept(); threading.Thread(target=serve,args=(c,),daemon=True).start()
threading.Thread(target=acc,daemon=True).start()

import salt.config, salt.loader
from salt.exceptions import SaltException
base=dict(root_dir='/tmp/dkrec/salt', file_client='local', id='m', file_roots={'base':['/tmp/dkrec/srv']}, pillar_roots={'base':[]}, log_level='quiet')
json.dump(base,open('/tmp/dkrec/etc/minion','w'))
opts=salt.config.minion_config('/tmp/dkrec/etc/minion'); opts.update(file_client='local')
grains=salt.loader.grains(opts); opts['grains']=grains
def load(over, test=False):
    o=copy.deepcopy(opts); 
    o['pillar']={}
    o['docker.update_mine']=False
    o['test']=test
    o.update(over)
    ctx={}
    utils=salt.loader.utils(o,context=ctx)
    mods=salt.loader.minion_mods(o,utils=utils,context=ctx)
    return o,utils,mods,ctx
cache={}
def loaders(over,test):
    k=json.dumps([over,test],sort_keys=True)
    if k not in cache:
        o,u,m,ctx=load(over,test)
        st=None
        cache[k]=[o,u,m,ctx,None]
    return cache[k]
def states(L):
    if L[4] is None:
        L[4]=salt.loader.states(L[0],L[2],L[1],None,context=L[3])
    return L[4]

out=[]
vars_={}
def plain(v):
    if isinstance(v,dict): return {str(k):plain(x) for k,x in v.items()}
    if isinstance(v,tuple): return {'(tuple)':[plain(x) for x in v]}
    if isinstance(v,(list,set)): return [plain(x) for x in v]
    if isinstance(v,bytes): return v.decode('latin1')
    if isinstance(v,(str,int,float,bool,type(None))): return v
    return repr(v)
def call(fun,*args,state=False,test=False,opts=None,note=None,files=None,rc=False,**kw):
    global exchanges
    with lock: exchanges=[]
    L=loaders(opts or {},test)
    keep=L[3].copy() if False else None
    # a context of its own for each call
    for k in list(L[3]): 
        if str(k).startswith('docker.') or k=='retcode': L[3].pop(k,None)
    e={'function':('state ' if state else 'exec ')+fun}
    if args: e['args']=plain(args)
    if kw: e['kwargs']=plain(kw)
    if opts: e['opts']=opts
    if test: e['test']=True
    a=copy.deepcopy(args); k=copy.deepcopy(kw)
    try:
        r=(states(L) if state else L[2])[fun](*a,**k)
        e['return']=plain(r)
    except Exception as x:
        e['error']=type(x).__name__+': '+str(x)
    if L[3].get('retcode'): e['retcode']=L[3]['retcode']
    time.sleep(0.05)
    with lock: ex=exchanges; exchanges=[]
    e['requests']=ex
    out.append(e)
    s=json.dumps(e.get('return',e.get('error')))
    print(e['function'],args,kw,'->',s[:300],len(ex), 'ms')
    return e.get('return')
def sh(cmd): subprocess.run(cmd,shell=True,check=True)
only = sys.argv[4] if len(sys.argv)>4 else None
exec(open(sys.argv[3]).read())
json.dump(out,open(OUT,'w'),indent=1,sort_keys=False)
print(len(out),'calls')
