/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_VIEW_CLIENT_H
#define TESTS_VIEW_CLIENT_H

/* A client of HTTP that can also misbehave. What must not go wrong is asserted. */

#include <stddef.h>

struct client {
    int fd;
    /* What was received and not taken yet. */
    char *data;
    size_t used;
};

struct client_reply {
    int status;
    /* Status line and headers, with a NUL. */
    char *head;
    /* The body, put together from its chunks, with a NUL. */
    char *body;
    size_t size;
    int is_chunked;
    /* The connection ended before the body did. */
    int is_cut;
};

/* Connects to a URL such as "http://127.0.0.1:8080"; an IPv4 address or localhost. */
void client_open(struct client *client, const char *url);
void client_close(struct client *client);

void client_send(const struct client *client, const char *text);
void client_send_bytes(const struct client *client, const void *data, size_t size);

/* Sends "GET PATH" with what a browser sends besides. */
void client_get(const struct client *client, const char *path);

/* Takes the next answer; one to a HEAD has no body. Free it with client_free. */
void client_take(struct client *client, struct client_reply *reply, int is_head);
void client_free(struct client_reply *reply);

/* Whether the server ends the connection without another byte, which it waits for. */
int client_is_over(struct client *client);

/* Whether a header is there with exactly that value. */
int client_has(const struct client_reply *reply, const char *name, const char *value);

/* One request on a connection of its own. */
void client_ask(const char *url, const char *path, struct client_reply *reply);

#endif
