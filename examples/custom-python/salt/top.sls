base:
  'role:shop':
    - match: grain
    - shop
