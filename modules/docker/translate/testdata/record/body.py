import sys, json, copy, unittest
import salt.utils.dockermod as dm
from enc import enc
import random, logging
logging.disable(logging.CRITICAL)
import docker, salt.utils.args, salt.utils.dockermod.translate.container as C, salt.utils.dockermod.translate.network as N
import salt.modules.dockermod as M
random.seed(2)
M.__utils__={"args.clean_kwargs":salt.utils.args.clean_kwargs,"docker.translate_input":dm.translate_input,"docker.get_client_args":dm.get_client_args,"docker.create_ipam_config":dm.create_ipam_config}
M.__salt__={}; M.__opts__={}; M.__context__={}
rec=[];seen=set()
class Got(Exception): pass
def client(v):
    c=docker.APIClient(base_url='unix:///nonexistent',version=v)
    def post(url,data,**kw):
        d={k:x for k,x in data.items() if x is not None}
        c.got={"url":url.split('/v'+v)[-1],"body":json.loads(json.dumps(d)),"params":kw.get("params")}
        class R: status_code=200
        return R()
    c._post_json=post
    c._result=lambda r,json=False,binary=False: {"Id":"x"}
    c._raise_for_status=lambda r: None
    return c
def one(kind,v,kw,f):
    c=client(v); M.__context__={"docker.client":c}
    e={"kind":kind,"version":v,"in":enc(copy.deepcopy(kw))}
    try:
        f(copy.deepcopy(kw))
        e["out"]=c.got["body"]
        if c.got["params"] and c.got["params"].get("platform"): e["platform"]=c.got["params"]["platform"]
    except Exception as x:
        e["class"]=type(x).__name__; e["error"]=str(x)
    k=json.dumps(e)
    if k not in seen: seen.add(k); rec.append(e)
def create(kw):
    kwargs,unused=M._get_create_kwargs(**kw)
    M._client_wrapper("create_container","img",name="n",**kwargs)
def net(kw): M.create_network("net",**kw)
def connect(kw): M.connect_container_to_network("cont","net",**kw)
src=open('more.py').read()
exec(src[src.index('vals=['):src.index('import inspect')])
args=dm.get_client_args()
CN=[n for n in args["create_container"]+args["host_config"] if n not in("image","name")]+list(C.ALIASES)+["log_driver","log_opt","nope"]
special={
 "healthcheck":["true",{"test":"curl x","interval":1000},{"test":["CMD","x"]},{"Test":"x","StartPeriod":5},{},[{"test":"a"},{"retries":3}]],
 "command":["echo 'a b' c","sleep","echo 'a",["a","b c"],"",5], "entrypoint":["/bin/sh -c",["x"],""],
 "environment":["A=b,C=d",{"A":None,"B":1},["A=b"],[],{}],
 "labels":["a,b=c",["a","b=c"],{"a":"b"}],
 "user":["root",0,"1000"], "stop_timeout":[5,0,None],
 "network_mode":["host","bridge","container:x",None,""],
 "mem_limit":["512m","512mb","1g","1.5g","10x","5t","","b","kb",0,5,"5kb","1e3k","xm"],
 "memswap_limit":["1g",-1,"-1"], "mem_reservation":["256m",5,"",None], "kernel_memory":["64m","bad"], "shm_size":["64m","64",64,"x"],
 "devices":["/dev/net/tun","/dev/a:/dev/b","/dev/a:/dev/b:r",["/dev/a:/dev/b:rw"],""],
 "ulimits":["nofile=1:2",["nproc=5"]], "binds":["/a:/b:ro",{"/a":{"bind":"/b","mode":"ro"}},{"/a":{"bind":"/b","ro":True}},{"/a":{"bind":"/b","ro":False,"mode":"x"}},{"/a":{"mode":"rw"}},{"/a":{"bind":"/b","propagation":"rshared"}},{"/a":{"bind":"/b","mode":"","propagation":"slave"}},{"/a":"/b"}],
 "port_bindings":["80","8080:80","127.0.0.1:8080:80/udp","127.0.0.1::80",{"80":8080},{80:("127.0.0.1",)},{80:(5,)},{80:("127.0.0.1",1)},{80:[1,("127.0.0.1",2)]},{80:{"HostPort":5}},{80:{"HostIp":"1.1.1.1"}},{80:{"HostIp":"1.1.1.1","HostPort":"7"}},"80:80,81:80,82:80/udp"],
 "extra_hosts":["web1:10.0.0.1,db:10.0.0.2",{"a":"1.1.1.1"}], "links":["web1:link1,db:link2",{"a":""},{"b":None,"a":"c"}],
 "log_config":[{"Type":"json-file","Config":{"a":"b"}},{"type":"syslog"},"x",{"Type":"x","Config":[1]}],
 "restart_policy":["on-failure:5","always"], "tmpfs":[{"/run":"rw,size=1k"},[{"/run":""}]],
 "sysctls":["net.core.somaxconn=1024",{"a":1}], "userns_mode":["host","x"], "uts_mode":["host","x"], "pids_limit":[10,"10"],
 "isolation":["default"], "init":[True,False,None], "init_path":["/x"], "mounts":[[{"Target":"/a","Source":"b","Type":"volume"}]],
 "device_requests":[[{"count":-1,"capabilities":[["gpu"]]}],[{"Driver":5,"x":1}],[{"driver":"nvidia","device_ids":"x"}],[{"count":"a","x":1}],"x",[5]], "device_cgroup_rules":[["c 1:3 r"],"x"],
 "cpu_quota":[5,"5"], "cpu_rt_period":[5,"5"],"cpu_count":[1,"1"],"cpu_percent":[1,"1"],"nano_cpus":[1,"1"],"runtime":["runc"],"cgroupns":["host"],"cgroup_parent":["/x"],"storage_opt":["size=1G"],
 "lxc_conf":["a=b",{"a":1}], "host_config":[{"Memory":5},{"NetworkMode":"x"}], "platform":["linux/arm64"], "use_config_proxy":[False],"networking_config":[{"a":"b"}],
 "group_add":["a,1",[5]],"volumes_from":["a,b",["c:ro"]],"volumes":["/a,/b",["/c"]],"ports":["80,81/udp",[80]],"dns":["8.8.8.8"],"security_opt":["a,b"],"cpuset_mems":["0,1",0],"cpuset_cpus":[0,"0-1"],
}
raw={ # with skip_translate
 "mem_limit":["5q",{"a":1},5.5],"mem_swappiness":["5"],"oom_score_adj":["x"],"restart_policy":["x",["y"]],"devices":[[5],[{"PathOnHost":"a"}]],"sysctls":["x"],"volumes_from":["a,b"],
 "links":[[["a","b"],["c",""]],["ab"],["abc"],[["a"]]],"ulimits":["x",[{"name":5}],[{"name":"a","soft":"x"}],[{"name":"a","soft":1,"hard":"x"}],[{"Name":"a"}]],"blkio_weight":["x"],"blkio_weight_device":["x"],"device_read_bps":["x"],"cpuset_mems":[5],
 "tmpfs":["x",["/a:rw","/b"],[5]],"isolation":[5],"security_opt":["x"],"pids_limit":["5"],"cpu_shares":["5"],"cpu_period":["5"],"labels":[["a","b"]],"ports":[["80/udp"],[[80,"udp"]],{"80/tcp":{}}],"volumes":["/a"],"environment":[["A=b"]],"command":[["a"],"a 'b"],"binds":["x",["a:b"],5],"port_bindings":["x",5],"user":[5],"extra_hosts":["x",["a:1"]],"lxc_conf":["x"],"shm_size":["5q",5.5,"5k"],
}
for v in("1.47",):
    for n in CN:
        for x in special.get(C.ALIASES.get(n,n),[True,False,0,5,"x","5",["a"],{"a":"b"},None]): one("container",v,{n:x},create)
        for x in random.sample(vals,12): one("container",v,{n:x},create)
