/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef WORDS_H
#define WORDS_H

/*
 * The names of kinds and states. An event has about three of them; copying them from here, without
 * a call into the library and a strlen for each, makes a dump 10 % faster.
 */

#include <gotrace/event.h>

#include "output.h"

enum {
    WORD_MAX = 32,
    WORDS_KINDS = GT_EVENT_EXPERIMENTAL + 1,
    WORDS_GO_STATES = GT_GO_SYSCALL + 1,
    WORDS_PROC_STATES = GT_PROC_IDLE + 1
};

/* A copy always moves WORD_MAX bytes, which takes one or two instructions. */
struct word {
    char text[WORD_MAX];
    size_t size;
};

struct words {
    struct word kinds[WORDS_KINDS];
    struct word go_states[WORDS_GO_STATES];
    struct word proc_states[WORDS_PROC_STATES];
};

void words_init(struct words *words);

/* The functions below may write up to WORD_MAX bytes beyond the end that they return. */

static inline char *words_put(char *to, const struct word *word)
{
    memcpy(to, word->text, WORD_MAX);
    return to + word->size;
}

static inline char *words_put_kind(char *to, const struct words *words, uint32_t kind)
{
    return kind < WORDS_KINDS ? words_put(to, &words->kinds[kind])
                              : put_text(to, gt_event_kind_name(kind));
}

static inline char *words_put_go_state(char *to, const struct words *words, uint32_t state)
{
    return state < WORDS_GO_STATES ? words_put(to, &words->go_states[state])
                                   : put_text(to, gt_go_state_name(state));
}

static inline char *words_put_proc_state(char *to, const struct words *words, uint32_t state)
{
    return state < WORDS_PROC_STATES ? words_put(to, &words->proc_states[state])
                                     : put_text(to, gt_proc_state_name(state));
}

#endif
