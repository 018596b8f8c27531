# SPDX-License-Identifier: Apache-2.0
# Madang's own processes.

# service_environment PROCESS: its settings, a NAME=value a line; what the caller exported wins.
service_environment() {
    local name=$1 service folder number domain=${MADANG_DOMAIN:-localhost:$port}
    service=$(service_of "$name")
    folder=$secrets/$service
    # "-2" for a second process, and nothing for the first.
    number=${name#"$service"}
    echo "MADANG_DOMAIN=$domain"
    echo "MADANG_LISTEN=127.0.0.1:$(port_of "$name")"
    # Programs of the first release, which may run beside these during an upgrade, have no other way to two slots for ids.
    [ -n "$number" ] && [ "$service" != gateway ] && echo "MADANG_SLOT=1"
    # With a second process to go to, one that stops lets the gateways' connections run out first.
    is_wide && echo "MADANG_DRAIN_SECONDS=2"
    if is_proxied && [ "$service" != gateway ]; then
        echo "MADANG_POSTGRES=$(sed "s#:$(port_of postgres)/#:$(port_of proxy-postgres)/#" "$folder/postgres")"
        echo "MADANG_AMQP=$(sed "s#:$(port_of rabbitmq)/#:$(port_of proxy-rabbitmq)/#" "$folder/amqp")"
    else
        [ -e "$folder/postgres" ] && echo "MADANG_POSTGRES_FILE=$folder/postgres"
        echo "MADANG_AMQP_FILE=$folder/amqp"
    fi
    echo "MADANG_PRINCIPAL_PUBLIC_KEY_FILE=$folder/principal-public-key"
    [ -e "$folder/internal-secret" ] && echo "MADANG_INTERNAL_SECRET_FILE=$folder/internal-secret"
    [ -e "$folder/internal-secret-next" ] && echo "MADANG_INTERNAL_SECRET_NEXT_FILE=$folder/internal-secret-next"
    [ -e "$folder/media-link-key" ] && echo "MADANG_MEDIA_LINK_KEY_FILE=$folder/media-link-key"
    [ "$service" = media ] && echo "MADANG_MEDIA_DIRECTORY=$state/media"
    # An operator who comes from elsewhere brings the key along.
    [ -e "$folder/vapid-key" ] && [ -z "${MADANG_VAPID_KEY:-}${MADANG_VAPID_KEY_FILE:-}" ] && echo "MADANG_VAPID_KEY_FILE=$folder/vapid-key"
    [ -e "$folder/vapid-public-key" ] && [ -z "${MADANG_VAPID_PUBLIC_KEY:-}${MADANG_VAPID_PUBLIC_KEY_FILE:-}${MADANG_VAPID_KEY:-}${MADANG_VAPID_KEY_FILE:-}" ] &&
        echo "MADANG_VAPID_PUBLIC_KEY_FILE=$folder/vapid-public-key"
    [ -e "$folder/browser-key" ] && echo "MADANG_BROWSER_KEY_FILE=$folder/browser-key"
    # As long as there is a sink, letters go there.
    if [ "$service" = auth ] && alive mail-sink.supervisor; then
        echo "MADANG_SMTP_URL=smtp://127.0.0.1:$(port_of mail-sink)"
        echo "MADANG_SMTP_CERTIFICATES=$state/mail/tls.pem"
        echo "MADANG_SMTP_USER_FILE=$state/mail/user"
        echo "MADANG_SMTP_PASSWORD_FILE=$state/mail/password"
        echo "MADANG_MAIL_FROM=Madang <no-reply@madang.example>"
    fi
    [ -e "$folder/principal-private-key" ] && echo "MADANG_PRINCIPAL_PRIVATE_KEY_FILE=$folder/principal-private-key"
    if [ "$service" = gateway ]; then
        echo "MADANG_ADMIN_LISTEN=127.0.0.1:$(port_of "admin$number")"
        local other urls
        for other in $stores; do
            [ -e "$folder/internal-secret-$other" ] &&
                echo "MADANG_INTERNAL_SECRET_$(echo "$other" | tr '[:lower:]' '[:upper:]')_FILE=$folder/internal-secret-$other"
            urls=http://127.0.0.1:$(port_of "$other")
            # The release before lists were known gets the process of its own number.
            if [ -n "${MADANG_BINARIES:-}" ]; then
                urls=http://127.0.0.1:$(port_of "$other$number")
            elif is_wide; then
                urls=$urls,http://127.0.0.1:$(port_of "$other-2")
            fi
            echo "MADANG_$(echo "$other" | tr '[:lower:]' '[:upper:]')_URL=$urls"
        done
    fi
    # Settings that the caller exported, but for those by which this command itself is steered.
    env | grep -E '^MADANG_[A-Z0-9_]+=' | grep -vE '^MADANG_(PORT|STATE|OPERATOR|SECRETS|ROTATION_PAUSE|CONFIGURATION|BINARIES|PREVIOUS|RELEASE|LISTEN|TEST_[A-Z_]+|BASE_URL|RUN|MAIL_SINK)=' || true
}

# The proxy of faults between the services and what they stand on, for services that start after it.
start_proxy() {
    mkdir -p "$run"
    touch "$run/proxied"
    supervised proxy TERM python3 "$root/Tests/FaultTests/proxy.py" --control "$(port_of proxy-control)" \
        --listen "postgres=$(port_of proxy-postgres):$(port_of postgres)" --listen "rabbitmq=$(port_of proxy-rabbitmq):$(port_of rabbitmq)"
    wait_until 10 port_is_used "$(port_of proxy-control)" || fail "the proxy did not start"
}

# with_settings SERVICE COMMAND…
with_settings() {
    local service=$1 settings
    shift
    mapfile -t settings < <(service_environment "$service")
    env "${settings[@]}" "$@"
}

migrate_all() {
    local service
    for service in $stores; do
        with_settings "$service" "$binaries/$service" migrate || return 1
    done
}

start_service() {
    local name=$1 settings
    alive "$name.supervisor" && return
    port_is_used "$(port_of "$name")" && fail "port $(port_of "$name") ($name) is in use: stop what uses it or set MADANG_PORT"
    mapfile -t settings < <(service_environment "$name")
    (
        export "${settings[@]}"
        supervised "$name" TERM "$binaries/$(service_of "$name")"
    )
    fingerprint "$(service_of "$name")" >"$run/$name.program"
    (umask 077 && hashed_settings "$name" >"$run/$name.settings")
}

# hashed_settings PROCESS: its settings, of which only a hash of each value is shown.
hashed_settings() { service_environment "$1" | python3 "$root/deploy/scripts/hash_settings.py"; }

# changed_settings PROCESS: names of settings that have another value than when it was started and that its program reads.
changed_settings() {
    local name=$1 known
    [ -e "$run/$name.settings" ] || return 0
    known=$(with_settings "$name" "$binaries/$(service_of "$name")" settings 2>/dev/null | sed -n 's/^\(MADANG_[A-Z_]*\) .*/\1/p')
    comm -3 "$run/$name.settings" <(hashed_settings "$name") | tr -d '\t' | cut -d' ' -f1 | sed 's/_FILE$//' | sort -u |
        grep -xF "$known" || true
}

# unread_settings: names of exported settings that no program reads.
unread_settings() {
    local service
    comm -23 <(env | sed -n 's/^\(MADANG_[A-Z_]*\)=.*/\1/p' | sed 's/_FILE$//' | sort -u) <(
        {
            for service in $services; do with_settings "$service" "$binaries/$service" settings 2>/dev/null | cut -d' ' -f1; done
            # What steers this command, drills and tests.
            printf 'MADANG_%s\n' PORT STATE OPERATOR SECRETS ROTATION_PAUSE CONFIGURATION BINARIES PREVIOUS RELEASE BASE_URL RUN FAILPOINTS MAIL_SINK
            env | sed -n 's/^\(MADANG_\(TEST\|BENCH\|DRILL\)_[A-Z_]*\)=.*/\1/p'
        } | sort -u
    )
}

# require_good_settings: says what is bad before anything is stopped for it.
require_good_settings() {
    local service
    for service in $services; do
        with_settings "$service" "$binaries/$service" settings >/dev/null || fail "$service cannot run with these settings; nothing was changed"
    done
}

service_is_ready() {
    local at
    at=$(port_of "$1")
    curl -fsS --max-time 2 "http://127.0.0.1:$at/health/ready"
}

# Settled: ready, or ended for good (exit code 78), which is no better after half a minute.
service_is_settled() { service_is_ready "$1" || [ -e "$run/$1.code" ]; }

wait_for_service() {
    wait_until 30 service_is_settled "$1" && service_is_ready "$1" >/dev/null 2>&1 && return
    tail -n 10 "$logs/$1.log" >&2
    [ ! -e "$run/$1.code" ] || fail "$1 refuses to run (exit code $(cat "$run/$1.code" 2>/dev/null)): correct what is said above"
    fail "$1 did not become ready"
}

restart_service() {
    stop "$1" 40
    start_service "$1"
    wait_for_service "$1"
}
