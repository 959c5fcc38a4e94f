def enc(v):
    if isinstance(v,tuple): return {"__tuple__":[enc(x) for x in v]}
    if isinstance(v,list): return [enc(x) for x in v]
    if isinstance(v,dict):
        if all(isinstance(k,str) for k in v): return {k:enc(x) for k,x in v.items()}
        return {"__map__":[[enc(k),enc(x)] for k,x in v.items()]}
    return v
