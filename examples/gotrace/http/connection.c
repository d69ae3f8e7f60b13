/* SPDX-License-Identifier: BSD-3-Clause */
#include "connection.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "clock.h"
#include "host.h"

enum {
    /*
     * The least time between two checks by http_is_gone of whether the client is still there, in
     * milliseconds.
     */
    CONNECTION_CHECK_INTERVAL = 50,
    /*
     * The time in milliseconds for which a client that has not sent its first request yet, or does
     * not accept more of an answer, keeps its connection although others wait for a free one.
     */
    CONNECTION_PATIENCE = 1000,
    /*
     * The time in milliseconds, and the number of bytes, for which data of the client is received
     * and discarded after the last answer.
     */
    CONNECTION_LINGER_TIME = 1000,
    /* How many bytes of a body must come within its timeout. */
    CONNECTION_BODY_PART = 16 * 1024,
    CONNECTION_LINGER_MAX = 1024 * 1024
};

/* Sets the state of a connection. Returns false if the server has shut it down. */
static bool connection_set_state(struct http_connection *connection, enum http_state state)
{
    pthread_mutex_lock(&connection->shared->lock);
    bool is_good = !connection->is_shut;
    connection->state = state;
    connection->is_used = connection->is_used || state == HTTP_WORKING;
    connection->since = http_clock();
    pthread_mutex_unlock(&connection->shared->lock);
    return is_good;
}

