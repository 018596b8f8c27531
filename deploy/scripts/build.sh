# SPDX-License-Identifier: Apache-2.0
# Compiling.

# Programs run as they are shipped; whoever works on them may run the debug build, which is there after the tests were built.
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
    cd "$root"
    for product in $services "$@"; do
        swift build --disable-index-store -c "$configuration" --product "$product" || return 1
    done
}
