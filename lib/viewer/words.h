/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_VIEWER_WORDS_H
#define GT_VIEWER_WORDS_H

#include <stdint.h>

#include <gotrace/types.h>

enum {
    /* What each takes up, so that it can be copied without a look at how long it is. */
    GT_WORD_SIZE = 16
};

/*
 * Words of the emitter's own that are in every second event: those of counters. They are
 * plain ASCII with nothing to escape in any format. Whoever writes an event knows them by
 * where they lie, and need not look at them.
 */
struct gt_words {
    char goroutines[GT_WORD_SIZE];
    char running[GT_WORD_SIZE];
    char runnable[GT_WORD_SIZE];
    char gc_waiting[GT_WORD_SIZE];
    char threads[GT_WORD_SIZE];
    char in_syscall[GT_WORD_SIZE];
    char heap[GT_WORD_SIZE];
    char allocated[GT_WORD_SIZE];
    char next_gc[GT_WORD_SIZE];
    char thread_scope[GT_WORD_SIZE];
};

extern const struct gt_words gt_words;

/* A word as a string. */
#define GT_WORD(word, text) ((gt_string){gt_words.word, sizeof(text) - 1})

/* Whether it is one of them: then all of GT_WORD_SIZE bytes can be read. */
static inline int gt_is_word(gt_string text)
{
    uintptr_t at = (uintptr_t) text.data, first = (uintptr_t) &gt_words;
    return at >= first && at <= first + sizeof(gt_words) - GT_WORD_SIZE &&
           text.size <= GT_WORD_SIZE;
}

#endif
