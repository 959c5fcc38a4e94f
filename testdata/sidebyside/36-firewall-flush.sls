flush:
  iptables.flush:
    - chain: SIDE

flush-nat:
  iptables.flush:
    - table: nat

unlink:
  iptables.delete:
    - chain: INPUT
    - position: 1

gone:
  iptables.chain_absent:
    - name: SIDE
