/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "address.h"
#include "clock.h"
#include "connection.h"
#include "socket.h"

enum {
    /*
     * How long to wait before new connections are accepted again while there is no room for them,
     * in milliseconds.
     */
    SERVER_CROWDED_TIME = 100
};

struct server_slot {
    /* The connection; NULL if the slot is free. */
    struct http_connection *connection;
    pthread_t thread;
    struct http_server *server;
    /* The thread has ended its work and can be joined. Guarded by the lock. */
    bool is_over;
};

struct http_server {
    struct http_shared shared;
    int listener;
    /* A pipe. A byte in it wakes the thread that runs the server. */
    int wake[2];
    struct server_slot *slots;
    char url[HTTP_TEXT_MAX];
};

static int setting_or_default(int value, int fallback)
{
    return value != 0 ? value : fallback;
}

static void server_set_settings(struct http_settings *to, const struct http_settings *from)
{
    const struct http_settings defaults = HTTP_DEFAULTS;
    *to = defaults;
    if (!from)
        return;
    to->head_timeout = setting_or_default(from->head_timeout, defaults.head_timeout);
    to->idle_timeout = setting_or_default(from->idle_timeout, defaults.idle_timeout);
    to->write_timeout = setting_or_default(from->write_timeout, defaults.write_timeout);
    to->body_timeout = setting_or_default(from->body_timeout, defaults.body_timeout);
    to->connections = setting_or_default(from->connections, defaults.connections);
}

static bool server_open_pipe(struct http_server *server)
{
    if (pipe(server->wake) == 0)
        return http_socket_prepare(server->wake[0]) && http_socket_prepare(server->wake[1]);
    server->wake[0] = server->wake[1] = -1;
    return false;
}

/*
 * Creates a server without an address and a handler. Returns NULL if there is not enough memory or
 * no pipe.
 */
static struct http_server *server_create(const struct http_settings *settings)
{
    struct http_server *server = calloc(1, sizeof(*server));
    if (!server)
        return NULL;
    server->listener = -1;
    server_set_settings(&server->shared.settings, settings);
    pthread_mutex_init(&server->shared.lock, NULL);
    server->slots =
        calloc((size_t) server->shared.settings.connections, sizeof(struct server_slot));
    if (server_open_pipe(server) && server->slots)
        return server;
    http_server_close(server);
    return NULL;
}

struct http_server *http_server_open(const char *address, http_handler *handle, void *user_data,
                                     const struct http_settings *settings, char *error)
{
    struct http_address where;
    if (!http_address_parse(address, &where, error))
        return NULL;
    struct http_server *server = server_create(settings);
    if (!server) {
        snprintf(error, HTTP_TEXT_MAX, "cannot set up the server: %s", strerror(errno));
        return NULL;
    }
    server->shared.handle = handle;
    server->shared.user_data = user_data;
    strcpy(server->shared.host, where.host);
    server->listener = http_address_listen(&where, error);
    if (server->listener >= 0 && http_address_url(&where, server->listener, server->url))
        return server;
    if (server->listener >= 0)
        snprintf(error, HTTP_TEXT_MAX, "cannot tell the address: %s", strerror(errno));
    http_server_close(server);
    return NULL;
}

const char *http_server_url(const struct http_server *server)
{
    return server->url;
}

bool http_server_is_public(const struct http_server *server)
{
    return http_address_is_any(server->listener);
}

bool http_server_is_local(const struct http_server *server)
{
    return http_address_is_local(server->listener);
}

void http_server_accept_changes(struct http_server *server, uint64_t most)
{
    server->shared.accepts_changes = true;
    server->shared.body_max = most;
}

/* Wakes the server. A write to a full pipe may fail, because the bytes in the pipe wake the server
 * as well. */
static void server_wake(struct http_server *server)
{
    int before = errno;
    ssize_t written = write(server->wake[1], "", 1);
    (void) written;
    errno = before;
}

void http_server_stop(struct http_server *server)
{
    atomic_store(&server->shared.stopping, true);
    server_wake(server);
}

static void *slot_run(void *user_data)
{
    struct server_slot *slot = user_data;
    struct http_server *server = slot->server;
    http_connection_serve(slot->connection);
    pthread_mutex_lock(&server->shared.lock);
    slot->is_over = true;
    pthread_mutex_unlock(&server->shared.lock);
    server_wake(server);
    return NULL;
}

static void slot_free_connection(struct server_slot *slot)
{
    close(slot->connection->fd);
    free(slot->connection);
    slot->connection = NULL;
}

static bool slot_is_over(struct server_slot *slot)
{
    pthread_mutex_lock(&slot->server->shared.lock);
    bool result = slot->is_over;
    pthread_mutex_unlock(&slot->server->shared.lock);
    return result;
}

