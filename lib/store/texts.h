/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_TEXTS_H
#define GT_STORE_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

enum {
    TEXTS_RECENT = 256
};

struct texts_chunk;

/* Where a string lay that was put lately, and its id. */
struct texts_recent {
    const char *data;
    uint32_t id;
};

/* Each string once; ids from 0 on, which is "". Texts stay where they are. */
struct texts {
    gt_string *list;
    size_t count, room;
    /* The text's id by its hash, open addressing; 0 is free. A power of two. */
    uint32_t *slots;
    size_t slot_count;
    uint64_t secret;
    struct texts_chunk *chunks;
    /* Left in the first of the chunks. */
    size_t left;
    /* Of the texts. */
    size_t bytes;
    struct texts_recent recent[TEXTS_RECENT];
};

bool texts_init(struct texts *texts);
void texts_destroy(struct texts *texts);

/* False: out of memory. A string that lies where it lay before is found quickest. */
bool texts_put(struct texts *texts, gt_string string, uint32_t *id);
/* Puts a new one, and does not copy it. False: out of memory. */
bool texts_share(struct texts *texts, gt_string string);
bool texts_find(const struct texts *texts, gt_string string, uint32_t *id);
/* "" where there is no such. */
gt_string texts_get(const struct texts *texts, uint32_t id);
/* Of its tables. */
size_t texts_memory(const struct texts *texts);

#endif
