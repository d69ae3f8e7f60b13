/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/event.h>
#include <gotrace/types.h>

#include "model/words.h"

const char *gt_event_kind_name(uint32_t kind)
{
    return gt_word_of(gt_words_kinds, GT_WORDS_KINDS, kind)->text;
}

const char *gt_go_state_name(uint32_t state)
{
    return gt_word_of(gt_words_go_states, GT_WORDS_GO_STATES, state)->text;
}

const char *gt_proc_state_name(uint32_t state)
{
    return gt_word_of(gt_words_proc_states, GT_WORDS_PROC_STATES, state)->text;
}

const char *gt_resource_kind_name(uint32_t kind)
{
    static const char *const names[] = {"None", "Goroutine", "Proc", "Thread"};
    return kind < sizeof(names) / sizeof(names[0]) ? names[kind] : "Bad";
}
