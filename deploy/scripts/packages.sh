# SPDX-License-Identifier: Apache-2.0
# What the machine must have.

build_packages="libpq-dev librabbitmq-dev libargon2-dev libvips-dev libcurl4-openssl-dev libxml2-dev zlib1g-dev libssl-dev pkg-config"
run_packages="ca-certificates postgresql rabbitmq-server openssl curl python3 util-linux ffmpeg"

# require_packages NAME…: installs Debian packages that are missing, and says so.
require_packages() {
    local missing=() package
    command -v dpkg-query >/dev/null || fail "this needs Debian 12 or a relative of it (dpkg is missing); on other systems use docker compose"
    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    [ ${#missing[@]} = 0 ] && return
    local as_root=()
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || fail "missing packages; as root: apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    say "Installing packages: ${missing[*]}"
    install_packages || fail "packages could not be installed: ${missing[*]}"
}

# Packages of servers start them at installation; ours run privately, so the policy says no for the moment. A shell of its
# own takes the policy away again whatever happens.
install_packages() (
    policy=/usr/sbin/policy-rc.d
    if [ ! -e $policy ]; then
        trap '"${as_root[@]}" rm -f $policy' EXIT
        trap 'exit 130' INT TERM HUP
        printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee $policy >/dev/null
        "${as_root[@]}" chmod +x $policy
    fi
    step "  reading the package lists" "${as_root[@]}" apt-get -q -o DPkg::Lock::Timeout=300 update &&
        step "  installing" "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 \
            install -y --no-install-recommends "${missing[@]}"
)

require_swift() {
    command -v swift >/dev/null || fail "swift is missing: install Swift 6.1 or later (https://www.swift.org/install)"
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
    [ "$(printf '6.1\n%s\n' "$version" | sort -V | head -n 1)" = 6.1 ] || fail "swift $version is too old: 6.1 or later is needed"
}

# python_environment: the test clients from Tests/SystemTests/requirements.txt, in an environment of their own.
python_environment() {
    local environment=$root/.madang/python requirements=$root/Tests/SystemTests/requirements.txt
    if ! cmp -s "$requirements" "$environment/requirements.txt"; then
        python3 -c 'import ensurepip, venv' 2>/dev/null || require_packages python3-venv
        rm -rf "$environment"
        step "Installing the test clients" make_python_environment "$environment" "$requirements" ||
            fail "the test clients could not be installed"
    fi
    python=$environment/bin/python
}

make_python_environment() {
    python3 -m venv "$1" && "$1/bin/pip" install --quiet --disable-pip-version-check -r "$2" && cp "$2" "$1/requirements.txt"
}

# audit: every version that is in use, a line each. Whether one has a known fault is a question for the tracker of its origin.
audit() {
    local resolved=$root/Package.resolved environment=$root/.madang/python package
    [ -r "$resolved" ] || (cd "$root" && swift package resolve >/dev/null) || fail "the Swift packages could not be resolved"
    echo "toolchain swift $(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1)"
    "$root/deploy/docker/sbom.sh" swift "$resolved"
    # What we ask for, what we link, and the servers; which of it a database or a broker brings along is theirs to say.
    for package in $build_packages $run_packages librabbitmq4 libpq5 libargon2-1 libcurl4 libxml2 zlib1g libssl3 'postgresql-[0-9]*' erlang-base; do
        "$root/deploy/docker/sbom.sh" debian "$package"
    done | sort -u
    if [ -x "$environment/bin/pip" ]; then
        "$environment/bin/pip" list --format freeze --disable-pip-version-check | sed 's/^/pypi /; s/==/ /'
    else
        sed -n 's/^\([A-Za-z][^=[]*\).*==\(.*\)/pypi \1 \2 (not installed yet)/p' "$root/Tests/SystemTests/requirements.txt"
    fi
    sed -n 's/^ARG [A-Z]*_IMAGE=/image /p' "$root/deploy/docker/Dockerfile"
    sed -n 's/^ *image: \([^m].*\)/image \1/p' "$root/docker-compose.yml" | sort -u
}
