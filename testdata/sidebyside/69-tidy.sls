old:
  file.tidied:
    - name: /opt/ti
    - age: 8
    - matches: ['.*\.log']
size:
  file.tidied:
    - name: /opt/ti/a
    - age: 30
    - size: 4k
dirs:
  file.tidied:
    - name: /opt/ti
    - age: 30
    - rmdirs: true
    - rmlinks: true
    - recurse: true
fullpath:
  file.tidied:
    - name: /opt/ti
    - full_path_match: true
    - matches: ['/opt/ti/f2.*']
    - age: 1
exclude:
  file.tidied:
    - name: /opt/ti
    - exclude: ['f1']
    - matches: ['f[12]']
    - age: 0
    - age_size_logical_operator: AND
badop:
  file.tidied:
    - name: /opt/ti
    - age: 1
    - age_size_logical_operator: XOR
badsize:
  file.tidied:
    - name: /opt/ti
    - size: 3q
notthere:
  file.tidied:
    - name: /opt/none
rel:
  file.tidied:
    - name: opt
keep:
  file.retention_schedule:
    - name: /opt/pr
    - retain: {most_recent: 2, first_of_month: 3, first_of_year: all}
    - strptime_format: b-%Y%m%dT%H%M%S.tgz
mtime:
  file.retention_schedule:
    - name: /opt/re2
    - retain: {first_of_week: 2, first_of_day: 1, first_of_hour: 1}
badretain:
  file.retention_schedule:
    - name: /opt/re2
    - retain: {bogus: 2}
notdir:
  file.retention_schedule:
    - name: /opt/none
    - retain: {most_recent: 2}
noretain:
  file.retention_schedule:
    - name: /opt/re2
prune:
  file.pruned:
    - name: /opt/ti/empty
prune-full:
  file.pruned:
    - name: /opt/ti
prune-rec:
  file.pruned:
    - name: /opt/ti
    - recurse: true
    - ignore_errors: true
prune-none:
  file.pruned:
    - name: /opt/none
