key:
  redis.string:
    - value: some data

number:
  redis.string:
    - name: count
    - value: 3

gone:
  redis.absent:
    - name: old

several:
  redis.absent:
    - keys: [old-a, old-b, never]

never:
  redis.absent: []

functions:
  module.run:
    - redis.get_key: [key]
    - redis.exists: [count]
    - redis.key_type: [key]
    - redis.dbsize: []
    - redis.ping: []
    - redis.hmset: [h, a=1, b=2]
    - redis.hgetall: [h]
    - redis.config_get: [maxmemory]
