import sys, json, copy, unittest
import salt.utils.dockermod as dm
from enc import enc
import random, logging
logging.disable(logging.CRITICAL)
import salt.utils.dockermod.translate.container as C, salt.utils.dockermod.translate.network as N
random.seed(1)
vals=[None,True,False,0,1,-1,443,1.5,"","foo","12"," 12 ","1_0","-5","a,b","a=b,c=d","a:b,c:d","a:1.2.3.4","a:fe80::1","/a,/b","/a:/b","/a:/b:ro,/c:/d","/dev/sda:100","/dev/sda:1mb","dev:5","/dev/sda:a:b",
 "on-failure:5","always","x:y","nofile=1024:2048","nofile=5","nofile=a:b","80","80/udp","80/tcp","80/sctp","80-82","82-80","80-","80-a","1-2-3","80:80","80:","8080:80/udp",":80","127.0.0.1:80:80","127.0.0.1::80","300.0.0.1:80:80","8000-8002:80-82","8000-8001:80-82","127.0.0.1:8000-8002:80-82/udp","1:2:3:4","80,80","80:80,81:80,80","80/udp,81:80/udp","100m","1.2.3.4","fe80::1","10.0.0.0/8","10.0.0.1/8","10.0.0.0/255.0.0.0","10.0.0.0/33","10.0.0.0","fe80::/10","fe80::1/10","fe80::/129",
 [],["a"],["a",1],[1,2],[1.5],[None],["a=b"],["a=b",{"c":"d"}],[{"a":"b"},{"c":1}],[{"a":"b","c":"d"}],[{"a":None}],["/a","/b"],["/a:/b"],["/a:/b:ro",5],[80,"81/udp"],[80,"80"],["80:80",81],["127.0.0.1:80:80","81:80"],[["a"]],[True],
 {},{"a":"b"},{"a":1},{"a":None},{"a":{"b":"c"}},{"/a":{"bind":"/b","mode":"ro"}},{"/a":{"bind":"/b"},"/c":{"x":1}},{"/a":"/b"},{80:8080},{"80/udp":8080},{"80":None},{"x":"y"},{"a":"1.2.3.4"},{"a":"1.2.3"}, 10**20, "1e3", "0x10","٣", ["10.0.0.1","bad"],["a:10.0.0.1"],"é","a = b , c = d","a=b=c","=","a==b",["foo","bar=baz",{"hello":"world"}],"always,never",["on-failure:3"],{"Name":"always"},[{"Name":"always"}],"root","1000","-1000",1000,-3]
import inspect
def names(mod): return [n for n,f in vars(mod).items() if inspect.isfunction(f) and not n.startswith('_')]
rec=[];seen=set()
def one(kind,tr,kw):
    e={"kind":kind,"in":enc(copy.deepcopy(kw))}
    try: e["out"]=enc(dm.translate_input(tr,**copy.deepcopy(kw)))
    except Exception as x: e["class"]=type(x).__name__; e["error"]=str(x)
    k=json.dumps(e)
    if k not in seen: seen.add(k); rec.append(e)
cn=names(C); nn=names(N)
for kind,tr,ns in(("container",C,cn+list(C.ALIASES)),("network",N,nn+list(N.ALIASES))):
    for n in ns:
        for v in vals: one(kind,tr,{n:v})
    for v in vals: one(kind,tr,{"unknown_arg":v})
print("args",len(cn),"aliases",len(C.ALIASES),"net",len(nn),len(N.ALIASES))
for v in vals:
    one("network",N,{"ipam_pools":[{"subnet":v,"gateway":"10.0.0.1"}]})
    for k in ("subnet","iprange","ip_range","gateway","aux_address","aux_addresses","options","labels","other"):
        one("network",N,{"ipam_pools":[{"subnet":"10.0.0.0/8"},{k:v}]})
# several arguments at once
good=lambda n:[v for v in vals]
for i in range(2500):
    kind,tr,ns=random.choice([("container",C,cn+list(C.ALIASES))]*3+[("network",N,nn+list(N.ALIASES))])
    kw={n:random.choice(vals) for n in random.sample(ns,random.randint(2,4))}
    r=random.random()
    if r<.15: kw["skip_translate"]=random.choice([True,list(kw)[0],list(kw),",".join(kw),"binds","ports","volume"])
    if random.random()<.3: kw["ignore_collisions"]=True
    if random.random()<.3: kw["validate_ip_addrs"]=False
    one(kind,tr,kw)
# what acts together
portv=[v for v in vals if isinstance(v,(int,str)) or isinstance(v,list)]
for i in range(900):
    kw={}
    for n in random.sample(["ports","expose","port_bindings","publish","publish_all","publish_all_ports","binds","volumes","volume","hostname","network_mode","log_driver","log_opt","log_config"],random.randint(2,4)):
        kw[n]=random.choice(["80","80/udp",80,["80:80"],"8000-8002:80-82",{"80/udp":1},{80:("127.0.0.1",)}] if "p" in n and "o" in n and "port" in n or "publish" in n or n=="expose" else ["/a:/b","/b:/c:ro",["/x"],{"/a":{"bind":"/z"}},{"/a":{"bind":5}}] if n=="binds" else ["/b","/q",["/z","/a"]] if "vol" in n else ["host","x"] if n in("hostname","network_mode") else ["json-file","a=b",{"Type":"x"}])
    if random.random()<.2: kw["skip_translate"]=random.choice(["binds","ports","expose","port_bindings","volumes"])
    one("container",C,kw)
json.dump(rec,open(sys.argv[1],'w'))
print(len(rec),sum('error' in r for r in rec))
