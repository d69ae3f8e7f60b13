/* SPDX-License-Identifier: BSD-3-Clause */
#include "client.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "socket.h"

enum {
    /* A stop is noticed within this time, in milliseconds. */
    CLIENT_NOTICE = 100,
    /* How long the first line of an error's body may take. */
    CLIENT_REASON = 2000,
    CLIENT_REASON_MAX = 200
};

/* Sets the error. Returns false. */
__attribute__((format(printf, 2, 3))) static bool client_fail(struct http_client *client,
                                                              const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(client->error, sizeof(client->error), format, arguments);
    va_end(arguments);
    return false;
}

void http_client_init(struct http_client *client)
{
    client->fd = -1;
    client->is_stopped = 0;
    client->is_cut = client->has_head = false;
    client->start = client->size = 0;
    client->begin = client->last = client->stop = 0;
    client->framing = (struct http_framing){.state = HTTP_FRAMING_COMPLETE};
    client->error[0] = '\0';
}

void http_client_stop(struct http_client *client)
{
    int why = errno;
    client->is_stopped = 1;
    if (client->fd >= 0)
        shutdown((int) client->fd, SHUT_WR);
    errno = why;
}

void http_client_abandon(struct http_client *client)
{
    client->is_stopped = 1;
    if (client->fd >= 0)
        shutdown((int) client->fd, SHUT_RDWR);
}

void http_client_close(struct http_client *client)
{
    int fd = (int) client->fd;
    client->fd = -1;
    if (fd >= 0)
        close(fd);
}

/* Returns the time until which the server may be silent. */
static int64_t client_silence_end(const struct http_client *client)
{
    int64_t work_end = client->begin + client->patience.work;
    return (client->last > work_end ? client->last : work_end) + client->patience.silence;
}

/* Returns the time until which the client waits for the server. */
static int64_t client_end(struct http_client *client)
{
    int64_t end = client_silence_end(client), total_end = client->begin + client->patience.total;
    if (client->is_stopped && client->stop == 0)
        client->stop = http_clock();
    if (client->stop != 0)
        return client->stop + HTTP_CLIENT_REST;
    return client->patience.total != 0 && total_end < end ? total_end : end;
}

/* Sets the error to what the client has waited for, and how long. Returns false. */
static bool client_explain_end(struct http_client *client)
{
    if (client->stop != 0)
        return client_fail(client, "the server did not send the rest within %d seconds",
                           HTTP_CLIENT_REST / 1000);
    int64_t end = client_silence_end(client), waited = end - client->last;
    const char *what = client->has_head ? "the next bytes of the answer" : "the answer to begin";
    if (client->patience.total != 0 && client->begin + client->patience.total < end) {
        waited = client->patience.total;
        what = "the end of the answer";
    }
    if (client->patience.work > 0)
        return client_fail(client, "waited %lld s for %s, %lld s of that for the recording",
                           (long long) waited / 1000, what,
                           (long long) client->patience.work / 1000);
    return client_fail(client, "waited %lld s for %s", (long long) waited / 1000, what);
}

/* Waits until `fd` has one of `events`, for a short time, and not after `end`. */
static bool client_poll(int fd, short events, int64_t end)
{
    struct pollfd polled = {.fd = fd, .events = events};
    int64_t left = end - http_clock();
    int timeout = left > CLIENT_NOTICE ? CLIENT_NOTICE : left > 0 ? (int) left : 0;
    return poll(&polled, 1, timeout) > 0;
}

/* Waits for the server. Returns false, with the error set, if that takes too long. */
static bool client_wait(struct http_client *client, short events)
{
    int64_t end = client_end(client);
    while (http_clock() < end) {
        if (client_poll((int) client->fd, events, end))
            return true;
        end = client_end(client);
    }
    return client_explain_end(client);
}

/* Moves the bytes that were not used yet to the beginning of the buffer. */
static void client_compact(struct http_client *client)
{
    client->size -= client->start;
    memmove(client->buffer, client->buffer + client->start, client->size);
    client->start = 0;
}

