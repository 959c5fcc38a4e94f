source:
  gem.sources_add:
    - name: file:///kit/web/

source-gone:
  gem.sources_add:
    - name: http://127.0.0.1:9/

rubygems:
  gem.sources_remove:
    - name: https://rubygems.org/

never:
  gem.sources_remove:
    - name: https://gems.example.com/

old:
  gem.installed:
    - name: side-a
    - version: '1.0'

range:
  gem.installed:
    - name: side-a
    - version: '>= 1.5'
    - rdoc: true

met:
  gem.installed:
    - name: side-a
    - version: '<3'

any:
  gem.installed:
    - name: side-b
    - source: file:///kit/web/

unknown:
  gem.installed:
    - name: side-none

absent:
  gem.removed:
    - name: side-none

functions:
  module.run:
    - gem.list: [side]
    - gem.version: []
    - gem.sources_list: []
    - gem.list_upgrades: []
