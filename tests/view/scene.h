/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_VIEW_SCENE_H
#define TESTS_VIEW_SCENE_H

/* Makes stores for tests of queries, using filling.h. */

#include "filling.h"

/* Adds a state. `proc` is -1 and `reason` is NULL if there is none. */
void scene_state(struct filling *f, int64_t goroutine, int64_t start, int64_t end,
                 const char *state, const char *reason, int64_t proc, uint32_t stack,
                 uint32_t end_stack);

/* Adds a stack. `frames` are such as "main.work:2", separated by blanks, leaf first. */
uint32_t scene_stack(struct filling *f, const char *frames);

void scene_sample(struct filling *f, int64_t goroutine, uint32_t stack, int64_t time);

/* Adds goroutines with random states up to `end`. Each runs on its own proc. */
void scene_random(struct filling *f, uint64_t seed, int goroutines, int64_t end);

#endif
