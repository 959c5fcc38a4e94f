base:
  '*':
    - workstation
