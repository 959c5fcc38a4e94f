tar:
  archive.extracted:
    - name: /opt/ar/tar
    - source: http://127.0.0.1:8000/archives/app.tar.gz
    - source_hash: http://127.0.0.1:8000/archives/SHA256SUMS
    - user: have
    - group: extra1

xz:
  archive.extracted:
    - name: /opt/ar/xz
    - source: /kit/archives/app.tar.xz
    - options: v

bz2:
  archive.extracted:
    - name: /opt/ar/bz2
    - source: /kit/archives/app.tar.bz2
    - enforce_ownership_on: /opt/ar/bz2/app-1
    - user: have

zip:
  archive.extracted:
    - name: /opt/ar/zip
    - source: /kit/archives/app.zip
    - enforce_toplevel: true
    - extract_perms: true

zip-cmd:
  archive.extracted:
    - name: /opt/ar/zipcmd
    - source: /kit/archives/app.zip
    - use_cmd_unzip: true

flat:
  archive.extracted:
    - name: /opt/ar/flat
    - source: /kit/archives/flat.tgz

flat-ok:
  archive.extracted:
    - name: /opt/ar/flatok
    - source: /kit/archives/flat.tgz
    - enforce_toplevel: false
    - overwrite: true

broken:
  archive.extracted:
    - name: /opt/ar/broken
    - source: /kit/archives/broken.tar.gz

wrong-hash:
  archive.extracted:
    - name: /opt/ar/wrong
    - source: http://127.0.0.1:8000/archives/app.tar.gz
    - source_hash: sha256={{ '0' * 64 }}

missing:
  archive.extracted:
    - name: /opt/ar/missing
    - source: http://127.0.0.1:8000/archives/none.tar.gz
    - skip_verify: true

missing-file:
  archive.extracted:
    - name: /opt/ar/missing2
    - source: /kit/none.tar.gz

no-hash:
  archive.extracted:
    - name: /opt/ar/nohash
    - source: http://127.0.0.1:8000/archives/app.tar.gz

trimmed:
  archive.extracted:
    - name: /opt/ar/trimmed
    - source: /kit/archives/app.tar.gz
    - trim_output: 2
    - options: --strip-components=1
    - enforce_toplevel: false
