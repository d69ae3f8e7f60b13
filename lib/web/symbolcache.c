/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/symbolcache.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

struct gt_web_symbols {
    struct gt_mem *mem;
    pthread_mutex_t lock;
    gt_symbolize_fn find;
    void *user_data;
    /* The addresses that the first reader asked for, with their names; NULL before that. */
    gt_symbol *list;
    size_t count;
    /* The reason for which the cache has no names, or NULL if the cache is not the cause. */
    const char *problem;
};

struct gt_web_symbols *gt_web_symbols_new(struct gt_mem *mem, gt_symbolize_fn find, void *user_data)
{
    struct gt_web_symbols *symbols = gt_mem_zeros(mem, sizeof(*symbols));
    if (!symbols)
        return NULL;
    if (pthread_mutex_init(&symbols->lock, NULL) != 0) {
        gt_mem_free(mem, symbols, sizeof(*symbols));
        return NULL;
    }
    symbols->mem = mem;
    symbols->find = find;
    symbols->user_data = user_data;
    return symbols;
}

void gt_web_symbols_free(struct gt_web_symbols *symbols)
{
    if (!symbols)
        return;
    pthread_mutex_destroy(&symbols->lock);
    gt_mem_free(symbols->mem, symbols->list, (symbols->count + 1) * sizeof(*symbols->list));
    gt_mem_free(symbols->mem, symbols, sizeof(*symbols));
}

/*
 * Returns whether these are the addresses in the cache. This should always be true, because all
 * readers read the same trace.
 */
static bool symbols_are_known(const struct gt_web_symbols *symbols, const gt_symbol *list,
                              size_t count)
{
    if (!symbols->list || symbols->count != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (symbols->list[i].address != list[i].address)
            return false;
    }
    return true;
}

static int symbols_find_first(struct gt_web_symbols *symbols, gt_symbol *list, size_t count)
{
    gt_symbol *copy = gt_mem_alloc(symbols->mem, (count + 1) * sizeof(*copy));
    symbols->problem = copy ? NULL : "no memory for names";
    if (!copy)
        return -1;
    int result = symbols->find(symbols->user_data, list, count);
    if (result != 0) {
        gt_mem_free(symbols->mem, copy, (count + 1) * sizeof(*copy));
        return result;
    }
    memcpy(copy, list, count * sizeof(*copy));
    symbols->list = copy;
    symbols->count = count;
    return 0;
}

int gt_web_symbols_find(void *user_data, gt_symbol *list, size_t count)
{
    struct gt_web_symbols *symbols = user_data;
    int result = 0;
    pthread_mutex_lock(&symbols->lock);
    if (symbols_are_known(symbols, list, count)) {
        memcpy(list, symbols->list, count * sizeof(*list));
    } else if (!symbols->list) {
        result = symbols_find_first(symbols, list, count);
    } else {
        symbols->problem = "the file has changed since it was opened";
        result = -1;
    }
    pthread_mutex_unlock(&symbols->lock);
    return result;
}

void gt_web_symbols_explain(struct gt_web_symbols *symbols, gt_error *error)
{
    pthread_mutex_lock(&symbols->lock);
    if (symbols->problem)
        snprintf(error->message, sizeof(error->message), "%s", symbols->problem);
    pthread_mutex_unlock(&symbols->lock);
}