for n in raw:
    for x in raw[n]: one("container","1.47",{n:x,"skip_translate":n},create); one("container","1.47",{n:x,"skip_translate":True},create)
for v in("1.24","1.28","1.30","1.39","1.41"):
    for n in CN:
        xs=special.get(C.ALIASES.get(n,n),[True,5,"x"])
        for x in xs[:2]: one("container",v,{n:x},create)
for i in range(400):
    ns=random.sample(CN,random.randint(3,7)); kw={}
    for n in ns: kw[n]=random.choice(special.get(C.ALIASES.get(n,n),[True,5,"x"]))
    one("container","1.47",kw,create)
for nm in("net1","host","",None):
    for nets in({"net1":{"ipv4_address":"10.0.0.5","aliases":["a"]}},{"net1":{}},{"net1":{"bad":1}},{"net1":{"links":[["a","b"]]}},{"host":{}}):
        kw={"networks":nets}
        if nm is not None: kw["network_mode"]=nm
        one("container","1.47",kw,create)
for kw in [{},{"ipv4_address":"1.2.3.4"},{"ipv6_address":"fe80::1","aliases":["a","b"]},{"links":{"a":"b"}},{"links":[["a","b"]]},{"link_local_ips":["1.1.1.1"]},{"link_local_ips":[]},{"driver_opt":{"a":"b"}},{"driver_opt":["a"]},{"mac_address":"00:11:22:33:44:55"},{"foo":1},{"ipv4_address":""},{"aliases":"x"}]:
    for v in("1.47","1.24","1.31"): one("connect",v,kw,connect)
NN=["driver","options","driver_opts","ipam","check_duplicate","internal","labels","enable_ipv6","ipv6","attachable","scope","ingress","ipam_driver","ipam_opts","ipam_pools","subnet","iprange","ip_range","gateway","aux_addresses","aux_address","nope","name2"]
nsp={"driver":["macvlan"],"options":["a=b",{"a":1},"x"],"driver_opts":["a=b"],"ipam":[{"Driver":"x","Config":[]},"x",{}],"labels":["a,b=c",["x"],{"a":"b"}],"scope":["local"],"ipam_opts":["a=b",{"a":"b"},[{"a":"b"}]],"ipam_driver":["foo"],
 "ipam_pools":[[{"subnet":"10.0.0.0/24","gateway":"10.0.0.1"}],[{"subnet":"10.0.0.0/24"},{"subnet":"fe3f:2180:26:1::/123"}],[],{},[{"gateway":"10.0.0.1"}],[{"foo":1}],"x",[{"subnet":"10.0.0.0/24","ip_range":"10.0.0.0/25","aux_address":"a=10.0.0.5"}],[{"subnet":"bad"}]],
 "subnet":["10.0.0.0/24","bad"],"iprange":["10.0.0.0/25"],"ip_range":["10.0.0.0/25"],"gateway":["10.0.0.1","bad"],"aux_addresses":["a=10.0.0.5",{"a":"bad"}],"aux_address":["a=10.0.0.5"]}
for n in NN:
    for x in nsp.get(n,[True,False,None,"x"]):
        for v in("1.47","1.24","1.28"): one("network",v,{n:x},net)
for i in range(300):
    one("network","1.47",{n:random.choice(nsp.get(n,[True,False])) for n in random.sample(NN[:-2],random.randint(2,6))},net)
json.dump(rec,open(sys.argv[1],'w'))
print(len(rec),sum('error' in r for r in rec))
