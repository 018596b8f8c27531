#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What a hop through the gateway costs, against nginx in front of the same upstream, in one run.
#
# First each as fast as it can, then both at the same rate: who is slower also pays for waking those who wait for it.
#
# Needs wrk, nginx, a C compiler and a release build of the gateway. Settings by environment: GATEWAY (the executable), SECONDS_EACH (5),
# CONNECTIONS (64), THREADS (1), ROUNDS (3), BODY (octets of the answer, 1024), PORT (first of four free ports, 18080),
# WORKERS (1: worker processes of nginx and event loops of the gateway, so that the two are a pair), RATES (requests a second that both
# answer, "5000 15000").
set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
gateway=${GATEWAY:-$here/.build-release/release/gateway}
seconds=${SECONDS_EACH:-5} connections=${CONNECTIONS:-64} threads=${THREADS:-1} rounds=${ROUNDS:-3} body=${BODY:-1024}
workers=${WORKERS:-1} rates=${RATES:-5000 15000}
upstream=${PORT:-18080}
proxy=$((upstream + 1)) front=$((upstream + 2))
path=/api/v1/timelines/public
for tool in wrk nginx cc "$gateway"; do
    command -v "$tool" >/dev/null || { echo "gateway_hop: $tool is missing" >&2; exit 1; }
done
work=$(mktemp -d)
processes=()
finish() {
    for process in "${processes[@]}"; do kill "$process" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT

# The answer that both fetch: served from memory by an nginx of its own, so that it costs both the same.
answer=$(head -c "$body" /dev/zero | tr '\0' x)
serve() { # name, port, body of the server block, workers
    cat >"$work/$1.conf" <<CONF
worker_processes ${4:-1}; pid $work/$1.pid; error_log /dev/null; daemon off;
events { worker_connections 4096; }
http {
    access_log off; keepalive_requests 1000000000; keepalive_timeout 60s;
    client_body_temp_path $work/$1-b; proxy_temp_path $work/$1-p; fastcgi_temp_path $work/$1-f;
    uwsgi_temp_path $work/$1-u; scgi_temp_path $work/$1-s;
    upstream service { server 127.0.0.1:$upstream; keepalive 256; keepalive_requests 1000000000; }
    server { listen 127.0.0.1:$2 backlog=1024; $3 }
}
CONF
    nginx -c "$work/$1.conf" 2>/dev/null &
    processes+=($!)
}
serve upstream "$upstream" "location / { default_type application/json; return 200 '$answer'; }"
serve proxy "$proxy" "location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ''; \
proxy_set_header X-Forwarded-For \$remote_addr; proxy_set_header X-Request-Id \$request_id; }" "$workers"
nginx_process=${processes[-1]}

# Every service but posts is away: nothing that is asked here concerns them.
addresses=()
while read -r name _; do
    case $name in '#'* | posts) ;; *) addresses+=("MADANG_${name^^}_URL=http://127.0.0.1:1") ;; esac
done <"$here/deploy/scripts/services"
env "${addresses[@]}" MADANG_POSTS_URL=http://127.0.0.1:$upstream MADANG_DOMAIN=localhost MADANG_LISTEN=127.0.0.1:$front \
    MADANG_AMQP=amqp://guest:guest@127.0.0.1:1 MADANG_INTERNAL_SECRET=none MADANG_RATE_LIMIT_ACCOUNT=0 \
    MADANG_RATE_LIMIT_ADDRESS=1000000000 MADANG_RATE_LIMIT_SIGN_UP=0 MADANG_RATE_LIMIT_DELETE=0 \
    MADANG_CONNECTIONS_ADDRESS=0 NIO_SINGLETON_GROUP_LOOP_COUNT="$workers" MADANG_ACCESS_LOG=false MADANG_LOG_LEVEL=critical \
    MADANG_PRINCIPAL_PUBLIC_KEY=AAAA "$gateway" >/dev/null 2>"$work/gateway.log" &
gateway_process=$!
processes+=("$gateway_process")
for port in "$upstream" "$proxy" "$front"; do
    curl -fs --retry 50 --retry-delay 1 --retry-connrefused -o /dev/null "http://127.0.0.1:$port$path" || { cat "$work/gateway.log" >&2; exit 1; }
done

# Clock ticks that a process and its children have used.
ticks() {
    local sum=0 process
    for process in "$1" $(pgrep -P "$1" || true); do
        sum=$((sum + $(awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$process/stat")))
    done
    echo "$sum"
}
hertz=$(getconf CLK_TCK)
# tell NAME TICKS REQUESTS RATE: prints a line and keeps it.
tell() {
    awk -v n="$1" -v t="$2" -v h="$hertz" -v r="$3" -v s="$4" \
        'BEGIN { printf "%-8s %9.0f requests/s %7.2f µs CPU a request\n", n, s, t / h / r * 1e6 }' | tee -a "$work/results"
}
measure() { # name, port, process
    local before after output requests rate
    before=$(ticks "$3")
    output=$(wrk -t"$threads" -c"$connections" -d"${seconds}s" "http://127.0.0.1:$2$path")
    after=$(ticks "$3")
    if grep -q 'Non-2xx' <<<"$output"; then
        echo "gateway_hop: $1 answered with errors" >&2
        exit 1
    fi
    requests=$(awk '/requests in/ { print $1 }' <<<"$output")
    rate=$(awk '/Requests\/sec/ { print $2 }' <<<"$output")
    tell "$1" $((after - before)) "$requests" "$rate"
}
# The same at a rate that both can answer, asked by a client that sends whether or not it was answered.
measure_at() { # rate, name, port, process
    local before after output
    before=$(ticks "$4")
    output=$(printf 'GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n\0' "$path" | "$work/arrivals" "$3" "$connections" "$1" "$seconds")
    after=$(ticks "$4")
    if ! grep -q '"errors": 0,' <<<"$output"; then
        echo "gateway_hop: $2 answered with errors: $output" >&2
        exit 1
    fi
    tell "$2" $((after - before)) $(($1 * seconds)) "$1"
}
# What the lines since the last ratio say.
ratio() {
    awk -v how="$1" -v workers="$workers" '{ n[$1]++; s[$1] += $2; c[$1] += $4 }
        END { printf "ratio    CPU %.2f, rate %.2f (gateway to nginx, %s, %d workers each, means of %d rounds)\n",
              c["gateway"] / c["nginx"], s["gateway"] / s["nginx"], how, workers, n["nginx"] }' "$work/results"
    : >"$work/results"
}
cc -O2 -D_GNU_SOURCE -o "$work/arrivals" "$here/Tests/Benchmarks/arrivals.c"
for _ in $(seq "$rounds"); do
    measure nginx "$proxy" "$nginx_process"
    measure gateway "$front" "$gateway_process"
done
ratio "each as fast as it can"
for rate in $rates; do
    for _ in $(seq "$rounds"); do
        measure_at "$rate" nginx "$proxy" "$nginx_process"
        measure_at "$rate" gateway "$front" "$gateway_process"
    done
    ratio "$rate/s"
done