/*
 * Receives bytes to the free part of the buffer. Returns their number; or 0 at the end of the
 * connection; or -1, with the error set.
 */
static ssize_t client_receive(struct http_client *client)
{
    while (client_wait(client, POLLIN)) {
        ssize_t got = recv((int) client->fd, client->buffer + client->size,
                           sizeof(client->buffer) - client->size, 0);
        if (got >= 0) {
            client->size += (size_t) got;
            return got;
        }
        if (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK) {
            client_fail(client, "the connection broke: %s", strerror(errno));
            return -1;
        }
    }
    return -1;
}

/* Waits until a connection that has begun is there. Sets errno if it fails. */
static bool client_finish_connecting(const struct http_client *client, int fd)
{
    int64_t end = http_clock() + HTTP_CLIENT_CONNECT;
    int code = 0;
    socklen_t size = sizeof(code);
    while (!client_poll(fd, POLLOUT, end)) {
        errno = client->is_stopped ? EINTR : ETIMEDOUT;
        if (http_clock() >= end || client->is_stopped)
            return false;
    }
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &size) != 0)
        return false;
    errno = code;
    return code == 0;
}

/* Returns a socket that is connected to an address, or -1 with errno set. */
static int client_connect_to(const struct http_client *client, const struct addrinfo *at)
{
    int fd = socket(at->ai_family, at->ai_socktype, at->ai_protocol);
    if (fd < 0)
        return -1;
    if (http_socket_prepare(fd) &&
        (connect(fd, at->ai_addr, at->ai_addrlen) == 0 ||
         ((errno == EINPROGRESS || errno == EINTR) && client_finish_connecting(client, fd))))
        return fd;
    int why = errno;
    close(fd);
    errno = why;
    return -1;
}

/* Connects to the first address of the host that can be reached. */
static bool client_connect(struct http_client *client, const struct http_url *url)
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *list = NULL;
    int code = getaddrinfo(url->address.host, url->address.port, &hints, &list);
    if (code != 0)
        return client_fail(client, "cannot find %.200s: %s", url->address.host, gai_strerror(code));
    int fd = -1;
    errno = 0;
    for (const struct addrinfo *at = list; at && fd < 0 && !client->is_stopped; at = at->ai_next)
        fd = client_connect_to(client, at);
    int why = errno;
    freeaddrinfo(list);
    client->fd = fd;
    if (client->is_stopped)
        return client_fail(client, "interrupted");
    return fd >= 0 ||
           client_fail(client, "cannot connect to %.200s: %s", url->authority, strerror(why));
}

static bool client_send(struct http_client *client, const char *data, size_t size)
{
    while (size > 0) {
        if (!client_wait(client, POLLOUT))
            return false;
        ssize_t sent = send((int) client->fd, data, size, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)
            return client_fail(client, "cannot send the request: %s", strerror(errno));
        data += sent > 0 ? sent : 0;
        size -= sent > 0 ? (size_t) sent : 0;
    }
    return true;
}

static bool client_send_request(struct http_client *client, const struct http_url *url)
{
    char request[HTTP_TARGET_MAX + HTTP_TEXT_MAX + 200];
    int size = snprintf(request, sizeof(request),
                        "GET %s%s HTTP/1.1\r\nHost: %s\r\nUser-Agent: gotrace\r\nAccept: */*\r\n"
                        "Accept-Encoding: identity\r\nConnection: close\r\n\r\n",
                        url->target[0] == '/' ? "" : "/", url->target, url->authority);
    return client_send(client, request, (size_t) size);
}

/* Receives a head and parses it. */
static bool client_receive_head(struct http_client *client, struct http_answer *answer)
{
    int status;
    client_compact(client);
    size_t size = http_head_find(client->buffer, client->size, &status);
    while (size == 0 && status == 0) {
        ssize_t got = client_receive(client);
        if (got < 0)
            return false;
        if (got == 0)
            return client_fail(client, "the server closed the connection without an answer");
        size = http_head_find(client->buffer, client->size, &status);
    }
    if (size == 0 && status != 400)
        return client_fail(client, "the head of the answer is too long");
    if (size == 0 || !http_answer_parse(client->buffer, size, answer))
        return client_fail(client, "the answer is not one of HTTP/1.1");
    client->start = size;
    client->framing = answer->framing;
    return true;
}

