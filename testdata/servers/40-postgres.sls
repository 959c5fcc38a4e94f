role:
  postgres_user.present:
    - name: app
    - password: secret
    - createdb: true
    - user: postgres

role-plain:
  postgres_user.present:
    - name: plain
    - login: true
    - user: postgres

group:
  postgres_group.present:
    - name: team
    - user: postgres

member:
  postgres_user.present:
    - name: member
    - groups: [team]
    - user: postgres

database:
  postgres_database.present:
    - name: appdb
    - owner: app
    - encoding: UTF8
    - template: template0
    - user: postgres

schema:
  postgres_schema.present:
    - name: side
    - dbname: appdb
    - owner: app
    - user: postgres

extension:
  postgres_extension.present:
    - name: plpgsql
    - maintenance_db: appdb
    - user: postgres

extension-new:
  postgres_extension.present:
    - name: pg_trgm
    - maintenance_db: appdb
    - user: postgres

extension-unknown:
  postgres_extension.present:
    - name: nothing_of_it
    - maintenance_db: appdb
    - user: postgres

language:
  postgres_language.present:
    - name: plpgsql
    - maintenance_db: appdb
    - user: postgres

tablespace:
  postgres_tablespace.present:
    - name: space
    - directory: /srv/space
    - user: postgres

privileges:
  postgres_privileges.present:
    - name: team
    - object_name: appdb
    - object_type: database
    - privileges: [CONNECT, TEMPORARY]
    - user: postgres

never:
  postgres_database.absent:
    - name: never
    - user: postgres

never-role:
  postgres_user.absent:
    - name: never
    - user: postgres
