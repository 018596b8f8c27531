// SPDX-License-Identifier: Apache-2.0
// Requests that arrive at a constant rate, whether or not earlier ones were answered:
//   arrivals PORT CONNECTIONS RATE SECONDS < REQUESTS
// REQUESTS are whole HTTP/1.1 requests with a zero octet after each, sent in turn. Answers need a Content-Length. Latency counts from
// the moment at which a request should have been sent, so that waiting for a free connection counts as well.
// Prints one JSON line; the times are milliseconds. An answer other than 2xx is an error, as is a broken connection.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { answer_limit = 1 << 20, patience_seconds = 30 };

struct connection {
    int descriptor;
    int busy;
    double intended;
    size_t held;
    char *answer;
};

static const char **requests;
static size_t *lengths, request_count;
static struct connection *connections;
static int epoll_descriptor, port;
static double *latencies;
static long answered, errors, done;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

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
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int yes = 1;
    connection->descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (connection->descriptor < 0 || connect(connection->descriptor, (struct sockaddr *)&address, sizeof address) < 0) fail("connect");
    setsockopt(connection->descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    fcntl(connection->descriptor, F_SETFL, O_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    epoll_ctl(epoll_descriptor, EPOLL_CTL_ADD, connection->descriptor, &event);
    connection->busy = 0;
    connection->held = 0;
}

static void end_request(struct connection *connection, int is_good) {
    if (is_good) latencies[answered++] = now() - connection->intended;
    else errors++;
    done++;
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

static int ascending(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return difference < 0 ? -1 : difference > 0;
}

static double part(double share) { return answered ? 1000 * latencies[(long)((double)(answered - 1) * share)] : 0; }

int main(int count, char **arguments) {
    if (count != 5) {
        fputs("arrivals PORT CONNECTIONS RATE SECONDS < REQUESTS\n", stderr);
        return 64;
    }
    port = atoi(arguments[1]);
    int connection_count = atoi(arguments[2]);
    double rate = atof(arguments[3]);
    long total = (long)(rate * atof(arguments[4])), sent = 0;
    read_requests();
    latencies = calloc((size_t)total, sizeof *latencies);
    epoll_descriptor = epoll_create1(0);
    connections = calloc((size_t)connection_count, sizeof *connections);
    for (int index = 0; index < connection_count; index++) {
        connections[index].answer = malloc(answer_limit);
        open_connection(&connections[index]);
    }
    struct epoll_event events[256];
    double began = now(), most_late = 0;
    while (done < total && now() < began + (double)total / rate + patience_seconds) {
        for (int index = 0; sent < total && index < connection_count; index++) {
            double due = began + (double)sent / rate, late = now() - due;
            if (late < 0) break;
            if (late > most_late) most_late = late;
            if (!connections[index].busy) send_request(&connections[index], sent++, due);
        }
        double wait = sent < total ? began + (double)sent / rate - now() : 0.1;
        struct timespec timeout = {.tv_nsec = wait < 0 ? 100000 : wait > 0.1 ? 100000000 : (long)(wait * 1e9)};
        int ready = epoll_pwait2(epoll_descriptor, events, 256, &timeout, NULL);
        for (int index = 0; index < ready; index++) receive(events[index].data.ptr);
    }
    double took = now() - began;
    errors += total - done;
    qsort(latencies, (size_t)answered, sizeof *latencies, ascending);
    printf("{\"sent\": %ld, \"answered\": %ld, \"errors\": %ld, \"rate\": %.1f, \"p50\": %.2f, \"p90\": %.2f, \"p99\": %.2f, \"most\": %.2f, "
           "\"sent_late\": %.2f}\n",
           sent, answered, errors, (double)answered / took, part(0.5), part(0.9), part(0.99), part(1), 1000 * most_late);
    return 0;
}
