# SPDX-License-Identifier: Apache-2.0
# Tests, lint, drills and benchmarks, on a cluster of their own.

# promtool is in the package prometheus.
test_packages="gcc libc6-dev prometheus"

# The cluster for tests keeps its own state and ports, so that a running stack is untouched.
use_test_cluster() {
    local other
    state=$root/.madang/test
    # Two at a time would take each other's servers.
    if other=$(cat "$state/owner" 2>/dev/null) && [ "$other" != $$ ] && grep -qs deploy/dev "/proc/$other/cmdline"; then
        fail "tests or drills are under way in this folder already (process $other)"
    fi
    mkdir -p "$state" && echo $$ >"$state/owner"
    port=${MADANG_TEST_PORT:-3100}
    run=$state/run logs=$state/logs secrets=$state/secrets postgres_data=$state/postgres
    export MADANG_TEST_CLUSTER=1
    export MADANG_RATE_LIMIT_ACCOUNT=0 MADANG_RATE_LIMIT_ADDRESS=0 MADANG_RATE_LIMIT_SIGN_UP=0 MADANG_RATE_LIMIT_DELETE=0
    export MADANG_RATE_LIMIT_CONNECTIONS=0 MADANG_CONNECTIONS_ADDRESS=0 MADANG_CONNECTIONS_ACCOUNT=0
    export MADANG_SIGN_IN_LIMIT_ADDRESS=0 MADANG_NEW_ACCOUNT_HOURS=0
    # Thousands of people sign up; what a hash costs is AuthTests' to judge.
    export MADANG_PASSWORD_MEMORY=19456
}

test_environment() {
    export MADANG_TEST_POSTGRES MADANG_TEST_AMQP MADANG_TEST_AMQP_MANAGEMENT MADANG_BASE_URL
    MADANG_TEST_POSTGRES="host=127.0.0.1 port=$(port_of postgres) user=madang-tests password=$(cat "$secrets/postgres/superuser-password")"
    # Another broker, such as one of another release, may be named by the caller.
    : "${MADANG_TEST_AMQP:=amqp://madang-tests:madang-tests@127.0.0.1:$(port_of rabbitmq)}"
    : "${MADANG_TEST_AMQP_MANAGEMENT:=http://madang-tests:madang-tests@127.0.0.1:$(port_of management)}"
    MADANG_BASE_URL="http://localhost:$port"
    # Where a test shows pages that posts link to.
    export MADANG_TEST_PAGES=127.0.0.1:$(port_of test-pages)
    # Where the tests are a catalogue of GIFs that media asks.
    export MADANG_TEST_GIPHY=127.0.0.1:$(port_of test-giphy)
    # The same with books.
    export MADANG_TEST_BOOKS=127.0.0.1:$(port_of test-books)
    # The same with Apple, Firebase and browsers.
    export MADANG_TEST_PUSH=127.0.0.1:$(port_of test-push) MADANG_TEST_PUSH_KEYS=$state/push-keys
    # The same who take letters.
    export MADANG_TEST_MAIL=$state/mail
}

start_test_cluster() {
    mkdir -p "$state" "$run" "$logs"
    make_secrets
    start_postgres
    add_test_superuser
    start_rabbitmq
    add_test_user
}

# Tests connect tens of thousands of times. SCRAM's 4,096 rounds of hashing at both ends were a third of what the stores' tests cost, so
# theirs is a superuser with a password of the old kind.
add_test_superuser() {
    local rules=$postgres_data/pg_hba.conf former
    former=$(cat "$rules")
    [[ $former == *madang-tests* ]] || printf '%s\n' 'host all madang-tests 127.0.0.1/32 md5' "$former" >"$rules"
    superuser_environment psql --no-psqlrc -qAtd postgres -v ON_ERROR_STOP=1 >/dev/null <<'SQL'
\getenv password PGPASSWORD
SELECT 'CREATE ROLE "madang-tests"' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'madang-tests') \gexec
SET password_encryption = md5;
ALTER ROLE "madang-tests" SUPERUSER LOGIN PASSWORD :'password';
SELECT FROM pg_reload_conf();
SQL
}

# Tests make virtual hosts of their own; drills read the broker's counts.
add_test_user() {
    rabbitmqctl_here await_startup
    # Not by a pipe into grep -q, which ends while rabbitmqctl still writes.
    [[ $(rabbitmqctl_here list_users) == *madang-tests* ]] || {
        rabbitmqctl_here add_user madang-tests madang-tests
        rabbitmqctl_here set_user_tags madang-tests administrator
        rabbitmqctl_here set_permissions -p / madang-tests '.*' '.*' '.*'
    }
}

