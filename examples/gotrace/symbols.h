/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SYMBOLS_H
#define SYMBOLS_H

/*
 * Finds names for the addresses of a trace that has no names, with the file of the program that
 * was traced.
 */

#include <stddef.h>

#include <gotrace/reader.h>

#include "resolver.h"

struct symbols {
    /* The program's file, or NULL. Borrowed. */
    const char *program;
    /* Names point into its answers. */
    struct resolver resolver;
    /* Why there are no names, in one line; empty if nothing went wrong. */
    char error[GT_ERROR_MESSAGE_SIZE];
};

/* A gt_symbolize_fn; `user_data` is a struct symbols with only its program set. */
int symbols_find(void *user_data, gt_symbol *list, size_t count);

void symbols_free(struct symbols *symbols);

#endif