/* Replaces bytes that are no printable ASCII. */
static void client_clean(char *text)
{
    for (; *text != '\0'; text++) {
        if (*text < ' ' || *text > '~')
            *text = '?';
    }
}

/* Sets the error to the status of the answer and the first line of its body. */
static bool client_refuse(struct http_client *client, int status)
{
    char text[CLIENT_REASON_MAX + 1];
    size_t size = 0, got = 1;
    int64_t passed = http_clock() - client->begin;
    client->patience = (struct http_patience){
        .work = passed, .silence = CLIENT_REASON, .total = passed + CLIENT_REASON};
    while (got > 0 && size < CLIENT_REASON_MAX && !memchr(text, '\n', size)) {
        got = http_client_read(client, text + size, CLIENT_REASON_MAX - size);
        size += got;
    }
    text[size] = '\0';
    text[strcspn(text, "\r\n")] = '\0';
    client_clean(text);
    client->is_cut = false;
    return client_fail(client, "%d%s%s", status, text[0] != '\0' ? ": " : "", text);
}

/* Looks at the status of an answer. */
static bool client_accept(struct http_client *client, const struct http_answer *answer)
{
    char location[HTTP_TEXT_MAX - 32];
    if (answer->status == 200)
        return true;
    if (answer->status < 300 || answer->status > 399 || !answer->location)
        return client_refuse(client, answer->status);
    snprintf(location, sizeof(location), "%s", answer->location);
    client_clean(location);
    return client_fail(client, "%d: moved to %s", answer->status, location);
}

bool http_client_get(struct http_client *client, const struct http_url *url,
                     const struct http_patience *patience)
{
    struct http_answer answer = {.status = 100};
    client->patience = *patience;
    if (!client_connect(client, url))
        return false;
    client->begin = client->last = http_clock();
    if (!client_send_request(client, url))
        return false;
    /* Answers of the class 1xx precede the one that counts. All of them together have as much time
     * as one, because only bytes of a body prolong it. */
    while (answer.status < 200) {
        if (!client_receive_head(client, &answer))
            return false;
    }
    client->has_head = true;
    return client_accept(client, &answer);
}

/* Ends the body. Sets the error from `why` unless that is NULL. */
static size_t client_cut(struct http_client *client, const char *why)
{
    if (why)
        client_fail(client, "%s", why);
    client->is_cut = true;
    client->framing.state = HTTP_FRAMING_COMPLETE;
    return 0;
}

/* Copies bytes of the body from the buffer. Returns their number. */
static size_t client_copy_body(struct http_client *client, void *buffer, size_t capacity)
{
    size_t skipped, size = client->size - client->start;
    /* Framing is followed by up to `capacity` bytes of the body. */
    while (size > 0) {
        const char *from = client->buffer + client->start;
        size_t got =
            http_framing_take(&client->framing, from, size < capacity ? size : capacity, &skipped);
        client->start += skipped + got;
        memcpy(buffer, from + skipped, got);
        if (got > 0 || skipped == 0)
            return got;
        size -= skipped;
    }
    return 0;
}

size_t http_client_read(struct http_client *client, void *buffer, size_t capacity)
{
    for (;;) {
        size_t size = client_copy_body(client, buffer, capacity);
        if (size > 0 || client->framing.state == HTTP_FRAMING_COMPLETE)
            return size;
        if (client->framing.state == HTTP_FRAMING_MALFORMED)
            return client_cut(client, "the chunks of the answer are malformed");
        client->start = client->size = 0;
        ssize_t got = client_receive(client);
        if (got < 0)
            return client_cut(client, NULL);
        if (got == 0 && client->framing.state != HTTP_FRAMING_TO_END)
            return client_cut(client, "the connection was closed before the end of the answer");
        if (got == 0)
            client->framing.state = HTTP_FRAMING_COMPLETE;
        client->last = http_clock();
    }
}
