role:
  postgres_user.present:
    - name: app
    - password: other
    - createdb: false
    - createroles: true
    - user: postgres

owner:
  postgres_database.present:
    - name: appdb
    - owner: plain
    - user: postgres

privileges:
  postgres_privileges.absent:
    - name: team
    - object_name: appdb
    - object_type: database
    - privileges: [TEMPORARY]
    - user: postgres

schema:
  postgres_schema.absent:
    - name: side
    - dbname: appdb
    - user: postgres

extension:
  postgres_extension.absent:
    - name: pg_trgm
    - maintenance_db: appdb
    - user: postgres

tablespace:
  postgres_tablespace.absent:
    - name: space
    - user: postgres

database:
  postgres_database.absent:
    - name: appdb
    - user: postgres

member:
  postgres_user.absent:
    - name: member
    - user: postgres

group:
  postgres_group.absent:
    - name: team
    - user: postgres