run_tests() {
    # shellcheck disable=SC2086
    require_packages $build_packages $run_packages $test_packages
    require_swift
    check_rules || fail "the alerts are not as their tests want them"
    use_test_cluster
    trap 'code=$?; stack_stop; exit $code' EXIT
    step "Building the tests" swift_here build --build-tests || fail "the tests do not build"
    say "Starting PostgreSQL and RabbitMQ for the tests (ports $(port_of postgres), $(port_of rabbitmq))"
    # On the data of a run before, a broker may stand still for minutes over queues that were deleted long ago.
    alive rabbitmq.supervisor || rm -rf "$state/rabbitmq/data"
    start_test_cluster
    test_environment
    # Thousands of short-lived databases need no disk; what is measured or killed later does, and so does whoever comes next.
    trap 'code=$?; set_fsync on || true; stack_stop; exit $code' EXIT
    set_fsync off
    run_swift_tests ${1:+--filter "$1"} || fail "tests failed"
    [ -z "${1:-}" ] || return 0
    run_system_tests
    say "All tests passed."
}

# What failed stands at the end again: thousands of lines lie between where it is printed and where whoever reads looks first.
run_swift_tests() {
    local printed=$run/tests.log
    swift_here test --skip-build --disable-xctest --enable-swift-testing "$@" 2>&1 | tee "$printed" && return
    grep -A 2 -E '^✘ Test .* recorded an issue|Fatal error|Crash' "$printed" | grep -vE '^(✔|◇|➜)' | head -100
    grep -E '^✘ (Test|Suite) .*failed' "$printed" | tail -40
    return 1
}

# Everything that stands in a file for others to read, and is compared by a test at other times.
write_fixtures() {
    export MADANG_WRITE_FIXTURES=1
    run_tests 'EventContractTests|ServiceTests|StatementTests|ContractTests'
}

set_fsync() {
    superuser_environment psql --no-psqlrc -qd postgres -c "ALTER SYSTEM SET fsync = $1" -c 'SELECT pg_reload_conf()' >/dev/null
}

run_system_tests() {
    build_programs
    python_environment
    start_drill_stack
    (cd "$root/Tests/SystemTests" && MADANG_RUN=$run "$python" -m pytest -q -p no:cacheprovider .) || fail "system tests failed"
    drill_here --points --seconds "${MADANG_DRILL_SECONDS:-30}" --rate 30
    chat_drill_here --short
    fault_drills short
}

# Every source of books is one stand-in.
books_of_the_tests() {
    local name
    export MADANG_NAVER_BOOKS_ID=naver-id-of-the-tests MADANG_NAVER_BOOKS_SECRET=naver-key-of-the-tests
    export MADANG_KAKAO_BOOKS_KEY=kakao-key-of-the-tests MADANG_GOOGLE_BOOKS_KEY=google-key-of-the-tests
    export MADANG_GOOGLE_BOOKS=true MADANG_OPEN_LIBRARY=true
    for name in NAVER_BOOKS KAKAO_BOOKS GOOGLE_BOOKS OPEN_LIBRARY; do
        export "MADANG_${name}_URL=http://127.0.0.1:$(port_of test-books)"
    done
}

# Every provider of push is one stand-in, whose certificate nobody else believes.
push_of_the_tests() {
    local keys=$state/push-keys place
    place=$(port_of test-push)
    python3 "$root/Tests/SystemTests/push_keys.py" "$keys" "$place" || fail "the keys of the tests' push could not be made"
    export MADANG_TEST_PUSH=127.0.0.1:$place MADANG_TEST_PUSH_KEYS=$keys
    export MADANG_APNS_KEY_FILE=$keys/apns.p8 MADANG_APNS_KEY_ID=TESTKEY123 MADANG_APNS_TEAM_ID=TESTTEAM12
    export MADANG_APNS_URL=https://127.0.0.1:$place MADANG_APNS_SANDBOX_URL=https://127.0.0.1:$place MADANG_APNS_TOPIC=org.madang.tests
    export MADANG_FCM_SERVICE_ACCOUNT_FILE=$keys/fcm.json MADANG_FCM_URL=https://127.0.0.1:$place
    export MADANG_PUSH_CERTIFICATES=$keys/tls.pem MADANG_OUTBOUND_ALLOW=${MADANG_OUTBOUND_ALLOW:+$MADANG_OUTBOUND_ALLOW,}127.0.0.1:$place
}

