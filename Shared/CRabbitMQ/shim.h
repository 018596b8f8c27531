// SPDX-License-Identifier: Apache-2.0
// librabbitmq, and the few calls that Swift cannot import as they are.
#pragma once
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/eventfd.h>
#include <poll.h>
#include <amqp.h>
#include <amqp_tcp_socket.h>
#include <amqp_framing.h>

static inline amqp_table_entry_t madang_amqp_entry(const char *key, int kind) {
    amqp_table_entry_t entry;
    memset(&entry, 0, sizeof(entry));
    entry.key = amqp_cstring_bytes(key);
    entry.value.kind = (uint8_t)kind;
    return entry;
}

/// `amqp_login` is variadic and does not import; this fixes its mechanism to PLAIN and tells the broker our name and
/// that we understand `connection.blocked` and `basic.cancel`, which it sends to nobody else.
static inline amqp_rpc_reply_t madang_amqp_login(amqp_connection_state_t state, const char *vhost, int heartbeat,
                                                 const char *user, const char *password, const char *name) {
    static const char *const names[] = {"connection.blocked", "consumer_cancel_notify", "publisher_confirms",
                                        "basic.nack"};
    amqp_table_entry_t abilities[4];
    for (int i = 0; i < 4; i++) {
        abilities[i] = madang_amqp_entry(names[i], AMQP_FIELD_KIND_BOOLEAN);
        abilities[i].value.value.boolean = 1;
    }
    amqp_table_entry_t entries[2];
    entries[0] = madang_amqp_entry("capabilities", AMQP_FIELD_KIND_TABLE);
    entries[0].value.value.table.num_entries = 4;
    entries[0].value.value.table.entries = abilities;
    entries[1] = madang_amqp_entry("connection_name", AMQP_FIELD_KIND_UTF8);
    entries[1].value.value.bytes = amqp_cstring_bytes(name);
    amqp_table_t properties = {2, entries};
    return amqp_login_with_properties(state, vhost, 0, AMQP_DEFAULT_FRAME_SIZE, heartbeat, &properties,
                                      AMQP_SASL_METHOD_PLAIN, user, password);
}

/// Declares a queue that is gone with the connection and forgets its oldest message beyond `length`.
static inline void madang_amqp_declare_temporary(amqp_connection_state_t state, amqp_channel_t channel,
                                                 const char *name, int32_t length) {
    amqp_table_entry_t entry = madang_amqp_entry("x-max-length", AMQP_FIELD_KIND_I32);
    entry.value.value.i32 = length;
    amqp_table_t arguments = {length > 0 ? 1 : 0, &entry};
    amqp_queue_declare(state, channel, amqp_cstring_bytes(name), 0, 0, 1, 1, arguments);
}

static inline int madang_eventfd_flags(void) { return EFD_NONBLOCK | EFD_CLOEXEC; }

/// Writes what the peer takes now, without blocking and without SIGPIPE.
static inline ssize_t madang_send(int descriptor, const void *bytes, size_t count) {
    return send(descriptor, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
}
