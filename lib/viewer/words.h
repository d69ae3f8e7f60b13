/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_VIEWER_WORDS_H
#define GT_VIEWER_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/types.h>

enum {
    /* The size of the array of each word. All of it can be copied, whatever the length of the word
     * is. */
    GT_WORD_SIZE = 16
};

/*
 * Constant strings of the emitter that occur in very many events, mainly in those of counters. They
 * are ASCII without anything that a format would escape. A writer recognizes them by their address,
 * and then need not examine them.
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

/* Whether a string is one of the words: then GT_WORD_SIZE bytes of it can be read. */
static inline bool gt_is_word(gt_string text)
{
    uintptr_t address = (uintptr_t) text.data, first = (uintptr_t) &gt_words;
    return address >= first && address <= first + sizeof(gt_words) - GT_WORD_SIZE &&
           text.size <= GT_WORD_SIZE;
}

#endif
