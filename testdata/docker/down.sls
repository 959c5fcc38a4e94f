web:
  docker_container.absent:
    - force: True
    - order: 1
front:
  docker_network.absent: []
cache:
  docker_volume.absent: []
pulled/app:1.0:
  docker_image.absent: []
nginx:1.27:
  docker_image.absent: []
