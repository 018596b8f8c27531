// SPDX-License-Identifier: Apache-2.0
// Requests that arrive at a constant rate, whether or not earlier ones were answered:
//   arrivals PORT CONNECTIONS RATE SECONDS [MARK] < REQUESTS
// REQUESTS are whole HTTP/1.1 requests with a zero octet after each, sent in turn. Answers need a Content-Length. Latency counts from
// the moment at which a request should have been sent, so that waiting for a free connection counts as well. With a RATE of 0 every one of
// REQUESTS is due at the beginning, and sent once, when a connection is free.
// With MARK, the first of REQUESTS opens a stream of events before any other is sent, and there is one more for each arrival: number N,
// from 0, says MARK-N-. Latency counts until the stream shows that instead of until the answer; what it never shows is counted apart.
// Prints one JSON line; the times are milliseconds, `cpu` that of this program for each request. An answer other than 2xx is an error,
// as is a broken connection.
#include "client.h"
#include <strings.h>

enum { answer_limit = 1 << 20, patience_seconds = 30 };

struct connection {
    int descriptor;
    int busy;
    double intended;
    size_t held;
    char *answer;
};

static const char **requests;
static char *mark;
static size_t *lengths, request_count;
static struct connection *connections, stream;
static int port;
static double *latencies, began, rate;
static char *is_shown;
static long total, answered, shown, errors, done, busy;

static double due(long number) { return rate > 0 ? began + (double)number / rate : began; }

static void read_requests(void) {
    size_t capacity = 1 << 16, length = 0;
    char *text = malloc(capacity);
    for (ssize_t count; (count = read(0, text + length, capacity - length)) > 0;)
        if ((length += (size_t)count) == capacity) text = realloc(text, capacity *= 2);
    for (size_t at = 0; at < length; at++) request_count += text[at] == 0;
    if (request_count == 0) {
        fputs("no requests\n", stderr);
        exit(64);
    }
    requests = calloc(request_count, sizeof *requests);
    lengths = calloc(request_count, sizeof *lengths);
    size_t index = 0;
    for (char *start = text; index < request_count; start += lengths[index++] + 1) {
        requests[index] = start;
        lengths[index] = strlen(start);
    }
}

static void open_connection(struct connection *connection) {
    connection->descriptor = connect_to(port, connection);
    connection->busy = 0;
    connection->held = 0;
}

static void end_request(struct connection *connection, int is_good) {
    if (is_good && !mark) latencies[answered] = now() - connection->intended;
    if (is_good) answered++;
    else errors++;
    done++;
    busy--;
    connection->busy = 0;
    connection->held = 0;
}

static void replace(struct connection *connection) {
    close(connection->descriptor);
    if (connection->busy) end_request(connection, 0);
    open_connection(connection);
}

// Requests are small: what the socket does not take at once is a broken connection.
static void send_request(struct connection *connection, long number, double intended) {
    size_t index = (size_t)number % request_count;
    busy++;
    connection->busy = 1;
    connection->intended = intended;
    if (send(connection->descriptor, requests[index], lengths[index], MSG_NOSIGNAL) != (ssize_t)lengths[index]) replace(connection);
}

// The octets of a whole answer; 0 while some are missing, -1 where it cannot be told.
static long whole(const char *answer, size_t held) {
    const char *end = memmem(answer, held, "\r\n\r\n", 4);
    if (!end) return held < answer_limit ? 0 : -1;
    for (const char *line = answer; line && line < end; line = memmem(line, (size_t)(end - line), "\r\n", 2)) {
        if (*line == '\r') line += 2;
        if (strncasecmp(line, "content-length:", 15) == 0) {
            long length = end + 4 - answer + atol(line + 15);
            return length > answer_limit ? -1 : length <= (long)held ? length : 0;
        }
    }
    return -1;
}

static void receive(struct connection *connection) {
    ssize_t count = recv(connection->descriptor, connection->answer + connection->held, answer_limit - connection->held, 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0 || !connection->busy) return replace(connection);
    connection->held += (size_t)count;
    long length = whole(connection->answer, connection->held);
    if (length < 0) return replace(connection);
    if (length > 0) end_request(connection, strncmp(connection->answer, "HTTP/1.1 2", 10) == 0);
}

