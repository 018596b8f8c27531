# SPDX-License-Identifier: Apache-2.0
# Compiling.

# Programs run as they are shipped; whoever works on them may run the debug build, which is there after the tests were built.
configuration=${MADANG_CONFIGURATION:-release}
binaries=$root/.build/$configuration

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
