/* SPDX-License-Identifier: BSD-3-Clause */
#include "symbolcache.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../symbols.h"

struct view_symbols {
    pthread_mutex_t lock;
    /* Its answers are what the texts of `list` point into. */
    struct symbols symbols;
    gt_symbol *list;
    size_t count;
};

struct view_symbols *view_symbols_new(const char *program)
{
    struct view_symbols *symbols = calloc(1, sizeof(*symbols));
    if (symbols == NULL)
        return NULL;
    symbols->symbols.program = program;
    pthread_mutex_init(&symbols->lock, NULL);
    return symbols;
}

void view_symbols_free(struct view_symbols *symbols)
{
    if (symbols == NULL)
        return;
    pthread_mutex_destroy(&symbols->lock);
    symbols_free(&symbols->symbols);
    free(symbols->list);
    free(symbols);
}

/* The trace is the same each time, and so are its addresses. */
static bool is_known(const struct view_symbols *symbols, const gt_symbol *list, size_t count)
{
    if (symbols->list == NULL || symbols->count != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (symbols->list[i].address != list[i].address)
            return false;
    }
    return true;
}

static int find_first(struct view_symbols *symbols, gt_symbol *list, size_t count)
{
    gt_symbol *copy = malloc((count + 1) * sizeof(*copy));
    if (copy == NULL) {
        snprintf(symbols->symbols.error, sizeof(symbols->symbols.error), "no memory for names");
        return -1;
    }
    symbols_free(&symbols->symbols);
    int result = symbols_find(&symbols->symbols, list, count);
    if (result != 0) {
        free(copy);
        return result;
    }
    memcpy(copy, list, count * sizeof(*copy));
    symbols->list = copy;
    symbols->count = count;
    return 0;
}

int view_symbols_find(void *user_data, gt_symbol *list, size_t count)
{
    struct view_symbols *symbols = user_data;
    int result = 0;
    pthread_mutex_lock(&symbols->lock);
    if (is_known(symbols, list, count)) {
        memcpy(list, symbols->list, count * sizeof(*list));
    } else if (symbols->list == NULL) {
        result = find_first(symbols, list, count);
    } else {
        snprintf(symbols->symbols.error, sizeof(symbols->symbols.error),
                 "the file has changed since it was opened");
        result = -1;
    }
    pthread_mutex_unlock(&symbols->lock);
    return result;
}

void view_symbols_error(struct view_symbols *symbols, char *text)
{
    pthread_mutex_lock(&symbols->lock);
    memcpy(text, symbols->symbols.error, sizeof(symbols->symbols.error));
    pthread_mutex_unlock(&symbols->lock);
}