/* Whether bytes have arrived that were not received yet. */
static bool connection_has_input(const struct http_connection *connection)
{
    char byte;
    return recv(connection->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

bool http_connection_may_go(const struct http_connection *connection)
{
    bool is_idle = connection->state == HTTP_READING && connection->is_used;
    if (connection->state == HTTP_WORKING)
        return false;
    if (!is_idle && http_clock() - connection->since < CONNECTION_PATIENCE)
        return false;
    return connection->state != HTTP_READING || !connection_has_input(connection);
}

void http_connection_shut(struct http_connection *connection)
{
    connection->is_shut = true;
    shutdown(connection->fd, SHUT_RDWR);
}

/* Waits for `events` until `deadline`. Returns whether any occurred. */
static bool connection_poll(int fd, short events, int64_t deadline)
{
    struct pollfd poll_fd = {.fd = fd, .events = events};
    for (;;) {
        int64_t left = deadline - http_clock();
        int count = poll(&poll_fd, 1, left > 0 ? (int) left : 0);
        if (count >= 0 || errno != EINTR)
            return count > 0;
    }
}

/*
 * Receives at least one byte. Returns 0 at the end of the stream or after an error, and -1 when
 * `deadline` has passed.
 */
static ssize_t connection_receive(struct http_connection *connection, char *to, size_t size,
                                  int64_t deadline)
{
    for (;;) {
        ssize_t got = recv(connection->fd, to, size, 0);
        if (got >= 0)
            return got;
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            if (!connection_poll(connection->fd, POLLIN, deadline))
                return -1;
        } else if (errno != EINTR) {
            return 0;
        }
    }
}

/*
 * Removes the first `size` bytes of the parts, which were sent. Returns the number of parts that
 * are used up.
 */
static size_t parts_advance(struct iovec *parts, size_t count, size_t size)
{
    size_t done = 0;
    while (done < count && size >= parts[done].iov_len)
        size -= parts[done++].iov_len;
    if (done < count) {
        parts[done].iov_base = (char *) parts[done].iov_base + size;
        parts[done].iov_len -= size;
    }
    return done;
}

/*
 * Waits until the client accepts more data. Returns false if it does not do so in time, or if the
 * server has shut the connection down.
 */
static bool connection_wait_for_client(struct http_connection *connection)
{
    int64_t deadline = http_clock() + connection->shared->settings.write_timeout;
    bool is_good = connection_set_state(connection, HTTP_STALLED) &&
                   connection_poll(connection->fd, POLLOUT, deadline);
    return connection_set_state(connection, HTTP_WORKING) && is_good;
}

static bool connection_send(void *user_data, struct iovec *parts, size_t count)
{
    struct http_connection *connection = user_data;
    while (count > 0) {
        struct msghdr message = {.msg_iov = parts, .msg_iovlen = count};
        ssize_t sent = sendmsg(connection->fd, &message, MSG_NOSIGNAL);
        if (sent >= 0) {
            size_t done = parts_advance(parts, count, (size_t) sent);
            parts += done;
            count -= done;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            if (!connection_wait_for_client(connection))
                return false;
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

/* A browser that cancels a request closes the connection, so that nothing more can be received. */
static bool connection_is_gone(void *user_data)
{
    struct http_connection *connection = user_data;
    if (connection->is_gone || atomic_load(&connection->shared->stopping))
        return true;
    int64_t now = http_clock();
    if (now < connection->next_check)
        return false;
    connection->next_check = now + CONNECTION_CHECK_INTERVAL;
    char byte;
    ssize_t got = recv(connection->fd, &byte, 1, MSG_PEEK);
    connection->is_gone =
        got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
    return connection->is_gone;
}

/*
 * Receives a complete head and returns its size. Returns 0 if none arrives; `*status` is then the
 * status to answer with, or 0 if no answer is needed.
 */
static size_t connection_read_head(struct http_connection *connection, bool is_first, int *status)
{
    const struct http_settings *settings = &connection->shared->settings;
    bool is_begun = is_first || connection->used > 0;
    int64_t deadline = http_clock() + (is_begun ? settings->head_timeout : settings->idle_timeout);
    for (;;) {
        /*
         * RFC 9112, 2.2: empty lines before a request are ignored; some clients send one after a
         * request.
         */
        while (connection->used >= 2 && memcmp(connection->data, "\r\n", 2) == 0) {
            connection->used -= 2;
            memmove(connection->data, connection->data + 2, connection->used);
        }
        size_t size = http_head_find(connection->data, connection->used, status);
        if (size != 0 || *status != 0)
            return size;
        ssize_t got = connection_receive(connection, connection->data + connection->used,
                                         HTTP_HEAD_MAX - connection->used, deadline);
        if (got <= 0) {
            *status = got < 0 && connection->used > 0 ? 408 : 0;
            return 0;
        }
        if (!is_begun)
            deadline = http_clock() + settings->head_timeout;
        is_begun = true;
        connection->used += (size_t) got;
    }
}

/* Sends "100 Continue" to a client that waits for it before it sends the body. */
static bool connection_continue(struct http_connection *connection)
{
    char text[] = "HTTP/1.1 100 Continue\r\n\r\n";
    struct iovec part = {text, strlen(text)};
    if (!connection->waits_to_continue)
        return true;
    connection->waits_to_continue = false;
    return connection->used > connection->head_size || connection_send(connection, &part, 1);
}

/* Receives from the socket. A client that is too slow, or sends nothing more, gets no answer. */
static int64_t connection_receive_part(struct http_connection *connection, void *to, size_t size)
{
    bool is_good = connection_set_state(connection, HTTP_STALLED);
    ssize_t got =
        is_good ? connection_receive(connection, to, size, connection->body_deadline) : -1;
    is_good = connection_set_state(connection, HTTP_WORKING) && got > 0;
    if (!is_good)
        return -1;
    if ((size_t) got < connection->body_part) {
        connection->body_part -= (size_t) got;
        return got;
    }
    connection->body_part = CONNECTION_BODY_PART;
    connection->body_deadline = http_clock() + connection->shared->settings.body_timeout;
    return got;
}

/* The function of an http_body. The first bytes may have come together with the head. */
static int64_t connection_receive_body(void *user_data, void *to, size_t size)
{
    struct http_connection *connection = user_data;
    size_t at = connection->head_size + connection->body_taken, left = connection->used - at;
    if (!connection_continue(connection))
        return -1;
    if (left == 0)
        return connection_receive_part(connection, to, size);
    size = size < left ? size : left;
    memcpy(to, connection->data + at, size);
    connection->body_taken += size;
    return (int64_t) size;
}

static void connection_begin_body(struct http_connection *connection, struct http_head *head)
{
    connection->body = (struct http_body){connection, connection_receive_body, head->length};
    connection->waits_to_continue = head->waits_to_continue && head->is_newer && head->length > 0;
    connection->body_part = CONNECTION_BODY_PART;
    connection->body_deadline = http_clock() + connection->shared->settings.body_timeout;
    connection->body_taken = 0;
    head->request.body = &connection->body;
}

/* Whether a request asks for a change. */
static bool head_is_change(const struct http_head *head)
{
    return head->request.method == HTTP_POST || head->request.method == HTTP_DELETE;
}

/*
 * Returns 0 if a change is accepted, or the status to answer with. The header Origin, which is
 * mandatory, shows whether the request comes from a page of this server.
 */
static int connection_check_change(const struct http_shared *shared, const struct http_head *head)
{
    bool has_body = head->request.method == HTTP_POST;
    if (!shared->accepts_changes)
        return 405;
    if (!head->host || !http_host_is_good(head->host, shared->host) || !head->origin ||
        !http_origin_is_same(head->origin, head->host))
        return 403;
    if (has_body && (!head->type || strcasecmp(head->type, "application/octet-stream") != 0))
        return 415;
    if (has_body && !head->has_length)
        return 411;
    return head->length > shared->body_max ? 413 : 0;
}

static const char *status_explain(int status)
{
    switch (status) {
    case 403:
        return "only pages of this server may change something";
    case 405:
        return "this method is not known, or nothing may be changed";
    case 408:
        return "the request took too long";
    case 411:
        return "the length of the body is missing";
    case 413:
        return "the body is too large, or this request may have none";
    case 414:
        return "the request line is too long";
    case 415:
        return "only application/octet-stream";
    case 431:
        return "too many or too long headers";
    case 501:
        return "no transfer encoding";
    case 505:
        return "only HTTP/1";
    default:
        return "malformed request";
    }
}

/*
 * Answers a request; a `status` other than 0 refuses it. Returns whether the connection can be used
 * again.
 */
static bool connection_answer(struct http_connection *connection, struct http_head *head,
                              int status)
{
    const struct http_sink sink = {connection, connection_send, connection_is_gone};
    struct http_response response;
    const struct http_shared *shared = connection->shared;
    bool is_whole = true;
    http_response_init(&response, &sink);
    response.can_chunk = head->is_newer;
    response.head_only = head->request.method == HTTP_HEAD;
    if (status == 0 && head_is_change(head))
        status = connection_check_change(shared, head);
    /* After a POST the connection ends, so that a rest of the body is not taken for a request. */
    response.keep_alive = head->keep_alive && status == 0 && head->request.method != HTTP_POST;
    connection_begin_body(connection, head);
    if (status != 0)
        http_refuse(&response, status, status_explain(status));
    else if (head->host && !http_host_is_good(head->host, shared->host))
        http_refuse(&response, 403, "the server was not started for this host name");
    else
        is_whole = shared->handle(shared->user_data, &head->request, &response);
    return http_response_finish(&response, is_whole);
}

/* Serves one request if one arrives. Returns whether another can follow. */
static bool connection_serve_one(struct http_connection *connection, bool is_first)
{
    struct http_head head = {0};
    int status = 0;
    size_t size = connection_read_head(connection, is_first, &status);
    if ((size == 0 && status == 0) || !connection_set_state(connection, HTTP_WORKING))
        return false;
    if (size != 0)
        status = http_head_parse(connection->data, size, &head);
    connection->head_size = size;
    if (!connection_answer(connection, &head, status) ||
        !connection_set_state(connection, HTTP_READING))
        return false;
    connection->used -= size;
    memmove(connection->data, connection->data + size, connection->used);
    return true;
}

/*
 * Receives and drops what the client still sends. Closing a socket with unread data would reset the
 * connection, and the client might lose an answer that it has not read yet.
 */
static void connection_linger(struct http_connection *connection)
{
    int64_t deadline = http_clock() + CONNECTION_LINGER_TIME;
    size_t total = 0;
    ssize_t got;
    shutdown(connection->fd, SHUT_WR);
    if (!connection_set_state(connection, HTTP_READING))
        return;
    while (total < CONNECTION_LINGER_MAX &&
           (got = connection_receive(connection, connection->data, sizeof(connection->data),
                                     deadline)) > 0)
        total += (size_t) got;
}

void http_connection_serve(struct http_connection *connection)
{
    bool is_first = true;
    while (!atomic_load(&connection->shared->stopping) &&
           connection_serve_one(connection, is_first))
        is_first = false;
    connection_linger(connection);
}
