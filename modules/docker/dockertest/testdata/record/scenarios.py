from rec import *
def R(**kw):
    t=kw.pop('test',False); d={"state":"docker_container.running","kwargs":dict({"name":"web","image":"nginx:1.25"},**kw)}
    if t: d['test']=True
    return d
def S(fun,test=False,**kw):
    d={"state":fun,"kwargs":kw}
    if test: d["test"]=True
    return d
def E(fun,*args,**kw):
    d={"exec":fun}
    if args: d["args"]=list(args)
    if kw: d["kwargs"]=kw
    return d
def F(path,status,message,times=0): return {"fail":{"path":path,"status":status,"message":message,"times":times}}
def W(sfun,test=False,**kw):
    return S("docker_container.mod_watch",test,sfun=sfun,**kw)
net=lambda n="net1",**kw: E("docker.create_network",n,**kw)
C=[]
def sc(name,*steps,**kw): C.append(dict({"name":name,"steps":list(steps)},**kw))
sc("created, unchanged, replaced", R(test=True),R(),R(),R(test=True),R(publish="8080:80",test=True),R(publish="8080:80"),R(publish="8080:80",test=True))
# each argument: created, and the same again; then one without it
args=dict(auto_remove=True,binds="/srv/www:/var/www:ro,/etc/foo.conf:/etc/foo.conf",blkio_weight=100,blkio_weight_device="/dev/sda:100",cap_add="SYS_ADMIN,MKNOD",cap_drop=["SYS_ADMIN"],command="sleep 'a b'",cpuset_cpus="0,1",cpuset_mems="0",cpu_group=100000,cpu_period=50000,cpu_shares=512,detach=True,
 device_read_bps="/dev/sda:1mb",device_read_iops="/dev/sda:100",device_write_bps=["/dev/sda:5mb"],device_write_iops=["/dev/sda:7"],devices="/dev/net/tun,/dev/x:/dev/y:r",dns=["8.8.8.8","8.8.4.4"],dns_opt=["timeout:2"],dns_search="foo.com,bar.com",domainname="example.com",
 entrypoint=["/bin/my","-x"],environment=[{"VAR1":"value"},{"VAR2":"2"}],extra_hosts="web1:10.9.8.7,web2:10.9.8.8",group_add="root,1000",hostname="web1",interactive=True,ipc_mode="host",isolation="default",labels=["a","b=c",{"d":"e"}],links="web1:link1,db:db",log_driver="json-file",log_opt="max-size=1m",
 lxc_conf="lxc.utsname=docker",mem_limit="512M",mem_swappiness=60,memswap_limit="1G",network_disabled=True,network_mode="host",oom_kill_disable=True,oom_score_adj=500,pid_mode="host",pids_limit=2000,port_bindings="4505-4506:14505-14506,2123:2123/udp,8080",ports="1111,2222/udp",privileged=True,publish_all_ports=True,read_only=True,
 restart_policy="on-failure:5",security_opt="apparmor:unconfined",shm_size="128M",stop_signal="SIGRTMIN+3",stop_timeout=5,storage_opt="dm.basesize=40G",sysctls="fs.nr_open=1048576",tmpfs=[{"/run":"rw,size=65536k"}],tty=True,ulimits="nofile=1024:1024,nproc=60",user="foo",userns_mode="host",volumes="/mnt/vol1,/mnt/vol2",volumes_from="foo",volume_driver="foobar",working_dir="/var/log",
 healthcheck={"test":"curl localhost","interval":1000000000},init=True,runtime="runc",cgroup_parent="/x",mem_reservation="64m",cpu_quota=10000,nano_cpus=500000000,mounts=[{"Target":"/a","Source":"v","Type":"volume"}],host_config={"Memory":5000000},
 cmd=["sleep","5"],cpuset="0",dns_option="a",env="A=b",expose=80,ipc="host",label="x=y",memory="1g",memory_swap="2g",publish="80:80",publish_all=True,restart="always",rm=True,sysctl={"a":"1"},security_opts=["x"],ulimit="nproc=5",user_ns_mode="host",volume="/data",workdir="/")
