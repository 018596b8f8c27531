# SPDX-License-Identifier: Apache-2.0
# The private RabbitMQ node under the state folder: loopback only, no system service.

# The plain script, not the packaged wrapper, which changes user.
rabbitmq_server=/usr/lib/rabbitmq/bin/rabbitmq-server
# One for every two cores, which sleep instead of waiting awake (decision 0044); the same as in docker-compose.yml.
erlang_schedulers="+SP 50:50 +SDPcpu 50:50 +sbwt none +sbwtdcpu none +sbwtdio none"

rabbitmq_environment() {
    export HOME=$state/rabbitmq
    export RABBITMQ_NODENAME=madang-$port@localhost
    export RABBITMQ_MNESIA_BASE=$HOME/data RABBITMQ_LOG_BASE=$HOME/log RABBITMQ_LOGS=-
    export RABBITMQ_CONFIG_FILE=$HOME/rabbitmq.conf RABBITMQ_ENABLED_PLUGINS_FILE=$HOME/plugins
    export RABBITMQ_CONF_ENV_FILE=/dev/null RABBITMQ_PID_FILE=$HOME/node.pid
    export RABBITMQ_DIST_PORT ERL_EPMD_PORT ERL_EPMD_ADDRESS=127.0.0.1
    # The script becomes the node itself instead of watching over it: signals reach the right process.
    export RUNNING_UNDER_SYSTEMD=true ERL_CRASH_DUMP=$HOME/erl_crash.dump
    RABBITMQ_DIST_PORT=$(port_of rabbitmq-distribution)
    ERL_EPMD_PORT=$(port_of epmd)
    export RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS="-kernel inet_dist_use_interface {127,0,0,1} $erlang_schedulers"
    # Drills read the broker's counts: at once, not as they were five seconds ago.
    [ -z "${MADANG_TEST_CLUSTER:-}" ] || RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS+=" -rabbit quorum_tick_interval 500"
}

start_rabbitmq() {
    alive rabbitmq.supervisor && return
    local name
    for name in rabbitmq rabbitmq-distribution; do
        port_is_used "$(port_of $name)" && fail "port $(port_of $name) ($name) is in use: stop what uses it or set MADANG_PORT"
    done
    mkdir -p "$state/rabbitmq"
    rabbitmq_settings >"$state/rabbitmq/rabbitmq.conf"
    if [ -n "${MADANG_TEST_CLUSTER:-}" ]; then echo '[rabbitmq_management].'; else echo '[].'; fi >"$state/rabbitmq/plugins"
    (
        rabbitmq_environment
        supervised rabbitmq TERM "$rabbitmq_server"
    )
    wait_until 90 rabbitmq_is_ready || {
        tail -n 10 "$logs/rabbitmq.log" >&2
        fail "RabbitMQ did not start"
    }
}

rabbitmq_settings() {
    sed "s#^load_definitions = .*#load_definitions = $secrets/rabbitmq/definitions.json#" "$root/deploy/rabbitmq/rabbitmq.conf"
    echo "listeners.tcp.1 = 127.0.0.1:$(port_of rabbitmq)"
    echo "log.console.level = warning"
    if [ -n "${MADANG_TEST_CLUSTER:-}" ]; then
        # Tests make virtual hosts of their own through the management interface.
        echo "management.tcp.ip = 127.0.0.1"
        echo "management.tcp.port = $(port_of management)"
        echo "collect_statistics_interval = 1000"
    fi
}

# What the node loaded at its boot may be that of an older release.
apply_topology() { (
    rabbitmq_environment
    RABBITMQCTL=/usr/lib/rabbitmq/bin/rabbitmqctl "$root/deploy/rabbitmq/apply.sh" "$RABBITMQ_NODENAME" "$secrets/rabbitmq/definitions.json"
); }

rabbitmq_is_ready() { port_is_used "$(port_of rabbitmq)"; }

rabbitmqctl_here() { (
    rabbitmq_environment
    /usr/lib/rabbitmq/bin/rabbitmqctl -q "$@"
); }

stop_rabbitmq() {
    alive rabbitmq.supervisor || return 0
    stop rabbitmq 30
    # Erlang's port mapper stays behind as a daemon of its own.
    local pid
    for pid in $(grep -lsx epmd /proc/[0-9]*/comm | cut -d/ -f3); do
        grep -qsz "^ERL_EPMD_PORT=$(port_of epmd)$" "/proc/$pid/environ" && kill "$pid" 2>/dev/null || true
    done
}
