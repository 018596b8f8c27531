# SPDX-License-Identifier: Apache-2.0
# New passwords and keys for a running stack, one process after the other.

# rotate passwords | signing-key
rotate() {
    stack_runs || fail "Madang does not run as a whole: start with deploy/dev up"
    case ${1:-} in
    passwords) rotate_passwords ;;
    signing-key)
        rotate_signing_key
        ;;
    *) fail "usage: deploy/dev rotate passwords | signing-key" ;;
    esac
}

# Who is connected stays so until it is started anew with the new password; a connection that is lost in between is not made
# again, so this takes as long as the restarts.
rotate_passwords() {
    local process
    for process in $services; do
        rm -f "$secrets/postgres/$process-password" "$secrets/rabbitmq/$process-password"
    done
    rm -f "$secrets/rabbitmq/replay-password"
    make_secrets
    roles >"$state/roles.log" 2>&1 || fail "the database's roles could not be made: $(tail -n 3 "$state/roles.log")"
    apply_topology >/dev/null || fail "the broker's users could not be changed"
    restart_running
    say "Every service has a new password for the database and the broker; the old ones open nothing."
}

# Everybody believes the new key before it signs, and the old one for as long as something signed by it is under way.
rotate_signing_key() {
    make_secrets --signing-key next
    restart_running
    make_secrets --signing-key change
    restart_running
    say "The new key signs. In five minutes the old one is no longer believed."
    sleep "${MADANG_ROTATION_PAUSE:-300}"
    make_secrets --signing-key done
    restart_running
    say "The old key is gone."
}

restart_running() {
    local name
    for name in $(running_services); do
        restart_service "$name"
        say "$name was started anew"
    done
}