for k,v in args.items():
    sc("argument "+k, R(**{k:v}), R(**{k:v}), R())
sc("invalid arguments", R(port_bindings="80:81:82:83",restart_policy="a,b"), R(env="A=b",environment="C=d"), R(env="A=b",environment="C=d",ignore_collisions=True), R(dns="bad"), R(dns="bad",validate_ip_addrs=False), R(dns="worse",skip_translate="dns"), R(hostname="a",network_mode="host"), R(mem_limit="5x"), R(command="echo 'a"), R(nonsense=5))
sc("existing, invalid arguments", R(), R(port_bindings="80:81:82:83"), R(mem_limit="5x"), E("docker.state","web"))
sc("image missing", S("docker_container.running",name="a"), S("docker_container.running",True,name="a",image="nope:1"), S("docker_container.running",name="a",image="nope:1"))
sc("image pulled", S("docker_container.running",True,name="a",image="pulled:1"), S("docker_container.running",name="a",image="pulled:1"), S("docker_container.running",name="a",image="pulled:1"))
sc("image replaced", R(), R(image="nginx:1.27",test=True), R(image="nginx:1.27"), R(image="nginx:1.27"))
sc("image replaced, stopped before", R(), E("docker.stop","web"), R(image="nginx:1.27"))
sc("force", R(), R(force=True,test=True), R(force=True), R(force=True,shutdown_timeout=3))
sc("force, start False, stopped", R(), E("docker.stop","web"), R(force=True,start=False))
sc("not running", R(), E("docker.stop","web"), R(test=True), R(start=False), R(), R())
sc("paused", R(), E("docker.pause","web"), R(), R(publish="80:80"), R(force=True), E("docker.state","web"))
sc("start False, new", R(start=False), R(start=False))
sc("start False, replaced while stopped", R(), E("docker.stop","web"), R(start=False,publish="80:80"), E("docker.state","web"))
sc("exits at once", S("docker_container.running",name="b",image="busybox"), S("docker_container.running",name="b",image="busybox"), S("docker_container.running",name="b",image="busybox",start=False), S("docker_container.running",name="b",image="busybox",tty=True,interactive=True))
sc("stop timeout of the container", R(stop_timeout=7), R(stop_timeout=7,publish="1:1"), R(stop_timeout=7,publish="2:2",shutdown_timeout=1))
sc("watch, force", R(), W("running",name="web",image="nginx:1.25"), W("running",True,name="web",image="nginx:1.25"), W("running",name="web",image="nginx:1.25",watch_action="force"))
sc("watch, signal", R(), W("running",True,name="web",image="nginx:1.25",watch_action="SIGHUP"), W("running",name="web",image="nginx:1.25",watch_action="SIGHUP"), W("running",name="web",image="nginx:1.25",watch_action=1), W("running",name="web",image="nginx:1.25",watch_action="SIGHUP",publish="80:80"), E("docker.stop","web"), W("running",name="web",image="nginx:1.25",watch_action="SIGHUP",publish="80:80"))
sc("watch, others", R(), W("stopped",name="web"), W("run",name="r",image="busybox",cmd="true"), W("absent",name="web"), S("docker_container.mod_watch",name="web"))
sc("signal refused", R(), F("^POST .*/kill$",500,"no such signal"), W("running",name="web",image="nginx:1.25",watch_action="SIGFOO"))
# failures
sc("create refused", F("^POST /containers/create",409,"Conflict"), R())
sc("start refused", F("^POST .*/start$",500,"driver failed"), R(), R())
sc("rename refused", R(), F("^POST .*/rename$",500,"cannot rename"), R(publish="80:80"))
sc("rename refused, forced", R(), F("^POST .*/rename$",500,"cannot rename"), R(force=True))
sc("removal refused", R(), F("^DELETE /containers/",500,"busy"), R(publish="80:80"))
sc("image inspection refused", F("^GET /images/nginx",500,"broken"), R())
sc("pull refused", F("^POST /images/create",500,"registry away"), S("docker_container.running",name="a",image="pulled:2"))
sc("inspect refused", F("^GET /containers/web/json",500,"oops"), R())
sc("old docker", R(mac_address_x=1), R(publish="1:1"), version="24.0.7", api="1.43")
# the mistakes of early releases
sc("empty values before", R(hostname="x",domainname="d",cpuset_cpus="0"), R(hostname="x"), R(hostname="x",test=True))
# networks
N1=dict(subnet="10.247.197.96/27"); N2=dict(subnet="10.247.198.0/24")
sc("networks", net(**N1), net("net2",**N2), R(networks=["net1"],test=True), R(networks=["net1"]), R(networks=["net1"]), R(networks=["net1","net2"],test=True), R(networks=["net1","net2"]), R(networks="net1,net2"), R(networks=["net2"]), R(networks=[]), R(networks=[],test=True), R(), R(networks=["bridge"]))
sc("networks, static", net(**N1), R(networks=[{"net1":[{"ipv4_address":"10.247.197.100"}]}]), R(networks=[{"net1":[{"ipv4_address":"10.247.197.100"}]}]), R(networks=[{"net1":[{"ipv4_address":"10.247.197.101"}]}],test=True), R(networks=[{"net1":[{"ipv4_address":"10.247.197.101"}]}]), R(networks=["net1"]), R(networks=[{"net1":[{"ipv4_address":"10.247.197.105"}]}]), R(networks=[{"net1":[{"ipv4_address":"10.0.0.1"}]}]), E("docker.state","web"))
sc("networks, static, outside, new", net(**N1), R(networks=[{"net1":[{"ipv4_address":"10.0.0.1"}]}]), E("docker.state","web"))
sc("networks, aliases and links", net(**N1), R(networks=[{"net1":[{"aliases":"a,b"},{"links":[["web1","x"]]}]}]), R(networks=[{"net1":[{"aliases":["b","a"]}]}]), R(networks=[{"net1":[{"aliases":["b","a"]}]}]), R(networks=["net1"]), R(networks=[{"net1":[{"aliases":"b"}]}]))
sc("networks, with mode", net(**N1), R(network_mode="net1",networks=["net1"]), R(network_mode="net1",networks=["net1"]), R(network_mode="net1",networks=[{"net1":[{"ipv4_address":"10.247.197.110"}]}]), R(network_mode="bridge",networks=["net1"]))
sc("networks, with mode, static", net(**N1), R(network_mode="net1",networks=[{"net1":[{"ipv4_address":"10.247.197.110"}]}]), R(network_mode="net1",networks=[{"net1":[{"ipv4_address":"10.247.197.110"}]}]))
sc("networks, replaced too", net(**N1), R(networks=["net1"]), R(networks=["net1"],publish="80:80"), R(networks=[{"net1":[{"ipv4_address":"10.247.197.110"}]}],publish="81:80"), R(networks=["net1"],image="nginx:1.27"), R(networks=["net1"],image="nginx:1.27",publish="82:80",test=True))
sc("networks, stopped container", net(**N1), R(networks=["net1"]), E("docker.stop","web"), R(networks=[{"net1":[{"ipv4_address":"10.247.197.110"}]}]), R(networks=["net1"],start=False))
sc("networks, wrong", R(networks=["missing","also"]), R(networks=[{"a":1,"b":2}]), R(networks=[{"bridge":"x"}]), R(networks=[{"bridge":{"ipv4_address":"10.0.0.1"}}]), R(networks=[{"bridge":["ipv4_address"]}]), R(networks=[{"bridge":["ipv4_address","aliases"]},{"host":["links"]}]), R(networks={"bridge":{}}), R(networks=[{"bridge":[{"foo":"bar"}]}]), R(networks=[["x"]]))
sc("networks, list refused", F("^GET /networks$",500,"no"), R(networks=["bridge"]))
sc("networks, connect refused", net(**N1), R(), F("^POST /networks/net1/connect",403,"refused"), R(networks=["net1"]), E("docker.ps",all=True))
sc("networks, connect refused later", net(**N1), R(networks=["net1"]), F("^POST /networks/net1/disconnect",403,"stays",1), R(networks=[{"net1":[{"ipv4_address":"10.247.197.110"}]}]), R(networks=[{"net1":[{"ipv4_address":"10.247.197.110"}]}]))
sc("networks, reconnect fails", net(**N1), R(networks=["net1"]), R(networks=[{"net1":[{"ipv4_address":"10.9.9.9"}]}]), R(networks=[{"net1":[{"ipv4_address":"10.247.197.110"}]}]), R(networks=[{"net1":[{"ipv4_address":"10.9.9.9"}]}]), E("docker.connected","net1"))
# stopped and absent
sc("stopped", S("docker_container.stopped",name="web"), S("docker_container.stopped",name="web",error_on_absent=False), R(), S("docker_container.stopped",True,name="web"), S("docker_container.stopped",name="web"), S("docker_container.stopped",name="web"))
sc("stopped, several", R(), R(name="w2"), S("docker_container.stopped",name="x",containers=["web","w2","gone"]), S("docker_container.stopped",name="x",containers=["web","w2","gone"],error_on_absent=False,shutdown_timeout=2), S("docker_container.stopped",name="x",containers=["web","gone"],error_on_absent=False), S("docker_container.stopped",name="x",containers=["web","w2"]), S("docker_container.stopped",name="x",containers="web"), S("docker_container.stopped"), S("docker_container.stopped",name="x",containers=[]), S("docker_container.stopped",name=5))
sc("stopped, paused", R(), E("docker.pause","web"), S("docker_container.stopped",name="web"), S("docker_container.stopped",True,name="web",unpause=True), S("docker_container.stopped",name="web",unpause=True))
sc("stopped, absent and paused", R(), E("docker.pause","web"), S("docker_container.stopped",name="x",containers=["web","gone"]))
sc("stop refused", R(), F("^POST .*/stop$",500,"no"), S("docker_container.stopped",name="web"))
sc("absent", S("docker_container.absent",name="web"), R(), S("docker_container.absent",True,name="web"), S("docker_container.absent",name="web"), S("docker_container.absent",True,name="web",force=True), S("docker_container.absent",name="web",force=True), R(), E("docker.stop","web"), S("docker_container.absent",True,name="web"), S("docker_container.absent",name="web"))
sc("absent, stopped, force", R(), E("docker.stop","web"), S("docker_container.absent",name="web",force=True))
sc("absent, refused", R(), F("^DELETE /containers/",500,"busy"), S("docker_container.absent",name="web",force=True))
# run
def run(test=False,**kw): return S("docker_container.run",test,**dict({"name":"r","image":"busybox"},**kw))
sc("run", run(True,cmd="echo hi"), run(True,cmd="echo hi",bg=True), run(cmd="echo hi"), run(cmd="echo hi"), run(cmd="echo hi",replace=True), run(cmd="false",replace=True), run(cmd="false",replace=True,failhard=False), run(cmd="true",replace=True,bg=True), S("docker_container.run",name="r"))
sc("run, remove", run(cmd="echo hi",rm=True), E("docker.ps",all=True), run(cmd="echo hi",auto_remove=True), run(cmd="echo hi",rm=True,auto_remove=True), run(cmd="echo hi",rm=True,auto_remove=False,ignore_collisions=True), run(cmd="false",rm=True), run(cmd="echo hi",rm=False), run(cmd="true",rm=True,bg=True,replace=True))
sc("run, removal refused", F("^DELETE /containers/",500,"busy"), run(cmd="echo hi",rm=True))
sc("run, unsupported", run(watch_action="force"), run(start=True), run(shutdown_timeout=1), run(follow=True))
sc("run, over a running one", R(name="r"), run(cmd="true"), run(cmd="true",replace=True), run(cmd="true",replace=True,force=True))
sc("run, networks", net(**N1), run(cmd="true",networks=["net1"]), run(cmd="true",networks=[{"net1":[{"ipv4_address":"10.247.197.110"}]}],replace=True), run(cmd="true",networks=["gone"]), run(cmd="true",networks=[{"net1":["a"]}]), run(cmd="true",networks=None,replace=True), run(cmd="true",networks=[],replace=True))
sc("run, network refused", net(**N1), F("^POST /networks/net1/connect",403,"refused"), run(cmd="true",networks=["net1"]), run(cmd="true",networks=["net1"],rm=True,name="q"))
sc("run, invalid", run(cmd="true",dns="bad"), run(cmd="true",image="nope"), run(cmd="true",mem_limit="7q"), run(True,image="nope"))
sc("run, pulled", run(cmd="true",image="pulled:3"))
sc("run, refused", F("^POST .*/start$",500,"no"), run(cmd="true"))
sc("run, logs' arguments", run(cmd="echo a b",timestamps=True,tail=5))
r=record(C,sys.argv[1])
print(len(r),sum(len(s['steps']) for s in r))
# networks
D=[]
web=lambda *n,**kw: R(networks=list(n),**kw)
def sn(name,*steps,**kw): D.append(dict({"name":name,"steps":list(steps)},**kw))
def P(test=False,**kw): return S("docker_network.present",test,**dict({"name":"n"},**kw))
def A(test=False,**kw): return S("docker_network.absent",test,**dict({"name":"n"},**kw))
sn("present", P(True), P(), P(), P(True), P(internal=True,test=True), P(internal=True), P(internal=True))
nargs=dict(driver="macvlan",driver_opts=["macvlan_mode=bridge","parent=eth0"],driver_opt="a=b",options={"a":"b"},check_duplicate=False,internal=True,labels=["foo","bar=baz",{"hello":"world"}],enable_ipv6=True,ipv6=True,attachable=True,scope="swarm",ingress=True,ipam_driver="foo",ipam_opts="foo=bar",subnet="192.168.50.0/25",
 ipam_pools=[{"subnet":"10.0.20.0/24","iprange":"10.0.20.128/25","gateway":"10.0.20.254","aux_addresses":{"foo":"10.0.20.50"}},{"subnet":"fe3f:2180:26:1::/123","gateway":"fe3f:2180:26:1::1"}],ipam={"Driver":"default","Config":[{"Subnet":"10.5.0.0/16"}]})
