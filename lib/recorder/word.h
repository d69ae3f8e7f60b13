/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_WORD_H
#define GT_RECORDER_WORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/likely.h"
#include "recorder/atomic.h"

/*
 * The state of a goroutine or proc is one word, so that it changes in one step:
 *
 *   bits  0 to  2   the state, as in the format; 0: it does not exist any more
 *   bit   3         whether it had an event in the generation before the one in the word
 *   bits  4 to 31   the generation of its last change
 *   bit   32        whether a range of it has begun: a goroutine helps a collector, a proc is swept
 *   bits 33 to 63   how many numbered events it had in that generation
 *
 * While nothing is recorded the words are kept up to date, too, in a generation that is not
 * written. Then that of a goroutine that a thread has has the tag of the thread instead of the
 * number, so that no other thread writes the same word. In every generation the first change of a
 * word is preceded by an event with the status that it had.
 */
enum {
    GT_LAST_GENERATION = (1 << 28) - 1
};

#define GT_WORD_RANGE (UINT64_C(1) << 32)

enum {
    GT_WORD_NUMBER_SHIFT = 33
};

/* States of goroutines. */
enum {
    GT_G_DEAD = 0,
    GT_G_RUNNABLE = 1,
    GT_G_RUNNING = 2,
    GT_G_SYSCALL = 3,
    GT_G_WAITING = 4
};

/* States of procs. A thief names the last one instead of GT_P_SYSCALL. */
enum {
    GT_P_RUNNING = 1,
    GT_P_IDLE = 2,
    GT_P_SYSCALL = 3,
    GT_P_ABANDONED = 4
};

static inline uint64_t gt_word_state(uint64_t word)
{
    return word & 7;
}

static inline uint64_t gt_word_generation(uint64_t word)
{
    return word >> 4 & GT_LAST_GENERATION;
}

static inline uint64_t gt_word_number(uint64_t word)
{
    return word >> GT_WORD_NUMBER_SHIFT;
}

static inline bool gt_word_has_range(uint64_t word)
{
    return (word & GT_WORD_RANGE) != 0;
}

static inline uint64_t gt_word_make(uint64_t number, uint64_t generation, bool was_before,
                                    uint64_t state)
{
    return number << GT_WORD_NUMBER_SHIFT | generation << 4 | (uint64_t) was_before << 3 | state;
}

/* The word after a change to `state` in `generation`, which takes `step` numbers, 0 or 1. */
static inline uint64_t gt_word_next(uint64_t word, uint64_t generation, uint64_t state,
                                    uint64_t step)
{
    uint64_t last = gt_word_generation(word);
    if (GT_UNLIKELY(last != generation))
        return gt_word_make(step, generation, last + 1 == generation, state) |
               (word & GT_WORD_RANGE);
    return (word & ~UINT64_C(7)) + (step << GT_WORD_NUMBER_SHIFT) + state;
}

/* The word with a tag, which is a number that is shifted to its place, instead of its number. */
static inline uint64_t gt_word_tagged(uint64_t word, uint64_t tag)
{
    return (word & ((UINT64_C(1) << GT_WORD_NUMBER_SHIFT) - 1)) | tag;
}

/* Whether the word tells that there was an event in `generation`, which is over. */
static inline bool gt_word_was_in(uint64_t word, uint64_t generation)
{
    uint64_t last = gt_word_generation(word);
    return last == generation || (last == generation + 1 && (word & 8) != 0);
}

#endif
