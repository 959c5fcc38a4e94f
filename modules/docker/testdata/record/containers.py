P='DOCKER_HOST=unix://'+UP+' /usr/bin/docker '
sh(P+'import /tmp/busybox.tar busybox:latest'); sh(P+'import -c "CMD sleep 1000" /tmp/busybox.tar busybox:2'); 
def S(f,**k): return call(f,state=True,**k)
def T(f,**k): return call(f,state=True,test=True,**k)
r='docker_container.running'
B=dict(name='web',image='busybox',command='sleep 1000',shutdown_timeout=1)
T(r,**B); S(r,**B); S(r,**B); T(r,**B)
B2=dict(B,environment=[{'A':'1'},{'B':'x y'}],binds=['/tmp:/host:ro'],port_bindings=['8080:80'],labels=['role=web'])
T(r,**B2); S(r,**B2); S(r,**B2)
S(r,**dict(B2,memory='64M',restart_policy='on-failure:3',ulimits=['nofile=1024:2048'],hostname='webhost'))
S(r,**dict(B2,image='busybox:2',command='sleep 1000')); S(r,**dict(B2,image='busybox:2',command='sleep 1000',force=True))
S(r,name='st',image='busybox',command='sleep 1000',start=False); S(r,name='st',image='busybox',command='sleep 1000'); 
S(r,name='bad',image='busybox',command='nosuchprogram'); S(r,name='bad2',image='busybox',port_bindings='x:y'); S(r,name='bad3'); S(r,name='bad4',image='none.invalid/x',command='true'); S(r,name='web2',image='busybox',command='sleep 1000',nonsense=True)
S(r,name='onenet',image='busybox',command='sleep 1000',networks=['nothere'])
n='docker_network.present'
T(n,name='n1'); S(n,name='n1'); S(n,name='n1'); S(n,name='n2',subnet='10.20.30.0/24',gateway='10.20.30.1'); S(n,name='n2',subnet='10.20.30.0/24',gateway='10.20.30.1'); S(n,name='n2',subnet='10.20.30.0/24')
S(r,name='net',image='busybox',command='sleep 1000',networks=['n1',{'n2':[{'ipv4_address':'10.20.30.40'},{'aliases':['a','b']}]}],shutdown_timeout=1); S(r,name='net',image='busybox',command='sleep 1000',networks=['n1',{'n2':[{'ipv4_address':'10.20.30.40'},{'aliases':['a','b']}]}],shutdown_timeout=1); T(r,name='net',image='busybox',command='sleep 1000',networks=['n1'],shutdown_timeout=1); S(r,name='net',image='busybox',command='sleep 1000',networks=['n1'],shutdown_timeout=1)
S(n,name='n1',containers=['web','net']); S(n,name='n1',containers=['web']); T(n,name='n2',subnet='10.20.31.0/24'); S(n,name='n2',subnet='10.20.31.0/24'); S(n,name='n3',driver='nosuch'); S(n,name='n4',subnet='nonsense')
S(n,name='n1',labels=['x=y']); S(n,name='n1',labels=['x=y'],internal=True)
x='docker_container.run'
T(x,name='job',image='busybox',cmd='echo hello'); S(x,name='job',image='busybox',cmd='echo hello'); S(x,name='job',image='busybox',cmd='echo hello'); S(x,name='job',image='busybox',cmd='echo hello',replace=True); S(x,name='job2',image='busybox',cmd='sh -c "exit 3"'); S(x,name='job3',image='busybox',cmd='sh -c "exit 3"',failhard=False); S(x,name='job4',image='busybox',cmd='echo x',onlyif='false') if 0 else None; S(x,name='job5',image='busybox',cmd='sleep 1000',bg=True); S(x,name='job',image='busybox',cmd='echo hello',skip_if_exists=True) if 0 else None
s='docker_container.stopped'
T(s,name='web',shutdown_timeout=1); S(s,name='web',shutdown_timeout=1); S(s,name='web'); S(s,name='nothere'); S(s,names=['net','st'],shutdown_timeout=1); S(s,names=['net','nothere'],shutdown_timeout=1); S(s,containers=['job5'],shutdown_timeout=1)
a='docker_container.absent'
T(a,name='web'); S(a,name='web'); S(a,name='web'); S(r,name='again',image='busybox',command='sleep 1000'); S(a,name='again'); S(a,name='again',force=True)
b='docker_network.absent'
T(b,name='n1'); S(b,name='n1'); S(b,name='n1'); S(b,name='n2'); S(b,name='bridge')
