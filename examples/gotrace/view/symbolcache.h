/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef VIEW_SYMBOLCACHE_H
#define VIEW_SYMBOLCACHE_H

/* Names for addresses, which all readings of one trace share: addr2line runs only once. */

#include <stddef.h>

#include <gotrace/reader.h>

struct view_symbols;

/* NULL where there is no memory. `program` is borrowed. */
struct view_symbols *view_symbols_new(const char *program);

/* Not before all readers are closed. NULL is fine. */
void view_symbols_free(struct view_symbols *symbols);

/* A gt_symbolize_fn, for readers in any thread; `user_data` is a struct view_symbols. */
int view_symbols_find(void *user_data, gt_symbol *list, size_t count);

/* Why there are no names, in the GT_ERROR_MESSAGE_SIZE bytes at `text`. */
void view_symbols_error(struct view_symbols *symbols, char *text);

#endif