// Of the stream; 0 where there was nothing to read.
static int receive_events(void) {
    ssize_t count = recv(stream.descriptor, stream.answer + stream.held, answer_limit - 1 - stream.held, 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    if (count <= 0) fail("the stream ended");
    stream.held += (size_t)count;
    stream.answer[stream.held] = 0;
    return 1;
}

static void open_stream(void) {
    struct epoll_event event;
    stream.answer = calloc(1, answer_limit);
    open_connection(&stream);
    if (send(stream.descriptor, requests[0], lengths[0], MSG_NOSIGNAL) != (ssize_t)lengths[0]) fail("the stream's request");
    while (!strstr(stream.answer, "\r\n\r\n")) {
        if (epoll_wait(epoll_descriptor, &event, 1, 1000 * patience_seconds) != 1) fail("no answer of the stream");
        receive_events();
    }
    if (strncmp(stream.answer, "HTTP/1.1 200", 12) != 0) {
        fprintf(stderr, "no stream: %.*s\n", (int)strcspn(stream.answer, "\r"), stream.answer);
        exit(1);
    }
    requests++, lengths++, request_count--;
}

static void show(long number) {
    if (number < 0 || number >= total || is_shown[number]) return;
    is_shown[number] = 1;
    latencies[shown++] = now() - due(number);
}

// Notes each number that stands between the mark and a hyphen. An event is sent in one piece, but may be read in several: what can be the
// beginning of such a text is kept.
static void read_events(void) {
    if (!receive_events()) return;
    size_t length = strlen(mark);
    char *at = stream.answer, *end = at + stream.held, *found;
    while ((found = memmem(at, (size_t)(end - at), mark, length))) {
        long number = strtol(found + length, &at, 10);
        if (at == end) break;
        if (*at == '-') show(number);
    }
    if (found) at = found;
    else if (end - at >= (ssize_t)length) at = end - length + 1;
    stream.held = (size_t)(end - at);
    memmove(stream.answer, at, stream.held);
}

int main(int count, char **arguments) {
    if (count != 5 && count != 6) {
        fputs("arrivals PORT CONNECTIONS RATE SECONDS [MARK] < REQUESTS\n", stderr);
        return 64;
    }
    port = atoi(arguments[1]);
    int connection_count = atoi(arguments[2]);
    rate = atof(arguments[3]);
    double seconds = atof(arguments[4]);
    long sent = 0;
    read_requests();
    total = rate > 0 ? (long)(rate * seconds) : (long)request_count;
    latencies = calloc((size_t)total, sizeof *latencies);
    is_shown = calloc((size_t)total, 1);
    epoll_descriptor = epoll_create1(0);
    if (count == 6) {
        if (asprintf(&mark, "%s-", arguments[5]) < 0) fail("memory");
        open_stream();
        if ((long)request_count != total) {
            fprintf(stderr, "%zu requests for %ld arrivals\n", request_count, total);
            return 64;
        }
    }
    connections = calloc((size_t)connection_count, sizeof *connections);
    for (int index = 0; index < connection_count; index++) {
        connections[index].answer = malloc(answer_limit);
        open_connection(&connections[index]);
    }
    struct epoll_event events[256];
    double used = cpu(), most_late = 0;
    began = now();
    while ((done < total || (mark && shown < answered)) && now() < began + seconds + patience_seconds) {
        for (int index = 0; sent < total && index < connection_count; index++) {
            double intended = due(sent), late = now() - intended;
            if (late < 0) break;
            if (late > most_late) most_late = late;
            if (!connections[index].busy) send_request(&connections[index], sent++, intended);
        }
        double wait = sent < total && busy < connection_count ? due(sent) - now() : 0.1;
        struct timespec timeout = {.tv_nsec = wait < 0 ? 100000 : wait > 0.1 ? 100000000 : (long)(wait * 1e9)};
        int ready = epoll_pwait2(epoll_descriptor, events, 256, &timeout, NULL);
        for (int index = 0; index < ready; index++)
            if (events[index].data.ptr == &stream) read_events();
            else receive(events[index].data.ptr);
    }
    double took = now() - began;
    errors += total - done;
    long measured = mark ? shown : answered;
    qsort(latencies, (size_t)measured, sizeof *latencies, ascending);
    printf("{\"sent\": %ld, \"answered\": %ld, \"errors\": %ld, \"unshown\": %ld, \"rate\": %.1f, \"p50\": %.2f, \"p90\": %.2f, "
           "\"p99\": %.2f, \"most\": %.2f, \"sent_late\": %.2f, \"cpu\": %.4f}\n",
           sent, answered, errors, mark ? total - shown : 0, (double)answered / took, part(latencies, measured, 0.5),
           part(latencies, measured, 0.9), part(latencies, measured, 0.99), part(latencies, measured, 1), 1000 * most_late,
           1000 * (cpu() - used) / (double)sent);
    return 0;
}
