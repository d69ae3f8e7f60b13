/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TABS_H
#define TABS_H

/*
 * The traces that `gotrace view` shows, each below an address of its own: the first at "/", the
 * others at "/t/2/" and so on. "/traces" lists them, and opens and closes them.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http/server.h"
#include "tab.h"

enum {
    /* How many traces may be open, and how many may be received at the same time. */
    TABS_MAX = 32,
    TABS_UPLOADS = 2
};

struct tabs {
    struct tab_settings settings;
    /* Pages may open and close traces, and change notes. */
    bool may_open;
    /* The size of the largest file that they may send. */
    uint64_t upload_max;
    /* Held while notes are changed. */
    pthread_mutex_t changing;
    /* Guards the members below, and those of a tab that say so. */
    pthread_mutex_t lock;
    struct tab *list[TABS_MAX];
    size_t count;
    uint32_t last_id;
    size_t uploads;
};

/* Initialises an empty list; the caller sets `settings`, `may_open` and `upload_max`. */
void tabs_init(struct tabs *tabs);

/* Adds a file that is opened when it is first asked for. Returns NULL if that is impossible. */
struct tab *tabs_add(struct tabs *tabs, const char *name);

/*
 * Adds the trace in a file without a name, which is opened when it is first asked for. Returns the
 * id of the tab, which then owns the file, or 0 if that is impossible.
 */
uint32_t tabs_add_file(struct tabs *tabs, const char *name, FILE *file);

/*
 * Closes a tab. Returns the HTTP status of the result, and sets `*why` to the reason if it is an
 * error.
 */
int tabs_close(struct tabs *tabs, uint32_t id, const char **why);

/* An http_handler whose user data is the list. */
bool tabs_answer(void *tabs, const struct http_request *request, struct http_response *response);

/* Closes all traces. No request may be running. */
void tabs_free(struct tabs *tabs);

#endif
