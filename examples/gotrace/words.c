/* SPDX-License-Identifier: BSD-3-Clause */
#include "words.h"

static void word_set(struct word *word, const char *name)
{
    size_t size = strlen(name);
    word->size = size < WORD_MAX ? size : WORD_MAX;
    memcpy(word->text, name, word->size);
}

void words_init(struct words *words)
{
    memset(words, 0, sizeof(*words));
    for (uint32_t kind = 0; kind < WORDS_KINDS; kind++)
        word_set(&words->kinds[kind], gt_event_kind_name(kind));
    for (uint32_t state = 0; state < WORDS_GO_STATES; state++)
        word_set(&words->go_states[state], gt_go_state_name(state));
    for (uint32_t state = 0; state < WORDS_PROC_STATES; state++)
        word_set(&words->proc_states[state], gt_proc_state_name(state));
}
