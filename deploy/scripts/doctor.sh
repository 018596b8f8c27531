# SPDX-License-Identifier: Apache-2.0
# What is wrong with a running stack.

# Says what is wrong and what to do, a paragraph each; ends with 1 when something is.
stack_doctor() {
    [ -d "$secrets" ] || fail "there is no Madang under $state: start with deploy/dev up"
    local name
    {
        for name in $(running_services); do
            process_is_current "$name" || echo "program $name"
            for setting in $(changed_settings "$name"); do echo "setting $name $setting"; done
        done
    } 2>/dev/null | MADANG_STATE=$state MADANG_PORT=$port superuser_environment python3 "$root/deploy/scripts/doctor.py"
}
