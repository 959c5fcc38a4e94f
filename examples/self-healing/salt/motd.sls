/etc/motd:
  file.managed:
    - contents: This machine keeps itself as its tree says.
    - mode: '0644'