# Apple, Kakao, a company, one whose keys change and three that do not answer as they should are one stand-in. The key of Apple's is made anew each time.
issuers_of_the_tests() {
    local name
    export MADANG_TEST_ISSUER=127.0.0.1:$(port_of test-issuer)
    export MADANG_ISSUERS=apple,kakao,company,turning,gone,huge,slow
    for name in ${MADANG_ISSUERS//,/ }; do
        export "MADANG_ISSUER_${name^^}_URL=http://127.0.0.1:$(port_of test-issuer)/$name"
        export "MADANG_ISSUER_${name^^}_CLIENTS=$name-web,$name-app"
    done
    export MADANG_ISSUER_KAKAO_SECRET=kakao-secret-of-the-tests MADANG_ISSUER_COMPANY_SECRET=company-secret-of-the-tests
    export MADANG_ISSUER_COMPANY_TITLE=회사
    export MADANG_ISSUER_APPLE_TEAM=TEAM123456 MADANG_ISSUER_APPLE_KEY_ID=KEY1234567
    export MADANG_ISSUER_APPLE_KEY_FILE=$state/apple-key-of-the-tests.pem
    (umask 077 && openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$MADANG_ISSUER_APPLE_KEY_FILE" 2>/dev/null)
}

# Letters go to a stand-in, whose certificate nobody else believes.
mail_of_the_tests() {
    rm -rf "$state/mail"
    export MADANG_MAIL_SINK=true MADANG_TEST_MAIL=$state/mail
    export MADANG_MAIL_FROM="마당 <no-reply@madang.example>" MADANG_MAIL_RETRY=1 MADANG_MAIL_LIMIT_ADDRESS=0
}

# Two processes of each service, which can be killed at named moments.
start_drill_stack() {
    export MADANG_FAILPOINTS=$state/failpoint
    rm -f "$MADANG_FAILPOINTS"
    export MADANG_OUTBOUND_ALLOW=127.0.0.1:$(port_of test-pages)
    export MADANG_GIPHY_KEY=giphy-key-of-the-tests MADANG_GIPHY_URL=http://127.0.0.1:$(port_of test-giphy)
    books_of_the_tests
    push_of_the_tests
    issuers_of_the_tests
    mail_of_the_tests
    export MADANG_USAGE=true
    stack_start_wide
    trap 'code=$?; stack_stop; exit $code' EXIT
    # The tests before ran without, and so does a database that a killed run of them left.
    set_fsync on
    add_test_user
}

# check_rules: the alerts, each with a test that makes it fire.
check_rules() (
    cd "$root/deploy/observability"
    promtool check rules rules.yml >/dev/null && promtool test rules rules.test.yml >/dev/null || {
        promtool check rules rules.yml
        promtool test rules rules.test.yml
    }
)

run_lint() {
    local code=0
    command -v promtool >/dev/null && { check_rules || code=1; }
    (cd "$root" && swift format lint --strict -r Package.swift Services Shared Tests) || code=1
    if grep -rnE '@unchecked Sendable|nonisolated\(unsafe\)' "$root/Services" "$root/Shared" --include=*.swift | grep -vE '/Shared/(Postgres|Messaging|Outbound)/'; then
        say "unchecked Sendable belongs in Shared/Postgres, Shared/Messaging and Shared/Outbound only"
        code=1
    fi
    if grep -rnE 'try!|as! |fatalError\(' "$root/Services" "$root/Shared" --include=*.swift; then
        say "nothing may trap on what a client sent"
        code=1
    fi
    return $code
}

# drill_here OPTION…: the drill against the running test stack.
drill_here() {
    python3 "$root/Tests/FaultTests/drill.py" --base-url "http://localhost:$port" --run "$run" \
        --failpoints "$MADANG_FAILPOINTS" "$@" || fail "the drill failed"
}

# run_drill [SECONDS] [OPTION…], or run_drill NAME… [OPTION…]: kills at random, or the named faults of Tests/FaultTests.
run_drill() {
    # shellcheck disable=SC2086
    require_packages $build_packages $run_packages
    case " $* " in *" alerts "* | *" all "*) require_packages prometheus ;; esac
    use_test_cluster
    build_programs
    start_drill_stack
    case ${1:-60} in
    [0-9]*)
        local seconds=${1:-60}
        [ $# -gt 0 ] && shift
        drill_here --points --seconds "$seconds" "$@"
        ;;
    *) fault_drills "$@" ;;
    esac
}

# fault_drills NAME… [OPTION…]: the named faults against the running test stack.
fault_drills() {
    python_environment
    "$python" "$root/Tests/FaultTests/faults.py" --base-url "http://localhost:$port" --run "$run" "$@" || fail "a fault drill failed"
}

# run_fuzz [REQUESTS]: generated requests over every route, far more than the tests make.
run_fuzz() {
    # shellcheck disable=SC2086
    require_packages $build_packages $run_packages
    use_test_cluster
    build_programs
    python_environment
    start_drill_stack
    test_environment
    (cd "$root/Tests/SystemTests" && MADANG_RUN=$run "$python" -m pytest -q -rP -p no:cacheprovider test_generated.py --requests "${1:-50000}") ||
        fail "the generated requests found something"
}

# chat_drill_here OPTION…: the drill of chat against the running test stack with its second processes.
chat_drill_here() {
    python3 "$root/Tests/FaultTests/chat_drill.py" --base-url "http://localhost:$port" \
        --base-url "http://localhost:$(port_of gateway-2)" --run "$run" "$@" || fail "the drill of chat failed"
}

run_chat_drill() {
    # shellcheck disable=SC2086
    require_packages $build_packages $run_packages
    use_test_cluster
    build_programs
    start_drill_stack
    chat_drill_here --messages "${1:-5000}"
}

use_bench_cluster() {
    use_test_cluster
    state=$root/.madang/bench
    port=${MADANG_BENCH_PORT:-3200}
    run=$state/run logs=$state/logs secrets=$state/secrets postgres_data=$state/postgres
}

run_benchmarks() {
    # shellcheck disable=SC2086
    require_packages $build_packages $run_packages $test_packages nginx-light wrk
    require_swift
    "$root/Tests/Benchmarks/run" "$root" "$@"
}
