# SPDX-License-Identifier: Apache-2.0
# Compiling.

binaries=$root/.build/release

build_release() {
    require_swift
    step "Building (the first time takes minutes)" compile_release || fail "the build failed"
}

compile_release() {
    local product
    cd "$root"
    for product in $services "$@"; do
        swift build --disable-index-store -c release --product "$product" || return 1
    done
}
