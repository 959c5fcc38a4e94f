pulled/app:
  docker_image.present:
    - tag: "1.0"
front:
  docker_network.present:
    - subnet: 10.7.0.0/24
    - gateway: 10.7.0.1
    - labels:
      - tier: front
cache:
  docker_volume.present:
    - driver: local
    - driver_opts:
      - type: tmpfs
      - device: tmpfs
web:
  docker_container.running:
    - image: nginx:1.27
    - port_bindings:
      - 8080:80
      - 127.0.0.1:8443:443/tcp
    - environment:
      - MODE: prod
      - WORKERS: 4
    - binds: cache:/var/cache/nginx:rw
    - restart_policy: on-failure:5
    - labels: [tier=front]
    - networks:
      - front:
        - ipv4_address: 10.7.0.10
        - aliases: [www]
    - require:
      - docker_network: front
      - docker_volume: cache
