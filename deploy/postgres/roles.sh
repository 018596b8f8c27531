#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the database and, for each service, a role and a schema that only this role can use. Runs again without harm.
#
#   roles.sh PASSWORDS    PASSWORDS is a folder with SERVICE-password for each service; psql finds the server by PG…
set -euo pipefail

passwords=$1
psql=(psql --no-psqlrc --quiet --set ON_ERROR_STOP=1)

exists=$("${psql[@]}" --dbname postgres --tuples-only --no-align --command "SELECT 1 FROM pg_database WHERE datname = 'madang'")
[ "$exists" = 1 ] || "${psql[@]}" --dbname postgres --command "CREATE DATABASE madang ENCODING 'UTF8' TEMPLATE template0"

"${psql[@]}" --dbname madang <<'SQL'
REVOKE ALL ON SCHEMA public FROM PUBLIC;
REVOKE ALL ON DATABASE madang, postgres, template1 FROM PUBLIC;
SQL

for file in "$passwords"/*-password; do
    service=$(basename "$file" -password)
    [ "$service" != superuser ] || continue
    "${psql[@]}" --dbname madang --set service="$service" --set password="$(cat "$file")" <<'SQL'
SELECT format('CREATE ROLE %I', :'service') WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'service') \gexec
ALTER ROLE :"service" LOGIN NOINHERIT PASSWORD :'password';
ALTER ROLE :"service" SET search_path = :"service";
GRANT CONNECT ON DATABASE madang TO :"service";
SELECT format('CREATE SCHEMA %I AUTHORIZATION %I', :'service', :'service')
WHERE NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = :'service') \gexec
SQL
done
