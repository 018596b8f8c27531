// SPDX-License-Identifier: Apache-2.0
// People who talk without a pause: each says the next thing when the acknowledgement of the last has come.
//   talkers PORT COUNT
// Reads a line `TOKEN EVENT` for each of COUNT connections, where EVENT is what it emits again and again, such as
// ["message",{"channel_id":"1","text":"hello"}], opens them, and says {"open": COUNT}. Then each line SECONDS starts a round, which ends
// once everything under way is acknowledged and delivered, with one JSON line: messages acknowledged (`stored`) and how many a second,
// messages that came, their own among them (`deliveries`), acknowledgements without "ok":true (`errors`), milliseconds until the
// acknowledgement, and this program's own milliseconds of CPU for each (`cpu`). Between rounds the connections stay open. A connection
// that ends, or an acknowledgement that does not come, ends the program. Standard input is a pipe.
#include "client.h"

// Socket.IO 5 over Engine.IO 4 over WebSockets; the server is not offered compression.
enum { frame_limit = 1 << 24, sent_limit = 1 << 12, patience_seconds = 30 };
static const double quiet_seconds = 0.3;

struct connection {
    int descriptor, is_upgraded, is_open, is_busy;
    long number; // Of what it sent last.
    double sent;
    char *token, *event;
    char *buffer;
    size_t held, capacity;
};

static double *latencies;
static long stored, deliveries, errors, busy, capacity;
static double until, last_came;

static void end(const char *why, const char *text, size_t length) {
    fprintf(stderr, "talkers: %s: %.*s\n", why, (int)(length < 300 ? length : 300), text);
    exit(1);
}

// What a client sends is masked. The key need not be secret where no proxy is between, so it is always the same.
static void send_frame(struct connection *connection, int opcode, const char *text, size_t length) {
    static const char key[4] = {0x37, 0x5a, 0x21, 0x3d};
    char frame[sent_limit + 8];
    size_t head = 2;
    if (length > sent_limit) end("too long to be sent", text, length);
    frame[0] = (char)(0x80 | opcode);
    frame[1] = (char)(0x80 | (length < 126 ? length : 126));
    if (length >= 126) frame[head++] = (char)(length >> 8), frame[head++] = (char)length;
    memcpy(frame + head, key, sizeof key);
    head += sizeof key;
    for (size_t index = 0; index < length; index++) frame[head + index] = (char)(text[index] ^ key[index % sizeof key]);
    // Frames are small: the socket takes each at once.
    if (send(connection->descriptor, frame, head + length, MSG_NOSIGNAL) != (ssize_t)(head + length)) fail("send");
}

static void say(struct connection *connection) {
    char text[sent_limit];
    int length = snprintf(text, sizeof text, "42%ld%s", ++connection->number, connection->event);
    if (length >= (int)sizeof text) end("too long to be sent", text, sizeof text);
    connection->is_busy = 1;
    connection->sent = now();
    busy++;
    send_frame(connection, 1, text, (size_t)length);
}

static void acknowledged(struct connection *connection, const char *text, size_t length) {
    double moment = now();
    if (!connection->is_busy || strtol(text, NULL, 10) != connection->number) end("an acknowledgement of nothing", text, length);
    connection->is_busy = 0;
    busy--;
    // A quotation mark in what somebody wrote would stand behind a backslash.
    if (memmem(text, length, "\"ok\":true", 9)) {
        if (stored == capacity) latencies = realloc(latencies, (size_t)(capacity = 2 * capacity + 1024) * sizeof *latencies);
        latencies[stored++] = moment - connection->sent;
    } else if (errors++ == 0) {
        fprintf(stderr, "talkers: the first error: %.*s\n", (int)(length < 300 ? length : 300), text);
    }
    if (moment < until) say(connection);
}

static int begins(const char *text, size_t length, const char *with) {
    return length >= strlen(with) && memcmp(text, with, strlen(with)) == 0;
}

// A packet of Engine.IO.
static void receive_packet(struct connection *connection, const char *text, size_t length) {
    char answer[sent_limit];
    if (begins(text, length, "42[\"message\",")) {
        deliveries++;
    } else if (begins(text, length, "43")) {
        acknowledged(connection, text + 2, length - 2);
    } else if (begins(text, length, "40")) {
        connection->is_open = 1;
    } else if (begins(text, length, "0")) {
        int count = snprintf(answer, sizeof answer, "40{\"token\":\"%s\"}", connection->token);
        send_frame(connection, 1, answer, (size_t)count);
    } else if (begins(text, length, "2") && length < sizeof answer) {
        memcpy(answer, text, length);
        answer[0] = '3';
        send_frame(connection, 1, answer, length);
    } else if (!begins(text, length, "42")) {
        end("ended, or not understood", text, length);
    }
}

