#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What is inside: lists of packages with their versions, and a bill of materials of them (CycloneDX 1.5, JSON).
#
#   sbom.sh swift FILE      the Swift packages of FILE, a Package.resolved: "swift NAME VERSION LOCATION REVISION", a line each
#   sbom.sh debian [NAME…]  the installed Debian packages, or those of them that are named: "debian NAME VERSION SOURCE ARCH"
#   sbom.sh bill NAME       reads such lines and writes the bill of NAME
set -eu

swift() {
    awk -F'"' '
        $2 == "identity" { name = $4 }
        $2 == "location" { location = $4 }
        $2 == "revision" { revision = $4 }
        $2 == "version" && $4 != "" { print "swift", name, $4, location, revision }
    ' "$1" | sort
}

debian() {
    # shellcheck disable=SC2016
    dpkg-query --show --showformat '${db:Status-Status} ${Package} ${Version} ${source:Package} ${Architecture}\n' "$@" 2>/dev/null |
        awk '$1 == "installed" { $1 = "debian"; print }' | sort -u
}

bill() {
    # shellcheck disable=SC1091
    release=$(. /etc/os-release && echo "$ID-$VERSION_ID")
    awk -v name="$1" -v release="$release" -v now="$(date -u +%Y-%m-%dT%H:%M:%SZ)" '
        function text(value) {
            gsub(/\\/, "\\\\", value)
            gsub(/"/, "\\\"", value)
            return "\"" value "\""
        }
        function escaped(value) {
            gsub(/\+/, "%2B", value)
            gsub(/:/, "%3A", value)
            return value
        }
        BEGIN {
            print "{"
            print "  \"bomFormat\": \"CycloneDX\","
            print "  \"specVersion\": \"1.5\","
            print "  \"version\": 1,"
            print "  \"metadata\": {\"timestamp\": " text(now) ", \"component\": {\"type\": \"container\", \"name\": " text(name) "}},"
            print "  \"components\": ["
        }
        {
            if ($1 == "swift") {
                path = $4
                sub(/^https:\/\//, "", path)
                sub(/\.git$/, "", path)
                purl = "pkg:swift/" path "@" $3
                more = ", \"hashes\": [{\"alg\": \"SHA-1\", \"content\": " text($5) "}]"
            } else {
                purl = "pkg:deb/debian/" $2 "@" escaped($3) "?arch=" $5 "&distro=" release "&upstream=" $4
                more = ""
            }
            if (NR > 1) print ","
            printf "    {\"type\": \"library\", \"bom-ref\": %s, \"name\": %s, \"version\": %s, \"purl\": %s%s}", \
                text(purl), text($2), text($3), text(purl), more
        }
        END {
            print ""
            print "  ]"
            print "}"
        }
    '
}

verb=${1:-}
[ $# -gt 0 ] && shift
case $verb in
swift | debian | bill) "$verb" "$@" ;;
*)
    sed -n '3,8s/^# \{0,1\}//p' "$0" >&2
    exit 64
    ;;
esac
