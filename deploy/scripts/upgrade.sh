# SPDX-License-Identifier: Apache-2.0
# The previous release beside this one: deploy/previous-release names it.

# run_upgrade_drill [REVISION]: builds the previous release under .madang/previous, unless MADANG_PREVIOUS names its programs.
run_upgrade_drill() {
    local revision note programs=${MADANG_PREVIOUS:-}
    read -r revision note <"$root/deploy/previous-release"
    [ -n "${1:-}" ] && revision=$1 note=
    # shellcheck disable=SC2086
    require_packages $build_packages $run_packages
    use_test_cluster
    build_programs
    unpack_previous "$revision" || fail "the previous release $revision is not in this clone: fetch its whole history"
    if [ -z "$programs" ]; then
        programs=$root/.madang/previous/.build/$configuration
        step "Building the previous release $revision" build_previous || fail "the previous release could not be built"
    fi
    state=$root/.madang/upgrade
    run=$state/run logs=$state/logs secrets=$state/secrets postgres_data=$state/postgres
    stack_reset >/dev/null
    start_previous "$programs"
    python3 "$root/Tests/FaultTests/upgrade.py" --base-url "http://localhost:$port" --run "$run" --previous "$programs" \
        ${note:+--$note} || fail "the upgrade drill failed"
}

# Its own programs, secrets and topology.
start_previous() {
    local ours=$binaries
    binaries=$1
    export MADANG_BINARIES=$1 MADANG_RELEASE=$root/.madang/previous
    start_drill_stack
    unset MADANG_BINARIES MADANG_RELEASE
    binaries=$ours
}

unpack_previous() {
    local place=$root/.madang/previous
    git -C "$root" cat-file -e "$1^{commit}" || return 1
    if [ "$(cat "$place/.revision" 2>/dev/null)" != "$1" ]; then
        mkdir -p "$place"
        find "$place" -mindepth 1 -maxdepth 1 ! -name .build -exec rm -rf {} +
        git -C "$root" archive "$1" | tar -x -C "$place" || return 1
        cp "$root/Package.resolved" "$place/" 2>/dev/null || true
        echo "$1" >"$place/.revision"
    fi
}

build_previous() {
    local product
    cd "$root/.madang/previous" || return 1
    for product in $services; do
        swift build --disable-index-store -c "$configuration" --product "$product" || return 1
    done
}
