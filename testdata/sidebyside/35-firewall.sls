chain:
  iptables.chain_present:
    - name: SIDE
    - table: filter

chain-gone:
  iptables.chain_absent:
    - name: OLD

ssh:
  iptables.append:
    - table: filter
    - chain: INPUT
    - jump: ACCEPT
    - match: [conntrack, comment]
    - comment: ssh in
    - ctstate: NEW
    - dport: 22
    - protocol: tcp
    - save: true

ports:
  iptables.append:
    - chain: SIDE
    - jump: REJECT
    - reject-with: icmp-port-unreachable
    - dports: [80, 443]
    - proto: tcp
    - source: '! 10.0.0.0/8'
    - if: lo
    - require: [{iptables: chain}]

first:
  iptables.insert:
    - position: 1
    - chain: INPUT
    - jump: SIDE
    - require: [{iptables: chain}]

nat:
  iptables.append:
    - table: nat
    - chain: POSTROUTING
    - jump: MASQUERADE
    - o: lo

six:
  iptables.append:
    - family: ipv6
    - chain: INPUT
    - jump: ACCEPT
    - proto: icmpv6

deleted:
  iptables.delete:
    - chain: INPUT
    - jump: DROP
    - proto: tcp
    - dport: 99

delete-nothing:
  iptables.delete:
    - chain: INPUT
    - jump: DROP
    - proto: udp
    - dport: 98

policy:
  iptables.set_policy:
    - chain: FORWARD
    - policy: DROP
    - save: true

bad-chain:
  iptables.append:
    - chain: NONESUCH
    - jump: ACCEPT

bad-option:
  iptables.append:
    - chain: INPUT
    - jump: ACCEPT
    - nonesuch: 1

many:
  iptables.append:
    - chain: SIDE
    - jump: ACCEPT
    - names:
      - one:
        - proto: udp
        - dport: 53
      - two:
        - proto: udp
        - dport: 123
        - limit: 3/min
    - require: [{iptables: chain}]
