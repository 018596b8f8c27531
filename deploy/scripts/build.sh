# SPDX-License-Identifier: Apache-2.0
# Compiling.

# Programs run, and are tested, as they are shipped; whoever changes them hourly may say debug, which compiles in parts.
configuration=${MADANG_CONFIGURATION:-release}
binaries=$root/.build/$configuration

# A stack is asked about, and told, by the programs that it was started from, whatever is exported by then.
remember_configuration() { echo "$configuration" >"$state/configuration"; }
use_remembered_configuration() {
    configuration=$(cat "$state/configuration" 2>/dev/null || echo "$configuration")
    binaries=$root/.build/$configuration
}

build_programs() {
    require_swift
    step "Building (the first time takes minutes)" compile_programs || fail "the build failed"
}

compile_programs() {
    local product
    for product in $services "$@"; do
        swift_here build --product "$product" || return 1
    done
}

# swift_here build|test …: one build serves the programs and the tests, which look into modules. What is shipped does not check
# at each access that it is exclusive (decision 0033); debug does.
swift_here() {
    local flags=(-Xswiftc -enable-testing)
    [ "$configuration" = debug ] || flags+=(-Xswiftc -enforce-exclusivity=unchecked)
    (cd "$root" && swift "$1" --disable-index-store -c "$configuration" "${flags[@]}" "${@:2}")
}
