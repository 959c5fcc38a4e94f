hostname:
  network.system:
    - enabled: true
    - hostname: renamed.example.com
    - apply_hostname: true
    - retain_settings: true

hosts-new:
  host.present:
    - ip: [10.1.1.1, 'fe80::1']
    - names: [new.example, new]

hosts-moved:
  host.present:
    - name: old.example
    - ip: 10.0.0.9
    - clean: true

hosts-comment:
  host.present:
    - name: two.example
    - ip: 10.0.0.2
    - comment: another

hosts-absent:
  host.absent:
    - name: old
    - ip: 10.0.0.1

hosts-only:
  host.only:
    - name: 10.0.0.77
    - hostnames: [only.example, only]

bad-ip:
  host.present:
    - name: bad.example
    - ip: not-an-ip

zone:
  timezone.system:
    - name: Asia/Tokyo
    - utc: true

zone-unknown:
  timezone.system:
    - name: Nowhere/City

locale-de:
  locale.present:
    - name: de_DE.UTF-8

locale-latin:
  locale.present:
    - name: de_DE.ISO-8859-1

locale-bad:
  locale.present:
    - name: xx_YY.UTF-8

locale-default:
  locale.system:
    - name: de_DE.UTF-8
    - require: [{locale: locale-de}]

locale-missing:
  locale.system:
    - name: fr_FR.UTF-8

keys:
  sysctl.present:
    - names:
      - net.ipv4.ip_forward: [value: 1]
      - net.ipv4.conf.all.rp_filter: [value: 2]
      - kernel.msgmax: [value: 9000]
    - config: /etc/sysctl.d/70-side.conf

ranges:
  sysctl.present:
    - name: net.ipv4.ip_local_port_range
    - value: 20000	61000

sysctl-unknown:
  sysctl.present:
    - name: net.ipv4.none_such
    - value: 1

sysctl-bad:
  sysctl.present:
    - name: net.ipv4.tcp_congestion_control
    - value: nonesuch

dirty:
  environ.setenv:
    - name: SIDE
    - value: {A: '1', B: null}
