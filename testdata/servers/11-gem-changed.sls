removed:
  gem.removed:
    - name: side-b

older:
  gem.installed:
    - name: side-a
    - version: '< 1.2'

pre:
  gem.installed:
    - name: side-a
    - version: 3.0.rc1
    - pre_releases: true

all:
  gem.removed:
    - name: side-a
