/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SYMBOLCACHE_H
#define GT_WEB_SYMBOLCACHE_H

/*
 * A cache of names for addresses, shared by all readers of one trace, so that the host has to
 * find the names only once.
 */

#include <stddef.h>

#include <gotrace/reader.h>

struct gt_mem;
struct gt_web_symbols;

/* `find` is the host's function. Returns NULL if memory runs out. */
struct gt_web_symbols *gt_web_symbols_new(struct gt_mem *mem, gt_symbolize_fn find,
                                          void *user_data);

/* All readers that use the cache must be closed before. `symbols` may be NULL. */
void gt_web_symbols_free(struct gt_web_symbols *symbols);

/* A gt_symbolize_fn for readers in any thread. `user_data` is the struct gt_web_symbols. */
int gt_web_symbols_find(void *user_data, gt_symbol *list, size_t count);

/*
 * If the cache itself, not the host, is the reason why there are no names, replaces the message
 * of `*error`.
 */
void gt_web_symbols_explain(struct gt_web_symbols *symbols, gt_error *error);

#endif
