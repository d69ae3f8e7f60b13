/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_VIEW_CLIENT_H
#define TESTS_VIEW_CLIENT_H

/* An HTTP client that can also misbehave. It asserts everything that must not fail. */

#include <stddef.h>

struct client {
    int fd;
    /* Bytes that were received but not taken yet. */
    char *data;
    size_t used;
};

struct client_reply {
    int status;
    /* The status line and the headers, terminated by NUL. */
    char *head;
    /* The body, assembled from its chunks and terminated by NUL. */
    char *body;
    size_t size;
    int is_chunked;
    /* The connection ended before the body was complete. */
    int is_cut;
};

/* Connects to a URL such as "http://127.0.0.1:8080". The host is an IPv4 address or localhost. */
void client_open(struct client *client, const char *url);
void client_close(struct client *client);

void client_send(const struct client *client, const char *text);
void client_send_bytes(const struct client *client, const void *data, size_t size);

/* Sends "GET PATH" with the other headers that a browser sends. */
void client_get(const struct client *client, const char *path);

/* Takes the next answer. The answer to a HEAD has no body. The caller frees it with client_free. */
void client_take(struct client *client, struct client_reply *reply, int is_head);
void client_free(struct client_reply *reply);

/*
 * Waits for the end of the connection. Returns whether the server ended it without sending
 * anything more.
 */
int client_is_over(struct client *client);

/* Returns whether a header has exactly this value. */
int client_has(const struct client_reply *reply, const char *name, const char *value);

/*
 * Returns whether it is an error that forbids caches, frames and other sites everything, as the
 * server's own errors do.
 */
int client_is_refusal(const struct client_reply *reply);

/* Sends one request on a new connection and takes the answer. */
void client_ask(const char *url, const char *path, struct client_reply *reply);

#endif
