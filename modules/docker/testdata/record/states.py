BB='/tmp/busybox.tar'
shutil.copy(BB,W+'/busybox.tar')
open(W+'/bad.tar','w').write('no tar at all')
P='/usr/bin/docker '
sh('DOCKER_HOST=unix://'+UP+' '+P+'import /tmp/busybox.tar busybox:latest'); sh('DOCKER_HOST=unix://'+UP+' '+P+'import /tmp/busybox.tar busybox:2')
sh('DOCKER_HOST=unix://'+UP+' '+P+'save -o '+W+'/b.tar busybox:2')
R='127.0.0.1:5000'
sh('DOCKER_HOST=unix://'+UP+' '+P+'tag busybox:2 '+R+'/bb:1'); sh('DOCKER_HOST=unix://'+UP+' '+P+'push '+R+'/bb:1'); sh('DOCKER_HOST=unix://'+UP+' '+P+'rmi '+R+'/bb:1 busybox:2')
os.makedirs(W+'/ctx',exist_ok=True); open(W+'/ctx/Dockerfile','w').write('FROM busybox\nARG WHO=x\nENV WHO=$WHO\nRUN echo $WHO > /who\nCMD ["cat","/who"]\n'); open(W+'/ctx/bad','w').write('FROM busybox\nRUN false\n')
def S(f,**k): return call(f,state=True,**k)
def T(f,**k): return call(f,state=True,test=True,**k)
i='docker_image.present'
T(i,name='busybox'); S(i,name='busybox'); S(i,name='busybox',tag='latest'); T(i,name=R+'/bb',tag='1'); S(i,name=R+'/bb',tag=1); S(i,name=R+'/bb:1'); S(i,name=R+'/bb:1',force=True); T(i,name=R+'/bb:1',force=True); S(i,name=R+'/none'); S(i,name='')
S(i,name='b',build=W+'/ctx',load='x'); S(i,name='b',build=W+'/ctx'); T(i,name='built',tag='1',build=W+'/ctx'); S(i,name='built',tag='1',build=W+'/ctx'); S(i,name='built',tag='1',build=W+'/ctx'); S(i,name='built',tag='1',build=W+'/ctx',force=True); S(i,name='built',tag='2',build=W+'/ctx',dockerfile='bad'); S(i,name='built',tag='3',build=W+'/ctx',kwargs={'cache':False,'buildargs':{'WHO':'you'}}); S(i,name='built',tag='4',build=W+'/nodir')
T(i,name='loaded',tag='1',load=W+'/b.tar'); S(i,name='loaded',tag='1',load=W+'/b.tar'); S(i,name='loaded',tag='1',load=W+'/b.tar',force=True); S(i,name='loaded',tag='2',load=W+'/none.tar'); S(i,name='loaded',tag='3',load=W+'/bad.tar')
a='docker_image.absent'
T(a,name='nothere'); S(a,name='nothere'); S(a); T(a,name='built:3'); S(a,name='built:3'); S(a,name='built:3'); T(a,images=['built:1','built:9','loaded:1']); 
sh('DOCKER_HOST=unix://'+UP+' '+P+'create --name user built:1 true')
S(a,name='built:1'); S(a,images=['built:1','loaded:1']); S(a,images=['x','y']); S(a,name='built:1',force=True); S(a,images=['busybox','built:none'])
S('docker_image.mod_watch',name='busybox',sfun='absent') if 0 else None
v='docker_volume.present'
T(v,name='v1'); S(v,name='v1'); S(v,name='v1'); S(v,name='v1',driver='local'); S(v,name='v1',driver='other'); T(v,name='v1',driver='other'); T(v,name='v1',driver='other',force=True); S(v,name='v1',driver='other',force=True); S(v,name='v1',driver='local'); S(v,name='v2',driver='local',driver_opts=[{'type':'tmpfs'},{'device':'tmpfs'}]); S(v,name='v3',driver='nosuch'); S(v,name='bad name!')
b='docker_volume.absent'
sh('DOCKER_HOST=unix://'+UP+' '+P+'create --name holds -v v2:/x busybox true') if False else None
T(b,name='v1'); S(b,name='v1'); S(b,name='v1'); S(b,name='v1',driver='local'); T(b,name='nothere'); S(b,name='v2')
