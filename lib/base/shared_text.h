/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_SHARED_TEXT_H
#define GT_BASE_SHARED_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "base/array.h"
#include "base/index.h"

/*
 * A copy of a text of the trace with a reference count; equal texts of one interner share one
 * object. It is for names whose number is not bounded while a trace is read, so that unused ones
 * can be freed. The bytes follow the structure.
 */
struct gt_shared_text {
    gt_string string;
    uint64_t references;
    uint64_t hash;
    uint32_t ordinal; /* its index in the interner */
    uint32_t mark;    /* free for use by the caller; initially 0 */
};

enum {
    /* A value of `spare` for most interners: a few thousand names of goroutines recur. */
    GT_SHARED_TEXT_SPARE = 1024
};

/*
 * The interner of shared texts. A text whose last reference was dropped stays in the interner,
 * since names recur, until the unused texts outnumber `spare` and the texts in use together.
 */
struct gt_shared_texts {
    struct gt_mem *mem;
    uint64_t secret;
    GT_ARRAY(struct gt_shared_text *) list;
    struct gt_index index;
    size_t spare;
    size_t unused; /* the number of texts without references */
};

void gt_shared_texts_init(struct gt_shared_texts *texts, struct gt_mem *mem, size_t spare);

/* Frees all texts, even those that still have references. */
void gt_shared_texts_destroy(struct gt_shared_texts *texts);

/* Frees all texts without references, in time proportional to the number of texts. */
void gt_shared_texts_sweep(struct gt_shared_texts *texts);

/*
 * Returns the text that equals `string`, with one more reference. Returns NULL on failure; see
 * gt_mem_failure.
 */
struct gt_shared_text *gt_shared_text_get(struct gt_shared_texts *texts, gt_string string);

/*
 * Returns the text that equals `string`, without a further reference; NULL if there is none.
 * `guess`, which is one of the texts or NULL, is tried first.
 */
const struct gt_shared_text *gt_shared_text_find(const struct gt_shared_texts *texts,
                                                 gt_string string,
                                                 const struct gt_shared_text *guess);

/* Adds a reference. `text` may be NULL; otherwise it must already have a reference. */
static inline struct gt_shared_text *gt_shared_text_hold(struct gt_shared_text *text)
{
    if (text)
        text->references++;
    return text;
}

/* Removes a reference. `text` may be NULL. */
static inline void gt_shared_text_drop(struct gt_shared_texts *texts, struct gt_shared_text *text)
{
    if (text)
        texts->unused += --text->references == 0;
}

/*
 * A cache in front of an interner, for strings of the trace, most of which recur within a
 * generation at the same address. The cache holds a reference to each of its texts.
 */
struct gt_recent_text {
    gt_string string;
    struct gt_shared_text *text;
};

enum {
    GT_RECENT_TEXTS = 64
};

struct gt_recent_texts {
    struct gt_recent_text entries[GT_RECENT_TEXTS];
};

/*
 * The index of a string in the cache. It depends on the bytes of the string and not on its address,
 * so that reading a trace takes the same amount of memory in every run.
 */
static inline size_t gt_recent_text_place(gt_string string)
{
    if (string.size == 0)
        return 0;
    size_t first = (unsigned char) string.data[0];
    size_t last = (unsigned char) string.data[string.size - 1];
    return (string.size + 5 * first + 11 * last) % GT_RECENT_TEXTS;
}

/* Handles a cache miss of gt_recent_text_get: replaces the entry. */
struct gt_shared_text *gt_recent_text_replace(struct gt_recent_text *entry,
                                              struct gt_shared_texts *texts, gt_string string);

/*
 * Returns the text that equals `string`, as gt_shared_text_get does, through the cache. `string`
 * must be one of the current generation.
 */
static inline struct gt_shared_text *
gt_recent_text_get(struct gt_recent_texts *recent, struct gt_shared_texts *texts, gt_string string)
{
    struct gt_recent_text *entry = &recent->entries[gt_recent_text_place(string)];
    if (entry->text && entry->string.data == string.data && entry->string.size == string.size) {
        entry->text->references++;
        return entry->text;
    }
    return gt_recent_text_replace(entry, texts, string);
}

/* Empties the cache. Must be called when a generation ends, because its strings become invalid. */
void gt_recent_texts_clear(struct gt_recent_texts *recent, struct gt_shared_texts *texts);

#endif
