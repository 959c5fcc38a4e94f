base:
  '*':
    - ports