/*
 * Joins and frees the connections that have ended; if `all` is set, it waits for all of them.
 * Returns a free slot, or NULL.
 */
static struct server_slot *server_reap(struct http_server *server, bool all)
{
    struct server_slot *found = NULL;
    for (int i = 0; i < server->shared.settings.connections; i++) {
        struct server_slot *slot = &server->slots[i];
        if (slot->connection && (all || slot_is_over(slot))) {
            pthread_join(slot->thread, NULL);
            slot_free_connection(slot);
        }
        if (!slot->connection && !found)
            found = slot;
    }
    return found;
}

/*
 * Returns whether `other` should be closed rather than `connection`: connections that wait for a
 * request go first, and of those in the same state the one that has been in it for longest.
 */
static bool connection_goes_first(const struct http_connection *other,
                                  const struct http_connection *connection)
{
    if (!connection || other->state != connection->state)
        return !connection || other->state == HTTP_READING;
    return other->since < connection->since;
}

/*
 * Shuts one connection down to make room for a new one if there is one that may go, but none while
 * another one is about to end.
 */
static void server_evict(struct http_server *server)
{
    struct http_connection *found = NULL;
    bool is_pending = false;
    pthread_mutex_lock(&server->shared.lock);
    for (int i = 0; i < server->shared.settings.connections; i++) {
        struct http_connection *connection = server->slots[i].connection;
        if (!connection)
            continue;
        is_pending = is_pending || connection->is_shut || server->slots[i].is_over;
        if (http_connection_may_go(connection) && connection_goes_first(connection, found))
            found = connection;
    }
    if (found && !is_pending)
        http_connection_shut(found);
    pthread_mutex_unlock(&server->shared.lock);
}

/* Starts the thread with all signals blocked, so that other threads handle them. */
static bool slot_start(struct server_slot *slot)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool is_good = pthread_create(&slot->thread, NULL, slot_run, slot) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_good;
}

/*
 * Serves a new connection in a slot. Takes `fd` over, and closes it on failure. Returns false if
 * there is not enough memory or no thread.
 */
static bool server_take_in(struct http_server *server, struct server_slot *slot, int fd)
{
    int on = 1;
    struct http_connection *connection = calloc(1, sizeof(*connection));
    if (!connection || !http_socket_prepare(fd)) {
        free(connection);
        close(fd);
        return false;
    }
    /*
     * Nagle's algorithm would only add latency, because the parts of an answer are put together
     * before they are sent.
     */
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    connection->shared = &server->shared;
    connection->fd = fd;
    connection->since = http_clock();
    *slot = (struct server_slot){.connection = connection, .server = server};
    if (slot_start(slot))
        return true;
    slot_free_connection(slot);
    return false;
}

/*
 * Accepts one connection. Returns false if there is no room for more; if a slot or a descriptor is
 * missing, it tries to shut another connection down.
 */
static bool server_accept_one(struct http_server *server, struct server_slot *slot)
{
    int fd = slot ? accept(server->listener, NULL, NULL) : -1;
    if (fd >= 0)
        return server_take_in(server, slot, fd);
    if (slot && errno != EMFILE && errno != ENFILE && errno != ENOMEM && errno != ENOBUFS)
        return true;
    server_evict(server);
    return false;
}

static void server_drain_wake(const struct http_server *server)
{
    char bytes[256];
    while (read(server->wake[0], bytes, sizeof(bytes)) > 0)
        continue;
}

static void server_shut_all(struct http_server *server)
{
    pthread_mutex_lock(&server->shared.lock);
    for (int i = 0; i < server->shared.settings.connections; i++) {
        if (server->slots[i].connection)
            http_connection_shut(server->slots[i].connection);
    }
    pthread_mutex_unlock(&server->shared.lock);
}

void http_server_run(struct http_server *server)
{
    bool is_crowded = false;
    while (!atomic_load(&server->shared.stopping)) {
        struct pollfd poll_fds[] = {
            {.fd = server->wake[0], .events = POLLIN},
            {.fd = server->listener, .events = POLLIN},
        };
        poll(poll_fds, is_crowded ? 1 : 2, is_crowded ? SERVER_CROWDED_TIME : -1);
        server_drain_wake(server);
        struct server_slot *slot = server_reap(server, false);
        is_crowded = poll_fds[1].revents != 0 && !server_accept_one(server, slot);
    }
    server_shut_all(server);
    server_reap(server, true);
}

void http_server_close(struct http_server *server)
{
    if (!server)
        return;
    if (server->listener >= 0)
        close(server->listener);
    if (server->wake[0] >= 0) {
        close(server->wake[0]);
        close(server->wake[1]);
    }
    pthread_mutex_destroy(&server->shared.lock);
    free(server->slots);
    free(server);
}
