/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ALIAS_H
#define ALIAS_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/writer.h>

#include "siphash.h"

enum {
    /* Of the text of an alias: of a name that stays, of which traces have 1024 bytes. */
    ALIAS_ROOM = 2048
};

/*
 * Aliases of the names in a trace: hashes with a key, except of names that Go itself has given. The
 * same name has the same alias in all traces with the same key.
 */
struct alias {
    uint8_t key[SIPHASH_KEY_SIZE];
    /* Messages and categories of logs stay. */
    bool keeps_logs;
    char text[ALIAS_ROOM];
    size_t size;
};

/* A gt_text_fn, whose user data is the struct alias. */
int alias_of(void *user_data, gt_text_kind kind, gt_string *text);

#endif
