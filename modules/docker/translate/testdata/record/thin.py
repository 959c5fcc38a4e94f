import json,random,sys
random.seed(3)
def dump(rec,f):
    with open(f,'w') as o:
        o.write('[\n'+',\n'.join(json.dumps(r,ensure_ascii=False,separators=(',',':')) for r in rec)+'\n]\n')
D=sys.argv[1]+'/'
m=json.load(open('more_all.json'))
m=[c for c in m if '100000000000000000000' not in json.dumps(c) and not(c['in'].get('volumes_from')==["/a:/b:ro",5] and c['in'].get('binds'))]
# one of each kind of outcome for each argument, then some more
pick=[];seen=set();rest=[]
for c in m:
    ks=[k for k in c['in'] if k not in('skip_translate','ignore_collisions','validate_ip_addrs')]
    key=(c['kind'],tuple(ks) if len(ks)==1 else 0, 'error' in c, type(list(c['in'].values())[0]).__name__) if len(ks)==1 else None
    if key and key not in seen: seen.add(key); pick.append(c)
    else: rest.append(c)
pick+=random.sample(rest,1400)
dump(pick,D+'more.json'); dump(json.load(open('unit.json')),D+'unit.json')
b=json.load(open('body_all.json'))
acc=lambda c: any(t in c.get('error','') for t in('unhashable',"'isalpha'")) or (c['version']=='1.24' and any(k in c['in'] for k in('cpu_count','cpu_percent','nano_cpus'))) or c['in'].get('ulimits')==['nproc=5'] and 'ulimit' in c['in']
b=[c for c in b if not acc(c)]
bp=[];seen=set();rest=[]
for c in b:
    ks=list(c['in'])
    key=(c['kind'],c['version'],tuple(ks[:1]),'error' in c, c.get('error','')[:40]) if len(ks)<=2 else None
    if key and key not in seen and c['version'] in('1.47','1.24'): seen.add(key); bp.append(c)
    else: rest.append(c)
bp+=random.sample(rest,600)
dump(bp,D+'bodies.json')
print(len(m),len(pick),len(b),len(bp))
