import sys, json, copy, unittest
import salt.utils.dockermod as dm
from enc import enc
import salt.utils.dockermod.translate.container as C, salt.utils.dockermod.translate.network as N
rec=[]; seen=set()
orig=dm.translate_input
def wrap(translator, **kw):
    e={"kind":"container" if translator is C else "network","in":enc(copy.deepcopy(kw))}
    try:
        r=orig(translator,**kw); e["out"]=enc(copy.deepcopy(r)); ok=True
    except Exception as x:
        e["class"]=type(x).__name__; e["error"]=str(x)
        k=json.dumps(e)
        if k not in seen: seen.add(k); rec.append(e)
        raise
    k=json.dumps(e)
    if k not in seen: seen.add(k); rec.append(e)
    return r
dm.translate_input=wrap
import tests.unit.utils.test_dockermod as T
s=unittest.defaultTestLoader.loadTestsFromModule(T)
r=unittest.TextTestRunner(verbosity=0).run(s)
json.dump(rec,open(sys.argv[1],'w'))
print(len(rec),r)
