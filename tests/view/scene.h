/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_VIEW_SCENE_H
#define TESTS_VIEW_SCENE_H

/* Stores that are made for tests of what is asked of them; on top of filling.h. */

#include "filling.h"

/* A state; `proc` is -1, and `reason` NULL, where there is none. */
void scene_state(struct filling *f, int64_t goroutine, int64_t start, int64_t end,
                 const char *state, const char *reason, int64_t proc, uint32_t stack,
                 uint32_t end_stack);

/* A stack of frames such as "main.work:2", leaf first, with blanks between them. */
uint32_t scene_stack(struct filling *f, const char *frames);

void scene_sample(struct filling *f, int64_t goroutine, uint32_t stack, int64_t time);

/* Goroutines with states at random up to `end`; each runs on a proc of its own. */
void scene_random(struct filling *f, uint64_t seed, int goroutines, int64_t end);

#endif
