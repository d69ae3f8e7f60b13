/* SPDX-License-Identifier: BSD-3-Clause */
#include "client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "support/grow.h"
#include "support/test.h"

/* Longer than any answer takes, on any machine. */
#define TIMEOUT_SECONDS 60

#define PIECE_SIZE (64 * 1024)

void client_open(struct client *client, const char *url)
{
    struct timeval timeout = {TIMEOUT_SECONDS, 0};
    struct sockaddr_in at = {.sin_family = AF_INET};
    const char *colon = strrchr(url, ':');

    memset(client, 0, sizeof(*client));
    assert_non_null(colon);
    at.sin_port = htons((uint16_t) atoi(colon + 1));
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    client->fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(client->fd >= 0);
    setsockopt(client->fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
    assert_int_equal(connect(client->fd, (struct sockaddr *) &at, sizeof(at)), 0);
}

void client_close(struct client *client)
{
    close(client->fd);
    free(client->data);
}

void client_send_bytes(const struct client *client, const void *data, size_t size)
{
    const char *from = data;

    while (size > 0) {
        ssize_t sent = send(client->fd, from, size, MSG_NOSIGNAL);

        /* The server may already have closed the connection. */
        if (sent < 0)
            return;
        from += sent;
        size -= (size_t) sent;
    }
}

void client_send(const struct client *client, const char *text)
{
    client_send_bytes(client, text, strlen(text));
}

void client_get(const struct client *client, const char *path)
{
    char text[4096];

    snprintf(text, sizeof(text), "GET %s HTTP/1.1\r\nHost: 127.0.0.1:1\r\nAccept: */*\r\n\r\n",
             path);
    client_send(client, text);
}

/* Receives more bytes. Returns 0 at the end of the connection; a reset counts as one. */
static int receive(struct client *client)
{
    ssize_t got;

    client->data = grow(client->data, client->used, PIECE_SIZE + 1);
    do {
        got = recv(client->fd, client->data + client->used, PIECE_SIZE, 0);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        assert_int_equal(errno, ECONNRESET);
    client->used += got > 0 ? (size_t) got : 0;
    client->data[client->used] = '\0';
    return got > 0;
}

static void drop(struct client *client, size_t size)
{
    client->used -= size;
    memmove(client->data, client->data + size, client->used + 1);
}

/*
 * Takes everything up to and including `end`, and returns it, allocated with malloc. Returns NULL
 * if the connection ends before.
 */
static char *take_until(struct client *client, const char *end)
{
    char *found, *taken;
    size_t size;

    while (!client->used || !(found = strstr(client->data, end))) {
        if (!receive(client))
            return NULL;
    }
    size = (size_t) (found - client->data) + strlen(end);
    taken = strndup(client->data, size);
    assert_non_null(taken);
    drop(client, size);
    return taken;
}

/* Adds `size` bytes to the body, or fewer if the connection ends. */
static void take_body(struct client *client, struct client_reply *reply, size_t size)
{
    while (client->used < size && receive(client))
        continue;
    reply->is_cut = client->used < size;
    if (reply->is_cut)
        size = client->used;
    reply->body = grow(reply->body, reply->size, size + 1);
    if (size > 0) {
        memcpy(reply->body + reply->size, client->data, size);
        drop(client, size);
    }
    reply->size += size;
    reply->body[reply->size] = '\0';
}

static void take_chunks(struct client *client, struct client_reply *reply)
{
    unsigned long size;

    do {
        char *line = take_until(client, "\r\n"), *end;

        reply->is_cut = !line;
        if (!line)
            return;
        size = strtoul(line, &end, 16);
        assert_string_equal(end, "\r\n");
        free(line);
        take_body(client, reply, size);
        if (reply->is_cut)
            return;
        end = take_until(client, "\r\n");
        assert_non_null(end);
        assert_int_equal(strlen(end), 2);
        free(end);
    } while (size > 0);
}

/*
 * Returns a pointer to the value of a header, which ends with the line, or NULL if there is no
 * such header.
 */
static const char *find_header(const struct client_reply *reply, const char *name)
{
    const char *line = reply->head;

    while ((line = strstr(line, "\r\n"))) {
        line += 2;
        if (strncasecmp(line, name, strlen(name)) == 0 &&
            strncmp(line + strlen(name), ": ", 2) == 0)
            return line + strlen(name) + 2;
    }
    return NULL;
}

void client_take(struct client *client, struct client_reply *reply, int is_head)
{
    const char *length;

    memset(reply, 0, sizeof(*reply));
    reply->head = take_until(client, "\r\n\r\n");
    assert_non_null(reply->head);
    assert_int_equal(sscanf(reply->head, "HTTP/1.1 %d ", &reply->status), 1);
    length = find_header(reply, "Content-Length");
    reply->is_chunked = client_has(reply, "Transfer-Encoding", "chunked");
    assert_true(!length || !reply->is_chunked);
    if (is_head)
        take_body(client, reply, 0);
    else if (reply->is_chunked)
        take_chunks(client, reply);
    else if (length)
        take_body(client, reply, strtoul(length, NULL, 10));
    else
        take_body(client, reply, SIZE_MAX);
}

void client_free(struct client_reply *reply)
{
    free(reply->head);
    free(reply->body);
}

int client_is_over(struct client *client)
{
    return client->used == 0 && !receive(client);
}

int client_has(const struct client_reply *reply, const char *name, const char *value)
{
    const char *found = find_header(reply, name);

    return found && strncmp(found, value, strlen(value)) == 0 &&
           strncmp(found + strlen(value), "\r\n", 2) == 0;
}

int client_is_refusal(const struct client_reply *reply)
{
    static const char *const headers[][2] = {
        {"Cache-Control", "no-store"},
        {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Referrer-Policy", "no-referrer"},
        {"X-Content-Type-Options", "nosniff"},
    };
    for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++) {
        if (!client_has(reply, headers[i][0], headers[i][1]))
            return 0;
    }
    return reply->status >= 400;
}

void client_ask(const char *url, const char *path, struct client_reply *reply)
{
    struct client client;

    client_open(&client, url);
    client_get(&client, path);
    client_take(&client, reply, 0);
    client_close(&client);
}
