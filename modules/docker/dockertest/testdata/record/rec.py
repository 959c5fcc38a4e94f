import sys, os, json, copy, http.client, socket, subprocess, time, tempfile
TMP=tempfile.mkdtemp()
SOCK=TMP+'/d.sock'
os.environ['DOCKER_HOST']='unix://'+SOCK
import salt.config, salt.loader
class H(http.client.HTTPConnection):
    def connect(self):
        self.sock=socket.socket(socket.AF_UNIX); self.sock.connect(SOCK)
def ctl(path,body):
    c=H('x'); c.request('POST',path,json.dumps(body)); r=c.getresponse().read(); return json.loads(r) if r.strip() else None
def serve():
    if os.path.exists(SOCK): os.unlink(SOCK)
    p=subprocess.Popen([os.environ['DOCKERTEST'],'-test.run','TestServe','-test.timeout','0'],env=dict(os.environ,DOCKERTEST_SOCKET=SOCK))
    for i in range(100):
        if os.path.exists(SOCK): break
        time.sleep(.05)
    return p
def loaders():
    os.makedirs(TMP,exist_ok=True)
    opts=salt.config.minion_config(None); opts.update({'root_dir':TMP,'cachedir':TMP+'/cache','file_client':'local','id':'m','docker.update_mine':False,'log_level':'critical','extension_modules':TMP+'/ext','test':False,'conf_file':TMP+'/minion'})
    opts['grains']={'os':'Debian','os_family':'Debian','kernel':'Linux'}
    opts['pillar']={}
    ctx={}
    utils=salt.loader.utils(opts,context=ctx)
    mods=salt.loader.minion_mods(opts,context=ctx,utils=utils)
    states=salt.loader.states(opts,mods,utils,salt.loader.serializers(opts),context=ctx)
    return opts,mods,states,ctx
def scrub(v):
    if isinstance(v,dict): return {(k if isinstance(k,str) else str(k)):("TIME" if k in('Time_Elapsed',) else scrub(x)) for k,x in v.items()}
    if isinstance(v,(list,tuple)): return [scrub(x) for x in v]
    return v
def record(scenarios,out):
    p=serve()
    try:
        opts,mods,states,ctx=loaders()
        res=[]
        for sc in scenarios:
            ctx.clear(); ctl('/_reset',{"version":sc.get("version","27.5.1"),"api":sc.get("api","1.47")})
            steps=[]
            for st in sc['steps']:
                st=copy.deepcopy(st); kw=copy.deepcopy(st.get('kwargs',{}))
                if 'fail' in st: ctl('/_fail',st['fail']); steps.append(st); continue
                # a test flag is part of opts
                for o in (opts,states.opts,mods.opts): o['test']=bool(st.get('test'))
                try:
                    if 'state' in st:
                        r=states[st['state']](**kw)
                    else: r=mods[st['exec']](*copy.deepcopy(st.get('args',[])),**kw)
                    st['ret']=scrub(json.loads(json.dumps(scrub(r))))
                except Exception as e:
                    st['class']=type(e).__name__; st['error']=str(e)
                st['calls']=ctl('/_calls',{})
                steps.append(st)
            res.append({"name":sc["name"],"version":sc.get("version","27.5.1"),"api":sc.get("api","1.47"),"steps":steps})
        with open(out,'w') as f: f.write('[\n'+',\n'.join(json.dumps(r,ensure_ascii=False) for r in res)+'\n]\n')
        return res
    finally:
        p.kill()
