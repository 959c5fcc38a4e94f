public:
  firewalld.present:
    - name: public
    - services: [http, ssh]
    - ports: [8080/tcp, 53/udp]
    - masquerade: true

zone:
  firewalld.present:
    - name: side
    - default: false
    - block_icmp: [echo-reply]
    - rich_rules: ['rule family="ipv4" source address="10.0.0.0/8" accept']

service:
  firewalld.service:
    - name: own
    - ports: [1234/tcp]

functions:
  module.run:
    - firewalld.get_zones: []
    - firewalld.list_ports: [public]
    - firewalld.default_zone: []