for k,v in nargs.items(): sn("argument "+k, P(**{k:v}), P(**{k:v}), P())
sn("addresses", P(subnet="10.0.20.0/24",gateway="10.0.20.1",iprange="10.0.20.0/25",aux_address="a=10.0.20.5"), P(subnet="10.0.20.0/24",gateway="10.0.20.1",iprange="10.0.20.0/25",aux_addresses=["a=10.0.20.5"]), P(subnet="10.0.20.0/24",gateway="10.0.20.254",iprange="10.0.20.0/25"), P(subnet="10.0.20.0/24"), P(subnet="10.0.20.0/24"), P(subnet="10.0.21.0/24"), P(ip_range="10.0.21.0/25",subnet="10.0.21.0/24"))
sn("default gateway", P(subnet="10.0.20.0/24"), P(subnet="10.0.20.0/24",gateway="10.0.20.1"), P(subnet="10.0.20.0/24",gateway="10.0.20.1"), P(subnet="10.0.20.0/24"), P())
sn("two pools", P(ipam_pools=[{"subnet":"10.0.20.0/24"},{"subnet":"10.0.21.0/24"}]), P(ipam_pools=[{"subnet":"10.0.21.0/24"},{"subnet":"10.0.20.0/24"}]), P(ipam_pools=[{"subnet":"10.0.20.0/24"}]))
sn("invalid", P(subnet="bad"), P(subnet="bad",validate_ip_addrs=False), P(gateway="bad"), P(ipam={"Driver":"x"},subnet="10.0.0.0/8"), P(ipam_pools="x"), P(ipam_pools=[{"foo":"bar"}]), P(driver_opts="x",options="a=b"), P(options="a=b",driver_opts="c=d",ignore_collisions=True), P(nonsense=1), P(labels=5), P(skip_translate="subnet",subnet="whatever"), P(skip_translate=True,options={"a":"b"}))
sn("bridge name, replaced", P(driver="bridge",driver_opts={"com.docker.network.bridge.name":"br-front"}), P(driver="bridge",internal=True,driver_opts={"com.docker.network.bridge.name":"br-front"}), P(driver="bridge",internal=True,driver_opts={"com.docker.network.bridge.name":"br-front"}))
sn("options added", P(), P(driver_opts="a=b",test=True), P(driver_opts="a=b"))
sn("disconnecting refused", P(), web("n"), F("^POST /networks/n/disconnect",500,"no"), A())
sn("invalid, there", P(), P(nonsense=1), P(subnet="bad"))
sn("bridge name", P(driver="bridge",driver_opts={"com.docker.network.bridge.name":"br-front"}), P(driver="bridge",driver_opts={"com.docker.network.bridge.name":"br-front"}))
sn("containers", P(subnet="10.0.20.0/24"), R(), R(name="w2"), R(name="w3"), E("docker.stop","w3"), P(subnet="10.0.20.0/24",containers=["web"],test=True), P(subnet="10.0.20.0/24",containers=["web"]), P(subnet="10.0.20.0/24",containers=["web","w2","w3","gone"]), P(subnet="10.0.20.0/24",containers="web,w2"), P(subnet="10.0.21.0/24",containers=["web"]), P(subnet="10.0.21.0/24"))
sn("containers, new network", R(), P(containers=["web"]))
sn("containers, refused", P(), R(), F("^POST /networks/n/connect",403,"refused"), P(containers=["web"]))
sn("reconnected", P(subnet="10.0.20.0/24"), web({"n":[{"ipv4_address":"10.0.20.50"},{"aliases":["a"]},{"links":[["x","y"]]}]}), P(subnet="10.0.20.0/24",internal=True,test=True), P(subnet="10.0.20.0/24",internal=True), E("docker.inspect_container","web"), P(subnet="10.0.30.0/24",internal=True), E("docker.connected","n"))
sn("not reconnected", P(subnet="10.0.20.0/24"), web("n"), P(subnet="10.0.20.0/24",internal=True,reconnect=False), E("docker.connected","n"))
sn("not reconnected, other containers", P(subnet="10.0.20.0/24"), web("n"), R(name="w2"), P(subnet="10.0.20.0/24",internal=True,containers=["w2"]))
sn("not reconnected, empty list", P(subnet="10.0.20.0/24"), web("n"), P(subnet="10.0.20.0/24",internal=True,containers=[]))
sn("reconnect refused", P(subnet="10.0.20.0/24"), web("n"), F("^POST /networks/n/connect",403,"refused"), P(subnet="10.0.20.0/24",internal=True))
sn("create refused", F("^POST /networks/create",403,"not today",1), P(), P(), F("^POST /networks/create",403,"not today",1), P())
sn("second create refused", P(), F("^POST /networks/create",403,"not today",2), P(internal=True), P(internal=True))
sn("inspect refused", F("^GET /networks/n$",500,"oops"), P(), A())
sn("inspect of the temporary refused", P(), F("^GET /networks/[a-z]{20}$",500,"oops"), P())
sn("removal refused", P(), F("^DELETE /networks/n$",403,"has active endpoints"), P(internal=True), A())
sn("absent", A(), P(), A(True), A(), A())
sn("absent, containers", P(), web("n"), A(True), A(), E("docker.networks"))
sn("exec functions", net("a",driver="bridge",labels="x=y"), net("b",subnet="10.3.0.0/16",gateway="10.3.0.1"), E("docker.networks",names="a"), E("docker.networks"), E("docker.inspect_network","b"), R(), E("docker.connect_container_to_network","web","b",ipv4_address="10.3.0.7"), E("docker.connected","b"), E("docker.connected","b",verbose=True), E("docker.compare_networks","a","b"), E("docker.connect_container_to_network","web","b",foo=1), E("docker.disconnect_container_from_network","web","b"), E("docker.disconnect_container_from_network","web","b"), E("docker.remove_network","b"), E("docker.remove_network","b"), net("c",nope=1), net("c",subnet="bad"), net("c",ipam_pools=[{"subnet":"10.4.0.0/24"},{"subnet":"fe80::/64"}],ipam_driver="x",ipam_opts="a=b"), E("docker.get_client_args"), E("docker.get_client_args","ipam_config"))
r=record(D,sys.argv[2])
print(len(r),sum(len(s['steps']) for s in r))
