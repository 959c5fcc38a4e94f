many:
  ssh_auth.present:
    - user: have
    - names:
      - ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl one@example.com
      - ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQDh two@example.com

options:
  ssh_auth.present:
    - user: full
    - name: AAAAB3NzaC1yc2EAAAADAQABAAAAgQC1
    - enc: ssh-rsa
    - comment: with options
    - options: ['command="/bin/true"', no-pty]
    - config: '%h/.ssh/keys2'

gone:
  ssh_auth.absent:
    - user: have
    - name: AAAAB3NzaC1yc2EAAAADAQABAAAAgQZZ
    - enc: ssh-rsa

nobody:
  ssh_auth.present:
    - user: no-such-user
    - name: AAAAB3NzaC1yc2EAAAADAQABAAAAgQZZ

github.test:
  ssh_known_hosts.present:
    - user: root
    - enc: ssh-ed25519
    - key: AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl
    - hash_known_hosts: false

bad-key:
  ssh_known_hosts.present:
    - name: other.test
    - key: notakey
    - hash_known_hosts: false

away.test:
  ssh_known_hosts.absent:
    - user: root