// The octets of the first frame, which was handled; 0 while some are missing.
static size_t receive_frame(struct connection *connection, const unsigned char *frame, size_t held) {
    if (held < 2) return 0;
    size_t length = frame[1] & 0x7f, head = length < 126 ? 2 : length == 126 ? 4 : 10;
    if (held < head) return 0;
    if (head > 2) length = 0;
    for (size_t index = 2; index < head; index++) length = length << 8 | frame[index];
    if (length > frame_limit) end("a frame that is too long", "", 0);
    if (held < head + length) return 0;
    const char *payload = (const char *)frame + head;
    last_came = now();
    switch (frame[0]) {
    case 0x81: receive_packet(connection, payload, length); break;
    case 0x89: send_frame(connection, 10, payload, length); break;
    case 0x8a: break;
    case 0x88: end("closed", payload + 2, length < 2 ? 0 : length - 2); break;
    default: end("a fragment, or a frame that is no text", payload, length);
    }
    return head + length;
}

static size_t receive_head(struct connection *connection) {
    const char *ended = memmem(connection->buffer, connection->held, "\r\n\r\n", 4);
    if (!ended) return 0;
    if (!begins(connection->buffer, connection->held, "HTTP/1.1 101")) end("no WebSocket", connection->buffer, connection->held);
    connection->is_upgraded = 1;
    return (size_t)(ended + 4 - connection->buffer);
}

static void receive(struct connection *connection) {
    if (connection->capacity - connection->held < 1 << 14)
        connection->buffer = realloc(connection->buffer, connection->capacity = 2 * connection->capacity + (1 << 15));
    ssize_t count = recv(connection->descriptor, connection->buffer + connection->held, connection->capacity - connection->held, 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count < 0) fail("recv");
    if (count == 0) end("a connection was closed", "", 0);
    connection->held += (size_t)count;
    size_t at = connection->is_upgraded ? 0 : receive_head(connection), taken = 1;
    while (connection->is_upgraded && taken) {
        taken = receive_frame(connection, (unsigned char *)connection->buffer + at, connection->held - at);
        at += taken;
    }
    memmove(connection->buffer, connection->buffer + at, connection->held -= at);
}

// Handles what comes within some seconds; whether a line waits on standard input, which has no owner.
static int serve(double seconds) {
    struct epoll_event events[256];
    int is_told = 0, ready = epoll_wait(epoll_descriptor, events, 256, seconds < 0 ? -1 : (int)(1000 * seconds) + 1);
    for (int index = 0; index < ready; index++)
        if (events[index].data.ptr) receive(events[index].data.ptr);
        else is_told = 1;
    return is_told;
}

// One is open before the next is opened.
static void open_connection(struct connection *connection, int port) {
    static const char request[] =
        "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
    double began = now();
    connection->descriptor = connect_to(port, connection);
    if (send(connection->descriptor, request, sizeof request - 1, MSG_NOSIGNAL) != sizeof request - 1) fail("send");
    while (!connection->is_open) {
        if (now() > began + patience_seconds) end("not open in time", connection->token, 0);
        serve(1);
    }
}

// A line without its end; NULL at the end of the input.
static char *read_line(void) {
    char *line = NULL;
    size_t size = 0;
    ssize_t length = getline(&line, &size, stdin);
    if (length < 0) return NULL;
    line[strcspn(line, "\n")] = 0;
    return line;
}

static char *wait_for_line(void) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    if (epoll_ctl(epoll_descriptor, EPOLL_CTL_ADD, 0, &event) < 0) fail("standard input");
    while (!serve(-1)) continue;
    epoll_ctl(epoll_descriptor, EPOLL_CTL_DEL, 0, NULL);
    return read_line();
}

static void talk(struct connection *connections, int count, double seconds) {
    stored = deliveries = errors = 0;
    double used = cpu(), began = now();
    until = began + seconds;
    for (int index = 0; index < count; index++) say(&connections[index]);
    while (busy > 0 && now() < until + patience_seconds) serve(0.1);
    double took = now() - began;
    if (busy > 0) end("not acknowledged in time", "", 0);
    while (now() < last_came + quiet_seconds) serve(quiet_seconds);
    qsort(latencies, (size_t)stored, sizeof *latencies, ascending);
    printf("{\"stored\": %ld, \"deliveries\": %ld, \"errors\": %ld, \"rate\": %.1f, \"p50\": %.2f, \"p99\": %.2f, \"cpu\": %.4f}\n", stored,
           deliveries, errors, (double)stored / took, part(latencies, stored, 0.5), part(latencies, stored, 0.99),
           stored ? 1000 * (cpu() - used) / (double)stored : 0);
    fflush(stdout);
}

int main(int count, char **arguments) {
    if (count != 3) {
        fputs("talkers PORT COUNT\n", stderr);
        return 64;
    }
    int port = atoi(arguments[1]), connection_count = atoi(arguments[2]);
    struct connection *connections = calloc((size_t)connection_count, sizeof *connections);
    epoll_descriptor = epoll_create1(0);
    // What stdio had read already, epoll would not tell of.
    setvbuf(stdin, NULL, _IONBF, 0);
    for (int index = 0; index < connection_count; index++) {
        char *line = read_line(), *space = line ? strchr(line, ' ') : NULL;
        if (!space) end("no line TOKEN EVENT", line ? line : "", line ? strlen(line) : 0);
        *space = 0;
        connections[index].token = line;
        connections[index].event = space + 1;
    }
    for (int index = 0; index < connection_count; index++) open_connection(&connections[index], port);
    printf("{\"open\": %d}\n", connection_count);
    fflush(stdout);
    for (char *line; (line = wait_for_line()); free(line)) talk(connections, connection_count, atof(line));
    return 0;
}
