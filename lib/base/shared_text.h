/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_SHARED_TEXT_H
#define GT_BASE_SHARED_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "base/array.h"
#include "base/index.h"

/*
 * A copy of a text of the trace that has a reference count; equal texts of one interner are one
 * object. For names that come and go while a trace is read. The bytes follow the structure.
 */
struct gt_shared_text {
    gt_string string;
    uint64_t references;
    uint64_t hash;
    uint32_t ordinal; /* in the interner */
    uint32_t mark;    /* for its user; 0 at first */
};

enum {
    /* A `spare` that suits most: a few thousand names of goroutines come again and again. */
    GT_SHARED_TEXT_SPARE = 1024
};

/*
 * The interner of such texts. A text without references stays in case it comes again, which
 * names do, until there are more of those than `spare` and the ones with references together.
 */
struct gt_shared_texts {
    struct gt_mem *mem;
    uint64_t secret;
    GT_ARRAY(struct gt_shared_text *) list;
    struct gt_index index;
    size_t spare;
    size_t unused; /* how many have no references */
};

void gt_shared_texts_init(struct gt_shared_texts *texts, struct gt_mem *mem, size_t spare);

/* Frees all texts, whoever refers to them. */
void gt_shared_texts_destroy(struct gt_shared_texts *texts);

/* Frees the texts without references at once. Takes as long as there are texts. */
void gt_shared_texts_sweep(struct gt_shared_texts *texts);

/* The text that equals `string`, with one more reference. NULL: see gt_mem_failure. */
struct gt_shared_text *gt_shared_text_get(struct gt_shared_texts *texts, gt_string string);

/* Adds a reference. The text may be NULL, and must have a reference otherwise. */
static inline struct gt_shared_text *gt_shared_text_hold(struct gt_shared_text *text)
{
    if (text)
        text->references++;
    return text;
}

/* Takes a reference away. The text may be NULL. */
static inline void gt_shared_text_drop(struct gt_shared_texts *texts, struct gt_shared_text *text)
{
    if (text)
        texts->unused += --text->references == 0;
}

/*
 * A cache in front of an interner for strings of the trace, most of which come again and again
 * within a generation at the same address. It holds a reference to each of its texts.
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
 * The place of a string in the cache. It depends on its bytes and not on its address, so that the
 * memory that a trace takes is the same in every run.
 */
static inline size_t gt_recent_text_place(gt_string string)
{
    if (string.size == 0)
        return 0;
    size_t first = (unsigned char) string.data[0];
    size_t last = (unsigned char) string.data[string.size - 1];
    return (string.size + 5 * first + 11 * last) % GT_RECENT_TEXTS;
}

/* gt_recent_text_get for a string that is not in its place. */
struct gt_shared_text *gt_recent_text_replace(struct gt_recent_text *entry,
                                              struct gt_shared_texts *texts, gt_string string);

/* As gt_shared_text_get. `string` must be one of the current generation. */
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

/* Empties the cache: must be called when a generation ends, as its strings are gone then. */
void gt_recent_texts_clear(struct gt_recent_texts *recent, struct gt_shared_texts *texts);

#endif
