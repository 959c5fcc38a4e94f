web:
  docker_container.running:
    - image: nginx:1.25
    - environment:
      - MODE: test
    - networks: [front]
    - shutdown_timeout: 1
gone:
  docker_image.present:
    - name: private/nothing
    - tag: latest
other:
  docker_volume.present:
    - name: cache
    - driver: rexray
