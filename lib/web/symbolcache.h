/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SYMBOLCACHE_H
#define GT_WEB_SYMBOLCACHE_H

/* Names for addresses, which all readings of one trace share: the host finds them only once. */

#include <stddef.h>

#include <gotrace/reader.h>

struct gt_web_symbols;

/* NULL where there is no memory. `find` is the host's function. */
struct gt_web_symbols *gt_web_symbols_new(gt_symbolize_fn find, void *user_data);

/* Not before all readers are closed. NULL is fine. */
void gt_web_symbols_free(struct gt_web_symbols *symbols);

/* A gt_symbolize_fn, for readers in any thread; `user_data` is a struct gt_web_symbols. */
int gt_web_symbols_find(void *user_data, gt_symbol *list, size_t count);

/* Replaces the message of `*error` if the cache itself, not the host, is why there are no names. */
void gt_web_symbols_explain(struct gt_web_symbols *symbols, gt_error *error);

#endif
