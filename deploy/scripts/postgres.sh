# SPDX-License-Identifier: Apache-2.0
# The private PostgreSQL under the state folder: loopback only, no system service.

postgres_data=$state/postgres
postgres_superuser=postgres

postgres_bin() {
    local newest
    newest=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
    [ -x "$newest/postgres" ] || fail "PostgreSQL's programs are missing under /usr/lib/postgresql"
    echo "$newest"
}

# PostgreSQL refuses to run as root. Root therefore runs it as the user postgres when that user can reach the folder,
# and otherwise in a user namespace in which root has another number.
as_postgres() {
    if [ "$(id -u)" != 0 ]; then
        exec "$@"
    elif [ "$(cat "$state/postgres-owner" 2>/dev/null)" = postgres ]; then
        exec setpriv --reuid=postgres --regid=postgres --init-groups "$@"
    else
        exec unshare --user --map-user=65534 --map-group=65534 "$@"
    fi
}

choose_postgres_owner() {
    [ "$(id -u)" = 0 ] || return 0
    [ -e "$state/postgres-owner" ] && return
    mkdir -p "$postgres_data"
    if setpriv --reuid=postgres --regid=postgres --init-groups test -x "$state" 2>/dev/null; then
        echo postgres >"$state/postgres-owner"
    elif unshare --user --map-user=65534 true 2>/dev/null; then
        echo namespace >"$state/postgres-owner"
    else
        fail "the user postgres cannot reach $state: clone into a folder that others may enter, or run as an ordinary user"
    fi
}

start_postgres() {
    alive postgres.supervisor && return
    local bin socket=$state/socket
    bin=$(postgres_bin)
    port_is_used "$(port_of postgres)" && fail "port $(port_of postgres) (PostgreSQL) is in use: stop what uses it or set MADANG_PORT"
    choose_postgres_owner
    mkdir -p "$postgres_data" "$socket"
    chmod 700 "$postgres_data"
    [ "$(cat "$state/postgres-owner" 2>/dev/null)" = postgres ] && chown -R postgres: "$postgres_data" "$socket"
    if [ ! -s "$postgres_data/PG_VERSION" ]; then
        local passwordfile=$socket/password
        cp "$secrets/postgres/superuser-password" "$passwordfile"
        [ "$(cat "$state/postgres-owner" 2>/dev/null)" = postgres ] && chown postgres: "$passwordfile"
        (as_postgres "$bin/initdb" --pgdata "$postgres_data" --username $postgres_superuser --pwfile "$passwordfile" --auth scram-sha-256 \
            --data-checksums --encoding UTF8 --locale C.UTF-8) >"$state/initdb.log" 2>&1 || {
            tail -n 5 "$state/initdb.log" >&2
            fail "the database cluster could not be made"
        }
        rm -f "$passwordfile"
    fi
    write_postgres_settings
    supervised postgres INT "$root/deploy/scripts/as-postgres" "$root" "$bin/postgres" -D "$postgres_data"
    wait_until 30 postgres_is_ready || {
        tail -n 10 "$logs/postgres.log" >&2
        fail "PostgreSQL did not start"
    }
    roles >"$state/roles.log" 2>&1 || {
        tail -n 5 "$state/roles.log" >&2
        fail "the database's roles could not be made"
    }
}

write_postgres_settings() {
    {
        cat "$root/deploy/postgres/postgresql.conf"
        echo "port = $(port_of postgres)"
        echo "listen_addresses = '127.0.0.1'"
        echo "unix_socket_directories = ''"
        echo "logging_collector = off"
    } >"$state/postgresql.conf"
    chmod 644 "$state/postgresql.conf"
    cp "$state/postgresql.conf" "$postgres_data/postgresql.conf"
    if [ "$(cat "$state/postgres-owner" 2>/dev/null)" = postgres ]; then chown postgres: "$postgres_data/postgresql.conf"; fi
}

superuser_environment() {
    PGHOST=127.0.0.1 PGPORT=$(port_of postgres) PGUSER=$postgres_superuser PGPASSWORD=$(cat "$secrets/postgres/superuser-password" 2>/dev/null) "$@"
}

postgres_is_ready() { superuser_environment psql --no-psqlrc -qAt -d postgres -c 'SELECT 1'; }

roles() { superuser_environment "$root/deploy/postgres/roles.sh" "$secrets/postgres"; }

postgres_shell() {
    alive postgres.supervisor || fail "nothing runs: start with deploy/dev up"
    if [ -z "${1:-}" ]; then
        superuser_environment exec_psql -d madang
    else
        case " $stores " in *" $1 "*) ;; *) fail "no service $1 has a database; there are: $stores" ;; esac
        local service=$1
        shift
        exec psql "$(cat "$secrets/$service/postgres")" "$@"
    fi
}

exec_psql() { psql "$@"; }
