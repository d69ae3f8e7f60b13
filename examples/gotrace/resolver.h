/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RESOLVER_H
#define RESOLVER_H

/*
 * Finds the functions, files and lines to which addresses in a program or library belong, by
 * running addr2line of binutils or llvm-symbolizer.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "filter.h"

/* A place in the source. What is not known is empty, or 0. */
struct resolver_place {
    gt_string function;
    gt_string file;
    uint64_t line;
};

/* The names of the programs that can be asked, for completions. */
#define RESOLVER_TOOLS "addr2line llvm-symbolizer"

/* Returns whether that is one of them. */
bool resolver_knows(const char *tool);

struct resolver {
    /* The program that is run, or NULL for the first one that is installed. Borrowed. */
    const char *tool;
    /* The strings of places point into its output. */
    struct filter filter;
    /* What was asked, and where the rest of the answers is. */
    const uint64_t *addresses;
    size_t count, at;
    char *rest;
};

/*
 * Asks for `count` addresses, which are those of the file `path`, before it is loaded anywhere, and
 * must remain valid while the answers are read. A resolver begins as zeros but for its tool. It
 * forgets the answers of before. Returns false and sets `filter.error` if nothing could be found
 * out.
 */
bool resolver_ask(struct resolver *resolver, const char *path, const uint64_t *addresses,
                  size_t count);

/*
 * Goes on to the places of the next address, and returns whether there is one. Its first place, and
 * those into which that is inlined, follow by resolver_next_place.
 */
bool resolver_next_address(struct resolver *resolver);

/* Sets `*place` to the next place of the address. Returns false if it has no more. */
bool resolver_next_place(struct resolver *resolver, struct resolver_place *place);

void resolver_free(struct resolver *resolver);

#endif
