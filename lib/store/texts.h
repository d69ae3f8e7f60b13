/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_TEXTS_H
#define GT_STORE_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

enum {
    GT_TEXTS_RECENT = 256
};

struct gt_texts_chunk;

/* Where a string lay that was put lately, and its id. */
struct gt_texts_recent {
    const char *data;
    uint32_t id;
};

/* Each string once; ids from 0 on, which is "". Texts stay where they are. */
struct gt_store_texts {
    gt_string *list;
    size_t count, room;
    /* The text's id by its hash, open addressing; 0 is free. A power of two. */
    uint32_t *slots;
    size_t slot_count;
    uint64_t secret;
    struct gt_texts_chunk *chunks;
    /* Left in the first of the chunks. */
    size_t left;
    /* Of the texts. */
    size_t bytes;
    struct gt_texts_recent recent[GT_TEXTS_RECENT];
};

bool gt_store_texts_init(struct gt_store_texts *texts);
void gt_store_texts_destroy(struct gt_store_texts *texts);

/* False: out of memory. A string that lies where it lay before is found quickest. */
bool gt_texts_put(struct gt_store_texts *texts, gt_string string, uint32_t *id);
/* Puts a new one, and does not copy it. False: out of memory. */
bool gt_texts_share(struct gt_store_texts *texts, gt_string string);
bool gt_store_texts_find(const struct gt_store_texts *texts, gt_string string, uint32_t *id);
/* "" where there is no such. */
gt_string gt_texts_get(const struct gt_store_texts *texts, uint32_t id);
/* Of its tables. */
size_t gt_texts_memory(const struct gt_store_texts *texts);

#endif
