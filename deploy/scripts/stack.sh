# SPDX-License-Identifier: Apache-2.0
# The whole of Madang: up, down, status, logs, reset.

stack_up() {
    require_ports
    # shellcheck disable=SC2086
    require_packages $build_packages $run_packages
    build_programs
    if stack_runs; then
        stack_apply
        return
    fi
    stack_start
    stack_hello
}

# What runs here of Madang's own, those who ask before those who are asked; of two copies the second first.
running_services() {
    local service name
    for service in gateway $stores; do
        for name in "$service-2" "$service"; do
            if alive "$name.supervisor"; then echo "$name"; fi
        done
    done
}

# Brings a running stack to the programs and the settings of now: one process after the other, only those concerned.
stack_apply() {
    local name reason count=0 before after
    start_mail_sink
    require_good_settings
    remember_configuration
    for name in $(unread_settings); do say "$name is read by no program: it has no effect"; done
    before=$(cksum "$secrets/rabbitmq/definitions.json" "$secrets/postgres"/* 2>/dev/null || true)
    make_secrets
    after=$(cksum "$secrets/rabbitmq/definitions.json" "$secrets/postgres"/* 2>/dev/null || true)
    if ! stack_is_current || [ "$before" != "$after" ]; then
        roles >"$state/roles.log" 2>&1 || fail "the database's roles could not be made: $(tail -n 3 "$state/roles.log")"
        step "Applying the broker's topology" apply_topology || fail "the broker's topology could not be applied"
    fi
    # The programs that run also run on the schema of the next release.
    stack_is_current || step "Migrating" migrate_all || fail "the databases could not be migrated"
    for name in $(running_services); do
        reason=$(changed_settings "$name" | paste -sd' ')
        process_is_current "$name" || reason="its program${reason:+ and $reason}"
        [ -n "$reason" ] || continue
        say "Restarting $name: new is $reason"
        restart_service "$name"
        count=$((count + 1))
    done
    engines_not_in_force
    if [ $count = 0 ]; then say "Madang already runs at http://localhost:$port, with these settings"; else say "Madang runs at http://localhost:$port"; fi
}

# What PostgreSQL and RabbitMQ are set to by their files, and do not go by yet.
engines_not_in_force() {
    local names
    write_postgres_settings
    superuser_environment psql --no-psqlrc -qAt -d postgres -c 'SELECT pg_reload_conf()' >/dev/null
    names=$(superuser_environment psql --no-psqlrc -qAt -d postgres -c "SELECT name FROM pg_settings WHERE pending_restart" | paste -sd' ')
    [ -z "$names" ] || say "Not in force until deploy/dev down and up: of PostgreSQL $names"
    rabbitmq_settings | cmp -s - "$state/rabbitmq/rabbitmq.conf" || say "Not in force until deploy/dev down and up: deploy/rabbitmq/rabbitmq.conf"
}

# Known before minutes of building: whoever uses a port that we need must be told at once.
require_ports() {
    local name
    for name in gateway $stores postgres rabbitmq; do
        alive "$name.supervisor" || ! port_is_used "$(port_of "$name")" ||
            fail "port $(port_of "$name") ($name) is in use: stop what uses it or set MADANG_PORT"
    done
    alive rabbitmq.supervisor || ! port_is_used "$(port_of rabbitmq-distribution)" ||
        fail "port $(port_of rabbitmq-distribution) (rabbitmq) is in use: stop what uses it or set MADANG_PORT"
}

stop_if_it_fails() {
    trap 'code=$?; [ $code = 0 ] || { say "Stopping what was started."; stack_stop; }; exit $code' EXIT
}

# Everything but building; ends what it started when a part does not start.
stack_start() {
    mkdir -p "$state" "$run" "$logs"
    remember_configuration
    stop_if_it_fails
    make_secrets
    require_ports
    say "PostgreSQL on port $(port_of postgres)"
    start_postgres
    say "RabbitMQ on port $(port_of rabbitmq)"
    start_rabbitmq
    step "Applying the broker's topology" apply_topology || fail "the broker's topology could not be applied"
    start_mail_sink
    local service
    # Programs that were built anew since they were started are started anew.
    for service in gateway $stores; do
        if alive "$service.supervisor" && ! service_is_current "$service"; then stop "$service" 40; fi
    done
    step "Migrating" migrate_all || fail "the databases could not be migrated"
    for service in $services; do start_service "$service"; done
    for service in $services; do
        wait_for_service "$service"
        say "$service is ready on port $(port_of "$service")"
    done
    trap - EXIT
}

# A second process of each service beside the first; both gateways know both processes of each service.
stack_start_wide() {
    mkdir -p "$run"
    touch "$run/wide"
    stack_start
    stop_if_it_fails
    local name
    for name in $seconds; do start_service "$name"; done
    for name in $seconds; do
        wait_for_service "$name"
        say "$name is ready on port $(port_of "$name")"
    done
    trap - EXIT
}

# make_secrets [OPTION…]: secrets and the broker's definitions; MADANG_RELEASE names the checkout of another release whose ways are wanted.
make_secrets() {
    local release=${MADANG_RELEASE:-$root}
    python3 "$release/deploy/scripts/make_secrets.py" --directory "$secrets" --topology "$release/deploy/rabbitmq/definitions.json" \
        --postgres "127.0.0.1:$(port_of postgres)" --broker "127.0.0.1:$(port_of rabbitmq)" "$@"
}

fingerprint() { stat -c '%i %Y %s' "$binaries/$1"; }

process_is_current() { [ "$(cat "$run/$1.program" 2>/dev/null)" = "$(fingerprint "$(service_of "$1")")" ]; }

service_is_current() { [ "$(cat "$run/$1.program" 2>/dev/null)" = "$(fingerprint "$1")" ]; }

stack_is_current() {
    local service
    for service in $services; do service_is_current "$service" || return 1; done
}

stack_runs() {
    local name
    for name in postgres rabbitmq $services; do alive "$name.supervisor" || return 1; done
    for name in $services; do service_is_ready "$name" >/dev/null 2>&1 || return 1; done
}

stack_hello() {
    cat <<TEXT

Madang runs at http://localhost:$port

  Sign up in a browser:   http://localhost:$port/auth/sign_up
  Or on the command line:

    app=\$(curl -s http://localhost:$port/api/v1/apps -d client_name=try -d redirect_uris=urn:ietf:wg:oauth:2.0:oob -d 'scopes=read write')
    curl -s http://localhost:$port/api/v2/instance

  Stop it: deploy/dev down     Look at it: deploy/dev status, deploy/dev logs
TEXT
}

stack_stop() {
    local service
    # Those who ask before those who are asked.
    for service in $(printf '%s\n' $services | tac); do
        stop "$service-2" 40
        stop "$service" 40
    done
    stop proxy 5
    stop mail-sink 5
    stop_rabbitmq
    stop postgres 30
    rm -f "$run/wide" "$run/proxied"
}

stack_down() {
    [ -d "$run" ] || {
        say "Nothing runs."
        return
    }
    stack_stop
    say "Madang is down."
}

stack_status() {
    local name code=0
    for name in postgres rabbitmq $services; do
        local what=down
        if alive "$name.supervisor"; then
            what="starting or unwell"
            case $name in
            postgres) postgres_is_ready >/dev/null 2>&1 && what=ready ;;
            rabbitmq) rabbitmq_is_ready && what=ready ;;
            *) service_is_ready "$name" >/dev/null 2>&1 && what=ready ;;
            esac
        fi
        [ "$what" = ready ] || code=1
        printf '%-15s port %-6s %s\n' "$name" "$(port_of "$name")" "$what"
    done
    return $code
}

stack_logs() {
    local files=("$logs"/*.log)
    if [ -n "${1:-}" ]; then files=("$logs/$1.log"); fi
    [ -e "${files[0]}" ] || fail "no log of ${1:-anything} under $logs"
    exec tail -n 50 -F "${files[@]}"
}

forget_state() {
    rm -rf "$secrets" "$state/postgres" "$state/rabbitmq" "$state/media" "$state/socket" "$state/postgres-owner" "$state"/*.log "$state"/postgresql.conf "$state/load"
}

stack_reset() {
    stack_stop
    forget_state
    rm -rf "$run" "$logs"
    say "Madang is down and its data are gone."
}

dead_letters() {
    local service=${SERVICE:-notifications}
    alive rabbitmq.supervisor || fail "nothing runs: start with deploy/dev up"
    as_operator with_settings "$service" env MADANG_AMQP_REPLAY_FILE="$secrets/replay/amqp" "$binaries/$service" dead-letters "$@"
}

# A server of mail that keeps what it takes, in place of one that sends it on.
start_mail_sink() {
    if [ "${MADANG_MAIL_SINK:-false}" != true ]; then
        stop mail-sink 5
        return
    fi
    alive mail-sink.supervisor && return
    python3 "$root/deploy/scripts/mail_sink.py" make "$state/mail" || fail "the keys of the mail sink could not be made"
    supervised mail-sink TERM python3 "$root/deploy/scripts/mail_sink.py" serve "$state/mail" "$(port_of mail-sink)"
    say "A sink of mail on port $(port_of mail-sink): deploy/dev mail shows what it took"
}

# mail [COUNT]: the last letters that the sink took.
show_mail() {
    [ -d "$state/mail" ] || fail "there is no sink of mail: MADANG_MAIL_SINK=true deploy/dev up starts one"
    python3 "$root/deploy/scripts/mail_sink.py" show "$state/mail" "$@"
}

# media gc: removes files that belong to nothing, and says what they were.
media() {
    [ "${1:-}" = gc ] || fail "usage: deploy/dev media gc"
    alive postgres.supervisor || fail "nothing runs: start with deploy/dev up"
    as_operator with_settings media "$binaries/media" gc
}

# import-gifs DIR [OPTION…]: a folder of files into the catalogue of GIFs.
import_gifs() {
    [ -d "${1:-}" ] || fail "usage: deploy/dev import-gifs DIR [--kind KIND] [--category NAME] [--rating RATING] [--tags A,B]"
    alive postgres.supervisor || fail "nothing runs: start with deploy/dev up"
    with_settings media "$binaries/media" import-gifs "$@"
}

# usage [DAYS]: what apps told of how they are used, as CSV.
usage_of_apps() {
    alive postgres.supervisor || fail "nothing runs: start with deploy/dev up"
    with_settings search "$binaries/search" usage "$@"
}

# rebuild SERVICE [--abandon] [QUEUE…]: what the service keeps of others, from what they have, while people are served.
rebuild() {
    [ $# -gt 0 ] || fail "usage: deploy/dev rebuild SERVICE [--abandon] [QUEUE…]"
    local service=$1
    shift
    grep -q "^$service " "$root/deploy/scripts/services" || fail "$service is no service"
    alive postgres.supervisor || fail "nothing runs: start with deploy/dev up"
    as_operator with_settings "$service" "$binaries/$service" rebuild "$@"
}

administer() {
    alive postgres.supervisor || fail "nothing runs: start with deploy/dev up"
    if [ "${1:-}" = audit ]; then
        with_settings auth "$binaries/auth" "$@"
    elif [[ ${1:-} =~ ^(suspend|limit|freeze|sensitive|lift)$ ]]; then
        as_operator with_settings posts "$binaries/posts" admin "$@"
    else
        as_operator with_settings auth "$binaries/auth" admin "$@"
    fi
}

# as_operator COMMAND…: what it logs, such as who did what, is kept in operator.log too.
as_operator() {
    local log=$logs/operator.log
    (umask 027 && : >>"$log")
    { "$@" 2>&1 >&3 | tee -a "$log" >&2; } 3>&1
}

# stack_backup FILE: everything that was acknowledged before a moment, while people are served.
stack_backup() {
    [ $# = 1 ] || fail "usage: deploy/dev backup FILE"
    alive postgres.supervisor && alive rabbitmq.supervisor || fail "nothing runs: start with deploy/dev up"
    backup_program take "$1"
}

# stack_restore FILE: a Madang of its own, filled from a backup; its state must be new.
stack_restore() {
    [ $# = 1 ] && [ -r "$1" ] || fail "usage: deploy/dev restore FILE"
    if [ -e "$postgres_data/PG_VERSION" ] || [ -d "$secrets" ]; then
        fail "there is a Madang under $state already: name another folder and port (MADANG_STATE=… MADANG_PORT=… deploy/dev restore …), or deploy/dev reset, which forgets it"
    fi
    # shellcheck disable=SC2086
    require_packages $build_packages $run_packages
    build_programs
    restore_state "$1"
    stack_start
    stack_hello
}

# The engines with the data of a backup.
restore_state() {
    mkdir -p "$state" "$run" "$logs"
    require_ports
    backup_program secrets "$1"
    stop_if_it_fails
    make_secrets
    start_postgres
    start_rabbitmq
    wait_until 30 rabbitmqctl_here await_startup || fail "RabbitMQ did not start"
    backup_program fill "$1"
    trap - EXIT
}

backup_program() {
    MADANG_STATE=$state MADANG_PORT=$port MADANG_SECRETS=$secrets superuser_environment python3 "$root/deploy/scripts/backup.py" "$@"
}

# Loading goes through the public interface, far faster than people do: the budgets are lifted meanwhile.
load_graph() {
    [ $# -ge 1 ] && [ -r "$1" ] || fail "usage: deploy/dev load-graph FILE (an edge list, one 'a b' pair a line)"
    stack_runs || fail "Madang does not run: start with deploy/dev up"
    say "Lifting the gateway's rate budgets while loading"
    local code=0
    MADANG_RATE_LIMIT_ACCOUNT=0 MADANG_RATE_LIMIT_ADDRESS=0 MADANG_RATE_LIMIT_SIGN_UP=0 MADANG_CONNECTIONS_ADDRESS=0 restart_service gateway
    MADANG_NEW_ACCOUNT_HOURS=0 restart_service posts
    python3 "$root/deploy/load_graph.py" "$@" --base-url "http://localhost:$port" --state "$state/load" || code=$?
    restart_service posts
    restart_service gateway
    return $code
}
