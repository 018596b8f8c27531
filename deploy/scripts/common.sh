# SPDX-License-Identifier: Apache-2.0
# Places, ports and the ways to say something.

state=${MADANG_STATE:-$root/.madang}
case $state in /*) ;; *) state=$PWD/$state ;; esac
port=${MADANG_PORT:-3000}
[[ $port =~ ^[0-9]{1,5}$ ]] && [ "$port" -ge 1024 ] && [ "$port" -le 65500 ] || {
    echo "deploy/dev: MADANG_PORT must be a number from 1024 to 65500" >&2
    exit 64
}
run=$state/run
logs=$state/logs
secrets=$state/secrets

# What deploy/scripts/ports and deploy/scripts/services say: where all listen, which services there are, and the second
# processes of drills and system tests.
declare -A port_offsets
while read -r name offset; do
    case $name in '#'*) ;; *) port_offsets[$name]=$offset ;; esac
done <"$root/deploy/scripts/ports"
stores=
while read -r name offset second _; do
    case $name in
    '#'*) ;;
    *)
        port_offsets[$name]=$offset port_offsets[$name-2]=$second
        stores+="${stores:+ }$name"
        ;;
    esac
done <"$root/deploy/scripts/services"
unset name offset second
services="$stores gateway"
seconds="${services// /-2 }-2"

port_of() {
    local offset=${port_offsets[$1]:-}
    [ -n "$offset" ] && echo $((port + offset))
}

# The service that a process runs: there may be a second process of one, such as chat-2.
service_of() { echo "${1%-2}"; }

# Whether this stack has second processes, and whether its services reach PostgreSQL and RabbitMQ through a proxy of faults.
is_wide() { [ -e "$run/wide" ]; }
is_proxied() { [ -e "$run/proxied" ]; }

say() { printf '%s\n' "$*"; }

fail() {
    printf 'deploy/dev: %s\n' "$*" >&2
    exit 1
}

# step TEXT COMMAND…: runs a command that takes a while; shows that it goes on, and its output when it fails.
step() {
    local text=$1 log code=0 started=$SECONDS
    shift
    mkdir -p "$state"
    log=$(mktemp "$state/step.XXXXXX")
    printf '%-44s' "$text"
    "$@" >"$log" 2>&1 &
    local pid=$!
    while kill -0 $pid 2>/dev/null; do
        sleep 0.2
        if [ -t 1 ]; then printf '\r%-44s%4d s  %.60s\033[K' "$text" $((SECONDS - started)) "$(tail -n 1 "$log" | tr -d '\r\033')"; fi
    done
    wait $pid || code=$?
    [ -t 1 ] && printf '\r\033[K%-44s' "$text"
    if [ $code = 0 ]; then
        printf 'done (%d s)\n' $((SECONDS - started))
        rm -f "$log"
    else
        printf 'failed\n'
        tail -n 40 "$log" >&2
        rm -f "$log"
    fi
    return $code
}

# wait_until SECONDS COMMAND…: waits for a condition.
wait_until() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $deadline ] || return 1
        sleep 0.1
    done
}

# A process that we started, by its file of ids; the name guards against an id that was given to somebody else.
alive() {
    local pid
    pid=$(cat "$run/$1" 2>/dev/null) && [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null && grep -qs "$state" "/proc/$pid/cmdline" "/proc/$pid/environ"
}

port_is_used() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# supervised NAME SIGNAL COMMAND…: starts a process that is restarted when it ends by itself.
supervised() {
    local name=$1 signal=$2
    shift 2
    mkdir -p "$run" "$logs"
    rm -f "$run/$name.code"
    # What goes wrong may say what people wrote: logs are for their owner and the group.
    (umask 027 && : >>"$logs/$name.log" && chmod 640 "$logs/$name.log")
    MADANG_STATE=$state setsid "$root/deploy/scripts/supervise" "$name" "$run" "$signal" "$@" >>"$logs/$name.log" 2>&1 </dev/null &
    echo $! >"$run/$name.supervisor"
}

# stop NAME SECONDS: asks the supervisor to end its process, waits, and ends both by force when they do not.
stop() {
    local name=$1 pid child
    alive "$name.supervisor" || return 0
    pid=$(cat "$run/$name.supervisor")
    child=$(cat "$run/$name.pid" 2>/dev/null || true)
    kill -TERM "$pid" 2>/dev/null || true
    if ! wait_until "$2" has_ended "$pid"; then
        kill -KILL "$pid" 2>/dev/null || true
        [ -n "$child" ] && kill -KILL "$child" 2>/dev/null || true
        say "$name did not stop within $2 s and was killed"
    fi
    rm -f "$run/$name.supervisor" "$run/$name.pid"
}

# A process that ended but that nobody has asked about (a container without an init) has ended too.
has_ended() {
    ! kill -0 "$1" 2>/dev/null || [ "$(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null)" = Z ]
}
