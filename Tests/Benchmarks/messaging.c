// SPDX-License-Identifier: Apache-2.0
// What Shared/Messaging is measured against: one plain loop over librabbitmq with a window of unconfirmed messages.
//
// Usage: messaging HOST PORT USER PASSWORD VHOST QUEUE WINDOW COUNT [BYTES]
#include <amqp.h>
#include <amqp_framing.h>
#include <amqp_tcp_socket.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static void require(int condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "messaging: %s failed\n", what);
    exit(1);
}

static double seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double cpu(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

int main(int count, char **words) {
    require(count == 9 || count == 10, "usage: HOST PORT USER PASSWORD VHOST QUEUE WINDOW COUNT [BYTES]");
    const char *queue = words[6];
    unsigned long long window = strtoull(words[7], NULL, 10), total = strtoull(words[8], NULL, 10);

    amqp_connection_state_t state = amqp_new_connection();
    amqp_socket_t *socket = amqp_tcp_socket_new(state);
    require(socket && amqp_socket_open(socket, words[1], atoi(words[2])) == AMQP_STATUS_OK, "connect");
    require(amqp_login(state, words[5], 0, AMQP_DEFAULT_FRAME_SIZE, 10, AMQP_SASL_METHOD_PLAIN, words[3], words[4])
                    .reply_type == AMQP_RESPONSE_NORMAL, "login");
    amqp_channel_open(state, 1);
    require(amqp_get_rpc_reply(state).reply_type == AMQP_RESPONSE_NORMAL, "channel.open");
    amqp_confirm_select(state, 1);
    require(amqp_get_rpc_reply(state).reply_type == AMQP_RESPONSE_NORMAL, "confirm.select");

    size_t size = count == 10 ? strtoull(words[9], NULL, 10) : 200;
    char *body = malloc(size);
    require(body != NULL, "memory");
    memset(body, 'x', size);
    amqp_bytes_t content = {size, body};
    amqp_basic_properties_t properties;
    memset(&properties, 0, sizeof(properties));
    properties._flags = AMQP_BASIC_CONTENT_TYPE_FLAG | AMQP_BASIC_DELIVERY_MODE_FLAG | AMQP_BASIC_MESSAGE_ID_FLAG;
    properties.content_type = amqp_cstring_bytes("application/json");
    properties.delivery_mode = AMQP_DELIVERY_PERSISTENT;
    char id[37];

    double began = seconds(), used = cpu();
    unsigned long long sent = 0, confirmed = 0, single = 0;
    while (confirmed + single < total) {
        while (sent < total && sent - confirmed - single < window) {
            snprintf(id, sizeof(id), "00000000-0000-7000-8000-%012llx", sent);
            properties.message_id = amqp_cstring_bytes(id);
            require(amqp_basic_publish(state, 1, amqp_empty_bytes, amqp_cstring_bytes(queue), 1, 0, &properties,
                                       content) == AMQP_STATUS_OK, "publish");
            sent++;
        }
        amqp_frame_t frame;
        require(amqp_simple_wait_frame(state, &frame) == AMQP_STATUS_OK, "read");
        if (frame.frame_type == AMQP_FRAME_METHOD && frame.payload.method.id == AMQP_BASIC_ACK_METHOD) {
            amqp_basic_ack_t *ack = frame.payload.method.decoded;
            if (ack->multiple) {
                confirmed = ack->delivery_tag;
                single = 0;
            } else if (ack->delivery_tag == confirmed + 1 && single == 0) {
                confirmed++;
            } else {
                single++;
            }
        }
        amqp_maybe_release_buffers(state);
    }
    double took = seconds() - began;
    printf("{\"client\": \"c\", \"window\": %llu, \"messages\": %llu, \"per_second\": %.0f, \"cpu_us\": %.2f}\n", window,
           total, (double)total / took, (cpu() - used) * 1e6 / (double)total);
    amqp_connection_close(state, AMQP_REPLY_SUCCESS);
    amqp_destroy_connection(state);
    free(body);
    return 0;
}
